import { type DataTransfer, DataTransferItem, type TreeDragAndDropController, Uri } from 'vscode';
import { type FilePlace, parentOf, uriParts } from '../containers/place';
import type { EntryElement, SharedElement } from '../trees/sharedElement';

const rows = 'application/vnd.code.tree.gantry.environments';
const uris = 'text/uri-list';
const files = 'files';

/** What was let go over a folder of the view. */
export type Dropped =
  | { readonly kind: 'entries'; readonly entries: readonly EntryElement[] }
  | { readonly kind: 'uris'; readonly uris: readonly Uri[] }
  /** From a computer whose files VS Code cannot reach: the browser hands over their bytes. */
  | { readonly kind: 'files'; readonly files: readonly DroppedFile[] };

export interface DroppedFile {
  readonly name: string;
  read(): Thenable<Uint8Array>;
}

/** Rows can be dragged to other folders, into editors and to other views; files can be dropped on folders. */
export class EnvironmentsDragController implements TreeDragAndDropController<SharedElement> {
  readonly dragMimeTypes = [uris];
  readonly dropMimeTypes = [rows, uris, files];

  constructor(private readonly drop: (folder: FilePlace, dropped: Dropped) => Promise<void>) {}

  handleDrag(source: readonly SharedElement[], transfer: DataTransfer): void {
    const dragged = source.filter((element) => element.kind === 'entry');
    if (dragged.length > 0) {
      const list = dragged.map(({ place }) => Uri.from(uriParts(place)).toString()).join('\r\n');
      transfer.set(rows, new DataTransferItem(dragged));
      transfer.set(uris, new DataTransferItem(list));
    }
  }

  async handleDrop(target: SharedElement | undefined, transfer: DataTransfer): Promise<void> {
    const folder = folderOf(target);
    const dropped = folder && (await read(transfer));
    if (folder !== undefined && dropped !== undefined) {
      await this.drop(folder, dropped);
    }
  }
}

function folderOf(target: SharedElement | undefined): FilePlace | undefined {
  switch (target?.kind) {
    case 'node':
      return target.place;
    case 'entry':
      return target.entry.isDir ? target.place : parentOf(target.place);
    default:
      return undefined;
  }
}

async function read(transfer: DataTransfer): Promise<Dropped | undefined> {
  const own: unknown = transfer.get(rows)?.value;
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

/** A file that VS Code can reach by a URI comes in the list of URIs too, where it may also be a folder. */
function droppedFiles(transfer: DataTransfer): DroppedFile[] {
  return [...transfer].flatMap(([, item]) => {
    const file = item.asFile();
    return file === undefined || file.uri !== undefined ? [] : [{ name: file.name, read: () => file.data() }];
  });
}
