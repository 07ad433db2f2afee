import type { FilePlace } from '../../../containers/place';
import type { BaseVersion, TextVersion, ServerVersion } from '../serverVersion';
import { SaveDecisions } from './saveDecisions';
import { decodeText, encodeText, normalizeText } from '../../text';
import { createHash } from 'node:crypto';

/** A document as an editor holds it. */
export interface EditedDocument {
  readonly isDirty: boolean;
  getText(): string;
}

/** An open document, and what its text is based on. */
export class Edit {
  isDirty: boolean;
  /** What the document showed when VS Code last asked about its file: it asks at each save, before it hands over the text. */
  asked?: string | undefined;
  /** The base of the text that was discarded by a revert. */
  givenUp?: Edit['base'] | undefined;
  /** VS Code tells of a change to a clean document before it calls it dirty: the text, and what it had begun with. */
  first?: { readonly text: string; readonly base: Edit['base']; readonly how: ChangeKind } | undefined;
  readonly snapshots = new UndoSnapshots();
  readonly earlier = new EarlierTexts();
  readonly decisions: SaveDecisions;
  private current: BaseVersion | Promise<BaseVersion>;
  private unchanged?: { readonly shown: string; readonly exact: string } | undefined;

  constructor(
    readonly place: FilePlace,
    public document: EditedDocument,
    base: BaseVersion | Promise<BaseVersion>,
  ) {
    this.isDirty = document.isDirty;
    this.decisions = new SaveDecisions(place);
    this.current = base;
    this.earlier.add(base);
  }

  /** The version that the edit started from. After a restart, it's looked up among the versions stored on disk. */
  get base(): BaseVersion | Promise<BaseVersion> {
    return this.current;
  }

  set base(base: BaseVersion | Promise<BaseVersion>) {
    this.current = base;
    this.unchanged = undefined;
    this.earlier.add(base);
  }

  /** Whether another node only has a version that this edit was based on earlier. */
  readonly lagsBehind = ({ target }: FilePlace, text: string): boolean => {
    const { nodeId } = this.place.target;
    return nodeId !== undefined && nodeId !== target.nodeId && this.earlier.has(text);
  };

  /** A document saved without changes: its file keeps mixed line endings, which the editor shows as one kind. */
  exactText(shown: string, base: BaseVersion, isDirty: boolean): string {
    const isVersion = base.kind === 'version' && base.approximate !== true;
    if (!isDirty && isVersion && normalizeText(base.version.text) === normalizeText(shown)) {
      // VS Code calls it dirty if the save fails.
      this.unchanged = { shown, exact: base.version.text };
    }
    return this.unchanged?.shown === shown ? this.unchanged.exact : shown;
  }
}

/** What changed the text of a document, or made it clean. */
export type ChangeKind = 'typed' | 'undone' | 'redone' | 'saved';

export function isOf(base: Edit['base'], { text }: TextVersion): boolean {
  return 'kind' in base && base.kind === 'version' && base.version.text === text;
}

/** Encoding replaces lone surrogates, so the encoded texts are compared. */
export function isWritten(shown: string | undefined, text: string): boolean {
  return shown !== undefined && normalizeText(decodeText(encodeText(shown)) ?? shown) === normalizeText(text);
}

/** Whether a write is the document's own save, or comes from elsewhere. */
export type WriteSource = 'document' | 'others';

const mostDigests = 1_000;

/** Digests of the texts that an edit was based on. A node that has one of them is only out of date. */
export class EarlierTexts {
  private readonly digests = new Set<string>();

  /** A base version that is still being looked up is added as soon as it's known. */
  add(base: BaseVersion | Promise<BaseVersion>): void {
    if (!('kind' in base)) {
      base.then(
        (found) => this.add(found),
        // Nothing to add. Whoever saves the edit waits for its base version, too, and gets the error.
        () => undefined,
      );
      return;
    }
    if (base.kind !== 'version' || base.approximate === true) {
      return;
    }
    this.digests.add(digestOf(base.version.text));
    for (const oldest of this.digests) {
      if (this.digests.size <= mostDigests) {
        break;
      }
      this.digests.delete(oldest);
    }
  }

  has(text: string): boolean {
    return this.digests.has(digestOf(text));
  }

  clear(): void {
    this.digests.clear();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

/** A text that undo or redo may bring back, and what it began with. */
export interface UndoSnapshot {
  readonly text: string;
  readonly base: BaseVersion | Promise<BaseVersion>;
  readonly accepted: readonly ServerVersion[];
}

const mostSnapshots = 10;

/** Texts of one document that began with something else than what it shows now. */
export class UndoSnapshots {
  private snapshots: readonly UndoSnapshot[] = [];

  add({ text, base, accepted }: UndoSnapshot): void {
    const shown = normalizeText(text);
    const others = this.snapshots.filter((one) => one.text !== shown);
    this.snapshots = [...others, { text: shown, base, accepted }].slice(-mostSnapshots);
  }

  find(text: () => string): UndoSnapshot | undefined {
    if (this.snapshots.length === 0) {
      return undefined;
    }
    const shown = normalizeText(text());
    return this.snapshots.findLast((one) => one.text === shown);
  }

  clear(): void {
    this.snapshots = [];
  }
}
