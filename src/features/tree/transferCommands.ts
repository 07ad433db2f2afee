import { homedir } from 'node:os';
import { FileChangeType, l10n, Uri, window, workspace } from 'vscode';
import { ExpectedError } from '../../ui/expectedError';
import { localFolder, localSource } from '../../files/transfers/localFolder';
import { productionSentence } from '../../containers/protectedEnvironments';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { findReadable } from '../../files/transfers/plan';
import type { Source, TransferReport } from '../../files/transfers/transfer';
import { isPlatformError } from '../../platform/errors';
import { failureText } from '../../ui/failureMessages';
import { withProgress } from '../../ui/progress';
import type { CommandTarget } from '../../trees/sharedElement';
import type { Services } from '../../services';
import { runTransfer, type Transfer } from './transferFlow';
import { versionOf } from '../../files/transfers/containerFolder';

export function transferCommands(services: Services) {
  const { targets, features } = services;
  const upload = (kind: 'files' | 'folder') =>
    targets.onFolder(async (folder) => {
      ensureMayUpload(folder, services);
      const chosen = await window.showOpenDialog(openDialog(kind, folder));
      if (chosen !== undefined) {
        await uploadInto(folder, await Promise.all(chosen.map(localSource)), services);
      }
    });
  return {
    'gantry.folder.uploadFiles': upload('files'),

    'gantry.folder.uploadFolder': upload('folder'),

    'gantry.file.replaceByUpload': targets.onFile((file) => replaceByUpload(file, services)),

    'gantry.file.reveal': targets.onOne(async ({ place }) => {
      await features.tree.use(({ show }) => show(place));
    }),

    'gantry.file.download': targets.onAll((wanted) => {
      const [first, ...others] = wanted;
      return others.length === 0 && !first.isFolder
        ? downloadAs(first.place, services)
        : downloadInto(wanted, services);
    }),
  };
}

/** Fails before the person is asked anything. Texts are sent with Write, and other bytes with Upload. */
export function ensureMayUpload(folder: FilePlace, { containers }: Pick<Services, 'containers'>): void {
  if (containers.account(folder.account).lacks('Upload')) {
    containers.ensureOffered('Write', folder);
  }
}

export async function uploadInto(
  folder: FilePlace,
  sources: readonly Source[],
  { folders, texts, announce, environments }: Services,
): Promise<TransferReport | undefined> {
  const production = await productionSentence([folder], environments);
  try {
    return await runTransfer(
      { kind: 'upload', folder: folder.path, sources, destination: folders.destination(folder), production },
      texts,
    );
  } finally {
    announce(sources.map(({ name }) => ({ place: childOf(folder, name), type: FileChangeType.Created })));
  }
}

/** Replaces a file by one from this computer, also if no editor can open it. */
async function replaceByUpload(file: FilePlace, services: Services): Promise<void> {
  const { listings, folders, texts, announce, environments } = services;
  ensureMayUpload(file, services);
  const name = nameOf(file);
  // Of a layer, only the main node's file was seen.
  const isOneNode = file.target.nodeId !== undefined;
  const shown = isOneNode ? (listings.lastListed(file) ?? (await listings.lookUp(file))) : undefined;
  const [chosen] =
    (await window.showOpenDialog({
      openLabel: l10n.t('Replace'),
      title: l10n.t('Select Replacement for {0}', file.path),
    })) ?? [];
  const source = chosen && (await localSource(chosen));
  if (source === undefined) {
    return;
  }
  const folder = parentOrSelf(file);
  const production = await productionSentence([file], environments);
  const seen = new Map(shown === undefined ? [] : [[name, versionOf(shown)]]);
  try {
    await runTransfer(
      {
        kind: 'upload',
        folder: folder.path,
        destination: folders.destination(folder),
        sources: [{ ...source, name }],
        production,
        seen,
        replaceSeen: production === undefined,
      },
      texts,
    );
  } finally {
    announce([{ place: file, type: FileChangeType.Changed }]);
  }
}

