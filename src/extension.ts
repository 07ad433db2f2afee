import { type ExtensionContext, ExtensionMode, l10n, window } from 'vscode';
import { logCommands } from './ui/logCommands';
import { registerCommands } from './wiring/registerCommands';
import { wireAccess } from './wiring/wireAccess';
import { wireAccounts } from './wiring/wireAccounts';
import { wireFileTree } from './wiring/wireFileTree';
import { wireFiles, type FileParts } from './wiring/wireFiles';
import type { WiringDeps } from './wiring/wiringDeps';
import { wireDeployments } from './wiring/wireDeployments';
import { wireContainers } from './wiring/wireContainers';
import { wireFavoritesAndMounts } from './wiring/wireFavoritesAndMounts';
import { notifyFailure } from './ui/notifications';
import { logTraffic, RequestStatistics } from './ui/trafficLog';
import { ShownTexts } from './ui/shownTexts';

export function activate(context: ExtensionContext) {
  const log = window.createOutputChannel('Gantry', { log: true });
  log.info(l10n.t('With the level Debug, set by the gear wheel of this view, each request is written here.'));
  const report = (error: unknown) => void notifyFailure(error, log);
  const home: WiringDeps = { log, report, state: context.globalState, storageFolder: context.globalStorageUri.fsPath };
  const statistics = new RequestStatistics(new Date());
  const texts = new ShownTexts();

  const account = wireAccounts({ ...home, secrets: context.secrets, traffic: logTraffic(log, statistics) });
  const { accounts, connections, unlocking, authentication } = account;
  const remote = wireContainers({
    ...{ ...home, accounts },
    announce: (changes) => files.fileSystem.announce(changes),
    isBackup: (place) => files.backups.isBackup(place),
  });
  const { environments, containers, listings, watching } = remote;
  const files: FileParts = wireFiles({ ...home, ...remote, accounts, texts });
  const { fileSystem } = files;
  const extensionId = context.extension.id;
  const tree = wireFileTree({ ...home, ...remote, accounts, files, texts, extensionId });
  const { view: environmentsView, links, show, subjects, happened } = tree;
  const shared = { ...home, accounts, environments, containers, listings, fileSystem };
  const refreshFolders = environmentsView.refreshFolders.bind(environmentsView);
  const sharing = wireFavoritesAndMounts({ ...shared, subjects, happened, texts, show, refreshFolders });
  const projects = wireDeployments({ ...shared, environmentsView, texts });
  const access = wireAccess({ atHand: account.atHand, texts });

  const commands = {
    ...account.commands,
    ...tree.commands,
    ...files.commands,
    ...sharing.commands,
    ...projects.commands,
    ...access.commands,
    ...logCommands({ statistics, texts }),
  };
  context.subscriptions.push(
    ...[log, texts],
    ...[account, remote, files, tree, sharing, projects, access].flatMap<{ dispose(): unknown }>(
      ({ disposables }) => disposables,
    ),
    registerCommands(commands, report),
    accounts.onDidSignOut(({ slug }) => {
      listings.forgetAll();
      environments.forget(slug).catch(report);
      files.forgetAccount(slug).catch(report);
      projects.forgetAccount(slug).catch(report);
    }),
  );
  beforeClosing.push(
    () => unlocking.lockAll(),
    () => files.close(),
    () => projects.settled(),
  );
  const parts = {
    ...{ accounts, connections, unlocking, authentication, environments, listings, containers, watching, files },
    ...{ environmentsView, links, statistics, accessView: access.view },
    ...{ projects: projects.parts, sharing: sharing.parts },
  };
  return context.extensionMode === ExtensionMode.Test ? parts : undefined;
}

/** What tests inside the extension host may hold; nobody else is given anything. */
export type Parts = NonNullable<ReturnType<typeof activate>>;

/** What has to be done before a window closes; VS Code waits for it a few seconds. */
const beforeClosing: (() => Promise<void>)[] = [];

export async function deactivate(): Promise<void> {
  await Promise.all(beforeClosing.splice(0).map((work) => work()));
}
