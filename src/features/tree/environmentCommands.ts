import { ExpectedError } from '../../ui/expectedError';
import { env, l10n, Uri, window } from 'vscode';
import { accountCommand } from '../../accounts/accountPrompt';
import type { Account } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import type { AddedEnvironment } from '../../containers/environmentMemory';
import { allEnvironments } from '../../containers/environmentIndex';
import { partOfRow } from '../../containers/environmentPart';
import { environmentMeant } from '../../containers/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { protect, unprotect } from '../../containers/protectedEnvironments';
import type { Services } from '../../services';
import { askUntilAccepted, type Entered, type Question, type TextQuestion } from '../../ui/prompts';
import type { SharedElement } from '../../trees/sharedElement';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import { withProgress } from '../../ui/progress';
import { isPlatformError, type PlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';

export function environmentCommands({ accounts, environments, features }: Services) {
  const rowOf = (received: unknown) => features.tree.loaded?.find(received);
  const openDashboard = accountCommand(
    accounts,
    l10n.t('Select the account to open the dashboard for'),
    async ({ address }) => env.openExternal(Uri.parse(address)),
  );
  return {
    'gantry.environment.add': accountCommand(
      accounts,
      l10n.t('Select the account that the environment belongs to'),
      (account) => addByHand(environments, account),
    ),

    async 'gantry.environment.openInBrowser'(received: unknown) {
      const question = {
        placeHolder: l10n.t('Select the environment to open in the browser'),
        may: ({ domain }: Environment) => domain !== undefined,
      };
      const { domain, hasCertificate } = (await environmentMeant(received, { accounts, environments }, question)) ?? {};
      if (domain !== undefined) {
        // Without a certificate, HTTPS shows an error.
        await env.openExternal(Uri.from({ scheme: hasCertificate === true ? 'https' : 'http', authority: domain }));
      }
    },

    async 'gantry.environment.openDashboard'(received: unknown) {
      const part = await partOfRow(received, { accounts, environments });
      await openDashboard(part?.environment.account ?? received);
    },

    async 'gantry.layer.enterNodes'(received: unknown) {
      const layer = layerMeant(rowOf(received));
      const account = layer && accounts.find(layer.account);
      if (layer !== undefined && account !== undefined) {
        await enterNodes(environments, account, layer);
      }
    },

    async 'gantry.environment.markAsProduction'(received: unknown) {
      const element = rowOf(received);
      if (element?.kind === 'environment') {
        await protect(element.environment);
      }
    },

    async 'gantry.environment.unmarkAsProduction'(received: unknown) {
      const element = rowOf(received);
      if (element?.kind !== 'environment') {
        return;
      }
      const isOnly = await isOnlyOfName(element.environment, { accounts, environments });
      if (await unprotect(element.environment, { isOnly })) {
        throw new ExpectedError(
          l10n.t(
            "{0} is still a production environment, because this workspace's settings say so (gantry.protectedEnvironments).",
            element.environment.title,
          ),
        );
      }
    },

    async 'gantry.environment.remove'(received: unknown) {
      const element = rowOf(received);
      if (element?.kind === 'missing') {
        await environments.remove(element.missing.account, element.missing.name);
      } else if (element?.kind === 'environment') {
        await environments.remove(element.environment.account, element.environment.name);
      }
    },
  };
}

/** Whether no other account has an environment of this name. If an account can't be read, it may have one. */
async function isOnlyOfName(
  { account, name }: Environment,
  { accounts, environments }: Pick<Services, 'accounts' | 'environments'>,
): Promise<boolean> {
  const all = await allEnvironments(accounts, environments);
  return all.failures.length === 0 && all.environments.every((one) => one.account === account || one.name !== name);
}

async function addByHand(environments: Environments, account: Account): Promise<void> {
  const title = l10n.t('Add Environment to {0}', account.label);
  await askUntilAccepted(
    title,
    () => questions(account),
    (entered) => {
      const wanted = environmentIn(entered);
      const add = () => environments.add(account, wanted);
      return withProgress(l10n.t('Finding {0}', wanted.name), add, { canStop: false });
    },
    (error, entered) => problemOf(error, environmentIn(entered)),
  );
}

function environmentIn({ name = '', layer = '', nodes = '' }: Entered): AddedEnvironment {
  return { name: name.trim(), layers: layer === '' ? [] : [{ id: layer.trim(), nodes: numbersIn(nodes) }] };
}

type LayerPlace = Pick<FilePlace, 'account' | 'environment' | 'target'>;

/** Returns the layer of a row, or of the active file. */
function layerMeant(element: SharedElement | undefined): LayerPlace | undefined {
  if (element?.kind === 'layer') {
    const { account, name } = element.environment;
    return { account, environment: name, target: { nodeGroup: element.layer.id } };
  }
  const uri = window.activeTextEditor?.document.uri;
  return element?.kind === 'node' ? element.place : uri && filePlaceOf(uri);
}

async function enterNodes(environments: Environments, account: Account, layer: LayerPlace): Promise<void> {
  const { environment, target } = layer;
  const prompt = l10n.t("Enter the IDs of all nodes from the platform's dashboard, for example 12345, 12346.");
  await askUntilAccepted(
    l10n.t('Node IDs for {0} in {1}', target.nodeGroup, environment),
    () => [{ ...nodesQuestion(prompt), mayBeEmpty: false }],
    ({ nodes = '' }) => {
      const enter = () =>
        environments.enterNodes(account, environment, { id: target.nodeGroup, nodes: numbersIn(nodes) });
      return withProgress(l10n.t('Checking nodes'), enter, { canStop: false });
    },
    (error) => ({ key: 'nodes', problem: failureMessage(ensurePlatformError(error)) }),
  );
}

function nodesQuestion(prompt: string): TextQuestion {
  return {
    key: 'nodes',
    prompt,
    placeholder: '12345, 12346',
    mayBeEmpty: true,
    problem: (text) => (/^[\d\s,;]*$/.test(text) ? undefined : l10n.t('Separate the node IDs with commas or spaces.')),
  };
}

/** Asks only for the name if the token may read an environment by name, because that provides the rest. */
function questions(account: Account): readonly Question[] {
  const name: Question = {
    key: 'name',
    prompt: l10n.t('Environment name (the first part of its domain), for example my-shop'),
    placeholder: 'env-1234567',
    problem: (text) =>
      /^\s*[a-z0-9][a-z0-9-]*\s*$/i.test(text) ? undefined : l10n.t('Use only letters, digits, and dashes.'),
  };
  const layer: Question = {
    key: 'layer',
    prompt: l10n.t('Layer: cp (application servers), bl, sqldb, nosqldb, cache, storage, build, or vps'),
    value: 'cp',
    problem: (text) => (/^\s*[\w-]+\s*$/.test(text) ? undefined : l10n.t('Enter one word, such as cp.')),
  };
  const nodes = nodesQuestion(l10n.t('Node IDs (optional). Without them, files in this layer are read-only.'));
  return account.lacks('GetEnvInfo') ? [name, layer, nodes] : [name];
}

function numbersIn(text: string): number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** Explains why no environment was found, at the matching question. */
function problemOf(error: unknown, { name, layers }: AddedEnvironment): { key: string; problem: string } {
  const failure = ensurePlatformError(error);
  if (failure.kind === 'tokenLacksMethod' && layers.length === 0) {
    return { key: 'layer', problem: '' };
  }
  if (failure.kind === 'notFound' && failure.result === noEnvironment) {
    return { key: 'name', problem: l10n.t("This account doesn't have access to an environment named {0}.", name) };
  }
  return { key: layers.length === 0 ? 'name' : 'layer', problem: failureMessage(failure) };
}

/** Anything else is no answer to what was entered. */
function ensurePlatformError(error: unknown): PlatformError {
  if (!isPlatformError(error)) {
    throw error;
  }
  return error;
}

/** The code for a nonexistent environment. */
const noEnvironment = 11;
