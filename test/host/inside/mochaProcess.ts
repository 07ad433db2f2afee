import { evidenceKept, keepEvidence } from '../evidence';
import { exitWhenAsked } from '../leftovers';
import { openEventChannel } from './eventChannel';
import { runMocha } from './runMocha';
import { testRun } from './testRun';

const patience = 3_000;

/** A process of its own for one suite: what its tests leave open keeps it alive, and that is a failure. */
async function main(): Promise<void> {
  exitWhenAsked();
  const channel = await openEventChannel();
  const failed = await runMocha(
    {
      ...testRun(),
      onFailure: keepEvidence,
      rootHooks: { afterEach: evidenceKept, afterAll: evidenceKept },
    },
    channel,
  );
  process.exitCode = failed > 0 ? 1 : 0;
  setTimeout(() => {
    const open = process.getActiveResourcesInfo().filter((kind) => kind !== 'TTYWrap' && kind !== 'PipeWrap');
    channel.send({ kind: 'failed', title: 'after the last test', problem: `The tests left open: ${open.join(', ')}` });
    void channel.close().finally(() => process.exit(1));
  }, patience).unref();
  channel.unref();
}

void main();
