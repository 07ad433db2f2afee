import { hostname } from 'node:os';
import { join } from 'node:path';
import {
  type ExtensionContext,
  ExtensionMode,
  type FileChangeEvent,
  FileChangeType,
  type TreeView,
  window,
  workspace,
} from 'vscode';
import { createAccountStore } from './accounts/accountStore';
import { type Account, Accounts } from './accounts/accounts';
import { Connections } from './accounts/connections';
import { Farewells } from './accounts/farewells';
import { FollowedSettings, offeredPlatforms } from './accounts/settings';
import { Unlocking } from './accounts/unlocking';
import { accessCommands } from './commands/accessCommands';
import { accountCommands, type AccountsAtHand, signInToPlatform as signIn } from './commands/accountCommands';
import { dropInto } from './commands/dropping';
import { type FilesAndFolders, filesAndFolders } from './commands/filesAndFolders';
import { askAboutOpenFolders } from './commands/folderCommands';
import { tells } from './commands/happened';
import { conflictCommands } from './commands/conflictCommands';
import { offerRecovery, recoveryCommands } from './commands/recoveryCommands';
import { saveCommands, saveDocument } from './commands/saveCommands';
import { linkCommands } from './commands/linkCommands';
import { logCommands } from './commands/logCommands';
import { askToSignInAgain } from './commands/reauthentication';
import { environmentCommands } from './commands/environmentCommands';
import { registerCommands } from './commands/register';
import { revealIn, showIn } from './commands/revealing';
import { signOut } from './commands/signOutFlow';
import { Subjects } from './commands/subjects';
import { viewCommands } from './commands/viewCommands';
import { EnvironmentMemory } from './environments/environmentMemory';
import { Environments } from './environments/environments';
import type { ContainerFileSystem } from './files/containerFileSystem';
import { followDocuments } from './files/documentEvents';
import { FolderTrust } from './files/folderTrust';
import { hidingFileSystem } from './files/hidingFileSystem';
import { ContainerFolders } from './files/transfers/containerFolder';
import { Watching } from './files/watching';
import { changesIn, visibleFolders, watched, watchWindow } from './files/watchWindow';
import { warnOfAutoSave } from './integration/autoSaveNotice';
import { GantryAuthentication, offerSignInInAccountsMenu } from './integration/authentication';
import { noticeExpiry } from './integration/expiryNotice';
import { Links } from './integration/links';
import { showContainerInStatusBar } from './integration/statusBar';
import { buildFileParts, type FileParts } from './fileParts';
import { showReadOnlyReasons } from './integration/readOnlyStatus';
import { scheme } from './manifest';
import { buildProjectParts, type ProjectParts } from './projectParts';
import { buildSharingParts, type SharingParts } from './sharingParts';
import { Containers } from './remote/containers';
import { Listings } from './remote/listings';
import { parentOf, placeOf } from './remote/place';
import { PlatformWork } from './remote/platformWork';
import { setContextKey } from './ui/contextKeys';
import { notifyFailure } from './ui/notifications';
import { RequestStatistics } from './ui/requestStatistics';
import { ShownTexts } from './ui/shownTexts';
import { logTraffic } from './ui/trafficLog';
import { AccessView } from './views/accessView';
import { accountIn } from './views/accountIn';
import type { Element } from './views/element';
import { EnvironmentsDrag } from './views/environmentsDrag';
import { EnvironmentsView } from './views/environmentsView';

/** How a platform lists our sessions. */
const userAgent = 'Gantry';

/** What tests inside the extension host may hold; nobody else is given anything. */
export interface Parts {
  readonly accounts: Accounts;
  readonly connections: Connections;
  readonly unlocking: Unlocking;
  readonly authentication: GantryAuthentication;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly containers: Containers;
  readonly watching: Watching;
  readonly environmentsView: EnvironmentsView;
  readonly projects: ProjectParts;
  readonly sharing: SharingParts;
  readonly files: FileParts;
  readonly links: Links;
  readonly accessView: AccessView;
  readonly statistics: RequestStatistics;
}

