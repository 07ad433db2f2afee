import type { FileEntry } from '../../../platform/wire/fileEntry';
import { readTimestamp } from '../../../platform/wire/scalars';
import { type FilePlace, isPathWithin, keyOf } from '../../../containers/place';
import type { BaseVersionBackups, ReportedStat } from './baseVersionBackups';
import type { BaseVersion, NodeVersion, ServerVersion, TextVersion } from '../serverFiles';
import { type ChangeKind, Edit, type EditedDocument, type WriteSource } from './edit';
import type { SaveOutcome } from '../saveFile';
import type { SaveJob, SaveScope } from '../saves';
import { BoundedMap } from '../../boundedMap';
import { BaseCandidates, TextSnapshots } from './textSnapshots';
import { PendingWork } from '../../../async/sharedCalls';

/** How many moved files to remember until their documents open under the new names. */
const maxMoved = 200;

/**
 * Tracks each open document's base version, whether it has changes, and what prevents saving it. A file may be open as
 * text and in an opaque editor, one that doesn't expose its text. Each has an edit, because they may show two versions.
 */
export class OpenEdits {
  private readonly edits = new Map<string, Edit>();
  private readonly saving = new PendingWork();
  private readonly versions = new TextSnapshots();
  /** Base versions of moved documents, by the keys of their new names. */
  private readonly moved = new BoundedMap<string, Edit['base']>(maxMoved);
  readonly reportedStats;

  constructor(private readonly keeping: BaseVersionBackups) {
    this.reportedStats = keeping.reportedStats;
  }

  /**
   * Records a text that was returned to VS Code.
   * @param listed the file as it was listed before the text was read
   */
  given(version: TextVersion, listed?: FileEntry): void {
    this.versions.add(version, listed);
    this.of(version.place).forEach(({ candidates }) => candidates?.read(version));
  }

  /** Whether the window has read or saved the file, but never with this text, so that it's from someone else. */
  isNewText(version: TextVersion): boolean {
    return this.versions.isNew(version);
  }

  /** Forgets the texts of files that this window changed or deleted without an editor, unless they are open. */
  forgetTexts(place: FilePlace): void {
    this.versions.forget(place, this.edits);
  }

  /** Returns the file's unsaved text, or the text that it had when it was listed like this. */
  knownText(place: FilePlace, listed: FileEntry): string | undefined {
    const edit = this.text(place);
    return edit?.isDirty === true ? edit.text : this.versions.textOf(place, listed);
  }

  /** Handles a document that opens. If its tab was `restored` with the window, it may continue an earlier edit. */
  opened(place: FilePlace, document: EditedDocument, how: 'opened' | 'restored' = 'opened'): void {
    const key = keyFor(place, document);
    const known = this.edits.get(key);
    const goesOn = known?.isDirty === true && (document.isDirty || document === known.document);
    if (known !== undefined && (document.getText === undefined || goesOn)) {
      // The same edit continues, in another language or editor.
      known.document = document;
      return;
    }
    // A moved file keeps the base version from its previous name.
    const moved = this.moved.get(keyOf(place));
    this.moved.delete(keyOf(place));
    const base = this.beginningOf(place, document, moved);
    const candidates =
      document.getText !== undefined
        ? undefined
        : how === 'opened'
          ? new BaseCandidates(this.versions.lastRead(place))
          : new BaseCandidates(undefined, () => this.keeping.recover(place));
    const edit = new Edit(place, document, this.keeping, base, candidates);
    this.edits.set(key, edit);
    if (document.isDirty && moved !== undefined) {
      this.keeping.keep(edit);
    }
  }

  /** Handles a renamed file or folder. VS Code moves unsaved text to a new document. */
  renamed(from: FilePlace, to: FilePlace): void {
    this.versions.move(from, to);
    const old = keyOf(from);
    for (const edit of this.edits.values()) {
      const key = keyOf(edit.place);
      if (isPathWithin(key, old)) {
        const { base } = this.text(edit.place) ?? edit;
        // Don't wait forever for a document that never opens again.
        this.moved.set(`${keyOf(to)}${key.slice(old.length)}`, base);
      }
    }
  }

