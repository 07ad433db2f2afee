import { type ExtensionContext, ExtensionMode, type FileChangeEvent, FileChangeType, window, workspace } from 'vscode';
import { createAccountStore } from './accounts/accountStore';
import { Accounts } from './accounts/accounts';
import { Connections, type NetworkSettings } from './accounts/connections';
import { accountCommands } from './commands/accountCommands';
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
import { EnvironmentsView } from './views/environmentsView';

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
  const connections = new Connections(networkSettings(), trafficLogTo(log), 'Gantry');
  const accounts = new Accounts(createAccountStore(secrets), (account) => connections.open(account));
  const environments = new Environments();
  const containers = new Containers(accounts);
  const listings = new Listings((folder, filter) => containers.list(folder, { filter }), openFolders);
  const fileSystem = new ContainerFileSystem(accounts, environments, containers, listings);
  const work = new PlatformWork(containers);
  const environmentsView = new EnvironmentsView(accounts, environments, listings, work);

  const report = (error: unknown) => void notifyFailure(error, log);
  const commands = {
    ...accountCommands({ accounts, connections, platforms }),
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

function networkSettings(): NetworkSettings {
  const http = workspace.getConfiguration('http');
  return {
    proxy: http.get<string>('proxy'),
    noProxy: http.get<string[]>('noProxy', []),
    checkCertificates: http.get<boolean>('proxyStrictSSL', true),
  };
}

function platforms(): readonly string[] {
  return workspace.getConfiguration('gantry').get<string[]>('platforms', []);
}

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
