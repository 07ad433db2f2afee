import { l10n, workspace } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { pause, systemTime, type TimeSource } from '../../async/waiting';
import { nodeLabel, type Node } from '../../containers/environment';
import type { Container } from '../../containers/environmentPart';
import { placeOnLayer } from '../../containers/place';
import type { FeatureApis } from '../../featureApis';
import { changeOnce } from '../../platform/lostReply';
import type { AnswerOf } from '../../platform/contract';
import {
  type Canceled,
  isCanceled,
  isPlatformError,
  type NodeOutcome,
  onPlatformError,
  type PlatformError,
  undefinedIf,
} from '../../platform/errors';
import { excerpt } from '../../platform/redact';
import { ExpectedError } from '../../ui/expectedError';
import { reasonText } from '../../ui/failureMessages';
import { type ProgressHandle, withProgress } from '../../ui/progress';

/** One request: for a node, or for a layer whose nodes aren't all known. */
export interface RestartStep {
  readonly name: string;
  readonly at: { readonly nodeId: number } | { readonly nodeGroup: string; readonly isSequential: true };
}

export function stepsFor({ environment, layer, node }: Container): readonly RestartStep[] {
  // The user may have left out a node. The platform knows all of them.
  const isListed = node !== undefined || layer.isComplete;
  return isListed
    ? nodeSteps(environment, node === undefined ? layer.nodes : [node])
    : [{ name: layer.name, at: { nodeGroup: layer.id, isSequential: true } }];
}

export function nodeSteps(environment: Container['environment'], nodes: readonly Node[]): readonly RestartStep[] {
  return nodes.map((each) => ({ name: nodeLabel(each, environment, environment), at: { nodeId: each.id } }));
}

const longestDelay = 3600;
const usualDelay = 10;

/** The pause after a node's restart before the next one, in seconds. */
export function delayBetweenNodes(): number {
  const value = workspace.getConfiguration('gantry.restart').get<unknown>('delay');
  return typeof value === 'number' && value >= 0 ? Math.min(value, longestDelay) : usualDelay;
}

/** The node didn't start its service, and said why, or it stopped. */
export class RestartFailure extends ExpectedError {
  override readonly name: string = 'RestartFailure';

  constructor(
    text: string,
    /** What the platform says of each node, if it does. */
    readonly nodes: readonly NodeOutcome[] = [],
  ) {
    super(text);
  }
}

/** The response was lost, and the node's service may not have started. */
export class UnconfirmedRestart extends RestartFailure {
  override readonly name = 'UnconfirmedRestart';
}

/** A step that succeeded, with what the nodes said. */
interface RestartedStep extends RestartStep {
  readonly words: string;
  /** When it began, in milliseconds since the epoch. What was saved later may not have been read. */
  readonly startedAt: number;
}

export interface RestartResult {
  readonly done: readonly RestartedStep[];
  /** When the step began that failed, and why it did. */
  readonly failure?: { readonly error: unknown; readonly startedAt: number };
  /** The person canceled, maybe in the middle of the step after the last one that was done. */
  readonly canceled?: Pick<Canceled, 'isOutcomeUnknown'>;
}

interface Restarted {
  readonly account: Pick<Account, 'slug' | 'call'>;
  readonly environment: string;
  /** Returns the last line of the log that says how a service started. */
  readonly lastLogLine: FeatureApis['logs']['lastLine'];
}

interface RestartRun extends Restarted {
  /** The pause between two nodes, in seconds. */
  readonly delay: number;
  readonly time?: TimeSource;
}

/** Restarts the nodes, with progress. Canceling doesn't wait for the request that runs, whose node may still restart. */
export async function runSteps(
  steps: readonly RestartStep[],
  { title, stopping, ...at }: RestartRun & { readonly title: string; readonly stopping?: AbortSignal | undefined },
): Promise<RestartResult> {
  return withProgress(title, (running) =>
    restartEach(steps, at, {
      ...running,
      ...(stopping && { stopping: AbortSignal.any([stopping, running.signal]) }),
    }),
  );
}

/**
 * Restarts one after the other, with a pause in between, and stops at the first that fails.
 * @param running `signal` ends the request that runs, and `stopping` only those that would follow
 */
