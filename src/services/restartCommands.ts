import { l10n, Uri, window, workspace } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { containersIn, type Container, isContainer, partOfRow } from '../containers/environmentPart';
import { listContainers, partAt, partChoices } from '../containers/environmentPartPrompts';
import type { Environments } from '../containers/environments';
import { type FilePlace, filePlaceOf } from '../containers/place';
import { confirmChange } from '../containers/protectedPrompt';
import { showInformationMessage } from '../ui/notifications';
import { askChoice } from '../ui/quickPick';
import { forgetRead, offerWayBack, savedIn, type WayBackDeps } from './restoreAndRestartFlow';
import { type RestartStep, runSteps, stepsFor } from './restartFlow';

export interface RestartDeps extends WayBackDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
}

/** Restarts the main service of a node, or of each node in a layer, one after the other. */
export function restartCommands(deps: RestartDeps) {
  return {
    async 'gantry.service.restart'(received: unknown) {
      const container = await containerMeant(received, deps);
      const current = container && (await withCurrentNodes(container, deps));
      if (current !== undefined) {
        await restart(current, deps);
      }
    },
  };
}

/** Returns the container of the row that the command was called on, or asks: for the active file, only in its layer. */
async function containerMeant(received: unknown, deps: RestartDeps): Promise<Container | undefined> {
  const part = await partOfRow(received, deps);
  if (part !== undefined && isContainer(part)) {
    return part;
  }
  // A row that's gone must not restart what happens to be open.
  const active = received === undefined ? window.activeTextEditor?.document.uri : undefined;
  const uri = received instanceof Uri ? received : active;
  const place = uri && filePlaceOf(uri);
  const around = place === undefined ? [] : await containersAround(place, deps);
  const [only, ...others] = around;
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const list = around.length > 0 ? { all: around, problems: [] } : await listContainers(deps, part?.environment);
  const placeHolder = l10n.t('Select what to restart');
  return partAt(list, await askChoice<string>(partChoices(list), { placeHolder }));
}

/** Returns the file's node and, if it has several nodes, its layer. */
async function containersAround(place: FilePlace, { accounts, environments }: RestartDeps): Promise<Container[]> {
  const { nodeGroup: layer, nodeId } = place.target;
  const account = accounts.find(place.account);
  const found = account && (await environments.findLayer(account, { environment: place.environment, layer }));
  const inLayer = found === undefined ? [] : containersIn(found.environment).filter((one) => one.layer.id === layer);
  const [nodes, whole] = [inLayer.filter(({ node }) => node), inLayer.filter(({ node }) => node === undefined)];
  const own = nodes.filter(({ node }) => node?.id === nodeId || (nodeId === undefined && nodes.length === 1));
  return nodes.length === 1 && own.length === 1 ? own : [...own, ...whole];
}

/** Nodes come and go at any time, and all of a layer means all that it has now. */
async function withCurrentNodes(
  { environment, layer, node }: Container,
  { accounts, environments }: RestartDeps,
): Promise<Container | undefined> {
  const account = accounts.find(environment.account);
  const now = account && node === undefined ? await environments.now(account) : [environment];
  return now
    .filter(({ name }) => name === environment.name)
    .flatMap(containersIn)
    .find((one) => one.layer.id === layer.id && one.node?.id === node?.id);
}

async function restart(container: Container, deps: RestartDeps): Promise<void> {
  const { environment, layer } = container;
  const account = deps.accounts.find(environment.account);
  const steps = stepsFor(container);
  const [first] = steps;
  if (account === undefined || first === undefined || !(await isConfirmed(container, steps, deps.environments))) {
    return;
  }
  const name = steps.length === 1 ? first.name : layer.name;
  const at = { account, environment: environment.name, title: l10n.t('Restarting {0}', name) };
  const files = savedIn(container, deps);
  const { done, failure } = await runSteps(steps, at);
  forgetRead(container, done, deps);
  if (failure !== undefined) {
    const lead =
      steps.length === 1 ? '' : l10n.t('Restarted the service on {0} of {1} nodes.', done.length, steps.length);
    await offerWayBack(container, { lead, error: failure.error, files }, deps);
  } else if (done.length === steps.length) {
    void showInformationMessage(
      steps.length === 1
        ? l10n.t('Restarted the service on {0}.', name)
        : l10n.t('Restarted the service on the {0} nodes of {1}.', steps.length, name),
    );
  } else if (done.length > 0) {
    void showInformationMessage(
      l10n.t('Restart canceled. Restarted the service on {0} of {1} nodes.', done.length, steps.length),
    );
  }
}

async function isConfirmed(
  container: Container,
  steps: readonly RestartStep[],
  environments: Environments,
): Promise<boolean> {
  const { environment, layer } = container;
  const [first] = steps;
  const isListed = first !== undefined && 'nodeId' in first.at;
  const isOneNode = isListed && steps.length === 1;
  return confirmChange([{ account: environment.account, environment: environment.name }], environments, {
    question: isOneNode
      ? l10n.t('Restart the service on {0} in {1}?', first.name, environment.title)
      : isListed
        ? l10n.t('Restart the service on the {0} nodes of {1} in {2}?', steps.length, layer.name, environment.title)
        : l10n.t('Restart the service on every node of {0} in {1}?', layer.name, environment.title),
    paragraphs: [
      isListed && !isOneNode ? l10n.t('Gantry restarts one node at a time, and stops if one fails.') : undefined,
      isOneNode
        ? l10n.t("Its open connections will be dropped, and it won't respond until it's running again.")
        : l10n.t("Each node's open connections will be dropped, and it won't respond until it's running again."),
      unsavedText(container),
    ],
    button: l10n.t('Restart'),
  });
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
