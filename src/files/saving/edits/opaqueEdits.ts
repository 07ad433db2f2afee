import { type FilePlace, keyOf } from '../../../containers/place';
import { type EditedDocument, SaveDecisions } from './edit';
import type { BaseVersionBackups } from './baseVersionBackups';
import type { BaseVersion, TextVersion } from '../serverFiles';
import type { SaveOutcome } from '../saveFile';
import type { SaveJob } from '../saves';

export interface OpaqueEdit {
  readonly place: FilePlace;
  readonly document: Pick<EditedDocument, 'isDirty'>;
  isDirty: boolean;
  base: BaseVersion | Promise<BaseVersion>;
  readonly candidates: BaseCandidates;
  /** It was open when the window started, so it may restore an edit of an earlier window. */
  readonly isRestored: boolean;
  /** The text of the last attempted save, until a save succeeds. */
  attempted?: string | undefined;
  readonly decisions: SaveDecisions;
}

/** Edits in notebooks and custom editors. VS Code only exposes whether they are dirty. */
export class OpaqueEdits {
  private readonly edits = new Map<string, OpaqueEdit>();

  constructor(private readonly keeping: BaseVersionBackups) {}

  get all(): Iterable<[string, OpaqueEdit]> {
    return this.edits;
  }

  find(place: FilePlace): OpaqueEdit | undefined {
    return this.edits.get(keyOf(place));
  }

  /** @param moved the edit's base version from before the file was renamed */
  opened(
    place: FilePlace,
    document: OpaqueEdit['document'],
    how: {
      readonly isRestored: boolean;
      readonly read: TextVersion | undefined;
      readonly moved: OpaqueEdit['base'] | undefined;
    },
  ): void {
    if (this.edits.has(keyOf(place))) {
      return;
    }
    const { isDirty } = document;
    const candidates = new BaseCandidates(how.read);
    const base = how.moved ?? (isDirty ? this.keeping.recover(place) : candidates.base);
    const decisions = new SaveDecisions(place);
    this.edits.set(keyOf(place), { place, document, isDirty, base, candidates, decisions, isRestored: how.isRestored });
  }

  changed(place: FilePlace): void {
    const edit = this.find(place);
    if (edit === undefined || edit.isDirty === edit.document.isDirty) {
      return;
    }
    edit.isDirty = edit.document.isDirty;
    if (edit.isDirty) {
      this.begin(edit);
      this.keeping.keep(edit);
    } else {
      const { base } = edit;
      if ('kind' in base) {
        edit.candidates.end(base);
      }
      edit.decisions.forget();
      this.keeping.discard(place);
    }
  }

  closed(place: FilePlace): void {
    this.edits.delete(keyOf(place));
  }

  read(version: TextVersion): void {
    this.find(version.place)?.candidates.read(version);
  }

  /** Checks every write to a file that's open in such an editor, because VS Code doesn't say who writes. */
  async job(edit: OpaqueEdit, text: string): Promise<SaveJob> {
    if (!edit.isDirty) {
      // VS Code may not have reported it as dirty yet.
      this.begin(edit);
    }
    edit.attempted = text;
    const { accepted } = edit.decisions;
    const keeping = { reportedStat: this.keeping.reportedStats.find(keyOf(edit.place)) };
    return { text, base: await edit.base, accepted, scope: 'place', keeping };
  }

  settled(place: FilePlace, job: SaveJob, outcome: SaveOutcome): void {
    this.find(place)?.decisions.settled(job, outcome);
  }

  saved(place: FilePlace, version: TextVersion): void {
    const edit = this.find(place);
    if (edit !== undefined && edit.attempted !== version.text) {
      // A text editor saved the same file.
      edit.candidates.read(version);
    } else if (edit !== undefined) {
      edit.base = { kind: 'version', version };
      edit.attempted = undefined;
      edit.candidates.saved(version);
      edit.decisions.forget();
    }
  }

  private begin(edit: OpaqueEdit): void {
    const shown = edit.candidates.begin();
    if (shown !== undefined) {
      edit.base = shown;
    } else if (edit.isRestored && 'kind' in edit.base && edit.base.kind === 'unknown') {
      edit.base = this.keeping.recover(edit.place);
    }
  }
}

/** A read at most this many milliseconds before an editor becomes clean is part of a revert. */
const revertTime = 1_000;

/**
 * The texts that an editor may show if VS Code doesn't expose its text: those read since it opened, was saved or became
 * dirty. If there are several, the base version is unknown.
 */
export class BaseCandidates {
  private readonly texts = new Map<string, TextVersion>();
  private readAt = 0;

  constructor(
    first: TextVersion | undefined,
    private readonly now: () => number = Date.now,
  ) {
    if (first !== undefined) {
      this.read(first);
    }
  }

  get base(): BaseVersion {
    const [only, ...more] = this.texts.values();
    return only === undefined || more.length > 0 ? { kind: 'unknown' } : { kind: 'version', version: only };
  }

  read(version: TextVersion): void {
    this.readAt = this.now();
    this.add(version);
  }

  /** Starts an edit. Returns its base version, or undefined if no text is known. */
  begin(): BaseVersion | undefined {
    const base = this.texts.size === 0 ? undefined : this.base;
    this.texts.clear();
    return base;
  }

  /** Ends an edit by undo or revert. After a revert, the editor shows the text that was just read. */
  end(base: BaseVersion): void {
    const isReverted = this.texts.size > 0 && this.now() - this.readAt < revertTime;
    if (base.kind === 'version' && !isReverted) {
      this.add(base.version);
    }
  }

  saved(version: TextVersion): void {
    this.texts.clear();
    this.read(version);
  }

  private add(version: TextVersion): void {
    // Two different texts already make the base version unknown.
    if (this.texts.size < 2) {
      this.texts.set(version.text, version);
    }
  }
}
