import { type FilePlace, isPathWithin, keyOf } from '../../../containers/place';
import { type FileEntry, isProvenSame } from '../../../platform/wire/fileEntry';
import type { BaseVersion, TextVersion } from '../serverFiles';
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

  /** Returns the base version of a document that shows a text returned to VS Code, or `undefined` for another text. */
  shownBy(place: FilePlace, shown: string): BaseVersion | undefined {
    const version = this.showing(place, shown);
    return version && { kind: 'version', version };
  }

  /** Returns the base version of a document that was just opened or reloaded, as far as it's known. */
  beginningOf(place: FilePlace, shown: string): BaseVersion {
    // In another encoding, the document shows other characters. Then it's the last text.
    const version = this.showing(place, shown) ?? this.given.get(keyOf(place))?.at(-1);
    return version === undefined
      ? { kind: 'version', version: { text: shown, place }, approximate: true }
      : { kind: 'version', version };
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
