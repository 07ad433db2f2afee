import { type FilePlace, isPathWithin } from './place';
import { parsePatterns, type PathPattern } from './pathPattern';

interface PathFilterOptions {
  /** Patterns for the files to search, separated by commas; empty for all. */
  readonly include?: string;
  /** Patterns for files and folders to leave out. */
  readonly exclude?: string;
  /** The patterns in the settings for files and folders to leave out. */
  readonly excludeSetting?: readonly string[];
}

/** Decides which files and folders below a folder are searched. Patterns read as in VS Code's search. */
export class PathFilter {
  private readonly include: readonly PathMatcher[];
  private readonly exclude: readonly PathMatcher[];

  constructor(root: Pick<FilePlace, 'path'>, { include = '', exclude = '', excludeSetting = [] }: PathFilterOptions) {
    const matchers = (text: string, source: 'typed' | 'setting') =>
      parsePatterns(text, source).map((pattern) => new PathMatcher(pattern, root.path));
    this.include = matchers(include, 'typed');
    this.exclude = [...matchers(exclude, 'typed'), ...excludeSetting.flatMap((text) => matchers(text, 'setting'))];
  }

  isExcluded(path: string): boolean {
    return this.exclude.some((matcher) => matcher.match(path) === 'whole');
  }

  isIncluded(path: string): boolean {
    return this.include.length === 0 || this.include.some((matcher) => matcher.match(path) === 'whole');
  }

  /** Whether a file below this folder can be included. */
  mayContain(folder: string): boolean {
    return this.include.length === 0 || this.include.some((matcher) => matcher.match(folder) !== 'none');
  }
}

/** `start`: something below can match. What is below a match matches, too. */
type PathMatch = 'whole' | 'start' | 'none';

/** The segments that the next name may match. The end of the pattern counts as one. */
type Progress = ReadonlySet<number>;

/** Matches paths with a pattern. Follows all ways to match at once, so that no pattern takes long. */
class PathMatcher {
  private readonly segments: PathPattern['segments'];
  private readonly from: string;
  /** The folder of the last path, because most paths are in the same folder as the one before. */
  private last: { readonly folder: string; readonly progress: Progress } | undefined;

  constructor({ isAbsolute, segments }: PathPattern, root: string) {
    this.segments = segments;
    this.from = isAbsolute ? '/' : root;
  }

  match(path: string): PathMatch {
    if (!isPathWithin(path, this.from)) {
      return 'none';
    }
    if (path === this.from) {
      return this.isComplete(0) ? 'whole' : 'start';
    }
    const end = path.lastIndexOf('/');
    const folder = path.slice(0, end);
    if (this.last?.folder !== folder) {
      this.last = { folder, progress: this.progressTo(folder) };
    }
    return this.matchName(path.slice(end + 1), this.last.progress);
  }

  private matchName(name: string, progress: Progress): PathMatch {
    let match: PathMatch = 'none';
    for (const index of progress) {
      const next = this.after(index, name);
      if (next !== undefined && this.isComplete(next)) {
        return 'whole';
      }
      match = next === undefined ? match : 'start';
    }
    return match;
  }

  private progressTo(folder: string): Progress {
    let progress = this.withSkipped(new Set([0]));
    for (const name of folder.slice(this.from.length).split('/')) {
      if (name !== '') {
        const next = [...progress].flatMap((index) => this.after(index, name) ?? []);
        progress = this.withSkipped(new Set(next));
      }
    }
    return progress;
  }

  /** Returns where the pattern continues after a name, or `undefined` if this segment doesn't match it. */
  private after(index: number, name: string): number | undefined {
    const segment = this.segments[index];
    if (segment === undefined || segment === '**') {
      return index;
    }
    return segment(name) ? index + 1 : undefined;
  }

  /** A `**` may stand for no folder. */
  private withSkipped(progress: ReadonlySet<number>): Progress {
    const all = new Set(progress);
    for (const index of all) {
      if (this.segments[index] === '**') {
        all.add(index + 1);
      }
    }
    return all;
  }

  private isComplete(index: number): boolean {
    return index === this.segments.length || (index === this.segments.length - 1 && this.segments[index] === '**');
  }
}
