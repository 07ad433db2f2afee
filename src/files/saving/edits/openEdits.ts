import type { FileEntry } from '../../../platform/wire/fileEntry';
import { readTimestamp } from '../../../platform/wire/scalars';
import { type FilePlace, isPathWithin, keyOf } from '../../../containers/place';
import type { BaseVersionBackups, ReportedStat } from './baseVersionBackups';
import type { BaseVersion, NodeVersion, ServerVersion, TextVersion } from '../serverFiles';
import { type ChangeKind, Edit, type EditedDocument, isWritten, type WriteSource } from './edit';
import type { SaveOutcome } from '../saveFile';
import type { SaveScope, SaveJob } from '../saves';
import { type OpaqueEdit, OpaqueEdits } from './opaqueEdits';
import { BoundedMap } from '../../boundedMap';
import { TextSnapshots } from './textSnapshots';
import { PendingWork } from '../../../async/sharedCalls';

/** How many moved files to remember until their documents open under the new names. */
const maxMoved = 200;

/** Tracks each open document's base version, whether it has changes, and what prevents saving it. */
export class OpenEdits {
  private readonly edits = new Map<string, Edit>();
  private readonly saving = new PendingWork();
  private readonly versions = new TextSnapshots();
  /** Base versions of moved documents, by the keys of their new names. */
  private readonly moved = new BoundedMap<string, Edit['base']>(maxMoved);
  readonly reportedStats;
  /** Edits whose text VS Code doesn't expose. */
  readonly opaque;

  constructor(private readonly keeping: BaseVersionBackups) {
    this.reportedStats = keeping.reportedStats;
    this.opaque = new OpaqueEdits(keeping);
  }

  /**
   * Records a text that was returned to VS Code.
   * @param listed the file as it was listed before the text was read
   */
  given(version: TextVersion, listed?: FileEntry): void {
    this.versions.add(version, listed);
    this.opaque.read(version);
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
    const document = this.edits.get(keyOf(place))?.document;
    return document?.isDirty === true ? document.getText() : this.versions.textOf(place, listed);
  }

  /** Handles a file opened in an editor that doesn't expose its text. */
  openedOpaque(place: FilePlace, document: OpaqueEdit['document'], how: 'opened' | 'restored'): void {
    const key = keyOf(place);
    const moved = this.moved.get(key);
    this.moved.delete(key);
    const read = how === 'opened' ? this.versions.lastRead(place) : undefined;
    this.opaque.opened(place, document, { isRestored: how === 'restored', read, moved });
  }

  opened(place: FilePlace, document: EditedDocument): void {
    const key = keyOf(place);
    const known = this.edits.get(key);
    if (known?.isDirty === true && document.isDirty) {
      // The same edit continues, in another language or editor.
      known.document = document;
      return;
    }
    // A document that opens dirty was restored, so a closed window has stored its base version.
    // A moved file keeps the base version from its previous name.
    const moved = this.moved.get(key);
    this.moved.delete(key);
    const text = document.getText();
    const base: Edit['base'] = document.isDirty
      ? (moved ?? this.keeping.recover(place))
      : // VS Code opens it as clean with the edited text before it marks it dirty again.
        (this.versions.shownBy(place, text) ?? moved ?? this.versions.beginningOf(place, text));
    const edit = new Edit(place, document, base);
    this.edits.set(key, edit);
    if (document.isDirty && moved !== undefined) {
      this.keeping.keep(edit);
    }
  }

  /** Handles a renamed file or folder. VS Code moves unsaved text to a new document. */
  renamed(from: FilePlace, to: FilePlace): void {
    this.versions.move(from, to);
    const old = keyOf(from);
    for (const [key, { base }] of [...this.opaque.all, ...this.edits]) {
      if (isPathWithin(key, old)) {
        // Don't wait forever for a document that never opens again.
        this.moved.set(`${keyOf(to)}${key.slice(old.length)}`, base);
      }
    }
  }

  changed(place: FilePlace, document: EditedDocument, how: ChangeKind = 'typed'): void {
    const edit = this.edits.get(keyOf(place));
    if (edit === undefined) {
      this.opened(place, document);
      return;
    }
    const state = edit.changed(document, how, this.versions);
    if (state === 'begun') {
      this.keeping.keep(edit);
    } else if (state === 'over') {
      this.keeping.discard(place);
    }
  }

  /** Remembers the shown text with its base version, because undo and redo may restore it. */
  remember(place: FilePlace): void {
    this.edits.get(keyOf(place))?.remember();
  }

  /** If a dirty document closes, its language changed or the window closes, so keep its edit. */
  closed(place: FilePlace, document: EditedDocument): void {
    if (!document.isDirty) {
      this.edits.delete(keyOf(place));
    }
  }

  isDirty(place: FilePlace): boolean {
    return this.edits.get(keyOf(place))?.isDirty === true || this.opaque.find(place)?.isDirty === true;
  }

  /** Whether the document shows this text, or did when its save started, because the user may keep typing. */
  isShown(place: FilePlace, text: string): boolean {
    const edit = this.edits.get(keyOf(place));
    return edit !== undefined && (isWritten(edit.document.getText(), text) || isWritten(edit.asked, text));
  }

