import { GrowingWork } from '../async/growingWork';
import type { Listing } from '../containers/listingCache';
import { type FilePlace, keyOf } from '../containers/place';
import { isPlatformError } from '../platform/errors';
import { type FileEntry, isReadableType } from '../platform/wire/fileEntry';
import { walkFolder } from './folderWalk';
import { DeadlineExceeded } from './interruptible';
import { PathFilter } from './pathFilter';
import type { RequestPace } from './requestPace';
import { findMatches, type FoundLine, matcherOf, type Matcher, type SearchQuery } from './searchQuery';

/** How many files are read at a time. */
const filesAtOnce = 8;
/** As many as VS Code's own search shows. */
const mostMatches = 20_000;
/** So many failures in a row mean that the server doesn't answer anymore, and not that a few files can't be read. */
const mostFailures = 3;

export interface SearchDeps {
  /** Returns a folder's entries if they are known, without a request. */
  readonly knownListing: (folder: FilePlace) => Listing | undefined;
  readonly list: (folder: FilePlace, signal: AbortSignal) => Promise<Listing>;
  /** Returns a file's text if it's known or open in an editor, without a request. */
  readonly knownText: (file: FilePlace, entry: FileEntry) => string | undefined;
  readonly read: (file: FilePlace, signal: AbortSignal) => Promise<string>;
  readonly pace: RequestPace;
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
}

/** Why a file or folder wasn't searched. */
export type SkipReason = 'excluded' | 'link' | 'special' | 'tooLarge' | 'binary' | 'unreadable' | 'slow';

export interface Skipped {
  readonly place: FilePlace;
  readonly reason: SkipReason;
  readonly error?: unknown;
}

export type SearchState =
  | { readonly kind: 'running' | 'done' | 'canceled' | 'limited' }
  /** The server stopped answering, or the session ended. */
  | { readonly kind: 'stopped'; readonly error: unknown };

/** One run of a search below a folder, with everything that it found and skipped so far. */
export class FolderSearch {
  state: SearchState = { kind: 'running' };
  matchCount = 0;
  searchedFiles = 0;
  private readonly found = new Map<string, FoundFile>();
  private readonly left: Skipped[] = [];
  private readonly ending = new AbortController();
  private failuresInARow = 0;

  /**
   * @param changed called after each change, often many times at once
   * @throws SyntaxError if the query isn't a regular expression
   */
  constructor(
    readonly scope: SearchScope,
    private readonly deps: SearchDeps,
    private readonly changed: () => void = () => undefined,
    private readonly matcher: Matcher = matcherOf(scope.query),
  ) {}

  get isRunning(): boolean {
    return this.state.kind === 'running';
  }

  /** The files with matches, in the order of their paths. */
  get files(): readonly FoundFile[] {
    return [...this.found.values()].sort((one, other) => comparePaths(one.file.path, other.file.path));
  }

  /** Every file and folder that wasn't searched. */
  get skipped(): readonly Skipped[] {
    return this.left;
  }

  /** Runs until everything is searched, or `cancel`. Never rejects: the state says how it ended. */
  async run(): Promise<void> {
    const { signal } = this.ending;
    const reading = new GrowingWork(filesAtOnce, signal);
    try {
      const { folder, query, exclude } = this.scope;
      await walkFolder(folder, {
        list: async (place) => this.deps.knownListing(place) ?? this.list(place),
        filter: new PathFilter(folder, { include: query.include, exclude: [...exclude, query.exclude] }),
        signal,
        onFile: (file, entry) => {
          const reason = this.reasonToSkip(entry);
          if (reason === undefined) {
            reading.add(() => this.searchFile(file, entry));
          } else {
            this.skip({ place: file, reason });
          }
        },
        onSkipped: (place, reason) => this.skip({ place, reason }),
        onFailure: (place, error) => this.noteFailure(place, error),
      });
      await reading.finished();
      this.end({ kind: 'done' });
    } catch (error) {
      this.end({ kind: 'stopped', error });
    }
  }

  /** Ends all requests at once. What was found so far stays. */
  cancel(): void {
    this.end({ kind: 'canceled' });
  }

  /** Removes a file from the results. */
  remove(file: FilePlace): void {
    this.put(file, []);
  }

  /** Removes a line from the results. */
  removeLine(file: FilePlace, line: number): void {
    this.put(file, this.found.get(keyOf(file))?.lines.filter((one) => one.line !== line) ?? []);
  }

  private async list(folder: FilePlace): Promise<Listing> {
    await this.deps.pace.turn(this.ending.signal);
    this.ending.signal.throwIfAborted();
    const listing = await this.deps.list(folder, this.ending.signal);
    this.failuresInARow = 0;
    return listing;
  }

  private reasonToSkip(entry: FileEntry): SkipReason | undefined {
    if (!isReadableType(entry)) {
      return 'special';
    }
    return (entry.length ?? 0) > this.scope.largestFile ? 'tooLarge' : undefined;
  }

  private async searchFile(file: FilePlace, entry: FileEntry): Promise<void> {
    const text = this.deps.knownText(file, entry) ?? (await this.read(file));
    if (text === undefined || !this.isRunning) {
      return;
    }
    if (text.includes('\0') || text.includes('\uFFFD')) {
      this.skip({ place: file, reason: 'binary' });
      return;
    }
    this.searchedFiles += 1;
    try {
      this.put(file, findMatches(text, this.matcher, mostMatches - this.matchCount));
    } catch (error) {
      if (!(error instanceof DeadlineExceeded)) {
        throw error;
      }
      this.skip({ place: file, reason: 'slow' });
    }
    if (this.matchCount >= mostMatches) {
      this.end({ kind: 'limited' });
    }
  }

  private async read(file: FilePlace): Promise<string | undefined> {
    const { signal } = this.ending;
    try {
      await this.deps.pace.turn(signal);
      signal.throwIfAborted();
      const text = await this.deps.read(file, signal);
      this.failuresInARow = 0;
      return text;
    } catch (error) {
      if (this.isRunning) {
        this.noteFailure(file, error);
      }
      return undefined;
    }
  }

  /** Ends the search if the failure isn't about this one place, because all others would fail, too. */
  private noteFailure(place: FilePlace, error: unknown): void {
    this.skip({ place, reason: 'unreadable', error });
    const kind = isPlatformError(error) ? error.kind : undefined;
    this.failuresInARow += kind === 'timeout' || kind === 'unreachable' || kind === 'protocol' ? 1 : 0;
    const concernsAll = kind === 'unauthenticated' || kind === 'tokenLacksMethod' || kind === undefined;
    if (concernsAll || this.failuresInARow >= mostFailures || keyOf(place) === keyOf(this.scope.folder)) {
      this.end({ kind: 'stopped', error });
    }
  }

  private put(file: FilePlace, lines: readonly FoundLine[]): void {
    const key = keyOf(file);
    const matchCount = lines.reduce((sum, { ranges }) => sum + ranges.length, 0);
    this.matchCount += matchCount - (this.found.get(key)?.matchCount ?? 0);
    if (lines.length === 0) {
      this.found.delete(key);
    } else {
      this.found.set(key, { file, lines, matchCount });
    }
    this.changed();
  }

  private skip(skipped: Skipped): void {
    this.left.push(skipped);
    this.changed();
  }

  private end(state: SearchState): void {
    if (this.isRunning) {
      this.state = state;
      this.ending.abort();
      this.changed();
    }
  }
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
