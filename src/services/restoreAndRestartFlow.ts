import { l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Node } from '../containers/environment';
import type { Container } from '../containers/environmentPart';
import type { Environments } from '../containers/environments';
import { type FilePlace, nameOf } from '../containers/place';
import { confirmInProduction } from '../containers/protectedPrompt';
import type { FileQueue } from '../files/saving/fileQueue';
import type { SavedConfiguration, SavedConfigurations } from '../files/saving/savedConfigurations';
import type { SaveOutcome } from '../files/saving/saveFile';
import type { TextChange } from '../files/saving/writeOver';
import { ExpectedError } from '../ui/expectedError';
import { reasonText } from '../ui/failureMessages';
import { showFailure, showInformationMessage } from '../ui/notifications';
import { withProgress } from '../ui/progress';
import { nodeSteps, RestartFailure, type RestartStep, runSteps } from './restartFlow';

export interface WayBackDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly saved: SavedConfigurations;
  readonly queue: Pick<FileQueue, 'take'>;
  /** Writes a text over exactly another one. */
  readonly writeOver: (file: FilePlace, change: TextChange) => Promise<SaveOutcome>;
}

interface Failed {
  /** What succeeded before. */
  readonly lead: string;
  readonly error: unknown;
  /** The configuration that wasn't read yet when the restart began. */
  readonly files: readonly SavedConfiguration[];
}

/** Returns the configuration files saved on the nodes of the layer since their last restart. */
export function savedIn(
  { environment: { account, name }, layer }: Container,
  { saved }: Pick<WayBackDeps, 'saved'>,
): readonly SavedConfiguration[] {
  return saved.inLayer({ account, environment: name, nodeGroup: layer.id });
}

/** A service that has started again works with what was saved before. */
export function forgetRead(
  { environment: { account, name }, layer }: Container,
  done: readonly RestartStep[],
  { saved }: Pick<WayBackDeps, 'saved'>,
): void {
  const nodes = done.flatMap(({ at }) => ('nodeId' in at ? [at.nodeId] : layer.nodes.map(({ id }) => id)));
  nodes.forEach((nodeId) => saved.forgetNode(nodeId, { account, environment: name }));
}

/**
 * Says why a node didn't start. If configuration files were saved before, offers to put the earlier ones back on all
 * nodes of the layer that got the new ones, and to restart those.
 */
export async function offerWayBack(
  container: Container,
  { lead, error, files }: Failed,
  deps: WayBackDeps,
): Promise<void> {
  const restore = l10n.t('Restore Previous Version and Restart');
  const isOffered = error instanceof RestartFailure && files.length > 0;
  const chosen = await showFailure(lead, error, ...(isOffered ? [restore] : []));
  if (chosen === restore) {
    await restoreAndRestart(container, files, deps);
  }
}

async function restoreAndRestart(
  container: Container,
  files: readonly SavedConfiguration[],
  deps: WayBackDeps,
): Promise<void> {
  const { environment, layer } = container;
  const account = deps.accounts.find(environment.account);
  const nodes = layer.nodes.filter(({ id }) => files.some(({ place }) => place.target.nodeId === id));
  const isAgreed = await confirmInProduction(
    files.map(({ place }) => place),
    deps.environments,
    {
      question: l10n.t('Restore the previous version of {0} and restart the service?', filesText(files)),
      paragraphs: [
        nodes.length === 1
          ? l10n.t('What you saved on node {0} will be overwritten.', String(nodes[0]?.id ?? ''))
          : l10n.t('What you saved on nodes {0} will be overwritten.', nodes.map(({ id }) => String(id)).join(', ')),
      ],
      button: l10n.t('Restore and Restart'),
    },
  );
  if (account === undefined || !isAgreed) {
    return;
  }
  await withProgress(
    l10n.t('Restoring {0}', filesText(files)),
    async () => {
      for (const file of files) {
        await restore(file, deps);
      }
    },
    { canStop: false },
  );
  const steps = nodeSteps(environment, nodes);
  const title = l10n.t('Restarting {0}', layer.name);
  const { done, failure } = await runSteps(steps, { account, environment: environment.name, title });
  forgetRead(container, done, deps);
  const restored = l10n.t('Restored the previous version of {0}.', filesText(files));
  if (failure !== undefined) {
    await showFailure(restored, failure.error);
  } else {
    void showInformationMessage(`${restored} ${restartedText(done, nodes)}`);
  }
}

/** Stops at a file that someone has changed since, because restarting with a mixture could break more. */
async function restore({ place, before, after }: SavedConfiguration, deps: WayBackDeps): Promise<void> {
  const [name, node] = [nameOf(place), String(place.target.nodeId ?? place.target.nodeGroup)];
  const outcome = await deps.queue.take([place], () => deps.writeOver(place, { before: after, text: before }));
  if (outcome.kind === 'saved') {
    return;
  }
  if (outcome.kind === 'conflict') {
    deps.saved.forget(place);
    throw new ExpectedError(
      l10n.t(
        "Couldn't restore {0} on node {1}: the file has changed since you saved it. Nothing was restarted. Check the file, then restart the service.",
        name,
        node,
      ),
    );
  }
  throw new ExpectedError(
    outcome.kind === 'failed' && outcome.cause !== undefined
      ? l10n.t(
          "Couldn't restore {0} on node {1}: {2}. Nothing was restarted. Check the file, then restart the service.",
          name,
          node,
          reasonText(outcome.cause),
        )
      : l10n.t(
          "Couldn't verify that {0} on node {1} was restored. Nothing was restarted. Check the file, then restart the service.",
          name,
          node,
        ),
    { cause: outcome.cause },
  );
}

/** The name of the file, or how many files. One file on several nodes counts once. */
function filesText(files: readonly SavedConfiguration[]): string {
  const paths = new Set(files.map(({ place }) => place.path));
  const [first] = files;
  return paths.size === 1 && first !== undefined ? nameOf(first.place) : l10n.t('{0} files', paths.size);
}

function restartedText(done: readonly RestartStep[], nodes: readonly Node[]): string {
  const [first] = done;
  if (done.length === 0) {
    return l10n.t('Restart canceled.');
  }
  if (done.length < nodes.length) {
    return l10n.t('Restart canceled. Restarted the service on {0} of {1} nodes.', done.length, nodes.length);
  }
  return done.length === 1 && first !== undefined
    ? l10n.t('Restarted the service on {0}.', first.name)
    : l10n.t('Restarted the service on {0} nodes.', done.length);
}