export async function restartEach(
  steps: readonly RestartStep[],
  { delay, time = systemTime, ...at }: RestartRun,
  { stopping, ...running }: ProgressHandle & { readonly stopping?: AbortSignal },
): Promise<RestartResult> {
  const { signal, say } = running;
  const ending = stopping ?? signal;
  const done: RestartedStep[] = [];
  let startedAt = time.now();
  try {
    for (const step of steps) {
      const [last, share] = [done.at(-1), done.length / steps.length];
      if (last !== undefined && delay > 0) {
        say(l10n.t('{0}. Next: {1} in {2} s', outcomeText(last), step.name, delay), share);
        await pause(delay * 1_000, ending, time);
      }
      if (ending.aborted) {
        return { done, canceled: { isOutcomeUnknown: false } };
      }
      if (steps.length > 1) {
        say(l10n.t('{0}, {1} of {2}', step.name, done.length + 1, steps.length), share);
      }
      startedAt = time.now();
      const words = await restart(step, delay, { ...running, ...at, time, startedAt });
      done.push({ ...step, words, startedAt });
    }
    return { done };
  } catch (error) {
    return isCanceled(error) ? { done, canceled: error } : { done, failure: { error, startedAt } };
  }
}

/** Says what was restarted, and what the nodes said, if they said anything; or that the person canceled. */
export function restartText(
  { layer }: Container,
  steps: readonly RestartStep[],
  { done, canceled }: RestartResult,
): string {
  const [first] = done;
  const [last, next] = [done.length, steps[done.length]];
  if (canceled !== undefined) {
    const mayFollow = canceled.isOutcomeUnknown && next !== undefined;
    return [
      l10n.t('Restart canceled.'),
      last > 0 && countText(last, steps.length),
      mayFollow && l10n.t('{0} may still restart.', next.name),
    ]
      .filter(Boolean)
      .join(' ');
  }
  const text =
    last === 1 && first !== undefined
      ? l10n.t('Restarted the service on {0}.', first.name)
      : last < layer.nodes.length
        ? countText(last, layer.nodes.length)
        : l10n.t('Restarted the service on every node of {0}.', layer.name);
  const said = done.filter(({ words }) => words !== '');
  return said.length === 0 ? text : `${text} ${said.map(outcomeText).join('. ')}.`;
}

/** Says which nodes were restarted before a failure, and which weren't begun because of it. */
export function aroundFailure(steps: readonly RestartStep[], { done }: RestartResult) {
  const left = steps.slice(done.length + 1).map(({ name }) => name);
  return {
    before: done.length > 0 ? countText(done.length, steps.length) : '',
    after: left.length > 0 ? l10n.t('Not attempted: {0}.', left.join(', ')) : '',
  };
}

function countText(done: number, all: number): string {
  return l10n.t('Restarted the service on {0} of {1} nodes.', done, all);
}

/** What a node said in its own words, or that its service was restarted. */
function outcomeText({ name, words }: RestartedStep): string {
  return words === '' ? l10n.t('Restarted {0}', name) : `${name}: ${words}`;
}

/** Sends one request, and returns what the nodes said. If the response is lost, finds out what can be found out. */
async function restart(step: RestartStep, delay: number, run: Parameters<typeof lookUpRestart>[1]): Promise<string> {
  const { account, environment, signal } = run;
  const group = 'nodeGroup' in step.at ? { delay } : {};
  let words = '';
  let found: LostRestart;
  await changeOnce(
    async () => {
      words = wordsIn(
        await account.call('RestartServices', { envName: environment, ...step.at, ...group }, { signal }),
      );
    },
    async () => {
      found = await lookUpRestart(step, run);
      // Nothing shows for certain that a service was restarted.
      return false;
    },
  ).catch((error: unknown) => {
    throw isPlatformError(error) ? failureOf(error, step, found) : error;
  });
  return words;
}

function wordsIn({ responses }: AnswerOf<'RestartServices'>): string {
  const said = responses.map(({ out = '', errOut = '' }) => `${out} ${errOut}`).join(' ');
  return excerpt(said, { secrets: [], texts: [] }).replace(/\.$/, '');
}

/** Codes of a service that didn't start or stop, which some platforms report without the node. */
const serviceFailures: ReadonlySet<number | undefined> = new Set([1, 4182, 4183, 4184]);

