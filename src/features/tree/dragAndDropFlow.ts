import { type DataTransfer, DataTransferItem } from 'vscode';
import { type FilePlace, parentOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { environmentRowMimeType } from '../../manifest';
import { type Dropped, type DroppedFile, droppedUris, uriList } from '../../trees/dropped';
import type { EntryElement, SharedElement } from '../../trees/sharedElement';
import type { EnvironmentsView } from './environmentsView';

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
      transfer.set(uriList, new DataTransferItem(list));
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

/** Ignores files with a URI, because the URI list contains them too, and there they can also be folders. */
function droppedFiles(transfer: DataTransfer): DroppedFile[] {
  return [...transfer].flatMap(([, item]) => {
    const file = item.asFile();
    return file === undefined || file.uri !== undefined ? [] : [{ name: file.name, read: () => file.data() }];
  });
}
