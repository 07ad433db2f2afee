import { type ContainerNames, shortLocationText } from '../../containers/locationText';
import { commands, Disposable, type Event, FileChangeType, l10n, workspace } from 'vscode';
import { KeyedQueue } from '../../async/keyedQueue';
import type { Accounts } from '../../accounts/accounts';
import { childOf, type FilePlace, nameOf, filePlaceOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { FileTreeDeps } from './fileTreeDeps';
import { showWarningMessage } from '../../ui/notifications';
import { modalLines } from '../../ui/modalLines';

export function folderCommands(deps: FileTreeDeps) {
  const { targets, listings, refreshed } = deps;
  const open = (where: 'here' | 'new window') =>
    targets.onFolder(async (folder) => {
      if (!(await mayOpen(folder, deps))) {
        return;
      }
      const folders = workspace.workspaceFolders ?? [];
      if (where === 'here' && folders.length > 0) {
        workspace.updateWorkspaceFolders(folders.length, 0, {
          uri: uriOf(folder),
          name: folderName(folder, deps.environments),
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
      await refreshed(folder);
    }),
  };
}

/**
 * Asks about folders opened by a link or a restart once they can be listed. That requires the accounts, so it asks
 * again when they change, or when a hidden entry appears or gets in the way.
 */
export function askAboutOpenFolders(
  deps: FileTreeDeps,
  { accounts, hidden }: { readonly accounts: Pick<Accounts, 'loaded' | 'onDidChange'>; readonly hidden: Event<void> },
  report: (error: unknown) => void,
): Disposable {
  const queue = new KeyedQueue();
  /** The folders that the user chose to keep hidden. */
  const declined = new Set<string>();
  const ask = () => {
    // Ask one question at a time, with each folder's state at that moment.
    queue
      .take('folders', async () => {
        await accounts.loaded;
        await askAboutEach(deps, declined);
      })
      .catch(report);
  };
  const askAgain = () => {
    declined.clear();
    ask();
  };
  ask();
  return Disposable.from(workspace.onDidChangeWorkspaceFolders(ask), accounts.onDidChange(ask), hidden(askAgain));
}

async function askAboutEach(deps: FileTreeDeps, declined: Set<string>): Promise<void> {
  for (const { uri, index } of workspace.workspaceFolders ?? []) {
    const folder = filePlaceOf(uri);
    // A folder that can't be listed can't be read either. VS Code reports that in the Explorer, and sees nothing in it.
    const names = folder === undefined ? [] : await questionableIn(folder, deps).catch(() => []);
    const key = JSON.stringify([uri.toString(), names]);
    if (folder === undefined || names.length === 0 || declined.has(key)) {
      continue;
    }
    const answer = await askForTrust(folder, names, { state: 'open', ...deps });
    if (answer === 'close') {
      workspace.updateWorkspaceFolders(index, 1);
      return;
    }
    if (answer === 'no') {
      declined.add(key);
      continue;
    }
    await deps.trust.agree(folder, names);
    deps.announce(instructionsIn(folder, names).map((place) => ({ place, type: FileChangeType.Created })));
  }
}

async function mayOpen(folder: FilePlace, deps: FileTreeDeps): Promise<boolean> {
  const names = await questionableIn(folder, deps);
  if (names.length === 0) {
    return true;
  }
  if ((await askForTrust(folder, names, { state: 'about to open', ...deps })) !== 'trust') {
    return false;
  }
  await deps.trust.agree(folder, names);
  return true;
}

function questionableIn(folder: FilePlace, { listings, trust }: FileTreeDeps): Promise<readonly string[]> {
  return trust.questionable(folder, (one) => listings.list(one));
}

async function askForTrust(
  folder: FilePlace,
  names: readonly string[],
  { state, environments }: { readonly state: 'about to open' | 'open'; readonly environments: ContainerNames },
): Promise<'trust' | 'close' | 'no'> {
  const question = l10n.t('Do you trust the authors of the files in “{0}”?', folderName(folder, environments));
  const why =
    state === 'open'
      ? l10n.t('These files can control VS Code, extensions, and AI agents. They stay hidden until you trust them:')
      : l10n.t('These files can control VS Code, extensions, and AI agents while the folder is open:');
  const trust = state === 'open' ? l10n.t('Trust') : l10n.t('Trust and Open');
  const close = l10n.t('Close Folder');
  const detail = `${why}\n\n${modalLines(names)}`;
  const buttons = state === 'open' ? [trust, close] : [trust];
  const answer = await showWarningMessage(question, { modal: true, detail }, ...buttons);
  return answer === trust ? 'trust' : answer === close ? 'close' : 'no';
}

export function folderName(folder: FilePlace, names: ContainerNames): string {
  const name = folder.path === '/' ? '/' : nameOf(folder);
  return l10n.t('{0} ({1})', name, shortLocationText(folder, names));
}

const settingsFiles = ['settings.json', 'tasks.json', 'launch.json', 'extensions.json', 'mcp.json'];

/** Returns files that VS Code looked for earlier, when they were hidden. */
function instructionsIn(folder: FilePlace, names: readonly string[]): FilePlace[] {
  return names
    .map((name) => childOf(folder, name))
    .flatMap((place) => [
      place,
      ...(nameOf(place) === '.vscode' ? settingsFiles.map((name) => childOf(place, name)) : []),
    ]);
}