export function activate(context: ExtensionContext): Parts | undefined {
  const { subscriptions, secrets, extensionMode, globalState, globalStorageUri } = context;
  const log = window.createOutputChannel('Gantry', { log: true });
  const report = (error: unknown) => void notifyFailure(error, log);
  const statistics = new RequestStatistics(new Date());
  const traffic = logTraffic(log, statistics);
  const settings = new FollowedSettings();
  const connections = new Connections({ settings: settings.read, log: traffic, userAgent, fetch });
  const allowPlainHttp = () => settings.read().allowPlainHttp;
  const flow = { connections, machine: hostname() };
  const farewells = new Farewells(join(globalStorageUri.fsPath, 'signed-out'), report);
  const accounts: Accounts = new Accounts({
    store: createAccountStore(secrets, farewells, report),
    connect: (account) => connections.open(account),
    askToSignInAgain: askToSignInAgain({ accounts: () => accounts, flow, allowPlainHttp }),
    report,
  });
  const unlocking = new Unlocking({
    stored: (slug) => accounts.stored(slug),
    connect: (account) => connections.open(account),
  });
  beforeClosing.push(() => unlocking.lockAll());
  const environments = new Environments(new EnvironmentMemory(globalState));
  const containers = new Containers(accounts);
  const watching: Watching = new Watching({
    look: (folder) => listings.refresh(folder),
    visible: visibleFolders,
    announce: (folder, differences) => fileSystem.announce(changesIn(folder, differences)),
  });
  const listings: Listings = new Listings(watched(containers, watching), openFolders);
  const work = new PlatformWork(containers);
  const folders = new ContainerFolders(containers, work);
  const recoveryFolder = join(globalStorageUri.fsPath, 'recovery');
  const files = buildFileParts({ accounts, environments, containers, listings, folders, recoveryFolder, log });
  const { edits, readOnly }: FileParts = files;
  const fileSystem: ContainerFileSystem = files.fileSystem;
  beforeClosing.push(() => files.presence.dispose());
  const trust = new FolderTrust(globalState, openFolders);
  const environmentsView = new EnvironmentsView(accounts, environments, listings, work);
  const environmentsTree: TreeView<Element> = window.createTreeView('gantry.environments', {
    treeDataProvider: environmentsView,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: new EnvironmentsDrag((folder, dropped) => dropInto(folder, dropped, fileWork).catch(report)),
  });
  const texts = new ShownTexts();
  const fileWork: FilesAndFolders = {
    subjects: new Subjects(environmentsView, () => environmentsTree.selection, listings),
    folders,
    happened: tells(listings, fileSystem),
    reveal: revealIn(environmentsTree, environmentsView),
    refreshed: (folder) => environmentsView.refreshFolders([folder]),
    ...{ environments, containers, listings, work, trust, texts },
  };

  const show = showIn(environmentsTree, environmentsView);
  const links = new Links({ accounts, environments, listings, show, report });

  const sharingParts = buildSharingParts({
    ...{ accounts, environments, containers, listings, fileSystem, show, state: globalState, report },
    ...{ subjects: fileWork.subjects, happened: fileWork.happened },
    refreshFolders: (folders) => environmentsView.refreshFolders(folders),
  });

  const projectParts = buildProjectParts({
    ...{ accounts, environments, containers, listings, fileSystem, environmentsView },
    ...{ state: globalState, storageFolder: globalStorageUri.fsPath, report },
  });

  const accountsAtHand: AccountsAtHand = {
    ...{ accounts, unlocking, flow, allowPlainHttp, platforms: offeredPlatforms, accountOf: accountIn(accounts) },
  };
  const accessView = new AccessView(accounts, unlocking);
  const accessTree = window.createTreeView('gantry.access', {
    ...{ treeDataProvider: accessView, showCollapseAll: true, canSelectMany: true },
  });
  const access = { ...accountsAtHand, view: accessView, selection: () => accessTree.selection, texts };
  const signInToPlatform = () => signIn(accountsAtHand);
  const signOutOf = (account: Account) => signOut(accountsAtHand, account);
  const authentication = new GantryAuthentication(accounts, { signIn: signInToPlatform, signOut: signOutOf });

  const recovering = { recovery: files.recovery, edits, texts };
  const commands = {
    ...accountCommands(accountsAtHand),
    ...projectParts.commands,
    ...filesAndFolders(fileWork),
    ...conflictCommands({ edits, texts, save: (document, reach) => saveDocument(document, reach, edits) }),
    ...saveCommands({ edits, readOnly, pieces: files.pieces, environments, containers }),
    ...recoveryCommands(recovering),
    ...environmentCommands({ accounts, environments, view: environmentsView, accountOf: accountIn(accounts) }),
    ...sharingParts.commands,
    ...accessCommands(access),
    ...linkCommands({ accounts, view: environmentsView, extensionId: context.extension.id }),
    ...logCommands({ statistics, texts }),
    ...viewCommands({ accounts, environments, listings, view: environmentsView, log }),
  };

  subscriptions.push(
    log,
    settings,
    connections,
    farewells,
    accounts,
    unlocking,
    authentication,
    environments,
    fileSystem,
    readOnly,
    followDocuments(edits, readOnly, fileSystem),
    showReadOnlyReasons(readOnly, listings),
    environmentsView,
    projectParts.disposables,
    sharingParts.disposables,
    accounts.onDidChange(({ kind }) => showState(kind === 'loaded' && accounts.list.length > 0 ? 'some' : 'none')),
    fileSystem.onDidChangeFile((changes) => {
      environmentsView.refreshFolders(changes.flatMap(changedFolder));
    }),
    accounts.onDidSignOut(({ slug }) => {
      listings.forgetAll();
      environments.forget(slug).catch(report);
      files.kept.discardAccount(slug).catch(report);
      projectParts.forgetAccount(slug).catch(report);
    }),
    noticeExpiry({ accounts, memory: globalState, now: Date.now }),
    unlocking.onDidChange(() => void setContextKey('gantry.unlocked', unlocking.isAnyOpen ? 'some' : 'none')),
    registerCommands(commands, report),
    texts,
    accessView,
    accessTree,
    window.registerUriHandler(links),
    environmentsTree,
    watchWindow(watching, fileSystem),
    environmentsTree.onDidExpandElement(() => watching.active()),
    askAboutOpenFolders(fileWork, accounts, report),
    warnOfAutoSave(globalState),
    workspace.registerFileSystemProvider(scheme, hidingFileSystem(fileSystem, trust), { isCaseSensitive: true }),
    showContainerInStatusBar(),
  );
  offerSignInInAccountsMenu(accounts).catch(report);
  accounts.loaded.then(() => offerRecovery(recovering)).catch(report);
  return extensionMode === ExtensionMode.Test
    ? {
        ...{ accounts, connections, unlocking, authentication, environments, listings, containers, environmentsView },
        watching,
        projects: projectParts.parts,
        sharing: sharingParts.parts,
        files,
        ...{ links, statistics, accessView },
      }
    : undefined;
}

/** What has to be done before a window closes; VS Code waits for it a few seconds. */
const beforeClosing: (() => Promise<void>)[] = [];

export async function deactivate(): Promise<void> {
  await Promise.all(beforeClosing.splice(0).map((work) => work()));
}

function showState(accounts: 'none' | 'some'): void {
  void setContextKey('gantry.accounts', accounts);
}

/** The folder that shows something else after a change; a change of a file's content shows in no folder. */
function changedFolder({ uri, type }: FileChangeEvent) {
  const place = type === FileChangeType.Changed ? undefined : placeOf(uri);
  return place?.kind === 'file' ? [parentOf(place) ?? place] : [];
}

function openFolders() {
  return (workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
    const place = placeOf(uri);
    return place?.kind === 'file' ? [place] : [];
  });
}
