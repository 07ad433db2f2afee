import { setMaxListeners } from 'node:events';
import { TaskPool } from '../../async/taskPool';
import type { Listing } from '../../containers/listingCache';
import { type FilePlace, isPathWithin, keyOf } from '../../containers/place';
import { holdsLogin, loginFilePatterns, shownText } from '../../containers/secretFiles';
import { cutOf, type CutText, provenText, textFlawOf } from '../../files/text';
import { isCanceled } from '../../platform/errors';
import { type FileEntry, isReadableType } from '../../platform/wire/fileEntry';
import { digestOf } from '../../storage/stores';
import { FailureStreak, type RequestPace, walkFolder } from './folderWalk';
import { DeadlineExceeded } from '../../ui/interruptible';
import { PathFilter } from '../../containers/pathFilter';
import { findShownMatches, type FoundLine } from './matches';
import { type Matcher, matcherOf, type SearchQuery } from './searchQuery';

/** How many files are read at a time. */
const filesAtOnce = 8;
/** As many as VS Code's own search shows. */
const maxMatches = 20_000;
/** An expression that takes too long for so many files isn't tried on more, because it blocks all extensions meanwhile. */
const maxSlowFiles = 3;

export interface SearchDeps {
  /** Returns a folder's entries if they are known, without a request. */
  readonly knownListing: (folder: FilePlace) => Listing | undefined;
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  /** Returns a file's text if it's known or open in an editor, without a request. */
  readonly knownText: (file: FilePlace, entry: FileEntry) => string | undefined;
  readonly read: (file: FilePlace, signal: AbortSignal) => Promise<string>;
  /** Lists a file again. Returns `undefined` if its folder may not be listed. */
  readonly measure: (file: FilePlace) => Promise<FileEntry | undefined>;
  readonly pace: Pick<RequestPace, 'turn'>;
  /** Which files are searched, and what instead of a file's text. */
  readonly view?:
    | { readonly reads: (file: FilePlace) => boolean; readonly text: (file: FilePlace, text: string) => string }
    | undefined;
}

export interface SearchScope {
  readonly folder: FilePlace;
  readonly query: SearchQuery;
  /** Patterns from the settings for files and folders that no search includes. */
  readonly exclude: readonly string[];
  /** In bytes. Longer files aren't searched. */
  readonly largestFile: number;
}

export interface FoundFile {
  readonly file: FilePlace;
  readonly lines: readonly FoundLine[];
  readonly matchCount: number;
  /** Of the text that was searched, to detect later changes. */
  readonly digest: string;
}

/** Why a file or folder wasn't searched, or only the beginning of a file (`cut`). */
export type SkipReason = 'excluded' | 'link' | 'special' | 'tooLarge' | 'binary' | 'unreadable' | 'slow' | 'cut';

export type Skipped = { readonly place: FilePlace; readonly isFolder: boolean } & (
  | { readonly reason: Exclude<SkipReason, 'unreadable' | 'cut'> }
  | { readonly reason: 'unreadable'; readonly error: unknown }
  | { readonly reason: 'cut'; readonly cut: CutText }
);

interface Failure extends Pick<Skipped, 'place' | 'isFolder'> {
  readonly error: unknown;
}

type SearchState =
  | { readonly kind: 'running' | 'done' | 'canceled' | 'limited' }
  /** The server stopped answering, the session ended, or the expression takes too long (`DeadlineExceeded`). */
  | { readonly kind: 'stopped'; readonly error: unknown };

/** One run of a search below a folder, with everything that it found and skipped so far. */
export class FolderSearch {
  state: SearchState = { kind: 'running' };
  matchCount = 0;
  private readonly found = new Map<string, FoundFile>();
  /** The files found so far in order, because views ask for them often. */
  private inOrder: readonly FoundFile[] | undefined;
  private readonly left: Skipped[] = [];
  private readonly ending = new AbortController();
  private readonly streak = new FailureStreak();
  private slowFiles = 0;
  private readonly filter: PathFilter;