function failureOf(error: PlatformError, { name }: RestartStep, found: LostRestart): Error {
  if (error.isOutcomeUnknown) {
    return found === 'stopped'
      ? new RestartFailure(
          l10n.t("Couldn't restart the service on {0}: {1}, and the node isn't running now.", name, reasonText(error)),
        )
      : unconfirmed(name, reasonText(error), found);
  }
  // If no node says that it failed, and no code does, the platform refused, for example because the environment sleeps.
  const hasNodeFailed = error.nodes.some(({ result }) => result !== 0) || serviceFailures.has(error.result);
  return (error.kind === 'platform' || error.kind === 'notRunning') && hasNodeFailed
    ? new RestartFailure(
        l10n.t(
          "Couldn't restart the service on {0}: {1}. It might not be running: fix the cause, then try again.",
          name,
          nodesText(error),
        ),
        error.nodes,
      )
    : error;
}

/** What each of several nodes said that failed. */
function nodesText(error: PlatformError): string {
  const nodes = error.nodes.filter(({ result }) => result !== 0);
  return error.nodes.length > 1 && nodes.length > 0
    ? nodes.map(({ nodeId = 0, result, error: words = l10n.t('code {0}', result) }) => `${nodeId}: ${words}`).join('; ')
    : reasonText(error);
}

/** Returns the line of a file that a service names: nginx and PHP with a colon, Apache before the file, MySQL after it. */
export function lineIn(words: string): { readonly path: string; readonly line: number } | undefined {
  const file = String.raw`(?<path>(?<![\w/:.])/(?!/)[^\s:;,"'\]]*[^\s:;,."'\]])`;
  const found = [`${file}(?::|\\S* (?:at|on) line:? )(?<line>\\d+)`, `line (?<line>\\d+) of ${file}`]
    .map((pattern) => new RegExp(pattern).exec(words)?.groups)
    .find((groups) => groups !== undefined);
  return found && { path: found['path'] ?? '', line: Number(found['line']) || 1 };
}

/** A restart whose response was lost may have happened, or still happen. */
function unconfirmed(name: string, reason: string, found: Exclude<LostRestart, 'stopped'>): Error {
  const lead = l10n.t("Couldn't confirm that the service on {0} has restarted: {1}.", name, reason);
  if (found === 'goesOn') {
    return new ExpectedError(`${lead} ${l10n.t('The platform is still working on the environment.')}`);
  }
  if (found?.logEnd !== undefined) {
    const end = l10n.t('The node is running, and its log ends with “{0}”.', found.logEnd);
    return new UnconfirmedRestart(`${lead} ${end}`);
  }
  const text = `${lead} ${l10n.t('Before you try again, check whether it responds.')}`;
  return found === undefined ? new ExpectedError(text) : new UnconfirmedRestart(text);
}

/** What can be found out about a restart whose response was lost. `undefined`: nothing. */
type LostRestart = 'goesOn' | 'stopped' | { readonly logEnd: string | undefined } | undefined;

interface LookUp extends Restarted, ProgressHandle {
  /** When the restart began, in milliseconds since the epoch. */
  readonly startedAt: number;
  readonly time: TimeSource;
}

/** Between looks, in seconds. A gateway gives up after a minute or so, while a restart may take several. */
const pauses = [2, 5, 10, 20, 30, 30, 30, 30];
const running = 1;

/** Waits until the platform no longer works on the environment, and then looks at the nodes, and at the log of one. */
async function lookUpRestart({ at, name }: RestartStep, lookUp: LookUp): Promise<LostRestart> {
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

/** Whether the platform still says that it works on the environment. If it can't say so, it doesn't. */
async function goesOn({ account, environment, signal, time }: LookUp): Promise<boolean> {
  let isHeard = false;
  for (const seconds of [...pauses, 0]) {
    const isOver = await account.call('GetCurrentActions', {}, { signal }).then(
      ({ array }) => {
        isHeard = true;
        return array.every(({ text }) => text?.env !== environment);
      },
      onPlatformError(({ kind }) => {
        isHeard = false;
        // The connection may come back.
        return kind !== 'unreachable' && kind !== 'timeout';
      }),
    );
    if (isOver) {
      return false;
    }
    await pause(seconds * 1_000, signal, time);
  }
  return isHeard;
}
