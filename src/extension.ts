// Nearly everything that is loaded later uses these. The imports keep the bundler from splitting them into a small file.
import './platform/address';
import './platform/sending/sender';
import { type ExtensionContext, ExtensionMode, l10n, window, workspace } from 'vscode';
import { Gantry } from './gantry';
import { registerFeatures } from './features';
import { PendingWork } from './async/pendingWork';
import { Lazy } from './lazy';
import {
  beforeEditScheme,
  commandsByFeature,
  deployScheme,
  environmentRowMimeType,
  hookScheme,
  scheme,
} from './manifest';
import { followBuiltInSearch } from './search/builtInSearchNotice';
import { LastingMemory } from './storage/lastingMemory';
import { lastSignOut } from './storage/storageKeys';
import { notifyFailure } from './ui/notifications';
import { RecentErrors } from './ui/recentErrors';
import { ShownTexts } from './ui/shownTexts';
import type { Host, OptionalHostFeature } from './services';
import { createFeatures, type Features } from './wiring/features';
import { registerAuthentication } from './wiring/loading/lazyAuthentication';
import {
  registerBinaryFileEditor,
  registerFileNameSymbols,
  LazyFileSystem,
  createLazyTree,
  registerLazyText,
} from './wiring/loading/lazyProviders';
import { loadFeaturesInUse } from './wiring/loading/loadFeaturesInUse';
import { registerCommands } from './wiring/registerCommands';

/** Registers everything right away, but loads a feature's code on its first use. */
export function activate(context: ExtensionContext) {
  const { subscriptions, secrets, globalStorageUri, extension } = context;
  const state = new LastingMemory(context.globalState, () => lastSignOut(globalStorageUri.fsPath));
  const log = window.createOutputChannel('Gantry', { log: true });
  log.info(l10n.t('To log each request here, select the gear icon in this view and set the log level to Debug.'));
  const recent = new RecentErrors();
  const report = (error: unknown, runAgain?: () => unknown) => {
    const tryAgain =
      runAgain &&
      (() => {
        features.accounts.loaded?.accounts.forgetRights();
        return runAgain();
      });
    // It fails only while the window closes, when neither its log nor its messages can be reached.
    notifyFailure(error, { log, recent, tryAgain }).catch(() => undefined);
  };
  const texts = new ShownTexts();
  const hostLacks = new Set<OptionalHostFeature>();
  const pending = new PendingWork();
  const host: Host = {
    ...{ log, report, recent, state, secrets, texts, hostLacks },
    ...{ storageFolder: globalStorageUri.fsPath, extensionId: extension.id },
    ...{ version: versionIn(extension.packageJSON), packageJson: extension.packageJSON },
    complete: (work) => void pending.add('', work.catch(report)),
  };
  const features: Features = createFeatures(host, {
    trees: () => trees,
    registered: () => registered,
    own: (disposables) => subscriptions.push(...disposables),
  });
  const { accounts, files, fileTree, deployments, search } = features;
  const { goToFile } = features;
  const gantry = new Gantry(host, features);
  const registered = registerFeatures(gantry, { files, tree: fileTree });
  const uriList = 'text/uri-list';
  const trees = {
    environments: createLazyTree('gantry.environments', fileTree, {
      ...{ report, recent, canSelectMany: true },
      ...{ dragMimeTypes: [uriList], dropMimeTypes: [environmentRowMimeType, uriList, 'files'] },
    }),
    deployments: createLazyTree('gantry.deployments', deployments, { report, recent }),
    searchResults: createLazyTree('gantry.searchResults', search, {
      ...{ report, recent, canSelectMany: true },
    }),
  };
  const logFeature = new Lazy(() => Promise.resolve({ commands: { 'gantry.log.show': () => log.show() } }));
  const containerFiles = new LazyFileSystem(files, ({ fileSystem }) => fileSystem, recent, { canCopy: true });
  const hooks = new LazyFileSystem(deployments, (loaded) => loaded.hooks, recent);
  subscriptions.push(
    ...[log, texts, ...Object.values(trees), gantry],
    registerCommands(commandsByFeature.accounts, accounts, report),
    registerCommands(commandsByFeature.files, files, report),
    registerCommands(commandsByFeature.fileTree, fileTree, report),
    registerCommands(commandsByFeature.deployments, deployments, report),
    registerCommands(commandsByFeature.search, search, report),
    registerCommands(commandsByFeature.log, logFeature, report),
    registerCommands(commandsByFeature.goToFile, goToFile, report),
    workspace.registerFileSystemProvider(scheme, containerFiles, { isCaseSensitive: true }),
    workspace.registerFileSystemProvider(hookScheme, hooks, { isCaseSensitive: true }),
    registerFileNameSymbols(goToFile, ({ symbols }) => symbols),
    registerBinaryFileEditor(files, ({ binaryFiles }) => binaryFiles),
    registerLazyText(deployScheme, deployments, ({ deployLogs }) => deployLogs),
    registerLazyText(beforeEditScheme, deployments, ({ textsBeforeEdits }) => textsBeforeEdits),
    window.registerUriHandler({
      handleUri: (uri) => fileTree.use(({ links }) => links.handleUri(uri)).catch(report),
    }),
    registerAuthentication({ accounts, secrets, hostLacks, log }),
    followBuiltInSearch(report),
    loadFeaturesInUse(features, host),
  );
  const settled = () => Promise.all(pending.in(''));
  beforeClosing.push(async () => {
    const recorded = settled().then(() => deployments.loaded?.settled());
    await Promise.all([accounts.loaded?.unlocking.lockAll(), files.loaded?.close(), recorded]);
  });
  return context.extensionMode === ExtensionMode.Test ? { features, registered, settled } : undefined;
}

function versionIn(packageJson: unknown): string {
  const version = typeof packageJson === 'object' && packageJson !== null && 'version' in packageJson;
  return version ? String(packageJson.version) : '';
}

/** Exported only for tests in the extension host. */
export type TestExports = NonNullable<ReturnType<typeof activate>>;

/** Work to do before the window closes. VS Code waits a few seconds for it. */
const beforeClosing: (() => Promise<unknown>)[] = [];

export async function deactivate(): Promise<void> {
  await Promise.all(beforeClosing.splice(0).map((work) => work()));
}
