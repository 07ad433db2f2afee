import { type FilePlace, isSameContainer, placeOf } from '../../containers/place';
import type { Services } from '../../services';
import type { Dropped } from '../../trees/dropped';
import { appendCommands } from './appendCommands';
import { archiveCommands } from './archiveCommands';
import { clipboardCommands, ensureMayPaste, mayMoveWithin, pasteInto } from './clipboardCommands';
import { compareCommands } from './compareCommands';
import { environmentCommands } from './environmentCommands';
import { fileCommands } from './fileCommands';
import { linkCommands, openLink } from './linkCommands';
import { replaceCommands } from './replaceCommands';
import { ensureMayUpload, transferCommands, uploadInto } from './transferCommands';
import { commands, type Uri, workspace } from 'vscode';
import { folderName } from '../../containers/locationText';
import { uriOf } from '../../containers/uris';
import { mayOpen } from './folderTrustFlow';
import { confirmChange, confirmInProduction } from '../../ui/commands/protectedPrompt';
import { droppedSource, localSource } from '../../files/transfers/localFolder';
import { isRemovable, outermost } from '../../trees/commandTargets';
import type { CommandTarget } from '../../trees/sharedElement';

/** The commands on environments, files, and folders, and links to them. */
export function createTreeCommands(services: Services) {
  return {
    commands: {
      ...fileCommands(services),
      ...folderCommands(services),
      ...clipboardCommands(services),
      ...transferCommands(services),
      ...archiveCommands(services),
      ...appendCommands(services),
      ...replaceCommands(services),
      ...compareCommands(services),
      ...environmentCommands(services),
      ...linkCommands(services),
    },
    openLink: (uri: Uri) => openLink(uri, services).catch(services.report),
    drop: (folder: FilePlace, dropped: Dropped) => dropOnFolder(folder, dropped, services),
  };
}

function folderCommands(services: Services) {
  const { targets, listings, features } = services;
  const open = (where: 'here' | 'new window') =>
    targets.onFolder(async (folder) => {
      if (!(await mayOpen(folder, services))) {
        return;
      }
      const folders = workspace.workspaceFolders ?? [];
      if (where === 'here' && folders.length > 0) {
        workspace.updateWorkspaceFolders(folders.length, 0, {
          uri: uriOf(folder),
          name: folderName(folder, services.environments),
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
      await features.tree.loaded?.readAgain(folder);
    }),
  };
}

/** Handles a drop: moves rows within a container, copies them to another one, uploads files from the computer. */
async function dropOnFolder(folder: FilePlace, dropped: Dropped, services: Services): Promise<void> {
  switch (dropped.kind) {
    case 'entries':
      await transport(
        folder,
        dropped.entries.map(({ place, entry, isConfiguration }) => ({
          place,
          isFolder: entry.isDir,
          isShortcut: isConfiguration,
        })),
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

/** Skips rows that the commands wouldn't move either. */
async function transport(folder: FilePlace, dropped: readonly CommandTarget[], services: Services): Promise<void> {
  const intent = intentOf(folder, dropped);
  const targets = outermost(intent === 'move' ? dropped.filter(isRemovable) : dropped);
  if (targets.length === 0) {
    return;
  }
  ensureMayPaste(folder, targets, intent, services);
  if (intent === 'copy' || (await mayMove(folder, targets, services))) {
    await pasteInto(folder, targets, intent, services);
  }
}

/** Asks before moving, unless the setting of VS Code's own Explorer disables it. In production, it always asks. */
function mayMove(folder: FilePlace, targets: readonly CommandTarget[], services: Services): Promise<boolean> {
  const isAlwaysAsked = workspace.getConfiguration('explorer').get<boolean>('confirmDragAndDrop', true);
  const places = targets.map(({ place }) => place);
  return mayMoveWithin(folder, places, isAlwaysAsked ? confirmChange : confirmInProduction, services);
}
