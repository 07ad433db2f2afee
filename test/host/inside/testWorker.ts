import { type TestEvent } from '../events/testEvent';
import { evidenceKept, keepEvidence } from '../evidence';
import { exitWhenAsked } from '../leftovers';
import { disposeShared, inJob } from '../disposeAtEnd';
import { limit } from '../limits';
import { runMocha, type Send } from './runMocha';
import { type TestRun } from './testRun';

/** A message from the parent process: test files to run, or `finish` after the last ones. */
export type WorkerMessage = TestRun | 'finish';

/** How long the process may keep running after the last test, and how long closing what its tests share may take. */
const exitTimeout = limit(10_000);
const closeTimeout = limit(30_000);
const send: Send = (event) => process.send?.(event);

async function handleMessage(message: WorkerMessage): Promise<void> {
  if (message === 'finish') {
    await finish();
    return;
  }
  const rootHooks = { afterEach: evidenceKept, afterAll: evidenceKept };
  const runFiles = () => runMocha({ ...message, onFailure: keepEvidence, rootHooks }, send);
  await inJob(message.othersFollow !== true, runFiles);
}

/** Fails if the process doesn't exit by itself because tests left something open. */
async function finish(): Promise<void> {
  const closing = setTimeout(() => reportOpen("What the tests share can't be closed"), closeTimeout);
  await disposeShared();
  clearTimeout(closing);
  process.channel?.unref();
  setTimeout(() => reportOpen('The tests left something open'), exitTimeout).unref();
}

function reportOpen(what: string): void {
  const open = process.getActiveResourcesInfo().filter((kind) => !/^(TTYWrap|PipeWrap)$/.test(kind));
  const problem = `${what}: ${open.join(', ')}`;
  const title = 'after the last test';
  const failure: TestEvent = { kind: 'failed', file: '', title, problem, cause: 'error', repeat: title };
  process.send?.(failure, () => process.exit(1));
}

exitWhenAsked();
let done = Promise.resolve();
process.on('message', (message: WorkerMessage) => {
  // The next one may come while what the last one left is being closed.
  done = done.then(() => handleMessage(message));
});
