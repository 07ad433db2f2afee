import { commands, l10n, Position, Range } from 'vscode';
import type { Container } from '../../containers/environmentPart';
import { keyOf, nameOf, placeOnLayer } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { confirmInProduction } from '../../ui/commands/protectedPrompt';
import type { FeatureApis } from '../../featureApis';
import type { SavedConfiguration } from '../../files/saving/savedConfigurations';
import { outcomeText } from '../../files/saving/outcomeTexts';
import { type Restoration, type Restored, tellNotRestored } from '../../files/saving/restoreTexts';
import type { CommandId } from '../../manifest';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { type AroundError, showFailure, showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { type Choice, showPick } from '../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import {
  delayBetweenNodes,
  aroundFailure,
  lineIn,
  nodeSteps,
  RestartFailure,
  type RestartResult,
  type RestartStep,
  restartText,
  runSteps,
  UnconfirmedRestart,
} from './restartFlow';

interface Failed {
  /** What succeeded before, and what wasn't begun. */
  readonly around: AroundError;
  readonly error: unknown;
  /** The configuration that wasn't read yet when the restart began. */
  readonly files: readonly SavedConfiguration[];
  /** What was being restarted. */
  readonly step: RestartStep | undefined;
  readonly startedAt: number;
}

/** Saves of a file that are undone at once. */
type UndoneSaves = Extract<Restoration, { readonly now: string }> & {
  /** The saves that stay. */
  readonly left: SavedConfiguration['saves'];
};

/** Returns the configuration files saved on the nodes of the layer since their services were last restarted from here. */
export function savedIn(
  { environment: { account, name }, layer }: Container,
  { savedConfigurations }: Services,
): Promise<readonly SavedConfiguration[]> {
  return savedConfigurations.inLayer({ account, environment: name, nodeGroup: layer.id });
}

/**
 * Restarts with progress, and notes the outcome.
 * @param stopping prevents the requests that would follow
 */
export async function restartNodes(
  container: Container,
  steps: readonly RestartStep[],
  services: Services,
  stopping?: AbortSignal,
): Promise<RestartResult> {
  const { environment, layer } = container;
  const account = services.accounts.find(environment.account);
  if (account === undefined) {
    throw new ExpectedError(l10n.t('{0} no longer exists.', layer.name));
  }
  const [first] = steps;
  const title = l10n.t('Restarting {0}', steps.length === 1 && first !== undefined ? first.name : layer.name);
  const at = { account, environment: environment.name, lastLogLine: lastLogLine(services), delay: delayBetweenNodes() };
  const result = await runSteps(steps, { ...at, title, stopping });
  noteOutcome(container, steps, { result, services });
  return result;
}

/** Returns a function that gets the last line of the log that says how a service started. */
export function lastLogLine({ features }: Services): FeatureApis['logs']['lastLine'] {
  return (starting, signal) => features.logs.use((logs) => logs.lastLine(starting, signal));
}

/** Notes the outcome of a restart. A service that has started again works with what was saved before. */
export function noteOutcome(
  { environment, layer }: Container,
  steps: readonly RestartStep[],
  { result: { done, failure }, services }: { readonly result: RestartResult; readonly services: Services },
): void {
  const { account, name } = environment;
  const nodesOf = ({ at }: RestartStep) => ('nodeId' in at ? [at.nodeId] : layer.nodes.map(({ id }) => id));
  // A node may have been restarted long before the others.
  const note = (nodeId: number, isDone: boolean, startedAt: number) => {
    if (isDone) {
      services.savedConfigurations.forgetNode(nodeId, { account, environment: name }, startedAt);
    }
    const place = placeOnLayer(environment, layer.id, nodeId);
    const what = isDone ? 'restart' : 'failedRestart';
    services.complete(services.features.versions.use((versions) => versions.noteFollowed(place, what, startedAt)));
  };
  done.forEach((step) => nodesOf(step).forEach((nodeId) => note(nodeId, true, step.startedAt)));
  const restarted = done.flatMap(nodesOf);
  if (layer.nodes.some(({ id, isStopped }) => isStopped === true && restarted.includes(id))) {
    // Its row says that it's stopped.
    services.environments.refresh(account);
  }
  const failed = steps[done.length];
  if (failed === undefined || failure === undefined) {
    return;
  }
  const { error, startedAt } = failure;
  if (error instanceof RestartFailure && !(error instanceof UnconfirmedRestart)) {
    // One request for a layer restarts its nodes one after the other, and some of them may have started.
    const answers = 'nodeGroup' in failed.at ? error.nodes : [];
    for (const nodeId of nodesOf(failed)) {
      const answer = answers.find((one) => one.nodeId === nodeId);
      if (answer !== undefined || answers.length === 0) {
        note(nodeId, answer?.result === 0, startedAt);
      }
    }
  }
}

