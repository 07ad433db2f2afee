import type { FilePlace } from '../../containers/place';

/** A text as it was read. */
export interface TextVersion {
  readonly text: string;
  readonly place: FilePlace;
}

/** What must still be there for a save to be no conflict. */
export type BaseVersion =
  /** The text that the edit began with. `approximate` where only the editor's own rendering of it is known. */
  | { readonly kind: 'version'; readonly version: TextVersion; readonly approximate?: boolean }
  /** Whoever writes wants this text there, whatever was there before. */
  | { readonly kind: 'anything' }
  /** An edit whose beginning nobody remembers: only the new text itself is no conflict. */
  | { readonly kind: 'unknown' };
