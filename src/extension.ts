// Nearly everything that is loaded later uses these. The imports keep the bundler from splitting them into a small file.
import './platform/address';
import './platform/sending/sender';
import { type ExtensionContext, ExtensionMode, l10n, TextDocumentSaveReason, window, workspace } from 'vscode';
import { Gantry, type Own } from './gantry';
import { registerFeatures } from './features';
import { PendingWork } from './async/sharedCalls';
import { Lazy, LazyFileSystem, registerBinaryFileEditor } from './lazy';
import { scheme } from './manifest';
import { LastingMemory } from './storage/lastingMemory';
import { lastSignOut } from './storage/storageKeys';
import { commandOnNothing } from './ui/commands/command';
import { notifyFailure } from './ui/notifications';
import { RecentErrors } from './ui/recentErrors';
import { ShownTexts } from './ui/shownTexts';
import type { Host, OptionalHostFeature } from './services';
import { createLevels, loadFeaturesInUse, registerAuthentication } from './services/levels';

/** Registers everything right away, but loads a feature's code on its first use. */
export function activate(context: ExtensionContext) {
  const { subscriptions, secrets, globalStorageUri, storageUri, extension } = context;
  const state = new LastingMemory(context.globalState, () => lastSignOut(globalStorageUri.fsPath));
  const log = window.createOutputChannel('Gantry', { log: true });
  log.info(l10n.t('To log each request here, select the gear icon in this view and set the log level to Debug.'));
  const recent = new RecentErrors();
  const report = (error: unknown, runAgain?: () => unknown) => {
    const tryAgain =
      runAgain &&
      (() => {
        accounts.loaded?.accounts.forgetRights();
        return runAgain();
      });
    // It fails only while the window closes, when neither its log nor its messages can be reached.
    notifyFailure(error, { log, recent, tryAgain }).catch(() => undefined);
  };
  const texts = new ShownTexts();
  const hostLacks = new Set<OptionalHostFeature>();
  const pending = new PendingWork();
  const startedSaves = new Set<string>();
  const host: Host = {
    log,
    report,
    recent,
    state,
    secrets,
    texts,
    hostLacks,
    storageFolder: globalStorageUri.fsPath,
    workspaceId: storageUri?.toString() ?? '',
    extensionId: extension.id,
    version: versionIn(extension.packageJSON),
    packageJson: extension.packageJSON,
    startedSaves,
    complete: (work) => void pending.add('', work.catch(report)),
  };
  const own: Own = (thing) => {
    subscriptions.push(thing);
    return thing;
  };
  const levels = createLevels(host, () => features, own);
  const { accounts, files } = levels;
  const gantry = new Gantry(host, levels);
  const features = { accounts, files, ...registerFeatures(gantry) };
  const logFeature = new Lazy(() =>
    Promise.resolve({ commands: { 'gantry.log.show': commandOnNothing(() => log.show()) } }),
  );
  const containerFiles = new LazyFileSystem(files, ({ fileSystem }) => fileSystem, recent, { canCopy: true });
  gantry.addCommands('files', files);
  gantry.addCommands('log', logFeature);
  subscriptions.push(
    log,
    texts,
    gantry,
    workspace.registerFileSystemProvider(scheme, containerFiles, { isCaseSensitive: true }),
    // The save may be what loads the code of saves.
    workspace.onWillSaveTextDocument(({ document: { uri }, reason }) => {
      if (uri.scheme === scheme) {
        startedSaves[reason === TextDocumentSaveReason.Manual ? 'add' : 'delete'](uri.toString());
      }
    }),
    registerBinaryFileEditor(files, ({ binaryFiles }) => binaryFiles),
    registerAuthentication(accounts, host),
    loadFeaturesInUse(gantry),
  );
  const settled = () => Promise.all(pending.in(''));
  beforeClosing.push(() => gantry.close(settled()));
  return context.extensionMode === ExtensionMode.Test ? { features, settled } : undefined;
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
