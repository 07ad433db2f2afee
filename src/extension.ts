import { type ExtensionContext, ExtensionMode, l10n, window } from 'vscode';
import { logCommands } from './ui/logCommands';
import { registerCommands } from './wiring/registerCommands';
import { buildAccessParts } from './wiring/wireAccess';
import { buildAccountParts } from './wiring/wireAccounts';
import { buildEnvironmentParts } from './wiring/wireFileTree';
import { buildFileParts, type FileParts } from './wiring/wireFiles';
import type { Home } from './wiring/wiringDeps';
import { buildProjectParts } from './wiring/wireDeployments';
import { buildRemoteParts } from './wiring/wireContainers';
import { buildSharingParts } from './wiring/wireFavoritesAndMounts';
import { notifyFailure } from './ui/notifications';
import { RequestStatistics } from './ui/requestStatistics';
import { ShownTexts } from './ui/shownTexts';
import { logTraffic } from './ui/trafficLog';

export function activate(context: ExtensionContext) {
  const log = window.createOutputChannel('Gantry', { log: true });
  log.info(l10n.t('With the level Debug, set by the gear wheel of this view, each request is written here.'));
  const report = (error: unknown) => void notifyFailure(error, log);
  const home: Home = { log, report, state: context.globalState, storageFolder: context.globalStorageUri.fsPath };
  const statistics = new RequestStatistics(new Date());
  const texts = new ShownTexts();

  const account = buildAccountParts({ ...home, secrets: context.secrets, traffic: logTraffic(log, statistics) });
  const { accounts, connections, unlocking, authentication } = account;
  const remote = buildRemoteParts({
    ...{ ...home, accounts },
    announce: (changes) => files.fileSystem.announce(changes),
    isBackup: (place) => files.backups.isBackup(place),
  });
  const { environments, containers, listings, watching } = remote;
  const files: FileParts = buildFileParts({ ...home, ...remote, accounts, texts });
  const { fileSystem } = files;
  const extensionId = context.extension.id;
  const tree = buildEnvironmentParts({ ...home, ...remote, accounts, files, texts, extensionId });
  const { view: environmentsView, links, show, subjects, happened } = tree;
  const shared = { ...home, accounts, environments, containers, listings, fileSystem };
  const refreshFolders = environmentsView.refreshFolders.bind(environmentsView);
  const sharing = buildSharingParts({ ...shared, subjects, happened, texts, show, refreshFolders });
  const projects = buildProjectParts({ ...shared, environmentsView, texts });
  const access = buildAccessParts({ atHand: account.atHand, texts });

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
    () => files.presence.dispose(),
    () => files.backups.settled(),
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
