import { type Uri, workspace } from 'vscode';
import { type FilePlace, isSameContainer, placeOf } from '../../containers/place';
import { confirmChange, confirmInProduction } from '../../containers/protectedPrompt';
import { droppedSource, localSource } from '../../files/transfers/localFolder';
import type { Services } from '../../services';
import type { Dropped } from '../../trees/dropped';
import type { CommandTarget } from '../../trees/sharedElement';
import { ensureMayPaste, pasteInto } from './clipboardCommands';
import { moveQuestion } from './fileCommands';
import { ensureMayUpload, uploadInto } from './transferCommands';

/** Handles a drop: moves rows within a container, copies them to another one, uploads files from the computer. */
export async function dropOnFolder(folder: FilePlace, dropped: Dropped, services: Services): Promise<void> {
  switch (dropped.kind) {
    case 'entries':
      await transport(
        folder,
        dropped.entries.map(({ place, entry }) => ({ place, isFolder: entry.isDir })),
        services,
      );
      return;
    case 'files':
      ensureMayUpload(folder, services);
      await uploadInto(
        folder,
        dropped.files.map((file) => droppedSource(file.name, () => file.read())),
        services,
      );
      return;
    case 'uris':
      await dropUris(folder, dropped.uris, services);
  }
}

async function dropUris(folder: FilePlace, uris: readonly Uri[], services: Services): Promise<void> {
  const remote = (await Promise.all(uris.map((uri) => services.targets.at(uri)))).filter(
    (target) => target !== undefined,
  );
  const local = uris.filter((uri) => placeOf(uri) === undefined);
  // Check all of them before the first is changed.
  ensureMayPaste(folder, remote, intentOf(folder, remote), services);
  if (local.length > 0) {
    ensureMayUpload(folder, services);
    await uploadInto(folder, await Promise.all(local.map(localSource)), services);
  }
  if (remote.length > 0) {
    await transport(folder, remote, services);
  }
}

function intentOf(folder: FilePlace, targets: readonly CommandTarget[]): 'copy' | 'move' {
  return targets.some(({ place }) => !isSameContainer(place, folder)) ? 'copy' : 'move';
}

async function transport(folder: FilePlace, targets: readonly CommandTarget[], services: Services): Promise<void> {
  const intent = intentOf(folder, targets);
  ensureMayPaste(folder, targets, intent, services);
  if (intent === 'copy' || (await mayMove(folder, targets, services))) {
    await pasteInto(folder, targets, intent, services);
  }
}

/** Asks before moving, unless the setting of VS Code's own Explorer disables it. In production, it always asks. */
function mayMove(folder: FilePlace, targets: readonly CommandTarget[], { environments }: Services): Promise<boolean> {
  const isAlwaysAsked = workspace.getConfiguration('explorer').get<boolean>('confirmDragAndDrop', true);
  const places = targets.map(({ place }) => place);
  const ask = isAlwaysAsked ? confirmChange : confirmInProduction;
  return ask(places, environments, moveQuestion(folder, places));
}
