import { Disposable, FileChangeType, l10n, type Uri, workspace } from 'vscode';
import { KeyedQueue } from '../../async/waiting';
import { folderName } from '../../containers/locationText';
import { childOf, type FilePlace, nameOf, filePlaceOf } from '../../containers/place';
import type { Services } from '../../services';
import { modalLines, showWarningMessage } from '../../ui/notifications';

/**
 * Asks about folders opened by a link or a restart once they can be listed. That requires the accounts, so it asks
 * again when they change, or when a hidden entry appears or gets in the way.
 */
export function askAboutOpenFolders(services: Services): Disposable {
  const { accounts, hidden, report } = services;
  const queue = new KeyedQueue();
  /** The folders that the user chose to keep hidden. */
  const declined = new Set<string>();
  const ask = () => {
    // Ask one question at a time, with each folder's state at that moment.
    queue
      .take('folders', async () => {
        await accounts.firstRead;
        await askAboutEach(services, declined);
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

async function askAboutEach(services: Services, declined: Set<string>): Promise<void> {
  for (const { uri } of workspace.workspaceFolders ?? []) {
    const folder = filePlaceOf(uri);
    // A folder that can't be listed can't be read either. VS Code reports that in the Explorer, and sees nothing in it.
    const names = folder === undefined ? [] : await questionableIn(folder, services).catch(() => []);
    const key = JSON.stringify([uri.toString(), names]);
    if (folder === undefined || names.length === 0 || declined.has(key)) {
      continue;
    }
    const answer = await askForTrust(folder, names, 'open', services);
    if (answer === 'close') {
      close(uri);
      return;
    }
    if (answer === 'no') {
      declined.add(key);
      continue;
    }
    await services.trust.agree(folder, names);
    const shown = instructionsIn(folder, names).map((place) => ({ place, type: FileChangeType.Created }));
    // They show from now on, but no file was edited.
    services.announce(shown, { isCertain: false });
  }
}

/** Its index is the one that it has now: other folders may have been closed before the answer. */
function close(folder: Uri): void {
  const open = workspace.workspaceFolders?.find(({ uri }) => uri.toString() === folder.toString());
  if (open !== undefined) {
    workspace.updateWorkspaceFolders(open.index, 1);
  }
}

/** Returns whether a folder may be opened in a window. Asks if it has files that control VS Code. */
export async function mayOpen(folder: FilePlace, services: Services): Promise<boolean> {
  const names = await questionableIn(folder, services);
  if (names.length === 0) {
    return true;
  }
  if ((await askForTrust(folder, names, 'about to open', services)) !== 'trust') {
    return false;
  }
  await services.trust.agree(folder, names);
  return true;
}

function questionableIn(folder: FilePlace, { listings, trust }: Services): Promise<readonly string[]> {
  return trust.questionable(folder, (one) => listings.list(one));
}

async function askForTrust(
  folder: FilePlace,
  names: readonly string[],
  state: 'about to open' | 'open',
  { environments }: Services,
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
