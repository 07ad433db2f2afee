import { readTimestamp } from '../../../platform/wire/timestamp';
import { type FilePlace, keyOf } from '../../../containers/place';
import type { BaseVersionBackups } from './baseVersionBackups';
import type { BaseVersion, TextVersion, NodeVersion } from '../serverFiles';
import { type ChangeKind, Edit, type EditedDocument, isWritten, type WriteSource } from './edit';
import type { SaveOutcome } from '../saveFile';
import type { Reach, SaveJob } from '../saves';
import { type ReportedStat, ReportedStats } from './reportedStats';
import { type OpaqueEdit, OpaqueEdits } from './opaqueEdits';
import { setNewest } from '../../setNewest';
import { TextSnapshots } from './textSnapshots';
import { Underway } from '../../underway';

/** How many moved files are remembered until their documents open under the new names. */
const mostMoved = 200;

/** Knows of every open document what its text began with, whether it was changed since, and what stands against saving it. */
export class OpenEdits {
  private readonly edits = new Map<string, Edit>();
  private readonly saving = new Underway();
  private readonly versions = new TextSnapshots();
  /** What documents began with, by the keys of what they are about to be called. */
  private readonly moved = new Map<string, Edit['base']>();
  readonly told = new ReportedStats();
  /** Edits of which only that they are there is known. */
  readonly opaque: OpaqueEdits;

  constructor(private readonly keeping: BaseVersionBackups) {
    this.opaque = new OpaqueEdits(keeping, this.told);
  }

  /** VS Code was given this text. */
  given(version: TextVersion): void {
    this.versions.add(version);
    this.opaque.read(version);
  }

  /** An editor that doesn't expose its text has the file. */
  openedOpaque(place: FilePlace, document: OpaqueEdit['document'], how: 'opened' | 'restored'): void {
    const key = keyOf(place);
    const moved = this.moved.get(key);
    this.moved.delete(key);
    const read = how === 'opened' ? this.versions.justGiven(place) : undefined;
    this.opaque.opened(place, document, { isRestored: how === 'restored', read, moved });
  }

  opened(place: FilePlace, document: EditedDocument): void {
    const key = keyOf(place);
    const known = this.edits.get(key);
    if (known?.isDirty === true && document.isDirty) {
      // The same edit goes on, in another language or another editor.
      known.document = document;
      return;
    }
    // A document that is dirty from its beginning was restored: what it began with was kept by a window that has ended.
    // One whose file was moved goes on with what it began with under the name before.
    const moved = this.moved.get(key);
    this.moved.delete(key);
    const text = document.getText();
    const base: Edit['base'] = document.isDirty
      ? (moved ?? this.keeping.recover(place, this.told))
      : // VS Code opens it as if it were clean, with the text that was typed, before it calls it dirty again.
        (this.versions.shownBy(place, text) ?? moved ?? this.versions.beginningOf(place, text));
    const edit = new Edit(place, document, base);
    this.edits.set(key, edit);
    if (document.isDirty && moved !== undefined) {
      this.keeping.keep(edit, this.told);
    }
  }

  /** A file, or a folder with files, has another name now. VS Code takes what was typed along into a new document. */
  renamed(from: FilePlace, to: FilePlace): void {
    this.versions.move(from, to);
    const old = keyOf(from);
    for (const [key, { base }] of [...this.opaque.all, ...this.edits]) {
      if (key === old || key.startsWith(`${old}/`)) {
        // Don't wait forever for a document that never opens again.
        setNewest(this.moved, `${keyOf(to)}${key.slice(old.length)}`, base, mostMoved);
      }
    }
  }

  changed(place: FilePlace, document: EditedDocument, how: ChangeKind = 'typed'): void {
    const edit = this.edits.get(keyOf(place));
    if (edit === undefined) {
      this.opened(place, document);
      return;
    }
    switch (edit.changed(document, how, this.versions)) {
      case 'begun':
        this.keeping.keep(edit, this.told);
        break;
      case 'over':
        this.keeping.letGo(place);
        break;
      case 'asBefore':
        break;
    }
  }

  /** Undo and redo may lead back to the text that is shown now: it goes on with what it began with. */
  remember(place: FilePlace): void {
    this.edits.get(keyOf(place))?.remember();
  }

  /** A dirty document that closes is one whose language changes, or whose window does: its edit goes on. */
  closed(place: FilePlace, document: EditedDocument): void {
    if (!document.isDirty) {
      this.edits.delete(keyOf(place));
    }
  }

  isDirty(place: FilePlace): boolean {
    return this.edits.get(keyOf(place))?.isDirty === true || this.opaque.find(place)?.isDirty === true;
  }

