import { l10n, workspace } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { containerMeant } from '../containers/containerPrompt';
import { containersIn, type Container } from '../containers/environmentPart';
import type { Environments } from '../containers/environments';
import { filePlaceOf } from '../containers/place';
import { type ChangeQuestion, confirmChange } from '../containers/protectedPrompt';
import { isPlatformError, type PlatformError } from '../platform/errors';
import { showInformationMessage } from '../ui/notifications';
import { offerWayBack, restartNodes, savedIn, type WayBackDeps } from './restoreAndRestartFlow';
import { delayBetweenNodes } from './restartDelay';
import { countText, restartText } from './restartFlow';
import { type RestartStep, stepsFor } from './restartStep';

export interface RestartDeps extends WayBackDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
}

/** Restarts the main service of a node, or of each node in a layer, one after the other. */
export function restartCommands(deps: RestartDeps) {
  return {
    async 'gantry.service.restart'(received: unknown) {
      const container = await containerMeant(received, deps, {
        placeHolder: l10n.t('Select what to restart'),
        // After Save to All Nodes, all nodes are to read what was saved.
        isLikely: (one) =>
          one.node === undefined &&
          one.layer.nodes.every(({ id }) => savedIn(one, deps).some(({ place }) => place.target.nodeId === id)),
      });
      const current = container && (await withCurrentNodes(container, deps));
      if (current !== undefined) {
        await restart(current, deps);
      }
    },
  };
}

/** Nodes come and go at any time, and all of a layer means all that it has now. */
export async function withCurrentNodes(
  { environment, layer, node }: Container,
  { accounts, environments }: Pick<RestartDeps, 'accounts' | 'environments'>,
): Promise<Container | undefined> {
  const account = accounts.find(environment.account);
  const now = account && node === undefined ? await environments.now(account) : [environment];
  return now
    .filter(({ name }) => name === environment.name)
    .flatMap(containersIn)
    .find((one) => one.layer.id === layer.id && one.node?.id === node?.id);
}

/** Rejects if the account can't restart anything, before the user is asked. */
export function ensureRestartOffered(
  { environment, layer, node }: Container,
  { accounts }: Pick<RestartDeps, 'accounts'>,
): void {
  const object = { layer: layer.id, environment: environment.title, nodeId: node?.id };
  accounts.find(environment.account)?.ensureOffered('RestartServices', object);
}

async function restart(container: Container, deps: RestartDeps): Promise<void> {
  const { account, name } = container.environment;
  ensureRestartOffered(container, deps);
  const steps = stepsFor(container);
  const question = restartQuestion(container, steps);
  if (steps.length === 0 || !(await confirmChange([{ account, environment: name }], deps.environments, question))) {
    return;
  }
  const files = savedIn(container, deps);
  const startedAt = Date.now();
  const result = await restartNodes(container, steps, deps);
  const { done, failure, canceled } = result;
  if (failure !== undefined && done.length === 0 && isNotOffered(failure.error)) {
    // The command's message has a button to try again.
    throw failure.error;
  }
  if (failure !== undefined) {
    const lead = done.length === 0 ? '' : countText(done.length, steps.length);
    await offerWayBack(container, { lead, error: failure.error, files, step: steps[done.length], startedAt }, deps);
  } else if (done.length > 0 || canceled?.isOutcomeUnknown === true) {
    void showInformationMessage(restartText(container, steps, result));
  }
}

function isNotOffered(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.obstacle === 'notOffered';
}

/** @param delay between nodes, in seconds, if it isn't the one in the settings */
export function restartQuestion(container: Container, steps: readonly RestartStep[], delay?: number): ChangeQuestion {
  const { environment, layer } = container;
  const [first] = steps;
  const isListed = first !== undefined && 'nodeId' in first.at;
  const isOneNode = isListed && steps.length === 1;
  return {
    question: isOneNode
      ? l10n.t('Restart the service on {0} in {1}?', first.name, environment.title)
      : l10n.t('Restart the service on every node of {0} in {1}?', layer.name, environment.title),
    paragraphs: [
      isOneNode || !isListed ? undefined : delayText(delay),
      l10n.t("Open connections will be dropped, and the service won't respond until it has started."),
      unsavedText(container),
    ],
    button: l10n.t('Restart'),
  };
}

function delayText(delay: number | undefined): string {
  return delay === undefined
    ? l10n.t(
        'Gantry restarts one node at a time, with {0} s in between (gantry.restart.delay), and stops if one fails.',
        delayBetweenNodes(),
      )
    : l10n.t('Gantry restarts one node at a time, with {0} s in between, and stops if one fails.', delay);
}

/** Warns that what isn't saved has no effect. */
function unsavedText({ environment, layer, node }: Container): string | undefined {
  const unsaved = workspace.textDocuments.filter(({ isDirty, uri }) => {
    const place = isDirty ? filePlaceOf(uri) : undefined;
    return (
      place?.account === environment.account &&
      place.environment === environment.name &&
      place.target.nodeGroup === layer.id &&
      (node === undefined || place.target.nodeId === undefined || place.target.nodeId === node.id)
    );
  });
  return unsaved.length === 0
    ? undefined
    : l10n.t("Some open files have unsaved changes. Save them first, or the restart won't use them.");
}
