import { homedir } from 'node:os';
import { FileChangeType, l10n, Uri, window, workspace } from 'vscode';
import type { ContainerFolders } from '../files/transfers/containerFolder';
import { localFolder, localSource } from '../files/transfers/localFolder';
import type { Source, TransferReport } from '../files/transfers/transfer';
import type { Listings } from '../containers/listings';
import { childOf, type FilePlace, nameOf } from '../containers/place';
import type { ShownTexts } from '../ui/shownTexts';
import type { AnnounceChanges } from './announceChanges';
import type { CommandTarget, CommandTargets } from './commandTargets';
import { runTransfer } from './transferFlow';

export interface TransferCommandsDeps {
  readonly subjects: CommandTargets;
  readonly listings: Listings;
  readonly folders: ContainerFolders;
  readonly texts: ShownTexts;
  readonly happened: AnnounceChanges;
}

export function transferCommands(parts: TransferCommandsDeps) {
  const { subjects } = parts;
  const upload = async (received: readonly unknown[], kind: 'files' | 'folder') => {
    const folder = await subjects.folder(received);
    const chosen = folder && (await window.showOpenDialog(openDialog(kind, folder)));
    if (folder !== undefined && chosen !== undefined) {
      await uploadInto(folder, await Promise.all(chosen.map(localSource)), parts);
    }
  };
  return {
    'gantry.folder.uploadFiles': (...received: readonly unknown[]) => upload(received, 'files'),

    'gantry.folder.uploadFolder': (...received: readonly unknown[]) => upload(received, 'folder'),

    async 'gantry.file.download'(...received: readonly unknown[]) {
      const wanted = await subjects.all(received);
      const [first] = wanted;
      if (first !== undefined && wanted.length === 1 && !first.isFolder) {
        await downloadAs(first.place, parts);
      } else if (first !== undefined) {
        await downloadInto(wanted, parts);
      }
    },
  };
}

export async function uploadInto(
  folder: FilePlace,
  sources: readonly Source[],
  { folders, texts, happened }: TransferCommandsDeps,
): Promise<TransferReport | undefined> {
  const title = l10n.t('Uploading to {0}', folder.path);
  try {
    return await runTransfer({ title, sources, destination: folders.destination(folder) }, texts);
  } finally {
    happened(sources.map(({ name }) => ({ place: childOf(folder, name), type: FileChangeType.Created })));
  }
}

/** The sources that places stand for; what is gone meanwhile is left out and was never promised. */
export async function sourcesOf(
  places: readonly FilePlace[],
  { listings, folders }: Pick<TransferCommandsDeps, 'listings' | 'folders'>,
): Promise<Source[]> {
  const found = await Promise.all(
    places.map(async (place) => {
      // What was listed a moment ago may lack it: only a fresh look says that it is gone.
      const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
      return entry && folders.source(place, entry);
    }),
  );
  return found.filter((source) => source !== undefined);
}

async function downloadAs(file: FilePlace, parts: TransferCommandsDeps): Promise<void> {
  const defaultUri = Uri.joinPath(downloadFolder(), nameOf(file));
  const chosen = await window.showSaveDialog({ defaultUri, title: l10n.t('Download {0}', file.path) });
  const [source] = chosen === undefined ? [] : await sourcesOf([file], parts);
  if (chosen === undefined || source?.kind !== 'file') {
    return;
  }
  const name = chosen.path.slice(chosen.path.lastIndexOf('/') + 1);
  const destination = localFolder(Uri.joinPath(chosen, '..'));
  const title = l10n.t('Downloading {0}', file.path);
  await runTransfer({ title, sources: [{ ...source, name }], destination, replaceKnown: true }, parts.texts);
}

async function downloadInto(wanted: readonly CommandTarget[], parts: TransferCommandsDeps): Promise<void> {
  const [folder] =
    (await window.showOpenDialog({
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: downloadFolder(),
      title: l10n.t('Download into Which Folder?'),
      openLabel: l10n.t('Download Here'),
    })) ?? [];
  if (folder !== undefined) {
    const places = wanted.map(({ place }) => place);
    const title = l10n.t('Downloading into {0}', folder.fsPath);
    const transfer = { title, sources: await sourcesOf(places, parts), destination: localFolder(folder) };
    await runTransfer(transfer, parts.texts);
  }
}

/** The folder of the computer that is open, if one is, else the person's own. */
function downloadFolder(): Uri {
  const local = workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file' || uri.scheme === 'vscode-remote');
  return local?.uri ?? Uri.file(homedir());
}

function openDialog(kind: 'files' | 'folder', { path }: FilePlace) {
  const openLabel = l10n.t('Upload');
  return kind === 'files'
    ? { canSelectMany: true, openLabel, title: l10n.t('Files to Upload to {0}', path) }
    : { canSelectFiles: false, canSelectFolders: true, openLabel, title: l10n.t('Folder to Upload to {0}', path) };
}
