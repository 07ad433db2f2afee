import { createHash } from 'node:crypto';
import type { FilePlace } from '../../../containers/place';
import type { BaseVersion, TextVersion, ServerVersion, NodeVersion } from '../serverFiles';
import type { SaveScope, SaveJob } from '../saves';
import { BoundedMap } from '../../boundedMap';
import type { TextSnapshots } from './textSnapshots';
import { decodeText, encodeText, normalizeText } from '../../text';
import { mayHaveHappened } from '../../../platform/changeOnce';
import type { SaveOutcome } from '../saveFile';

export interface EditedDocument {
  readonly isDirty: boolean;
  getText(): string;
}

/**
 * How long to wait for the event that the document is dirty, in milliseconds. VS Code sends it right after the first
 * change. After a reload, the text changes too, but no such event follows.
 */
const dirtyDelay = 1_000;

/** An open document and its base version. */
export class Edit {
  isDirty: boolean;
  /** The document's text when VS Code last requested its stat, which it does at each save before it passes the text. */
  asked?: string | undefined;
  /** The base version of text discarded by a revert. */
  private revertedBase?: Edit['base'] | undefined;
  /** The text and base version of the first change. VS Code reports it while the document is still clean. */
  private first?: FirstChange | undefined;
  private readonly snapshots = new UndoSnapshots();
  private readonly earlier = new EarlierTexts();
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

  /** The version that the edit is based on. After a restart, it's looked up among the backups on disk. */
  get base(): BaseVersion | Promise<BaseVersion> {
    return this.current;
  }

  set base(base: BaseVersion | Promise<BaseVersion>) {
    this.current = base;
    this.unchanged = undefined;
    this.earlier.add(base);
  }

  /** Whether another node only has one of this edit's earlier base versions. */
  readonly hasOutdatedVersion = ({ target }: FilePlace, text: string): boolean => {
    const { nodeId } = this.place.target;
    return nodeId !== undefined && nodeId !== target.nodeId && this.earlier.has(text);
  };

  /** Remembers the shown text and its base version, because undo and redo may restore it. */
  remember(): void {
    this.snapshots.add({ text: this.document.getText(), base: this.base, accepted: this.decisions.accepted });
  }

  /** Updates the base version after a change. `begun`: store it on disk again; `over`: drop it there. */
  changed(document: EditedDocument, how: ChangeKind, versions: TextSnapshots): 'begun' | 'over' | 'asBefore' {
    const { isDirty: wasDirty, first } = this;
    this.first = undefined;
    this.document = document;
    this.isDirty = document.isDirty;
    return document.isDirty ? this.edited(how, wasDirty, first) : this.cleaned(how, wasDirty, versions);
  }

  /**
   * Applies a verified write. If something else than the document wrote the text, the edit continues.
   *
   * @returns `begun` if the user kept typing during the save, so that there's a new edit to store on disk
   */
  saved(version: TextVersion, scope: SaveScope, source: WriteSource): 'begun' | 'asBefore' {
    // Forget older versions: after an undo, they must not count as overwritable.
    this.snapshots.clear();
    this.revertedBase = undefined;
    if (source === 'others') {
      return 'asBefore';
    }
    if (scope === 'layer') {
      // All nodes have the new text now, so an earlier text on a node would be someone's change.
      this.earlier.clear();
    }
    this.base = { kind: 'version', version };
    this.decisions.forget();
    return this.isDirty && !isWritten(this.document.getText(), version.text) ? 'begun' : 'asBefore';
  }

  /** Handles a change that leaves unsaved text. */
  private edited(how: ChangeKind, wasDirty: boolean, first: FirstChange | undefined): 'begun' | 'asBefore' {
    const isFirst = !wasDirty && first?.text === this.document.getText() && performance.now() < first.until;
    const kind = isFirst ? first.how : how;
    if (isFirst) {
      this.base = first.base;
    }
    if (!wasDirty && kind === 'undone' && this.revertedBase !== undefined) {
      this.base = this.revertedBase;
    }
    return (kind !== 'typed' && this.returned()) || !wasDirty ? 'begun' : 'asBefore';
  }