  changed(place: FilePlace, document: EditedDocument, how: ChangeKind = 'typed'): void {
    const edit = this.edits.get(keyFor(place, document));
    if (edit === undefined) {
      this.opened(place, document);
      return;
    }
    edit.changed(document, how, this.versions);
  }

  /** Remembers the shown text with its base version, because undo and redo may restore it. */
  remember(place: FilePlace): void {
    this.text(place)?.remember();
  }

  /** If a dirty document closes, its language changed or the window closes, so keep its edit. */
  closed(place: FilePlace, document: EditedDocument): void {
    const key = keyFor(place, document);
    // Of a text that was typed during a save, VS Code itself says that it's clean.
    const isReopened = document.getText !== undefined && document.isClosed !== true;
    const goesOn = isReopened && this.edits.get(key)?.isDirty === true;
    if (!document.isDirty && !goesOn) {
      this.edits.delete(key);
    }
  }

  isDirty(place: FilePlace): boolean {
    return this.of(place).some(({ isDirty }) => isDirty);
  }

  /** Whether the document shows this text, or did when its save started, because the user may keep typing. */
  isShown(place: FilePlace, text: string): boolean {
    return this.of(place).some((edit) => edit.shows(text));
  }

  /** Returns the stat to report to VS Code while the file is edited or saved; `undefined` to report the real one. */
  async statWhileEditing(place: FilePlace): Promise<ReportedStat | undefined> {
    const key = keyOf(place);
    const edits = this.of(place);
    const isBeingSaved = this.saving.has(key) || edits.some(({ decisions }) => decisions.scope === 'layer');
    if (!isBeingSaved && !this.isDirty(place)) {
      return undefined;
    }
    edits.forEach((edit) => edit.ask());
    await this.text(place)?.base;
    const stat = this.reportedStats.statWhileEditing(key);
    // Reverting a notebook reads the file only if time or size changed; a save is refused only for a later time.
    return this.opaque(place) === undefined ? stat : { ...stat, mtime: stat.mtime - 1 };
  }

  /** Runs a save. VS Code gets no new stat in the meantime. */
  during<T>(place: FilePlace, save: () => Promise<T>): Promise<T> {
    return this.saving.add(keyOf(place), save());
  }

  /** Whether a write may be the save of an open document. VS Code doesn't say who writes a file with an opaque editor. */
  mayBeSave(place: FilePlace, source: WriteSource): boolean {
    return source === 'document' || this.opaque(place) !== undefined;
  }

  async jobFor(place: FilePlace, text: string, source: WriteSource): Promise<SaveJob> {
    const edit = this.of(place).at(source === 'document' ? -1 : 0);
    // A wider scope is only set for a save of this document, even if it shows the text in another encoding.
    const isSave = this.mayBeSave(place, source) || edit?.isDirty === true || edit?.decisions.scope === 'layer';
    return edit !== undefined && isSave
      ? edit.job(text)
      : { text, base: { kind: 'anything' }, accepted: [], scope: 'place' };
  }

  /** Applies a save's result: the new base version, and what the next save may overwrite. */
  settled(place: FilePlace, job: SaveJob, outcome: SaveOutcome, source: WriteSource): void {
    this.of(place).forEach((edit) => edit.settled(job, outcome, source));
    if (outcome.kind === 'saved') {
      this.saved(place, job, outcome.nodes, source);
    }
  }

  /** Returns the text that an opaque editor couldn't save. */
  textNotSaved(place: FilePlace): string | undefined {
    return this.opaque(place)?.lastPassed;
  }

  conflictOf(place: FilePlace): readonly NodeVersion[] {
    const edit = this.textNotSaved(place) === undefined ? this.text(place) : this.opaque(place);
    return edit?.decisions.conflict ?? [];
  }