  /**
   * @param changed called after each change, often many times at once
   * @throws SyntaxError if the query isn't a regular expression
   */
  constructor(
    readonly scope: SearchScope,
    private readonly deps: SearchDeps,
    private readonly changed: () => void = () => undefined,
    private readonly matcher: Matcher = matcherOf(scope.query),
  ) {
    const { folder, query, exclude } = scope;
    const excludeSetting = [...exclude, ...loginFilePatterns];
    this.filter = new PathFilter(folder, { include: query.include, exclude: query.exclude, excludeSetting });
    // Each request that waits listens for the end, more than Node expects.
    setMaxListeners(0, this.ending.signal);
  }

  get isRunning(): boolean {
    return this.state.kind === 'running';
  }

  /** The files with matches, in the order of their paths. */
  get files(): readonly FoundFile[] {
    this.inOrder ??= [...this.found.values()].sort((one, other) => comparePaths(one.file.path, other.file.path));
    return this.inOrder;
  }

  /** Every file and folder that wasn't searched. */
  get skipped(): readonly Skipped[] {
    return this.left;
  }

  /** Runs until everything is searched, or `cancel`. Never rejects: the state says how it ended. */
  async run(): Promise<void> {
    const reading = new TaskPool(filesAtOnce, this.ending.signal);
    try {
      await this.walk(reading);
      await reading.finished();
      this.end({ kind: 'done' });
    } catch (error) {
      this.end({ kind: 'stopped', error });
      // The error is known. This waits for the requests that were ended.
      await reading.finished().catch(() => undefined);
    }
  }

  /** Ends all requests at once. What was found so far stays. */
  cancel(): void {
    this.end({ kind: 'canceled' });
  }

  remove(file: FilePlace): void {
    this.put(file, [], '');
  }

  removeLine(file: FilePlace, line: number): void {
    const found = this.found.get(keyOf(file));
    if (found !== undefined) {
      this.put(
        file,
        found.lines.filter((one) => one.line !== line),
        found.digest,
      );
    }
  }

  /**
   * Searches a file again after some of its matches were replaced.
   * @param known what it has, if it needn't be read
   */
  async refresh(file: FilePlace, known?: string): Promise<void> {
    try {
      const text = known ?? (await this.deps.read(file, new AbortController().signal));
      this.put(file, findShownMatches(text, shownText(file, text), this.matcher, maxMatches), digestOf(text));
    } catch {
      // What it has now isn't known.
      this.remove(file);
    }
  }

  /** Whether the search looks at this file, if it's there. */
  covers(file: FilePlace): boolean {
    const { folder } = this.scope;
    const isBelow = isPathWithin(file.path, folder.path) && keyOf({ ...file, path: folder.path }) === keyOf(folder);
    return isBelow && this.filter.isIncluded(file.path) && !this.filter.isExcluded(file.path) && !holdsLogin(file);
  }

  private walk(reading: TaskPool): Promise<void> {
    const { folder } = this.scope;
    return walkFolder(folder, {
      list: async (place) => this.deps.knownListing(place) ?? this.list(place),
      filter: this.filter,
      signal: this.ending.signal,
      onFile: (file, entry) => {
        const reason = this.reasonToSkip(file, entry);
        if (reason === undefined) {
          reading.add(() => this.searchFile(file, entry));
        } else {
          this.skip({ place: file, isFolder: false, reason });
        }
      },
      onSkipped: (skipped) => this.skip(skipped),
      onFailure: (place, error) => this.noteFailure({ place, isFolder: true, error }),
    });
  }

  private async list(folder: FilePlace): Promise<Listing> {
    const listing = await this.inTurn(() => this.deps.list(folder, this.ending.signal));
    this.streak.broken();
    return listing;
  }

  private async inTurn<T>(request: () => Promise<T>): Promise<T> {
    await this.deps.pace.turn(this.ending.signal);
    this.ending.signal.throwIfAborted();
    return request();
  }

  private reasonToSkip(file: FilePlace, entry: FileEntry): 'special' | 'tooLarge' | 'excluded' | undefined {
    if (holdsLogin(file) || this.deps.view?.reads(file) === false) {
      return 'excluded';
    }
    if (!isReadableType(entry)) {
      return 'special';
    }
    return (entry.length ?? 0) > this.scope.largestFile ? 'tooLarge' : undefined;
  }