/** Returns sources for the places. Leaves out those that no longer exist. */
export async function sourcesOf(places: readonly FilePlace[], { listings, folders }: Services): Promise<Source[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      // The cached listing may be old, so list the folder again before treating it as deleted.
      const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
      return entry && folders.source(place, entry);
    }),
  );
  return found.filter((source) => source !== undefined);
}

/** Reads the file before it asks where to save it, because the platform may not return it exactly. */
async function downloadAs(file: FilePlace, services: Services): Promise<void> {
  const title = l10n.t('Downloading {0}', file.path);
  const [source] = await sourcesOf([file], services);
  if (source?.kind === 'unreadable') {
    throw noExactBytes(file, source.reason);
  }
  if (source?.kind !== 'file') {
    return;
  }
  const bytes = await withProgress(title, ({ signal }) => source.read(signal)).catch((error: unknown) => {
    throw isPlatformError(error) ? error : noExactBytes(file, error);
  });
  const defaultUri = Uri.joinPath(downloadFolder(), nameOf(file));
  const chosen = await window.showSaveDialog({ defaultUri, title: l10n.t('Download {0}', file.path) });
  if (chosen === undefined) {
    return;
  }
  const name = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
  const folder = Uri.joinPath(chosen, '..');
  // Another attempt writes what was read, too.
  const read = { kind: 'file' as const, name, read: () => Promise.resolve(bytes) };
  const transfer: Transfer = {
    kind: 'download',
    folder: folder.fsPath,
    destination: localFolder(folder),
    // The dialog has asked.
    sources: [read],
    seen: new Map([[name, undefined]]),
    replaceSeen: true,
  };
  await runTransfer(transfer, services.texts);
}

function noExactBytes({ path }: FilePlace, cause: unknown): Error {
  return new ExpectedError(
    l10n.t(
      "Couldn't download {0}. {1} Use SFTP or the platform's dashboard to get the exact file.",
      path,
      failureText(cause),
    ),
    { cause },
  );
}

/** Asks for a folder only if at least one file can be downloaded. */
async function downloadInto(wanted: readonly CommandTarget[], services: Services): Promise<void> {
  const places = wanted.map(({ place }) => place);
  const found = await withProgress(l10n.t('Preparing the download'), async ({ signal }) =>
    findReadable(await sourcesOf(places, services), signal),
  );
  if (!found.isAnyReadable) {
    throw nothingExact(found.failures);
  }
  const [folder] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: downloadFolder(),
      title: l10n.t('Select Download Folder'),
      openLabel: l10n.t('Download Here'),
    })) ?? [];
  if (folder !== undefined) {
    const { sources } = found;
    const destination = localFolder(folder);
    await runTransfer({ kind: 'download', folder: folder.fsPath, sources, destination }, services.texts);
  }
}

/** A platform's error, such as a lost connection, says more than that no file is exact. */
function nothingExact(failures: readonly unknown[]): unknown {
  const text = l10n.t(
    "Couldn't download the selection: the platform can't return any of its files exactly. Use SFTP or the platform's dashboard to get them.",
  );
  return failures.find(isPlatformError) ?? new ExpectedError(text, { cause: failures[0] });
}

/** Returns the workspace folder on this computer, or else the home directory. */
function downloadFolder(): Uri {
  const local = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  return local?.uri ?? Uri.file(homedir());
}

function openDialog(kind: 'files' | 'folder', { path }: FilePlace) {
  const openLabel = l10n.t('Upload');
  return kind === 'files'
    ? { canSelectMany: true, openLabel, title: l10n.t('Select Files to Upload to {0}', path) }
    : {
        canSelectFiles: false,
        canSelectFolders: true,
        openLabel,
        title: l10n.t('Select Folder to Upload to {0}', path),
      };
}
