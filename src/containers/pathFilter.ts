import { type FilePlace, isPathWithin } from './place';

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

/** A part of a pattern between slashes; `**` stands for any number of folders. */
type Segment = '**' | ((name: string) => boolean);
type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' }
  | { readonly kind: 'any' }
  | CharacterClass;

interface CharacterClass {
  readonly kind: 'class';
  readonly isNegated: boolean;
  readonly ranges: readonly (readonly [from: string, to: string])[];
}

/** A pattern as in VS Code's search, ready to match. */
interface PathPattern {
  /** Compared with the path from the container's root instead of from the searched folder. */
  readonly isAbsolute: boolean;
  readonly segments: readonly Segment[];
}

/** More alternatives in braces than this are taken literally, because their number grows with each pair. */
const maxAlternatives = 500;

/**
 * Reads a list of patterns, separated by commas.
 * @param source as in VS Code, a typed `.php` stands for all names that end so, but in a setting for this name
 */
function parsePatterns(text: string, source: 'typed' | 'setting'): readonly PathPattern[] {
  return splitOutside(text, ',')
    .map((pattern) => pattern.trim())
    .filter((pattern) => pattern !== '')
    .flatMap(alternatives)
    .map((pattern) => parsePattern(pattern, source));
}

function parsePattern(text: string, source: 'typed' | 'setting'): PathPattern {
  const isAbsolute = text.startsWith('/');
  const isFromRoot = isAbsolute || /^\.\.?\//.test(text);
  const plain = source === 'typed' && !isFromRoot && text.startsWith('.') ? `*${text}` : text;
  const names = plain.split('/').filter((name) => name !== '' && name !== '.');
  const segments = names.map((name): Segment => (name === '**' ? '**' : nameTest(tokensOf(name))));
  // `folder/**` means what is in the folder, which matching the folder itself includes.
  while (segments.length > 1 && segments.at(-1) === '**') {
    segments.pop();
  }
  return { isAbsolute, segments: isFromRoot ? segments : ['**', ...segments] };
}

function tokensOf(name: string): readonly Token[] {
  const parts = name.match(/\*+|\?|\[[^\]]+\]|[^*?[]+|\[/g) ?? [];
  return parts.map((part): Token => {
    if (part.startsWith('*')) {
      return { kind: 'any' };
    }
    if (part === '?') {
      return { kind: 'one' };
    }
    return part.length > 2 && part.startsWith('[') ? classOf(part.slice(1, -1)) : { kind: 'text', text: part };
  });
}

function classOf(text: string): CharacterClass {
  const isNegated = /^[!^]/.test(text);
  const ranges = [...(isNegated ? text.slice(1) : text).matchAll(/(.)-(.)|(.)/gsu)].map(
    ([, from, to, single = '']) => [from ?? single, to ?? single] as const,
  );
  return { kind: 'class', isNegated, ranges };
}

/** Resolves `{a,b}` to the patterns that it stands for. */
function alternatives(pattern: string): readonly string[] {
  let open: readonly string[] = [pattern];
  for (;;) {
    const next = open.flatMap((one) => {
      const braces = /\{([^{}]*)\}/.exec(one);
      return braces === null
        ? [one]
        : (braces[1] ?? '')
            .split(',')
            .map((choice) => `${one.slice(0, braces.index)}${choice}${one.slice(braces.index + braces[0].length)}`);
    });
    if (next.length > maxAlternatives) {
      return [pattern];
    }
    if (next.length === open.length && next.every((one, index) => one === open[index])) {
      return next;
    }
    open = next;
  }
}

/** Splits at a character that isn't inside braces or brackets. */
function splitOutside(text: string, separator: string): readonly string[] {
  const parts = [''];
  let depth = 0;
  for (const character of text) {
    depth += '{['.includes(character) ? 1 : 0;
    depth -= '}]'.includes(character) ? 1 : 0;
    if (character === separator && depth <= 0) {
      parts.push('');
    } else {
      parts.push(`${parts.pop() ?? ''}${character}`);
    }
  }
  return parts;
}

/** Returns whether a name matches the pattern, the quickest way for the most frequent patterns. */
function nameTest(tokens: readonly Token[]): (name: string) => boolean {
  const [first, second, ...others] = tokens;
  if (first?.kind === 'text' && second === undefined) {
    return (name) => name === first.text;
  }
  if (first?.kind === 'any' && second?.kind === 'text' && others.length === 0) {
    return (name) => name.endsWith(second.text);
  }
  return (name) => matchesTokens(tokens, name);
}

function matchesTokens(tokens: readonly Token[], name: string): boolean {
  let at = new Set([0]);
  for (const token of tokens) {
    const next = new Set<number>();
    if (token.kind === 'any') {
      for (let index = Math.min(...at); index <= name.length; index += 1) {
        next.add(index);
      }
    } else {
      for (const index of at) {
        const length = lengthAt(token, name, index);
        if (length > 0) {
          next.add(index + length);
        }
      }
    }
    if (next.size === 0) {
      return false;
    }
    at = next;
  }
  return at.has(name.length);
}

/** Returns how many characters of the name the token matches there, or 0 if it doesn't. */
function lengthAt(token: Exclude<Token, { kind: 'any' }>, name: string, index: number): number {
  if (token.kind === 'text') {
    return name.startsWith(token.text, index) ? token.text.length : 0;
  }
  const character = String.fromCodePoint(name.codePointAt(index) ?? 0);
  const isThere = index < name.length && (token.kind === 'one' || isInClass(token, character));
  return isThere ? character.length : 0;
}

function isInClass({ isNegated, ranges }: CharacterClass, character: string): boolean {
  return ranges.some(([from, to]) => from <= character && character <= to) !== isNegated;
}
