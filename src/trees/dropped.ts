import { type DataTransfer, Uri } from 'vscode';
import type { EntryElement } from './sharedElement';

/** VS Code's MIME type for a list of URIs. */
export const uriList = 'text/uri-list';

/** What was dropped on a folder of the Environments view. */
export type Dropped =
  | { readonly kind: 'entries'; readonly entries: readonly EntryElement[] }
  | { readonly kind: 'uris'; readonly uris: readonly Uri[] }
  /** From a computer that VS Code can't access: the browser provides the bytes. */
  | { readonly kind: 'files'; readonly files: readonly DroppedFile[] };

export interface DroppedFile {
  readonly name: string;
  read(): Thenable<Uint8Array>;
}

export async function droppedUris(transfer: DataTransfer): Promise<Uri[]> {
  const list = (await transfer.get(uriList)?.asString()) ?? '';
  const lines = list.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => Uri.parse(line, true));
}