  /** Handles a document that is clean: saved, undone, reloaded, or only while VS Code moves its file. */
  private cleaned(how: ChangeKind, wasDirty: boolean, versions: TextSnapshots): 'over' | 'asBefore' {
    const before = this.base;
    this.asked = undefined;
    this.updateBase(wasDirty, versions);
    const text = this.document.getText();
    if (!wasDirty && how !== 'saved') {
      const mayBeReload = versions.showing(this.place, text) !== undefined;
      this.first = { text, base: before, how, until: mayBeReload ? performance.now() + dirtyDelay : Infinity };
    }
    this.decisions.forget();
    return wasDirty ? 'over' : 'asBefore';
  }

  private updateBase(wasDirty: boolean, versions: TextSnapshots): void {
    const text = this.document.getText();
    const known = versions.showing(this.place, text);
    if (known !== undefined) {
      if (!wasDirty) {
        this.reloaded(known);
      } else if (!isOf(this.base, known)) {
        this.revertedBase = this.base;
      }
      this.base = { kind: 'version', version: known };
    } else if (!wasDirty) {
      this.base = versions.beginningOf(this.place, text);
    }
    // An edit keeps its base version, even if others have read a newer one.
  }

  /** Remembers the previous version, because undo can go back across a reload. */
  private reloaded(version: TextVersion): void {
    const { base } = this;
    if ('kind' in base && base.kind === 'version' && !isOf(base, version)) {
      this.snapshots.add({ text: base.version.text, base, accepted: [] });
      this.snapshots.add({ text: version.text, base: { kind: 'version', version }, accepted: [] });
    }
  }

  /** Whether undo or redo restored a text with another base version. If so, switches to that one. */
  private returned(): boolean {
    const snapshot = this.snapshots.find(() => this.document.getText());
    if (snapshot === undefined || (snapshot.base === this.base && snapshot.accepted === this.decisions.accepted)) {
      return false;
    }
    this.base = snapshot.base;
    this.decisions.restore(snapshot.accepted);
    return true;
  }

  /** Keeps the file's mixed line endings, which the editor doesn't show, in a save without changes. */
  exactText(shown: string, base: BaseVersion, isDirty: boolean): string {
    const isVersion = base.kind === 'version' && base.approximate !== true;
    if (!isDirty && isVersion && normalizeText(base.version.text) === normalizeText(shown)) {
      // If the save fails, VS Code marks the document as dirty.
      this.unchanged = { shown, exact: base.version.text };
    }
    return this.unchanged?.shown === shown ? this.unchanged.exact : shown;
  }
}

/** The first change of a clean document, which may be the beginning of an edit. */
interface FirstChange {
  readonly text: string;
  readonly base: Edit['base'];
  readonly how: ChangeKind;
  /** Until when the document may become dirty because of it. */
  readonly until: number;
}

/** What changed a document's text or made it clean. */
export type ChangeKind = 'typed' | 'undone' | 'redone' | 'saved';

function isOf(base: Edit['base'], { text }: TextVersion): boolean {
  return 'kind' in base && base.kind === 'version' && base.version.text === text;
}

/** Compares the encoded texts, because encoding replaces lone surrogates. */
export function isWritten(shown: string | undefined, text: string): boolean {
  return shown !== undefined && normalizeText(decodeText(encodeText(shown)) ?? shown) === normalizeText(text);
}

/** Whether a write is the document's own save or comes from something else. */
export type WriteSource = 'document' | 'others';

const maxDigests = 1_000;

/** Digests of an edit's base versions. A node that has one of them is only out of date. */
class EarlierTexts {
  private readonly digests = new BoundedMap<string, true>(maxDigests);

