import { type DataTransfer, DataTransferItem, Uri, workspace } from 'vscode';
import { confirmChange, confirmInProduction } from '../../containers/protectedPrompt';
import { type FilePlace, isSameContainer, parentOf, placeOf } from '../../containers/place';
import { droppedSource, localSource } from '../../files/transfers/localFolder';
import type { CommandTarget, EntryElement, SharedElement } from '../../trees/sharedElement';
import { environmentRowMimeType } from '../../manifest';
import { ensureMayPaste, pasteInto } from './clipboardCommands';
import { moveQuestion } from './fileCommands';
import { uriOf } from '../../containers/uris';
import type { EnvironmentsView } from './environmentsView';
import type { FileTreeDeps } from './fileTreeDeps';
import { ensureMayUpload, uploadInto } from './transferCommands';

const uris = 'text/uri-list';

/** What was dropped on a folder of the view. */
export type Dropped =
  | { readonly kind: 'entries'; readonly entries: readonly EntryElement[] }
  | { readonly kind: 'uris'; readonly uris: readonly Uri[] }
  /** From a computer that VS Code can't access: the browser provides the bytes. */
  | { readonly kind: 'files'; readonly files: readonly DroppedFile[] };

interface DroppedFile {
  readonly name: string;
  read(): Thenable<Uint8Array>;
}

/** Lets rows be dragged to folders, editors and other views, and files be dropped on folders. */
export class EnvironmentsDragController {
  constructor(
    private readonly view: Pick<EnvironmentsView, 'targetOf'>,
    private readonly drop: (folder: FilePlace, dropped: Dropped) => Promise<void>,
  ) {}

  handleDrag(source: readonly SharedElement[], transfer: DataTransfer): void {
    const dragged = source.filter((element) => element.kind === 'entry');
    if (dragged.length > 0) {
      const list = dragged.map(({ place }) => uriOf(place).toString()).join('\r\n');
      transfer.set(environmentRowMimeType, new DataTransferItem(dragged));
      transfer.set(uris, new DataTransferItem(list));
    }
  }

  async handleDrop(target: SharedElement | undefined, transfer: DataTransfer): Promise<void> {
    const onto = this.view.targetOf(target);
    const folder = onto?.isFolder === false ? parentOf(onto.place) : onto?.place;
    const dropped = folder && (await read(transfer));
    if (folder !== undefined && dropped !== undefined) {
      await this.drop(folder, dropped);
    }
  }
}

async function read(transfer: DataTransfer): Promise<Dropped | undefined> {
  const own: unknown = transfer.get(environmentRowMimeType)?.value;
  if (Array.isArray(own)) {
    return { kind: 'entries', entries: own as readonly EntryElement[] };
  }
  const found = droppedFiles(transfer);
  if (found.length > 0) {
    return { kind: 'files', files: found };
  }
  const dropped = await droppedUris(transfer);
  return dropped.length === 0 ? undefined : { kind: 'uris', uris: dropped };
}

export async function droppedUris(transfer: DataTransfer): Promise<Uri[]> {
  const list = (await transfer.get(uris)?.asString()) ?? '';
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => Uri.parse(line, true));
}

/** Ignores files with a URI, because the URI list contains them too, and there they can also be folders. */
function droppedFiles(transfer: DataTransfer): DroppedFile[] {
  return [...transfer].flatMap(([, item]) => {
    const file = item.asFile();
    return file === undefined || file.uri !== undefined ? [] : [{ name: file.name, read: () => file.data() }];
  });
}

/** Handles a drop: moves rows within a container, copies them to another one, uploads files from the computer. */
export async function dropOnFolder(folder: FilePlace, dropped: Dropped, deps: FileTreeDeps): Promise<void> {
  switch (dropped.kind) {
    case 'entries':
      await transport(
        folder,
        dropped.entries.map(({ place, entry }) => ({ place, isFolder: entry.isDir })),
        deps,
      );
      return;
    case 'files':
      ensureMayUpload(folder, deps);
      await uploadInto(
        folder,
        dropped.files.map((file) => droppedSource(file.name, () => file.read())),
        deps,
      );
      return;
    case 'uris':
      await dropUris(folder, dropped.uris, deps);
  }
}

async function dropUris(folder: FilePlace, uris: readonly Uri[], deps: FileTreeDeps): Promise<void> {
  const remote = (await Promise.all(uris.map((uri) => deps.targets.at(uri)))).filter((target) => target !== undefined);
  const local = uris.filter((uri) => placeOf(uri) === undefined);
  // Check all of them before the first is changed.
  ensureMayPaste(folder, remote, intentOf(folder, remote), deps);
  if (local.length > 0) {
    ensureMayUpload(folder, deps);
    await uploadInto(folder, await Promise.all(local.map(localSource)), deps);
  }
  if (remote.length > 0) {
    await transport(folder, remote, deps);
  }
}

function intentOf(folder: FilePlace, targets: readonly CommandTarget[]): 'copy' | 'move' {
  return targets.some(({ place }) => !isSameContainer(place, folder)) ? 'copy' : 'move';
}

async function transport(folder: FilePlace, targets: readonly CommandTarget[], deps: FileTreeDeps): Promise<void> {
  const intent = intentOf(folder, targets);
  ensureMayPaste(folder, targets, intent, deps);
  if (intent === 'copy' || (await mayMove(folder, targets, deps))) {
    await pasteInto(folder, targets, intent, deps);
  }
}

/** Asks before moving, unless the setting of VS Code's own Explorer disables it. In production, it always asks. */
function mayMove(
  folder: FilePlace,
  targets: readonly CommandTarget[],
  { environments }: FileTreeDeps,
): Promise<boolean> {
  const isAlwaysAsked = workspace.getConfiguration('explorer').get<boolean>('confirmDragAndDrop', true);
  const places = targets.map(({ place }) => place);
  const ask = isAlwaysAsked ? confirmChange : confirmInProduction;
  return ask(places, environments, moveQuestion(folder, places));
}