/**
 * Says why a node didn't start. If configuration files were saved before, offers to undo saves that the person chooses, on
 * any node of the layer, and to restart those nodes.
 */
export async function offerWayBack(container: Container, failed: Failed, services: Services): Promise<void> {
  const { error } = failed;
  const isCertain = error instanceof RestartFailure && !(error instanceof UnconfirmedRestart);
  const isOffered = isCertain && failed.files.length > 0;
  const chosen = await showRestartFailure(container, failed, isOffered ? [undoButton()] : []);
  if (chosen === undoButton()) {
    await restoreAndRestart(container, failed, services);
  }
}

/**
 * Shows the failure with buttons for the line that the node names, and for the log at the moment the restart began. The
 * message stays for the others.
 */
async function showRestartFailure(
  { environment, layer }: Container,
  { around, error, step, startedAt }: Omit<Failed, 'files'>,
  buttons: readonly string[],
): Promise<string | undefined> {
  const { account, name } = environment;
  const [nodeId] = failedNodes({ error, step });
  const looks = new Map<string, () => Thenable<unknown>>();
  if (nodeId !== undefined && error instanceof RestartFailure) {
    const named = lineIn(error.message);
    if (named !== undefined) {
      const at = new Position(named.line - 1, 0);
      const file = placeOnLayer(environment, layer.id, nodeId, named.path);
      const text = l10n.t('Open {0}:{1}', nameOf(file), named.line);
      looks.set(text, () => commands.executeCommand('vscode.open', uriOf(file), { selection: new Range(at, at) }));
    }
    const command: CommandId = 'gantry.logs.open';
    const row = { environment: { account, name }, layer: { id: layer.id }, node: { id: nodeId } };
    looks.set(l10n.t('Show Log'), () => commands.executeCommand(command, row, startedAt));
  }
  let chosen: string | undefined;
  do {
    chosen = await showFailure(around, error, ...buttons, ...looks.keys());
    await looks.get(chosen ?? '')?.();
  } while (looks.delete(chosen ?? '') && buttons.length + looks.size > 0);
  return chosen;
}

/** Returns the nodes that are known not to have started. */
function failedNodes({ error, step }: Pick<Failed, 'error' | 'step'>): readonly number[] {
  const nodes = error instanceof RestartFailure ? error.nodes : [];
  return step !== undefined && 'nodeId' in step.at
    ? [step.at.nodeId]
    : nodes.flatMap(({ nodeId, result }) => (result === 0 || nodeId === undefined ? [] : [nodeId]));
}

async function restoreAndRestart(container: Container, failed: Failed, services: Services): Promise<void> {
  const { environment, layer } = container;
  const placesOf = (some: readonly Pick<SavedConfiguration, 'place'>[]) => some.map(({ place }) => place);
  const files = await askWhatToUndo(failed);
  if (files.length === 0) {
    return;
  }
  const nodes = layer.nodes.filter(({ id }) => files.some(({ place }) => place.target.nodeId === id));
  const added = files.filter(({ earlier }) => earlier === undefined);
  const changed = files.filter((file) => !added.includes(file));
  services.containers.ensureOffered('Write', ...placesOf(changed));
  services.containers.ensureOffered('Delete', ...placesOf(added));
  const isAgreed = await confirmInProduction(placesOf(files), services.environments, {
    question: l10n.t('Undo your saves to {0}, and restart the service?', filesText(files)),
    paragraphs: [
      changed.length > 0 ? l10n.t('Your changes will be overwritten: {0}.', namesText(changed)) : undefined,
      added.length > 0 ? l10n.t('New files will be deleted: {0}.', namesText(added)) : undefined,
    ],
    button: undoButton(),
  });
  if (!isAgreed) {
    return;
  }
  const { savedConfigurations } = services;
  // A node that restarted before another one failed runs what is undone now, so it has to restart again.
  const unread = new Set(
    placesOf(files)
      .filter((place) => savedConfigurations.has(place))
      .map(keyOf),
  );
  const undone = await withProgress(
    l10n.t('Restoring {0}', filesText(files)),
    () =>
      services.restoreTexts(files, ({ place, earlier, left }) => {
        if (unread.has(keyOf(place))) savedConfigurations.noteUndone({ place, after: earlier, saves: left });
      }),
    { canStop: false },
  );
  if (undone.failed !== undefined) {
    await tellNotUndone(undone, undone.failed, services);
    return;
  }
  const steps = nodeSteps(environment, nodes);
  const startedAt = Date.now();
  const result = await restartNodes(container, steps, services);
  const { done, failure } = result;
  const restored = restoredText(filesText(files));
  if (failure !== undefined) {
    const step = steps[done.length];
    const { before, after } = aroundFailure(steps, result);
    const around = { before: `${restored} ${before}`.trim(), after };
    const left = filesLeft(failed.files, files);
    await offerWayBack(container, { around, error: failure.error, files: left, step, startedAt }, services);
  } else {
    void showInformationMessage(`${restored} ${restartText(container, steps, result)}`);
  }
}