  /** Adds a base version that is still being looked up as soon as it's known. */
  add(base: BaseVersion | Promise<BaseVersion>): void {
    if (!('kind' in base)) {
      base.then(
        (found) => this.add(found),
        // Nothing to add. Saving the edit also waits for the base version and gets the error.
        () => undefined,
      );
      return;
    }
    if (base.kind !== 'version' || base.approximate === true) {
      return;
    }
    this.digests.set(digestOf(base.version.text), true);
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

/** A text that undo or redo may restore, and its base version. */
interface UndoSnapshot {
  readonly text: string;
  readonly base: BaseVersion | Promise<BaseVersion>;
  readonly accepted: readonly ServerVersion[];
}

const maxSnapshots = 10;

/** A document's earlier texts that have other base versions than the current one. */
class UndoSnapshots {
  private snapshots: readonly UndoSnapshot[] = [];

  add({ text, base, accepted }: UndoSnapshot): void {
    const shown = normalizeText(text);
    const others = this.snapshots.filter((one) => one.text !== shown);
    this.snapshots = [...others, { text: shown, base, accepted }].slice(-maxSnapshots);
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

/** What prevents saving an edit, what the user agreed to overwrite, and the scope of its saves. */
export class SaveDecisions {
  /** What the next save may overwrite in addition to the base version. */
  accepted: readonly ServerVersion[] = [];
  conflict: readonly NodeVersion[] = [];
  scope: SaveScope = 'place';
  /** How many nodes the file was saved to, if it was saved to the layer since `setScope`. */
  savedNodes: number | undefined;

  constructor(private readonly place: FilePlace) {}

  settled({ text, scope }: SaveJob, outcome: SaveOutcome): void {
    switch (outcome.kind) {
      case 'saved':
        this.savedNodes = scope === 'layer' ? outcome.nodes.length : undefined;
        break;
      case 'conflict':
        this.conflict = outcome.nodes;
        break;
      case 'incomplete': {
        this.conflict = outcome.nodes.filter(({ state }) => state === 'other');
        const parts = this.conflict.map(({ found }) => found).filter((found) => isPartOf(found, text));
        this.mayOverwrite([attempted(text, this.place), ...parts]);
        break;
      }
      case 'unknown':
        // Also if only verifying failed, because the text there is the user's own.
        this.mayOverwrite([attempted(text, this.place)]);
        break;
      case 'failed':
        // A write without a response can still arrive, and then the file has the user's own text.
        if (mayHaveHappened(outcome.cause)) {
          this.mayOverwrite([attempted(text, this.place)]);
        }
        break;
    }
  }

  /** Restores earlier decisions after undo or redo. */
  restore(accepted: readonly ServerVersion[]): void {
    this.accepted = accepted;
    this.conflict = [];
  }

  accept(seen: readonly NodeVersion[]): void {
    this.mayOverwrite(seen.map(({ found }) => found));
    this.conflict = this.conflict.filter((finding) => !seen.includes(finding));
  }

  /** Clears the conflict, because it's part of the base version now. */
  rebased(): void {
    this.conflict = [];
  }

  setScope(scope: SaveScope): void {
    this.scope = scope;
    this.savedNodes = undefined;
  }

  /** Discards the decisions of a finished edit. Keeps how many nodes it reached. */
  forget(): void {
    this.accepted = [];
    this.conflict = [];
    this.scope = 'place';
  }

  private mayOverwrite(more: readonly ServerVersion[]): void {
    this.accepted = [...this.accepted, ...more];
  }
}

function attempted(text: string, { path }: FilePlace): ServerVersion {
  return { kind: 'text', text, whole: true, entry: { absolutePath: path, name: path, isDir: false } };
}

/** Whether the file has only part of the text, after a full disk or a broken connection. */
function isPartOf(found: ServerVersion, text: string): boolean {
  return found.kind === 'text' && found.whole && text.startsWith(found.text);
}