  /** Returns the stat to report to VS Code while the file is edited or saved; `undefined` to report the real one. */
  async statWhileEditing(place: FilePlace): Promise<ReportedStat | undefined> {
    const key = keyOf(place);
    const edit = this.edits.get(key);
    const opaque = this.opaque.find(place);
    const isBeingSaved = this.saving.has(key) || edit?.decisions.scope === 'layer';
    if (edit?.isDirty !== true && opaque?.isDirty !== true && !isBeingSaved) {
      return undefined;
    }
    if (edit?.isDirty === true) {
      edit.asked = edit.document.getText();
    }
    await edit?.base;
    const stat = this.reportedStats.statWhileEditing(key);
    // Reverting a notebook reads the file only if time or size changed; a save is refused only for a later time.
    return opaque === undefined ? stat : { ...stat, mtime: stat.mtime - 1 };
  }

  /** Runs a save. VS Code gets no new stat in the meantime. */
  during<T>(place: FilePlace, save: () => Promise<T>): Promise<T> {
    return this.saving.add(keyOf(place), save());
  }

  async jobFor(place: FilePlace, text: string, source: WriteSource): Promise<SaveJob> {
    const key = keyOf(place);
    const edit = this.edits.get(key);
    const opaque = this.opaque.find(place);
    if (opaque !== undefined && !(source === 'document' && edit !== undefined)) {
      return this.opaque.job(opaque, text);
    }
    // A wider scope is only set for a save of this document, even if it shows the text in another encoding.
    if (edit === undefined || (!edit.isDirty && source === 'others' && edit.decisions.scope === 'place')) {
      return { text, base: { kind: 'anything' }, accepted: [], scope: 'place' };
    }
    const { accepted, scope } = edit.decisions;
    const [base, wasDirty] = [await edit.base, edit.isDirty];
    const keeping = { reportedStat: this.reportedStats.find(key) };
    return {
      text: edit.exactText(text, base, wasDirty),
      base,
      accepted,
      scope,
      hasOutdatedVersion: edit.hasOutdatedVersion,
      keeping,
    };
  }

  /** Applies a save's result: the new base version, and what the next save may overwrite. */
  settled(place: FilePlace, job: SaveJob, outcome: SaveOutcome, source: WriteSource): void {
    this.edits.get(keyOf(place))?.decisions.settled(job, outcome);
    this.opaque.settled(place, job, outcome);
    if (outcome.kind === 'saved') {
      this.saved(place, job, outcome.nodes, source);
    }
  }

  conflictOf(place: FilePlace): readonly NodeVersion[] {
    const [text, opaque] = [this.edits.get(keyOf(place)), this.opaque.find(place)];
    return opaque?.attempted === undefined ? (text?.decisions.conflict ?? []) : opaque.decisions.conflict;
  }

  async baseOf(place: FilePlace): Promise<BaseVersion | undefined> {
    return this.edits.get(keyOf(place))?.base;
  }

  /** The user agreed to overwrite these server versions, on some nodes or all. Anything newer is a conflict again. */
  accept(place: FilePlace, seen = this.conflictOf(place)): void {
    this.edits.get(keyOf(place))?.decisions.accept(seen);
    this.opaque.find(place)?.decisions.accept(seen);
  }

  /** Replaces the base version, for example after a recovery or merge. */
  rebase(place: FilePlace, base: BaseVersion): void {
    const edit = this.edits.get(keyOf(place));
    if (edit === undefined) {
      return;
    }
    edit.base = base;
    edit.decisions.rebased();
    if (edit.isDirty) {
      this.keeping.keep(edit);
    }
  }

  /** Sets the scope of the document's next saves. */
  setScope(place: FilePlace, scope: SaveScope): void {
    this.edits.get(keyOf(place))?.decisions.setScope(scope);
  }

  /** Returns how many nodes a save to the layer has written since its scope was set. */
  savedNodes(place: FilePlace): number | undefined {
    return this.edits.get(keyOf(place))?.decisions.savedNodes;
  }

  private saved(place: FilePlace, { text, scope }: SaveJob, nodes: readonly NodeVersion[], source: WriteSource): void {
    const key = keyOf(place);
    const own = nodes.find(({ node }) => keyOf(node) === key) ?? nodes[0];
    const version: TextVersion = { text, place: own?.node ?? place };
    this.versions.replace({ ...version, place });
    const edit = this.edits.get(key);
    const stat = own && statIn(own.found);
    // With a later time, VS Code itself would refuse every save of an editor that has other text.
    const isNewsToEditor = source === 'others' && edit?.isDirty === true;
    if (stat !== undefined && !isNewsToEditor) {
      this.reportedStats.replace(key, stat);
    }
    this.opaque.saved(place, version);
    if (edit?.saved(version, scope, source) === 'begun') {
      this.keeping.keep(edit);
    }
  }
}

function statIn(found: ServerVersion): ReportedStat | undefined {
  if (found.kind === 'absent') {
    return undefined;
  }
  const { lastModified, length = 0 } = found.entry;
  return { mtime: readTimestamp(lastModified)?.getTime() ?? 0, size: length };
}
