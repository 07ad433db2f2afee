import { type FilePlace, isPathWithin, keyOf } from '../../../containers/place';
import { digestOf } from '../../../storage/stores';
import { type FileEntry, isProvenSame } from '../../../platform/wire/fileEntry';
import { BoundedMap } from '../../boundedMap';
import type { BaseVersion, ServerVersion, TextVersion } from '../serverFiles';
import { isWhole, normalizeText } from '../../text';

interface TextSnapshotLimits {
  /** The maximum number of texts per file. */
  readonly each: number;
  /** The maximum size of all texts, in UTF-16 code units. */
  readonly characters: number;
}

/** How long before its tab appears an editor's text may have been read, in milliseconds. */
const moment = 5_000;

const usualLimits: TextSnapshotLimits = { each: 3, characters: 16 * 1024 * 1024 };

/**
 * The texts recently returned to VS Code. A document shows one of them, but not always the last, because extensions
 * read files too.
 */
export class TextSnapshots {
  private readonly given = new Map<string, readonly TextVersion[]>();
  /** When each file was last read, in milliseconds since the epoch. */
  private readonly readAt = new Map<string, number>();
  /** How the files were listed before they were read, if their lengths prove the texts. */
  private readonly listed = new WeakMap<TextVersion, FileEntry>();
  private characters = 0;

  constructor(
    private readonly limits: TextSnapshotLimits = usualLimits,
    private readonly now: () => number = Date.now,
  ) {}

  add(version: TextVersion, listed?: FileEntry): void {
    const key = keyOf(version.place);
    const before = this.given.get(key) ?? [];
    const others = before.filter(({ text }) => text !== version.text);
    this.set(key, [...others, version].slice(-this.limits.each));
    this.readAt.set(key, this.now());
    if (listed !== undefined && isWhole(version.text, listed)) {
      this.listed.set(version, listed);
    }
  }

  /** Returns the text that was read when the file was listed like this. */
  textOf(place: FilePlace, entry: FileEntry): string | undefined {
    return this.given.get(keyOf(place))?.findLast((version) => {
      const listed = this.listed.get(version);
      return listed !== undefined && isProvenSame(listed, entry);
    })?.text;
  }

  /** Replaces all earlier texts with the one just saved. */
  replace(version: TextVersion): void {
    this.set(keyOf(version.place), [version]);
  }

  /** Whether other texts of the file were read or saved, but never this one. */
  isNew({ place, text }: TextVersion): boolean {
    const given = this.given.get(keyOf(place));
    return given !== undefined && !given.some((version) => version.text === text);
  }

  /** Drops the texts of a file, or of everything in a folder, except those of the files to keep, by their keys. */
  forget(place: FilePlace, kept: { has(key: string): boolean }): void {
    const above = keyOf(place);
    for (const key of [...this.given.keys()].filter((one) => isPathWithin(one, above) && !kept.has(one))) {
      this.drop(key);
    }
  }

  /** Moves the texts of a file, or of everything in a folder, to the new name. */
  move(from: FilePlace, to: FilePlace): void {
    const old = keyOf(from);
    for (const [key, versions] of [...this.given]) {
      if (isPathWithin(key, old)) {
        this.drop(key);
        const moved = versions.map((version) => ({
          ...version,
          place: { ...to, path: `${to.path}${version.place.path.slice(from.path.length)}` },
        }));
        this.set(`${keyOf(to)}${key.slice(old.length)}`, moved);
      }
    }
  }

  /** Returns the text read just now, for an editor that is about to open. */
  lastRead(place: FilePlace): TextVersion | undefined {
    const key = keyOf(place);
    return this.now() - (this.readAt.get(key) ?? 0) < moment ? this.given.get(key)?.at(-1) : undefined;
  }

  /** Returns the text that an editor shows like this. */
  showing(place: FilePlace, shown: string): TextVersion | undefined {
    const text = normalizeText(shown);
    return this.given.get(keyOf(place))?.findLast((candidate) => normalizeText(candidate.text) === text);
  }

  /**
   * Returns the base version of a document that was just opened or reloaded, as far as it's known.
   * @param moved the one from before the file was moved, if the text isn't one that was read under its new name
   */
  beginningOf(
    place: FilePlace,
    shown: string,
    moved?: BaseVersion | Promise<BaseVersion>,
  ): BaseVersion | Promise<BaseVersion> {
    const version = this.showing(place, shown);
    if (version === undefined && moved !== undefined) {
      return moved;
    }
    // In another encoding, the document shows other characters. Then it's the last text.
    const last = version ?? this.given.get(keyOf(place))?.at(-1);
    return last === undefined
      ? { kind: 'version', version: { text: shown, place }, approximate: true }
      : { kind: 'version', version: last };
  }

  private set(key: string, versions: readonly TextVersion[]): void {
    this.drop(key);
    this.given.set(key, versions);
    this.characters += sizeOf(versions);
    for (const oldest of this.given.keys()) {
      if (this.characters <= this.limits.characters || oldest === key) {
        break;
      }
      this.drop(oldest);
    }
  }

  private drop(key: string): void {
    this.characters -= sizeOf(this.given.get(key) ?? []);
    this.given.delete(key);
    this.readAt.delete(key);
  }
}

/** The fixed cost of a version in addition to its text, because many files are empty. */
const overhead = 200;

function sizeOf(versions: readonly TextVersion[]): number {
  return versions.reduce((sum, { text }) => sum + text.length + overhead, 0);
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

  /** @param recover finds the base version if the editor continues an edit of an earlier window */
  constructor(
    first: TextVersion | undefined,
    private readonly recover?: () => Promise<BaseVersion>,
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

  /** Starts an edit. Returns its base version: the one before, if no text is known. */
  begin(before: BaseVersion | Promise<BaseVersion>): BaseVersion | Promise<BaseVersion> {
    if (this.texts.size === 0) {
      const isUnknown = 'kind' in before && before.kind === 'unknown';
      return (isUnknown ? this.recover?.() : undefined) ?? before;
    }
    const { base } = this;
    this.texts.clear();
    return base;
  }

  /** Ends an edit by undo or revert. After a revert, the editor shows the text that was just read. */
  end(base: BaseVersion | Promise<BaseVersion>): void {
    const isReverted = this.texts.size > 0 && this.now() - this.readAt < revertTime;
    if ('kind' in base && base.kind === 'version' && !isReverted) {
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

const maxDigests = 1_000;

/** Digests of an edit's base versions. A node that has one of them is only out of date. */
export class EarlierTexts {
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

/** A text that undo or redo may restore, and its base version. */
interface UndoSnapshot {
  readonly text: string;
  readonly base: BaseVersion | Promise<BaseVersion>;
  readonly accepted: readonly ServerVersion[];
}

const maxSnapshots = 10;

/** A document's earlier texts that have other base versions than the current one. */
export class UndoSnapshots {
  private snapshots: readonly UndoSnapshot[] = [];

  add({ text, base, accepted }: UndoSnapshot): void {
    const shown = normalizeText(text);
    const others = this.snapshots.filter((one) => one.text !== shown);
    this.snapshots = [...others, { text: shown, base, accepted }].slice(-maxSnapshots);
  }

  find(text: () => string | undefined): UndoSnapshot | undefined {
    const shown = this.snapshots.length === 0 ? undefined : text();
    return shown === undefined ? undefined : this.snapshots.findLast((one) => one.text === normalizeText(shown));
  }

  clear(): void {
    this.snapshots = [];
  }
}
