import type { FilePlace } from '../remote/place';
import type { Base, Version } from './saving/base';
import type { SaveDecisions } from './saveDecisions';
import { decodeText, encodeText, plain } from './text';
import type { UndoSnapshots } from './undoSnapshots';

/** A document as an editor holds it. */
export interface EditedDocument {
  readonly isDirty: boolean;
  getText(): string;
}

export interface Edit {
  readonly place: FilePlace;
  document: EditedDocument;
  isDirty: boolean;
  /** What the document showed when VS Code last asked about its file: it asks at each save, before it hands over the text. */
  asked?: string | undefined;
  /** What the text shown began with. After a restart it is looked for among what was kept on disk. */
  base: Base | Promise<Base>;
  readonly snapshots: UndoSnapshots;
  /** The base of the text that was discarded by a revert. */
  givenUp?: Edit['base'] | undefined;
  /** VS Code tells of a change to a clean document before it calls it dirty: the text, and what it had begun with. */
  first?: { readonly text: string; readonly base: Edit['base']; readonly how: ChangeKind } | undefined;
  readonly decisions: SaveDecisions;
}

/** What changed the text of a document, or made it clean. */
export type ChangeKind = 'typed' | 'undone' | 'redone' | 'saved';

export function isOf(base: Edit['base'], { text }: Version): boolean {
  return 'kind' in base && base.kind === 'version' && base.version.text === text;
}

/** Encoding replaces lone surrogates, so the encoded texts are compared. */
export function isWritten(shown: string | undefined, text: string): boolean {
  return shown !== undefined && plain(decodeText(encodeText(shown)) ?? shown) === plain(text);
}

/** Whether a write is the document's own save, or comes from elsewhere. */
export type WriteSource = 'document' | 'others';
