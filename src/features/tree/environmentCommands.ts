import { ExpectedError } from '../../ui/expectedError';
import { env, l10n, QuickPickItemKind, Uri, window } from 'vscode';
import { accountCommand, accountMeant, namedIn } from '../../ui/commands/accountPrompt';
import type { Account, Accounts } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import type { AddedEnvironment } from '../../containers/environmentMemory';
import { allEnvironments } from '../../containers/environmentIndex';
import { containersIn, type EnvironmentPart, partOfRow } from '../../containers/environmentPart';
import {
  environmentMeant,
  listParts,
  partAt,
  partChoices,
  type PartList,
} from '../../ui/commands/environmentPartPrompts';
import type { Environments } from '../../containers/environments';
import { layerTitle } from '../../containers/locationText';
import { protect, unprotect } from '../../containers/protectedEnvironments';
import type { Services } from '../../services';
import { command, commandOnNothing, type Handler } from '../../ui/commands/command';
import { askUntilAccepted, type Entered, type Question, type TextQuestion } from '../../ui/prompts';
import type { SharedElement } from '../../trees/sharedElement';
import { type FilePlace, filePlaceOf, type Place, placeOnLayer } from '../../containers/place';
import { withProgress } from '../../ui/progress';
import { isPlatformError, type PlatformError } from '../../platform/errors';
import { failureMessage } from '../../ui/failureMessages';
import type { ProjectName } from '../../featureApis';
import { askChoice, type Choice } from '../../ui/quickPick';

export function environmentCommands(services: Services) {
  const { accounts, environments, features } = services;
  const onRow =
    <T>(pick: (row: SharedElement | undefined) => T | undefined) =>
    (run: (target: T) => unknown): Handler<'rows'> =>
      command('rows', ({ object }) => pick(features.tree.loaded?.find(object)), run);
  return {
    'gantry.environment.add': accountCommand(
      accounts,
      l10n.t('Select the account that the environment belongs to'),
      (account) => addByHand(environments, account),
    ),

    'gantry.environment.goTo': commandOnNothing(() => goTo(services)),

    'gantry.environment.openInBrowser': command(
      'environment',
      ({ object }) =>
        environmentMeant(object, services, {
          placeHolder: l10n.t('Select the environment to open in the browser'),
          may: ({ domain }) => domain !== undefined,
        }),
      async ({ domain, hasCertificate }) => {
        if (domain !== undefined) {
          // Without a certificate, HTTPS shows an error.
          const scheme = hasCertificate === true ? 'https' : 'http';
          await env.openExternal(Uri.from({ scheme, authority: domain }));
        }
      },
    ),

    'gantry.environment.openDashboard': command(
      'account',
      async (call) => {
        const part = await partOfRow(call.object, services);
        const question = l10n.t('Select the account to open the dashboard for');
        return accountMeant(accounts, part?.environment.account ?? namedIn(call), question);
      },
      ({ address }) => env.openExternal(Uri.parse(address)),
    ),

    'gantry.layer.enterNodes': onRow(layerMeant)((layer) => enterNodes(environments, accounts, layer)),

    'gantry.environment.markAsProduction': onRow(environmentIn)(protect),

    'gantry.environment.unmarkAsProduction': onRow(environmentIn)(async (environment) => {
      const isOnly = await isOnlyOfName(environment, services);
      if (await unprotect(environment, { isOnly })) {
        throw new ExpectedError(
          l10n.t(
            "{0} is still a production environment, because this workspace's settings say so (gantry.protectedEnvironments).",
            environment.title,
          ),
        );
      }
    }),

    'gantry.environment.remove': onRow((row) => (row?.kind === 'missing' ? row.missing : environmentIn(row)))(
      ({ account, name }) => environments.remove(account, name),
    ),
  };
}

function environmentIn(row: SharedElement | undefined): Environment | undefined {
  return row?.kind === 'environment' ? row.environment : undefined;
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
      const wanted = addedIn(entered);
      const add = () => environments.add(account, wanted);
      return withProgress(l10n.t('Finding {0}', wanted.name), add, { canStop: false });
    },
    (error, entered) => problemOf(error, addedIn(entered)),
  );
}

