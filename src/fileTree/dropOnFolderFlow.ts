import { l10n, type Uri, workspace } from 'vscode';
import { droppedSource, localSource } from '../files/transfers/localFolder';
import type { Listings } from '../containers/listings';
import { type FilePlace, filePlaceOf, placeOf } from '../containers/place';
import type { Dropped } from './dragAndDrop';

import { isSameContainer, type CommandTarget } from './commandTargets';
import { uploadInto } from './transferCommands';
import { copyInto, moveInto, type PasteFilesDeps } from './pasteFilesFlow';
import { showInformationMessage } from '../ui/notifications';
import { modalLines } from '../ui/modalLines';

/** What a drop on a folder does: rows move within their container and are copied to another; the computer's files go up. */
export async function dropOnFolder(folder: FilePlace, dropped: Dropped, parts: PasteFilesDeps): Promise<void> {
  switch (dropped.kind) {
    case 'entries':
      await transport(
        folder,
        dropped.entries.map(({ place, entry }) => ({ place, isFolder: entry.isDir })),
        parts,
      );
      return;
    case 'files':
      await uploadInto(
        folder,
        dropped.files.map((file) => droppedSource(file.name, () => file.read())),
        parts,
      );
      return;
    case 'uris':
      await dropUris(folder, dropped.uris, parts);
  }
}

async function dropUris(folder: FilePlace, uris: readonly Uri[], parts: PasteFilesDeps): Promise<void> {
  const remote = await subjectsOf(uris, parts.listings);
  const local = uris.filter((uri) => placeOf(uri) === undefined);
  if (local.length > 0) {
    await uploadInto(folder, await Promise.all(local.map(localSource)), parts);
  }
  if (remote.length > 0) {
    await transport(folder, remote, parts);
  }
}

async function transport(folder: FilePlace, subjects: readonly CommandTarget[], parts: PasteFilesDeps): Promise<void> {
  if (subjects.some(({ place }) => !isSameContainer(place, folder))) {
    await copyInto(folder, subjects, parts);
  } else if (await mayMove(folder, subjects)) {
    await moveInto(folder, subjects, parts);
  }
}

/** As in VS Code's own Explorer, where the same setting turns the question off. */
async function mayMove({ path }: FilePlace, subjects: readonly CommandTarget[]): Promise<boolean> {
  if (!workspace.getConfiguration('explorer').get<boolean>('confirmDragAndDrop', true)) {
    return true;
  }
  const names = subjects.map(({ place }) => place.path);
  const question =
    names.length === 1
      ? l10n.t('Move “{0}” into “{1}”?', names.join(), path)
      : l10n.t('Move these {0} into “{1}”?', names.length, path);
  const yes = l10n.t('Move');
  const detail = names.length === 1 ? '' : modalLines(names);
  return (await showInformationMessage(question, { modal: true, detail }, yes)) === yes;
}

async function subjectsOf(uris: readonly Uri[], listings: Listings): Promise<CommandTarget[]> {
  const found = await Promise.all(
    uris.map(async (uri) => {
      const place = filePlaceOf(uri);
      const entry = place && (await listings.entry(place));
      return place && entry && { place, isFolder: entry.isDir };
    }),
  );
  return found.filter((subject) => subject !== undefined);
}
