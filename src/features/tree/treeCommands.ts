import { commands, env, l10n, Uri, window, workspace } from 'vscode';
import type { Account, Accounts } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import { allEnvironments } from '../../containers/environmentIndex';
import type { AddedEnvironment } from '../../containers/environmentMemory';
import { accountOfRow } from '../../containers/environmentPart';
import type { Environments } from '../../containers/environments';
import { folderName, layerTitle } from '../../containers/locationText';
import { type FilePlace, filePlaceOf, isSameContainer, placeOf } from '../../containers/place';
import { protect, unprotect } from '../../containers/protectedEnvironments';
import { uriOf } from '../../containers/uris';
import { droppedSource, localSource } from '../../files/transfers/localFolder';
import { isPlatformError, type PlatformError } from '../../platform/errors';
import type { Services } from '../../services';
import { isCopyable, isRemovable, outermost } from '../../trees/commandTargets';
import type { Dropped } from '../../trees/dropped';
import type { CommandTarget, SharedElement } from '../../trees/sharedElement';
import { accountCommand, accountMeant, namedIn } from '../../ui/commands/accountPrompt';
import { command, type Handler } from '../../ui/commands/command';
import { environmentMeant } from '../../ui/commands/environmentPartPrompts';
import { confirmChange, confirmInProduction } from '../../ui/commands/protectedPrompt';
import { ExpectedError } from '../../ui/expectedError';
import { failureMessage } from '../../ui/failureMessages';
import { withProgress } from '../../ui/progress';
import { askUntilAccepted, type Entered, type Question, type TextQuestion } from '../../ui/prompts';
import { appendCommands } from './appendCommands';
import { clipboardCommands, ensureMayPaste, mayMoveWithin, pasteInto } from './clipboardCommands';
import { compareCommands } from './compareCommands';
import { fileCommands } from './fileCommands';
import { mayOpen } from './folderTrustFlow';
import { goToCommands, openLink } from './goToCommands';
import { serverSideCommands } from './serverSideCommands';
import { ensureMayUpload, transferCommands, uploadInto } from './transferCommands';

/** The commands on environments, files, and folders, and links to them. */
export function createTreeCommands(services: Services) {
  return {
    commands: {
      ...fileCommands(services),
      ...folderCommands(services),
      ...clipboardCommands(services),
      ...transferCommands(services),
      ...appendCommands(services),
      ...serverSideCommands(services),
      ...compareCommands(services),
      ...environmentCommands(services),
      ...goToCommands(services),
    },
    openLink: (uri: Uri) => openLink(uri, services).catch(services.report),
    drop: (folder: FilePlace, dropped: Dropped) => dropOnFolder(folder, dropped, services),
  };
}

function folderCommands(services: Services) {
  const { targets, listings, features } = services;
  const open = (where: 'here' | 'new window') =>
    targets.onFolder(async (folder) => {
      if (!(await mayOpen(folder, services))) {
        return;
      }
      const folders = workspace.workspaceFolders ?? [];
      if (where === 'here' && folders.length > 0) {
        workspace.updateWorkspaceFolders(folders.length, 0, {
          uri: uriOf(folder),
          name: folderName(folder, services.environments),
        });
      } else {
        const options = { forceNewWindow: where === 'new window', forceReuseWindow: where === 'here' };
        await commands.executeCommand('vscode.openFolder', uriOf(folder), options);
      }
    });
  return {
    'gantry.folder.open': open('here'),

    'gantry.folder.openInNewWindow': open('new window'),

    'gantry.folder.refresh': targets.onFolder(async (folder) => {
      listings.forget(folder);
      await listings.refresh(folder);
      await features.tree.loaded?.readAgain(folder);
    }),
  };
}

/** Handles a drop: moves rows within a container, copies them to another one, uploads files from the computer. */
async function dropOnFolder(folder: FilePlace, dropped: Dropped, services: Services): Promise<void> {
  switch (dropped.kind) {
    case 'entries':
      await transport(
        folder,
        dropped.entries.map(({ place, entry, isConfiguration }) => ({
          place,
          isFolder: entry.isDir,
          isShortcut: isConfiguration,
        })),
        services,
      );
      return;
    case 'files':
      ensureMayUpload(folder, services);
      await uploadInto(
        folder,
        dropped.files.map((file) => droppedSource(file.name, () => file.read())),
        services,
      );
      return;
    case 'uris':
      await dropUris(folder, dropped.uris, services);
  }
}

async function dropUris(folder: FilePlace, uris: readonly Uri[], services: Services): Promise<void> {
  const remote = (await Promise.all(uris.map((uri) => droppedTarget(uri, services)))).filter(
    (target) => target !== undefined,
  );
  const local = uris.filter((uri) => placeOf(uri) === undefined);
  // Check all of them before the first is changed.
  ensureMayPaste(folder, remote, intentOf(folder, remote), services);
  if (local.length > 0) {
    ensureMayUpload(folder, services);
    await uploadInto(folder, await Promise.all(local.map(localSource)), services);
  }
  if (remote.length > 0) {
    await transport(folder, remote, services);
  }
}

/** Returns the file or folder, if the URI is one of a container. Rejects if it's gone. */
async function droppedTarget(uri: Uri, { listings, environments }: Services): Promise<CommandTarget | undefined> {
  const place = filePlaceOf(uri);
  if (place === undefined) {
    return undefined;
  }
  // The cached listing may be older than the file.
  const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
  if (entry === undefined) {
    throw new ExpectedError(l10n.t("{0} doesn't exist in {1}.", place.path, environments.titleOf(place)));
  }
  return { place, isFolder: entry.isDir };
}

function intentOf(folder: FilePlace, targets: readonly CommandTarget[]): 'copy' | 'move' {
  return targets.some(({ place }) => !isSameContainer(place, folder)) ? 'copy' : 'move';
}

/** Skips rows that the commands wouldn't move either. */
async function transport(folder: FilePlace, dropped: readonly CommandTarget[], services: Services): Promise<void> {
  const intent = intentOf(folder, dropped);
  const targets = outermost(dropped.filter(intent === 'move' ? isRemovable : isCopyable));
  if (targets.length === 0) {
    return;
  }
  ensureMayPaste(folder, targets, intent, services);
  if (intent === 'copy' || (await mayMove(folder, targets, services))) {
    await pasteInto(folder, targets, intent, services);
  }
}

/** Asks before moving, unless the setting of VS Code's own Explorer disables it. In production, it always asks. */
function mayMove(folder: FilePlace, targets: readonly CommandTarget[], services: Services): Promise<boolean> {
  const isAlwaysAsked = workspace.getConfiguration('explorer').get<boolean>('confirmDragAndDrop', true);
  const places = targets.map(({ place }) => place);
  return mayMoveWithin(folder, places, isAlwaysAsked ? confirmChange : confirmInProduction, services);
}

function environmentCommands(services: Services) {
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
      (call) => {
        const question = l10n.t('Select the account to open the dashboard for');
        return accountMeant(accounts, accountOfRow(call.object) ?? namedIn(call), question);
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
  if (noEnvironment.has(failure.result)) {
    return {
      key: 'name',
      problem: l10n.t(
        "This account doesn't have access to an environment named {0}. Check the name in the dashboard.",
        name,
      ),
    };
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

/** The codes for a nonexistent environment. */
const noEnvironment: ReadonlySet<number | undefined> = new Set([11, 901]);
