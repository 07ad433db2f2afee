import type { FileEntry } from '../../platform/wire/fileEntry';
import { readTimestamp } from '../../platform/wire/timestamp';
import type { FilePlace } from '../../remote/place';

/** A text as it was read, with what the listing said of the file. */
export interface Version {
  readonly text: string;
  readonly entry?: FileEntry | undefined;
  readonly place: FilePlace;
  /** When it was read, in milliseconds since the epoch. */
  readonly at: number;
}

/** A time in a listing has seconds, or only minutes; clocks differ a little. */
const timesToSettle = 120_000;

/** A file changed just before it was read may be changed again within the same second: its time cannot tell the two apart. */
export function hasSettled({ entry, at }: Version): boolean {
  const changed = readTimestamp(entry?.lastModified);
  return changed === undefined || Math.abs(at - changed.getTime()) > timesToSettle;
}

/** What must still be there for a save to be no conflict. */
export type Base =
  /** The text that the edit began with. `approximate` where only the editor's own rendering of it is known. */
  | { readonly kind: 'version'; readonly version: Version; readonly approximate?: boolean }
  /** Whoever writes wants this text there, whatever was there before. */
  | { readonly kind: 'anything' }
  /** An edit whose beginning nobody remembers: only the new text itself is no conflict. */
  | { readonly kind: 'unknown' };
