import { hostname } from 'node:os';
import { type ExtensionContext, ExtensionMode, type FileChangeEvent, FileChangeType, window, workspace } from 'vscode';
import { createAccountStore } from './accounts/accountStore';
import { Accounts } from './accounts/accounts';
import { Connections } from './accounts/connections';
import { connectionSettings, offeredPlatforms } from './accounts/settings';
import { accountCommands } from './commands/accountCommands';
import { askToSignInAgain } from './commands/reauthentication';
import { registerCommands } from './commands/register';
import { viewCommands } from './commands/viewCommands';
import { Environments } from './environments/environments';
import { ContainerFileSystem } from './files/containerFileSystem';
import { showContainerInStatusBar } from './integration/statusBar';
import { scheme } from './manifest';
import { Containers } from './remote/containers';
import { Listings } from './remote/listings';
import { parentOf, placeOf } from './remote/place';
import { PlatformWork } from './remote/platformWork';
import { setContextKey } from './ui/contextKeys';
import { notifyFailure } from './ui/notifications';
import { trafficLogTo } from './ui/trafficLog';
import { accountIn } from './views/accountIn';
import { EnvironmentsView } from './views/environmentsView';

/** How a platform lists our sessions. */
const userAgent = 'Gantry';

/** What tests inside the extension host may hold; nobody else is given anything. */
export interface Parts {
  readonly accounts: Accounts;
  readonly connections: Connections;
  readonly environments: Environments;
  readonly listings: Listings;
  readonly containers: Containers;
  readonly environmentsView: EnvironmentsView;
}

export function activate({ subscriptions, secrets, extensionMode }: ExtensionContext): Parts | undefined {
  const log = window.createOutputChannel('Gantry', { log: true });
  const report = (error: unknown) => void notifyFailure(error, log);
  const connections = new Connections({ settings: connectionSettings, log: trafficLogTo(log), userAgent, fetch });
  const flow = { connections, machine: hostname() };
  const accounts: Accounts = new Accounts({
    store: createAccountStore(secrets),
    connect: (account) => connections.open(account),
    askToSignInAgain: askToSignInAgain({ accounts: () => accounts, flow, allowPlainHttp }),
    report,
  });
  const environments = new Environments();
  const containers = new Containers(accounts);
  const listings = new Listings((folder, filter) => containers.list(folder, { filter }), openFolders);
  const fileSystem = new ContainerFileSystem(accounts, environments, containers, listings);
  const work = new PlatformWork(containers);
  const environmentsView = new EnvironmentsView(accounts, environments, listings, work);

  const commands = {
    ...accountCommands({ accounts, flow, platforms: offeredPlatforms, allowPlainHttp, accountOf: accountIn(accounts) }),
    ...viewCommands({ environments, listings, view: environmentsView, log }),
  };

  subscriptions.push(
    log,
    connections,
    accounts,
    environments,
    fileSystem,
    environmentsView,
    accounts.onDidChange(({ kind }) => showState(kind === 'loaded' && accounts.list.length > 0 ? 'some' : 'none')),
    fileSystem.onDidChangeFile((changes) => environmentsView.refreshFolders(changes.flatMap(folderOf))),
    registerCommands(commands, report),
    workspace.registerFileSystemProvider(scheme, fileSystem, { isCaseSensitive: true }),
    window.createTreeView('gantry.environments', { treeDataProvider: environmentsView, showCollapseAll: true }),
    showContainerInStatusBar(),
  );
  return extensionMode === ExtensionMode.Test
    ? { accounts, connections, environments, listings, containers, environmentsView }
    : undefined;
}

function showState(accounts: 'none' | 'some'): void {
  void setContextKey('gantry.accounts', accounts);
}

const allowPlainHttp = () => connectionSettings().allowPlainHttp;

/** The folder that shows something else after a change; a change of a file's content shows in no folder. */
function folderOf({ uri, type }: FileChangeEvent) {
  const place = type === FileChangeType.Changed ? undefined : placeOf(uri);
  return place?.kind === 'file' ? [parentOf(place) ?? place] : [];
}

function openFolders() {
  return (workspace.workspaceFolders ?? []).flatMap(({ uri }) => {
    const place = placeOf(uri);
    return place?.kind === 'file' ? [place] : [];
  });
}
