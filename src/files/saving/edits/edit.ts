import { type FilePlace, keyOf } from '../../../containers/place';
import type { BaseVersion, TextVersion } from '../serverFiles';
import type { SaveJob, SaveScope } from '../saves';
import type { BaseVersionBackups } from './baseVersionBackups';
import { SaveDecisions } from './saveDecisions';
import { type BaseCandidates, EarlierTexts, type TextSnapshots, UndoSnapshots } from './textSnapshots';
import { isWritten, normalizeText } from '../../text';
import type { SaveOutcome } from '../saveFile';

/** What VS Code exposes of an open document. Of notebooks and custom editors, only whether they are dirty. */
export interface EditedDocument {
  readonly isDirty: boolean;
  /** Not if only its language changes, although it's reported as closed then. */
  readonly isClosed?: boolean;
  getText?(): string;
}

/**
 * How long to wait for the event that the document is dirty, in milliseconds. VS Code sends it right after the first
 * change. After a reload, the text changes too, but no such event follows.
 */
const dirtyDelay = 1_000;

/** An open document and its base version: the one whose text it shows or, without a text, one of the candidates. */
export class Edit {
  isDirty: boolean;
  /** If VS Code doesn't expose the text: the last one that it passed for writing, until a save succeeds. It may be from another extension. */
  lastPassed?: string | undefined;
  readonly decisions: SaveDecisions;
  /** The document's text when VS Code last requested its stat, which it does at each save before it passes the text. */
  private asked?: string | undefined;
  /** The base version of text discarded by a revert. */
  private revertedBase?: Edit['base'] | undefined;
  /** The text and base version of the first change. VS Code reports it while the document is still clean. */
  private first?: FirstChange | undefined;
  private readonly snapshots = new UndoSnapshots();
  private readonly earlier = new EarlierTexts();
  private current: BaseVersion | Promise<BaseVersion>;
  private unchanged?: { readonly shown: string; readonly exact: string } | undefined;
  /** What was just saved, until VS Code has said so. It calls the document clean then, also if more was typed meanwhile. */
  private justSaved?: string | undefined;