  /** Whether what is to be written is what the document shows, or showed when its save began: it may be typed on since. */
  isShown(place: FilePlace, text: string): boolean {
    const edit = this.edits.get(keyOf(place));
    return edit !== undefined && (isWritten(edit.document.getText(), text) || isWritten(edit.asked, text));
  }

  /** What VS Code is to be told while the file is edited or saved; `undefined` where it is told what is there. */
  async frozen(place: FilePlace): Promise<ReportedStat | undefined> {
    const key = keyOf(place);
    const edit = this.edits.get(key);
    const opaque = this.opaque.find(place);
    const isBeingSaved = this.saving.has(key) || edit?.decisions.reach === 'layer';
    if (edit?.isDirty !== true && opaque?.isDirty !== true && !isBeingSaved) {
      return undefined;
    }
    if (edit?.isDirty === true) {
      edit.asked = edit.document.getText();
    }
    await edit?.base;
    const told = this.told.frozen(key);
    // Reverting a notebook reads the file only if its time or size is another one; a save is refused only for a later time.
    return opaque === undefined ? told : { ...told, mtime: told.mtime - 1 };
  }

  /** Lets a save go on, during which VS Code is told nothing new. */
  during<T>(place: FilePlace, save: () => Promise<T>): Promise<T> {
    const saved = save();
    this.saving.add(keyOf(place), saved);
    return saved;
  }

  async jobFor(place: FilePlace, text: string, source: WriteSource): Promise<SaveJob> {
    const key = keyOf(place);
    const edit = this.edits.get(key);
    const opaque = this.opaque.find(place);
    if (opaque !== undefined && !(source === 'document' && edit !== undefined)) {
      return this.opaque.job(opaque, text);
    }
    // A reach beyond the place is set for a save of this document alone, also where it shows the text in another encoding.
    if (edit === undefined || (!edit.isDirty && source === 'others' && edit.decisions.reach === 'place')) {
      return { text, base: { kind: 'anything' }, accepted: [], reach: 'place' };
    }
    const { accepted, reach } = edit.decisions;
    const [base, wasDirty] = [await edit.base, edit.isDirty];
    const keeping = { told: this.told.find(key) };
    return { text: edit.exactText(text, base, wasDirty), base, accepted, reach, lagsBehind: edit.lagsBehind, keeping };
  }

  /** What came of a save: what the next one begins with, and what it may overwrite. */
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

  /** The person has seen what stands against the save, on some nodes or all, and wants it overwritten. Anything newer is a conflict again. */
  accept(place: FilePlace, seen = this.conflictOf(place)): void {
    this.edits.get(keyOf(place))?.decisions.accept(seen);
    this.opaque.find(place)?.decisions.accept(seen);
  }

  /** The edit goes on as if it had begun with what is given, such as one that was recovered or merged. */
  rebase(place: FilePlace, base: BaseVersion): void {
    const edit = this.edits.get(keyOf(place));
    if (edit === undefined) {
      return;
    }
    edit.base = base;
    edit.decisions.rebased();
    if (edit.isDirty) {
      this.keeping.keep(edit, this.told);
    }
  }

  /** How far the next saves of the document reach. */
  reach(place: FilePlace, reach: Reach): void {
    this.edits.get(keyOf(place))?.decisions.reachTo(reach);
  }

  /** How many nodes a save to the layer has written the document to since its scope was set. */
  savedNodes(place: FilePlace): number | undefined {
    return this.edits.get(keyOf(place))?.decisions.savedNodes;
  }

  private saved(place: FilePlace, { text, reach }: SaveJob, nodes: readonly NodeVersion[], source: WriteSource): void {
    const own = nodes.find(({ node }) => keyOf(node) === keyOf(place)) ?? nodes[0];
    const entry = own === undefined || own.found.kind === 'absent' ? undefined : own.found.entry;
    const version: TextVersion = { text, place: own?.node ?? place };
    this.versions.replace({ ...version, place });
    if (entry !== undefined) {
      const mtime = readTimestamp(entry.lastModified)?.getTime() ?? 0;
      this.told.replace(keyOf(place), { mtime, size: entry.length ?? 0 });
    }
    this.opaque.saved(place, version);
    const edit = this.edits.get(keyOf(place));
    if (edit === undefined) {
      return;
    }
    // Undo leads back to nothing that is not ours to overwrite any more: all of it came before what was just seen there.
    edit.snapshots.clear();
    edit.givenUp = undefined;
    if (source === 'others') {
      return;
    }
    if (reach === 'layer') {
      // All nodes have the new text now. If one has an earlier text later, someone changed it.
      edit.earlier.clear();
    }
    edit.base = { kind: 'version', version };
    edit.decisions.forget();
    if (edit.isDirty && !isWritten(edit.document.getText(), text)) {
      // It was typed on while this was saved: that is another edit.
      this.keeping.keep(edit, this.told);
    }
  }
}