  private async searchFile(file: FilePlace, entry: FileEntry): Promise<void> {
    const text = this.deps.knownText(file, entry) ?? (await this.read(file, entry));
    if (text === undefined || !this.isRunning) {
      return;
    }
    try {
      const masked = this.deps.view?.text(file, text) ?? text;
      const lines = findShownMatches(masked, shownText(file, masked), this.matcher, maxMatches - this.matchCount);
      this.put(file, lines, digestOf(text));
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) {
        throw error;
      }
      this.noteSlow(file, error);
    }
    if (this.matchCount >= maxMatches) {
      this.end({ kind: 'limited' });
    }
  }

  /** Returns nothing if it can't be read, or isn't a text. */
  private async read(file: FilePlace, entry: FileEntry): Promise<string | undefined> {
    const { signal } = this.ending;
    try {
      const first = await this.inTurn(() => this.deps.read(file, signal));
      this.streak.broken();
      if (!isBinary(first, entry)) {
        return mayBeCut(first, entry) ? await this.provenOrCut(file, first, entry) : first;
      }
      this.skip({ place: file, isFolder: false, reason: 'binary' });
    } catch (error) {
      if (this.isRunning) {
        this.noteFailure({ place: file, isFolder: false, error });
      }
    }
    return undefined;
  }

  /** Returns the file's text if it only changed since it was listed, or else the beginning that the platform returned. */
  private async provenOrCut(file: FilePlace, first: string, entry: FileEntry): Promise<string> {
    const { text, flaw } = await provenText(first, entry, {
      read: () => this.inTurn(() => this.deps.read(file, this.ending.signal)),
      measure: () => this.inTurn(() => this.deps.measure(file)),
    });
    if (typeof flaw === 'object') {
      this.skip({ place: file, isFolder: false, reason: 'cut', cut: flaw });
    }
    return text;
  }

  private noteSlow(file: FilePlace, error: DeadlineExceeded): void {
    this.skip({ place: file, isFolder: false, reason: 'slow' });
    this.slowFiles += 1;
    if (this.slowFiles >= maxSlowFiles) {
      this.end({ kind: 'stopped', error });
    }
  }

  /** Ends the search if the failure isn't about this one place, because all others would fail, too. */
  private noteFailure({ place, isFolder, error }: Failure): void {
    if (isCanceled(error)) {
      this.end({ kind: 'canceled' });
      return;
    }
    this.skip({ place, isFolder, reason: 'unreadable', error });
    if (this.streak.endsWith(error) || keyOf(place) === keyOf(this.scope.folder)) {
      this.end({ kind: 'stopped', error });
    }
  }

  private put(file: FilePlace, lines: readonly FoundLine[], digest: string): void {
    const key = keyOf(file);
    const matchCount = lines.reduce((sum, { ranges }) => sum + ranges.length, 0);
    this.matchCount += matchCount - (this.found.get(key)?.matchCount ?? 0);
    if (lines.length > 0) {
      this.found.set(key, { file, lines, matchCount, digest });
      this.inOrder = undefined;
    } else if (this.found.delete(key)) {
      this.inOrder = undefined;
    }
    this.changed();
  }

  private skip(skipped: Skipped): void {
    if (this.isRunning) {
      this.left.push(skipped);
      this.changed();
    }
  }

  private end(state: SearchState): void {
    if (this.isRunning) {
      this.state = state;
      this.ending.abort();
      this.changed();
    }
  }
}

/** Bytes that aren't UTF-8 come as replacement characters, and the text is then longer or shorter than the file. */
function isBinary(text: string, entry: FileEntry): boolean {
  return text.includes('\0') || textFlawOf(text, entry) === 'bytes';
}

/** Whether much of the listed file is missing. Other differences, such as line endings, take no further request. */
function mayBeCut(text: string, { length }: FileEntry): boolean {
  return length !== undefined && cutOf(text, length) !== undefined;
}

/** Files of a folder come before those of its subfolders, as in VS Code's search. */
function comparePaths(one: string, other: string): number {
  const [a, b] = [one.split('/'), other.split('/')];
  for (const [index, name] of a.entries()) {
    const counterpart = b[index];
    if (counterpart === undefined) {
      return 1;
    }
    if (name !== counterpart) {
      const [aIsFile, bIsFile] = [index === a.length - 1, index === b.length - 1];
      return aIsFile === bIsFile ? (name < counterpart ? -1 : 1) : aIsFile ? -1 : 1;
    }
  }
  return a.length - b.length;
}
