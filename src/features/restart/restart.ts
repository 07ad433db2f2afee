import { l10n, workspace } from 'vscode';
import { type Environment, nodeLabel } from '../../containers/environment';
import { type Container, containersIn } from '../../containers/environmentPart';
import { containerNamed } from '../../containers/namedContainer';
import { filePlaceOf } from '../../containers/place';
import { type ChangeQuestion, confirmChange, confirmInProduction } from '../../ui/commands/protectedPrompt';
import type { FeatureApis } from '../../featureApis';
import { isPlatformError, type PlatformError } from '../../platform/errors';
import type { Services } from '../../services';
import { commandOnContainer } from '../../ui/commands/targets';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import { showInformationMessage } from '../../ui/notifications';
import {
  delayBetweenNodes,
  aroundFailure,
  restartEach,
  RestartFailure,
  type RestartResult,
  type RestartStep,
  restartText,
  stepsFor,
  UnconfirmedRestart,
} from './restartFlow';
import { lastLogLine, noteOutcome, offerWayBack, restartNodes, savedIn } from './restoreAndRestartFlow';

/** Restarts the main service of a node, or of each node in a layer, one after the other, also for tasks and tools. */
export function createRestart(services: Services) {
  return {
    commands: restartCommands(services),
    forTools: restartsForTools(services),
    restartTask: restartAsTask(services),
  };
}

function restartCommands(services: Services) {
  return {
    'gantry.service.restart': commandOnContainer(
      services,
      {
        placeHolder: l10n.t('Select what to restart'),
        // After Save to All Nodes, all nodes are to read what was saved.
        isLikely: ({ environment: { account, name }, layer, node }) => {
          const saved = services.savedConfigurations.nodesIn({ account, environment: name, nodeGroup: layer.id });
          return node === undefined && layer.nodes.every(({ id }) => saved.has(id));
        },
      },
      async (container) => restart(await withCurrentNodes(container, services), services),
    ),
  };
}

/** Nodes come and go at any time, and all of a layer means all that it has now. Rejects if that's nothing. */
async function withCurrentNodes(
  { environment, layer, node }: Container,
  { accounts, environments }: Services,
): Promise<Container> {
  const account = accounts.find(environment.account);
  const now = account && node === undefined ? await environments.now(account) : [environment];
  const current = sameContainerIn(now, { environment, layer, node });
  if (current === undefined || stepsFor(current).length === 0) {
    throw new ExpectedError(l10n.t('{0} no longer exists.', layer.name));
  }
  return current;
}

function sameContainerIn(
  environments: readonly Environment[],
  { environment, layer, node }: Container,
): Container | undefined {
  return environments
    .filter(({ name }) => name === environment.name)
    .flatMap(containersIn)
    .find((one) => one.layer.id === layer.id && one.node?.id === node?.id);
}

/** Rejects if the account can't restart anything, before the user is asked. */
function ensureRestartOffered({ environment, layer, node }: Container, { accounts }: Services): void {
  const object = { layer: layer.name, environment: environment.title, nodeId: node?.id };
  accounts.find(environment.account)?.ensureOffered('RestartServices', object);
}

async function restart(container: Container, services: Services): Promise<void> {
  const { account, name } = container.environment;
  ensureRestartOffered(container, services);
  const steps = stepsFor(container);
  const question = restartQuestion(container, steps);
  if (!(await confirmChange([{ account, environment: name }], services.environments, question))) {
    return;
  }
  // A window that was just reloaded may still be reading what was saved before.
  await services.savedConfigurations.settled();
  const files = await savedIn(container, services);
  const startedAt = Date.now();
  const result = await restartNodes(container, steps, services);
  const { done, failure, canceled } = result;
  if (failure !== undefined && done.length === 0 && isNotOffered(failure.error)) {
    // The command's message has a button to try again.
    throw failure.error;
  }
  if (failure !== undefined) {
    await offerWayBack(
      container,
      { around: aroundFailure(steps, result), error: failure.error, files, step: steps[done.length], startedAt },
      services,
    );
  } else if (done.length > 0 || canceled?.isOutcomeUnknown === true) {
    void showInformationMessage(await resultText(container, steps, { result, services }));
  }
}