/** Lists all saves, newest first, because a restart from elsewhere may have put older ones into use. */
async function askWhatToUndo(failed: Failed): Promise<readonly UndoneSaves[]> {
  const rows = failed.files
    .flatMap(({ place, after, saves }) =>
      saves.map(({ at, before }, index) => {
        const isLast = index === saves.length - 1;
        const facts = [
          l10n.t('saved {0} ({1})', formatRelativeTime(at), formatExactTime(at, 'medium')),
          !isLast && l10n.t('undoes later saves, too'),
          before === undefined && l10n.t('new file, will be deleted'),
        ];
        const value: UndoneSaves = { place, now: after, earlier: before, left: saves.slice(0, index) };
        const row = { label: namesText([value]), description: facts.filter(Boolean).join(' · '), detail: place.path };
        return { ...row, at, isLast, value };
      }),
    )
    .reverse()
    .sort((one, other) => other.at - one.at);
  const look = {
    items: rows,
    canSelectMany: true,
    selectedItems: likelyCauses(rows, failed),
    title: undoButton(),
    placeholder: l10n.t('Select the saves to undo'),
  };
  const chosen = await showPick<SaveRow, readonly SaveRow[]>(look, (pick, resolve) => [
    pick.onDidAccept(() => resolve(pick.selectedItems)),
  ]);
  const files = new Map<string, UndoneSaves>();
  for (const { value } of chosen ?? []) {
    const known = files.get(keyOf(value.place));
    if (known === undefined || value.left.length < known.left.length) {
      files.set(keyOf(value.place), value);
    }
  }
  return failed.files.flatMap(({ place }) => files.get(keyOf(place)) ?? []);
}

interface SaveRow extends Choice<UndoneSaves> {
  readonly at: number;
  /** Whether it's the last save to its file. */
  readonly isLast: boolean;
}

/**
 * Returns the last save to each file that the node names, or else the last save, on all nodes that got it. Leaves out a
 * file that would be deleted, because only the person knows whether it's needed.
 */
function likelyCauses(rows: readonly SaveRow[], failed: Failed): readonly SaveRow[] {
  const nodes = failedNodes(failed);
  const last = rows.filter(({ isLast }) => isLast);
  const onFailed = last.filter(({ value }) => nodes.includes(value.place.target.nodeId ?? 0));
  const candidates = onFailed.length > 0 ? onFailed : last;
  const words = failed.error instanceof Error ? failed.error.message : '';
  const named = candidates.filter(({ value }) => isNamed(value.place.path, words));
  const causes = named.length > 0 ? named : candidates.slice(0, 1);
  return last.filter(
    ({ at, value: { place, earlier } }) =>
      earlier !== undefined && causes.some((cause) => cause.at === at && cause.value.place.path === place.path),
  );
}

function isNamed(path: string, words: string): boolean {
  return words
    .split(path)
    .slice(1)
    .some((rest) => !/^\.?[\w-]/.test(rest));
}

/** Returns what can still be undone after some files went back. */
function filesLeft(
  files: readonly SavedConfiguration[],
  restored: readonly UndoneSaves[],
): readonly SavedConfiguration[] {
  return files.flatMap((file) => {
    const { earlier, left } = restored.find(({ place }) => keyOf(place) === keyOf(file.place)) ?? {};
    if (left === undefined) {
      return [file];
    }
    return earlier === undefined || left.length === 0 ? [] : [{ place: file.place, after: earlier, saves: left }];
  });
}

/** Says why the service wasn't restarted, and what has its earlier text already. */
async function tellNotUndone(
  { restored }: Restored<UndoneSaves>,
  { file, outcome }: NonNullable<Restored<UndoneSaves>['failed']>,
  services: Services,
): Promise<void> {
  const { place } = file;
  const name = l10n.t('{0} on {1}', nameOf(place), l10n.t('node {0}', String(place.target.nodeId ?? '')));
  const why = outcomeText(outcome, name, 'restored', l10n.t('Check the file, then restart the service.'));
  const text = restored.length === 0 ? why : `${restoredText(namesText(restored))} ${why}`;
  await tellNotRestored(text, outcome, file.earlier, services.texts);
}

function undoButton(): string {
  return l10n.t('Undo Saves and Restart');
}

function restoredText(files: string): string {
  return l10n.t('Undid your saves to {0}.', files);
}

/** The name of the file, or how many files. One file on several nodes counts once. */
function filesText(files: readonly UndoneSaves[]): string {
  const paths = new Set(files.map(({ place }) => place.path));
  const [first] = files;
  return paths.size === 1 && first !== undefined ? nameOf(first.place) : l10n.t('{0} files', paths.size);
}

function namesText(files: readonly UndoneSaves[]): string {
  return files.map(({ place }) => `${nameOf(place)} (${place.target.nodeId ?? ''})`).join(', ');
}
