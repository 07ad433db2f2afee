import { l10n } from 'vscode';
import type { Account } from '../accounts/accounts';
import { pause, type TimeSource } from '../async/timeSource';
import { type FilePlace, placeOnLayer } from '../containers/place';
import { isCanceled, onPlatformError, undefinedIf } from '../platform/errors';
import { excerpt } from '../platform/redact';
import type { ProgressHandle } from '../ui/progress';
import type { RestartStep } from './restartStep';

/** What can be found out about a restart whose response was lost. `undefined`: nothing. */
export type LostRestart = 'goesOn' | 'stopped' | { readonly logEnd: string | undefined } | undefined;

export type LastLogLine = (
  starting: { readonly node: FilePlace; readonly type: string | undefined; readonly moment: number },
  signal: AbortSignal,
) => Promise<string | undefined>;

interface LookUp extends ProgressHandle {
  readonly account: Pick<Account, 'slug' | 'call'>;
  readonly environment: string;
  /** Returns the last line of the log that says how a service started. */
  readonly lastLogLine: LastLogLine;
  /** When the restart began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly time: TimeSource;
}

/** Between looks, in seconds. A gateway gives up after a minute or so, while a restart may take several. */
const pauses = [2, 5, 10, 20, 30, 30, 30, 30];
const running = 1;

/** Waits until the platform no longer works on the environment, and then looks at the nodes, and at the log of one. */
export async function lookUpRestart({ at, name }: RestartStep, lookUp: LookUp): Promise<LostRestart> {
  lookUp.say(l10n.t('{0}: connection lost, checking the result', name));
  if (await goesOn(lookUp)) {
    return 'goesOn';
  }
  const { account, environment, lastLogLine, startedAt, signal } = lookUp;
  const found = await undefinedIf('any', account.call('GetEnvInfo', { envName: environment }, { signal }));
  const nodes = found?.nodes.filter(({ id, nodeGroup }) =>
    'nodeId' in at ? id === at.nodeId : nodeGroup === at.nodeGroup,
  );
  const states = nodes?.map(({ status }) => status) ?? [];
  const [node] = nodes ?? [];
  if (states.some((status) => status !== undefined && status !== running)) {
    return 'stopped';
  }
  if (node === undefined || states.includes(undefined)) {
    return undefined;
  }
  const place = placeOnLayer({ account: account.slug, name: environment }, node.nodeGroup, node.id);
  const line = await lastLogLine({ node: place, type: node.nodeType, moment: startedAt }, signal).catch(unlessCanceled);
  return { logEnd: line === undefined || line === '' ? undefined : excerpt(line, { secrets: [], texts: [] }) };
}

/** For `catch`: a log that can't be read says nothing. */
function unlessCanceled(error: unknown): undefined {
  if (isCanceled(error)) {
    throw error;
  }
}

/** Whether the platform still works on the environment. If it can't say so, it doesn't. */
async function goesOn({ account, environment, signal, time }: LookUp): Promise<boolean> {
  for (const seconds of [...pauses, 0]) {
    const isOver = await account.call('GetCurrentActions', {}, { signal }).then(
      ({ array }) => array.every(({ text }) => text?.env !== environment),
      // The connection may come back.
      onPlatformError(({ kind }) => kind !== 'unreachable' && kind !== 'timeout'),
    );
    if (isOver) {
      return false;
    }
    await pause(seconds * 1_000, signal, time);
  }
  return true;
}