function isNotOffered(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.obstacle === 'notOffered';
}

/** @param delay between nodes, in seconds, if it isn't the one in the settings */
function restartQuestion(container: Container, steps: readonly RestartStep[], delay?: number): ChangeQuestion {
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

/** Restarts for a build. Returns whether every service was restarted. Stopping it ends it after the current node. */
function restartAsTask(services: Services): FeatureApis['restart']['restartTask'] {
  return async (task, run) => {
    const container = await containerNamed(task, services);
    const { environment, layer } = container;
    const account = services.accounts.find(environment.account);
    const at = { account: environment.account, environment: environment.name };
    const steps = stepsFor(container);
    ensureRestartOffered(container, services);
    const [first] = steps;
    const { say } = run;
    if (
      account === undefined ||
      first === undefined ||
      !(await confirmInProduction([at], services.environments, restartQuestion(container, steps, task.delay)))
    ) {
      say(l10n.t('Restart canceled.'));
      return false;
    }
    say(l10n.t('Restarting {0}…', steps.length === 1 ? first.name : layer.name));
    const result = await restartEach(
      steps,
      {
        account,
        environment: environment.name,
        lastLogLine: lastLogLine(services),
        delay: task.delay ?? delayBetweenNodes(),
      },
      { signal: new AbortController().signal, stopping: run.signal, say },
    );
    noteOutcome(container, steps, { result, services });
    say(await resultText(container, steps, { result, services }));
    return result.done.length === steps.length;
  };
}

/** What the tools for language models do with services. */
function restartsForTools(services: Services): FeatureApis['restart']['forTools'] {
  return {
    async question(named) {
      const container = await withCurrentNodes(named, services);
      ensureRestartOffered(container, services);
      return { container, question: restartQuestion(container, stepsFor(container)) };
    },
    async run(container, stopping) {
      const steps = stepsFor(container);
      const result = await restartNodes(container, steps, services, stopping);
      return { outcome: outcomeOf(result), text: await resultText(container, steps, { result, services }) };
    },
  };
}

async function resultText(
  container: Container,
  steps: readonly RestartStep[],
  { result, services }: { readonly result: RestartResult; readonly services: Services },
): Promise<string> {
  const { done, failure } = result;
  if (failure !== undefined) {
    const { before, after } = aroundFailure(steps, result);
    return [before, failureText(failure.error), after].filter(Boolean).join(' ');
  }
  const joined = done.length === steps.length ? await joinedNodes(container, services) : [];
  const text = restartText(container, steps, result);
  return joined.length === 0
    ? text
    : `${text} ${l10n.t("These nodes joined {0} after you confirmed and weren't restarted: {1}.", container.layer.name, joined.join(', '))}`;
}

/** Returns the names of nodes that joined the layer after the question, or none if the platform doesn't list them soon. */
async function joinedNodes(container: Container, { accounts, environments }: Services): Promise<readonly string[]> {
  const { environment, layer, node } = container;
  const account = accounts.find(environment.account);
  // Otherwise the platform restarts all that the layer has.
  const isListed = node === undefined && layer.isComplete;
  const listed = account !== undefined && isListed ? await environments.soon(account, 0) : undefined;
  const now = sameContainerIn(listed ?? [], container);
  const added = now?.layer.nodes.filter(({ id }) => !layer.nodes.some((known) => known.id === id)) ?? [];
  return added.map((one) => nodeLabel(one, environment, environment));
}

/** It's `unknown` only if a node may have been restarted whose response was lost or not waited for. */
function outcomeOf({ failure, canceled }: RestartResult): string {
  if (failure !== undefined) {
    const { error } = failure;
    const isCertain = isPlatformError(error)
      ? !error.isOutcomeUnknown
      : error instanceof RestartFailure && !(error instanceof UnconfirmedRestart);
    return isCertain ? 'failed' : 'unknown';
  }
  if (canceled !== undefined) {
    return canceled.isOutcomeUnknown ? 'unknown' : 'canceled';
  }
  return 'restarted';
}