function addedIn({ name = '', layer = '', nodes = '' }: Entered): AddedEnvironment {
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

async function enterNodes(environments: Environments, accounts: Accounts, layer: LayerPlace): Promise<void> {
  const { environment, target } = layer;
  const account = accounts.find(layer.account);
  if (account === undefined) {
    return;
  }
  const prompt = l10n.t("Enter the IDs of all nodes from the platform's dashboard, for example 12345, 12346.");
  await askUntilAccepted(
    l10n.t('Node IDs for {0} in {1}', layerTitle({ ...layer, layer: target.nodeGroup }, environments), environment),
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
    prompt: l10n.t(
      'ID of the layer: cp (application servers), bl (load balancer), sqldb or nosqldb (databases), cache, storage, build, or vps',
    ),
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

interface Targets {
  readonly parts: PartList<EnvironmentPart>;
  readonly projects: readonly ProjectName[];
}

/** Asks for an environment, a node or a project by any of its names, and shows its row. Typing sends no request. */
async function goTo(services: Pick<Services, 'accounts' | 'environments' | 'features'>): Promise<void> {
  const { tree, deployments } = services.features;
  const listed = listTargets(services);
  const choices = listed.then((targets) => choicesOf(targets, services.environments));
  const value = await askChoice<string>(choices, {
    placeHolder: l10n.t('Name, domain, node ID, or project, for example my-shop'),
  });
  if (value === undefined) {
    return;
  }
  const { parts, projects } = await listed;
  const part = partAt(parts, value);
  const project = projects.find((_, index) => value === projectValue(index));
  if (part !== undefined && !(await tree.use(({ show }) => show(placeOfPart(part))))) {
    throw new ExpectedError(l10n.t('{0} no longer exists.', part.node?.name ?? part.environment.title));
  }
  if (project !== undefined && !(await deployments.use(({ show }) => show(project)))) {
    throw new ExpectedError(l10n.t('{0} is no longer a project in {1}.', project.context, project.environment));
  }
}

async function listTargets(services: Parameters<typeof goTo>[0]): Promise<Targets> {
  await services.accounts.demandRead();
  const [parts, projects] = await Promise.all([
    listParts(services, targetsIn),
    services.features.deployments.use(({ allProjects }) => allProjects()),
  ]);
  return { parts, projects };
}

/** An environment and its nodes. A layer has no name that anyone would look for. */
function targetsIn(environment: Environment): readonly EnvironmentPart[] {
  const nodes = containersIn(environment).filter(({ node }) => node !== undefined);
  return [{ environment, layer: undefined, node: undefined }, ...nodes];
}

function choicesOf({ parts, projects }: Targets, environments: Environments): readonly Choice[] {
  const titles = new Map(
    parts.all.map(({ environment }) => [environmentKeyOf(environment.account, environment.name), environment.title]),
  );
  const rows = projects.map((project, index) => {
    const { account, environment, context } = project;
    const title = titles.get(environmentKeyOf(account, environment));
    const names = [title, title === environment ? undefined : environment, layerTitle(project, environments)];
    return {
      label: context,
      icon: 'repo',
      value: projectValue(index),
      description: names.filter((name) => name !== undefined).join(' · '),
    };
  });
  const heading = { label: l10n.t('Projects'), kind: QuickPickItemKind.Separator, value: '' };
  // There are more nodes than anything else, so they come last.
  return [
    ...partChoices({ ...parts, problems: [] }, ({ node }) => node === undefined),
    ...(rows.length === 0 ? [] : [heading]),
    ...rows,
    ...partChoices(parts, ({ node }) => node !== undefined),
  ];
}

function projectValue(index: number): string {
  return `project ${index}`;
}

function environmentKeyOf(account: string, environment: string): string {
  return `${account}/${environment}`;
}

function placeOfPart({ environment, layer, node }: EnvironmentPart): Place {
  return layer === undefined
    ? { kind: 'environment', account: environment.account, environment: environment.name }
    : placeOnLayer(environment, layer.id, node?.id);
}