  async baseOf(place: FilePlace): Promise<BaseVersion | undefined> {
    return this.text(place)?.base;
  }

  /** Returns exactly the text that the file had when its document was last loaded or saved. */
  async textOf(place: FilePlace): Promise<string | undefined> {
    const base = await this.baseOf(place);
    return base?.kind === 'version' && base.approximate !== true ? base.version.text : undefined;
  }

  /** The user agreed to overwrite these server versions, on some nodes or all. Anything newer is a conflict again. */
  accept(place: FilePlace, seen = this.conflictOf(place)): void {
    this.of(place).forEach(({ decisions }) => decisions.accept(seen));
  }

  /**
   * Replaces the base version, for example after a recovery.
   * @param text what the document just got from a backup that is about to be discarded
   * @returns whether this window keeps that
   */
  async rebase(place: FilePlace, base: BaseVersion, text?: string): Promise<boolean> {
    return (await this.text(place)?.rebase(base, text)) === true;
  }

  /** The document was given a text with all of their version, which is the base version from now on. */
  merged(place: FilePlace, base: BaseVersion): void {
    this.text(place)?.merged(base);
  }

  /**
   * The document was given a text that an editor doesn't show exactly. As long as nothing in it is changed, a save means
   * exactly that.
   * @param shown how VS Code would write it
   */
  keepExact(place: FilePlace, exact: string, shown: string): void {
    this.text(place)?.keepExact(exact, shown);
  }

  /** Sets the scope of the document's next saves. */
  setScope(place: FilePlace, scope: SaveScope): void {
    this.text(place)?.decisions.setScope(scope);
  }

  /** Returns how many nodes a save to the layer has written since its scope was set. */
  savedNodes(place: FilePlace): number | undefined {
    return this.text(place)?.decisions.savedNodes;
  }

  private saved(place: FilePlace, { text, scope }: SaveJob, nodes: readonly NodeVersion[], source: WriteSource): void {
    const key = keyOf(place);
    const own = nodes.find(({ node }) => keyOf(node) === key) ?? nodes[0];
    const version: TextVersion = { text, place: own?.node ?? place };
    this.versions.replace({ ...version, place });
    const stat = own && statIn(own.found);
    // With a later time, VS Code itself would refuse every save of an editor that has other text.
    const isNewsToEditor = source === 'others' && this.text(place)?.isDirty === true;
    if (stat !== undefined && !isNewsToEditor) {
      this.reportedStats.replace(key, stat);
    }
    this.of(place).forEach((edit) => edit.saved(version, scope, source));
  }

  /** Returns the base version of a document that opens, or `undefined` if only the candidates say which one it is. */
  private beginningOf(place: FilePlace, document: EditedDocument, moved: Edit['base'] | undefined) {
    if (document.isDirty) {
      // It was restored, so a closed window has stored its base version.
      return moved ?? this.keeping.recover(place);
    }
    const text = document.getText?.();
    // VS Code opens a moved document as clean with the edited text before it marks it dirty again.
    return text === undefined ? moved : this.versions.beginningOf(place, text, moved);
  }

  private text(place: FilePlace): Edit | undefined {
    return this.edits.get(keyOf(place));
  }

  private opaque(place: FilePlace): Edit | undefined {
    return this.edits.get(opaqueKey(place));
  }

  /** Returns a file's edits, first the one in an opaque editor. */
  private of(place: FilePlace): readonly Edit[] {
    return [this.opaque(place), this.text(place)].filter((edit) => edit !== undefined);
  }
}

function keyFor(place: FilePlace, document: EditedDocument): string {
  return document.getText === undefined ? opaqueKey(place) : keyOf(place);
}

function opaqueKey(place: FilePlace): string {
  return `opaque ${keyOf(place)}`;
}

function statIn(found: ServerVersion): ReportedStat | undefined {
  if (found.kind === 'absent') {
    return undefined;
  }
  const { lastModified, length = 0 } = found.entry;
  return { mtime: readTimestamp(lastModified)?.getTime() ?? 0, size: length };
}