  /** @param candidates if VS Code doesn't expose the document's text */
  constructor(
    readonly place: FilePlace,
    public document: EditedDocument,
    private readonly keeping: BaseVersionBackups,
    base: BaseVersion | Promise<BaseVersion> | undefined,
    readonly candidates: BaseCandidates | undefined,
  ) {
    this.isDirty = document.isDirty;
    this.decisions = new SaveDecisions(place);
    this.current = base ?? candidates?.base ?? { kind: 'unknown' };
    this.earlier.add(this.current);
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

  /** What the document shows, if VS Code exposes it. */
  get text(): string | undefined {
    return this.document.getText?.();
  }

  /** VS Code requests the stat, maybe to save the document. */
  ask(): void {
    if (this.isDirty) {
      this.asked = this.text;
    }
  }

  /** Whether the document shows this text, or did when its save started, because the user may keep typing. */
  shows(text: string): boolean {
    return isWritten(this.text, text) || isWritten(this.asked, text);
  }

  /** Remembers the shown text and its base version, because undo and redo may restore it. */
  remember(): void {
    const { text, base, decisions } = this;
    if (text !== undefined) {
      this.snapshots.add({ text, base, accepted: decisions.accepted });
    }
  }

  /**
   * Replaces the base version, for example after a recovery.
   * @param text what the document just got from a backup that is about to be discarded
   * @returns whether that's kept, if the document needs it
   */
  async rebase(base: BaseVersion, text?: string): Promise<boolean> {
    this.become(base);
    return !this.isDirty || this.keeping.keepWith(text, this);
  }

  /** The document has all of their version now. */
  merged(base: BaseVersion): void {
    this.become(base);
    if (this.isDirty) {
      this.keeping.keepLater(this);
    }
  }

  /** The document was given exactly this text. If VS Code writes it like that, nothing in it was changed. */
  keepExact(exact: string, shown: string): void {
    this.unchanged = { shown, exact };
  }

  /** Returns what to save if VS Code writes this text. */
  async job(written: string): Promise<SaveJob> {
    if (this.candidates !== undefined) {
      if (!this.isDirty) {
        // VS Code may not have reported it as dirty yet.
        this.begin();
      }
      this.lastPassed = written;
    }
    const { accepted, scope } = this.decisions;
    const base = await this.base;
    const text = this.exactText(written, base);
    // Also finding the base version on disk reports a stat.
    const keeping = { reportedStat: this.keeping.reportedStats.find(keyOf(this.place)) };
    return { text, base, accepted, scope, hasOutdatedVersion: this.hasOutdatedVersion, keeping };
  }

  /** Updates the base version after a change, and what is stored of it on disk. */
  changed(document: EditedDocument, how: ChangeKind, versions: TextSnapshots): void {
    const { isDirty: wasDirty, first } = this;
    if (this.candidates !== undefined && document.isDirty === wasDirty) {
      // Its tab changed in another way.
      return;
    }
    this.first = undefined;
    this.document = document;
    const goesOn =
      wasDirty && !document.isDirty && this.justSaved !== undefined && !isWritten(this.text, this.justSaved);
    if (how === 'saved') {
      this.justSaved = undefined;
    }
    this.isDirty = document.isDirty || goesOn;
    if (goesOn) {
      this.asked = undefined;
      this.keeping.keep(this);
    } else if (document.isDirty) {
      this.edited(how, wasDirty, first);
    } else {
      this.cleaned(how, wasDirty, versions);
    }
  }

  /** Applies a save's result to what prevents the next one, and to what that may overwrite. */
  settled(job: SaveJob, outcome: SaveOutcome, source: WriteSource): void {
    this.decisions.settled(job, outcome, this.isOwn(job.text, source));
  }

  /** Applies a verified write, which ended the backup. The edit continues if something else wrote the text. */
  saved(version: TextVersion, scope: SaveScope, source: WriteSource): void {
    // Forget older versions: after an undo, they must not count as overwritable.
    this.snapshots.clear();
    this.revertedBase = undefined;
    if (!this.isOwn(version.text, source)) {
      this.candidates?.read(version);
      if (this.isDirty) {
        this.keeping.keep(this);
      }
      return;
    }
    if (scope === 'layer') {
      // All nodes have the new text now, so an earlier text on a node would be someone's change.
      this.earlier.clear();
    }
    this.base = { kind: 'version', version };
    this.lastPassed = undefined;
    this.justSaved = this.candidates === undefined ? version.text : undefined;
    this.candidates?.saved(version);
    this.decisions.forget();
    const unsaved = this.isDirty ? this.text : undefined;
    if (unsaved !== undefined && !isWritten(unsaved, version.text)) {
      // The user kept typing during the save.
      this.keeping.keep(this);
    }
  }

  /** Whether a write is this edit's save. Of an edit without a text, VS Code doesn't say who writes. */
  private isOwn(text: string, source: WriteSource): boolean {
    return this.candidates === undefined ? source === 'document' : text === this.lastPassed;
  }

  /** Whether another node only has one of this edit's earlier base versions. */
  private readonly hasOutdatedVersion = ({ target }: FilePlace, text: string): boolean => {
    const { nodeId } = this.place.target;
    return nodeId !== undefined && nodeId !== target.nodeId && this.earlier.has(text);
  };

  private become(base: BaseVersion): void {
    this.base = base;
    // It's part of the base version now.
    this.decisions.conflict = [];
  }

  /** Without a text, what the document showed until now is the base version. */
  private begin(): void {
    if (this.candidates !== undefined) {
      this.base = this.candidates.begin(this.base);
    }
  }

  /** Handles a change that leaves unsaved text. */
  private edited(how: ChangeKind, wasDirty: boolean, first: FirstChange | undefined): void {
    const isFirst = first !== undefined && first.text === this.text && performance.now() < first.until;
    const kind = isFirst ? first.how : how;
    if (isFirst) {
      this.base = first.base;
    }
    if (!wasDirty) {
      this.begin();
    }
    if (!wasDirty && kind === 'undone' && this.revertedBase !== undefined) {
      this.base = this.revertedBase;
    }
    const hasReturned = kind !== 'typed' && this.returned();
    if (hasReturned && wasDirty && kind === 'redone') {
      this.keeping.keepLater(this);
    } else if (hasReturned || !wasDirty) {
      this.keeping.keep(this);
    } else {
      this.keeping.changed(this);
    }
  }

  /** Handles a document that is clean: saved, undone, reloaded, or only while VS Code moves its file. */
  private cleaned(how: ChangeKind, wasDirty: boolean, versions: TextSnapshots): void {
    const { base, text } = this;
    this.asked = undefined;
    this.decisions.forget();
    this.candidates?.end(base);
    if (text !== undefined) {
      this.updateBase(text, wasDirty, versions);
      if (!wasDirty && how !== 'saved') {
        const mayBeReload = versions.showing(this.place, text) !== undefined;
        this.first = { text, base, how, until: mayBeReload ? performance.now() + dirtyDelay : Infinity };
      }
    }
    if (wasDirty) {
      this.keeping.discard(this.place);
    }
  }

  private updateBase(text: string, wasDirty: boolean, versions: TextSnapshots): void {
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
    // VS Code doesn't call it saved if something else wrote the text that it showed.
    this.justSaved = undefined;
    if ('kind' in base && base.kind === 'version' && !isOf(base, version)) {
      this.snapshots.add({ text: base.version.text, base, accepted: [] });
      this.snapshots.add({ text: version.text, base: { kind: 'version', version }, accepted: [] });
    }
  }

  /** Whether undo or redo restored a text with another base version. If so, switches to that one. */
  private returned(): boolean {
    const snapshot = this.snapshots.find(() => this.text);
    if (snapshot === undefined || (snapshot.base === this.base && snapshot.accepted === this.decisions.accepted)) {
      return false;
    }
    this.base = snapshot.base;
    this.decisions.restore(snapshot.accepted);
    return true;
  }

  /** Keeps the file's mixed line endings, which a text editor doesn't show, in a save without changes. */
  private exactText(shown: string, base: BaseVersion): string {
    const isVersion = base.kind === 'version' && base.approximate !== true;
    const isEdited = this.isDirty || this.candidates !== undefined;
    if (!isEdited && isVersion && normalizeText(base.version.text) === normalizeText(shown)) {
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

/** Whether a write is the document's own save or comes from something else. */
export type WriteSource = 'document' | 'others';
