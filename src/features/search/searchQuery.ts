import { runWithin } from './interruptible';

/** What a user searches for, and in which files. */
export interface SearchQuery {
  readonly text: string;
  readonly isRegex: boolean;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Patterns for the files to search, separated by commas; empty for all. */
  readonly include: string;
  /** Patterns for files and folders to leave out. */
  readonly exclude: string;
}

export const emptyQuery: SearchQuery = {
  text: '',
  include: '',
  exclude: '',
  isRegex: false,
  matchCase: false,
  wholeWord: false,
};

/** A position as in an editor: both counted from 0, columns in UTF-16 units. */
interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
}

/** Equal for equal ranges only. */
export function rangeText({ start, end }: TextRange): string {
  return `${start.line}:${start.column}-${end.line}:${end.column}`;
}

/** A line with at least one match. */
export interface FoundLine {
  readonly line: number;
  /** The line, or the part around the first match of a long one. */
  readonly preview: string;
  /** The column where the preview starts. */
  readonly previewStart: number;
  readonly ranges: readonly TextRange[];
}

/** A query, ready to run. */
export interface Matcher {
  /** Always global. */
  readonly expression: RegExp;
  /** Whether a match can span lines. */
  readonly isMultiline: boolean;
  /** Whether a user wrote the expression, which may need very long for some texts. */
  readonly isOwn: boolean;
}

const longestPreview = 250;
const beforeMatch = 60;
/** In milliseconds, for one file. */
const longestMatching = 1_000;

/** Compiles the query. Throws a `SyntaxError` if it isn't a regular expression. */
export function matcherOf(query: Pick<SearchQuery, 'text' | 'isRegex' | 'matchCase' | 'wholeWord'>): Matcher {
  const source = query.isRegex ? withLineFeeds(query.text) : escaped(query.text.replaceAll(/\r\n?/g, '\n'));
  const isMultiline = query.isRegex ? tokensOf(source).some(isLineFeed) : source.includes('\n');
  const flags = `g${query.matchCase ? '' : 'i'}${isMultiline ? 'm' : ''}`;
  return { expression: compile(source, flags, query), isMultiline, isOwn: query.isRegex };
}

function compile(source: string, flags: string, query: Pick<SearchQuery, 'isRegex' | 'wholeWord'>): RegExp {
  const { isRegex, wholeWord } = query;
  if (!isRegex && !wholeWord && /^[\t\n -~]*$/.test(source)) {
    // The same for plain ASCII, and several times as fast if case doesn't matter.
    return new RegExp(source, flags);
  }
  for (const strict of [source, asStrict(source)]) {
    try {
      return new RegExp(wholeWord ? asWord(strict, String.raw`[\p{L}\p{M}\p{N}_]`) : strict, `${flags}u`);
    } catch {
      // Not strict yet, or not an expression.
    }
  }
  return new RegExp(wholeWord ? asWord(source, String.raw`\w`) : source, flags);
}

/**
 * Strict expressions know characters outside of the first 65,536, but reject escapes that aren't needed, such as `\"`, and
 * braces and brackets that should be escaped, such as in `server {`. Other tools accept both.
 */
function asStrict(source: string): string {
  let isInClass = false;
  return source.replaceAll(/\\[pPux]\{[^}]*\}|\\[^]|\{\d+,?\d*\}|[^]/g, (token) => {
    const wasInClass = isInClass;
    isInClass = token === '[' || (wasInClass && token !== ']');
    if (token.startsWith('\\') && token.length === 2) {
      const character = token.slice(1);
      const isNeeded = /[A-Za-z\d^$\\.*+?()[\]{}|/]/.test(character) || (wasInClass && character === '-');
      return isNeeded ? token : character;
    }
    return !wasInClass && /^[{}\]]$/.test(token) ? `\\${token}` : token;
  });
}

/** A match may not start or end inside a word, as in an editor. */
function asWord(source: string, letter: string): string {
  const notInside = `(?:(?<!${letter})|(?!${letter}))`;
  return `${notInside}(?:${source})${notInside}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** Lines are joined by line feeds for a search across lines, so an expression for Windows line ends finds those. */
function withLineFeeds(source: string): string {
  const tokens = tokensOf(source);
  return tokens.filter((token, index) => !(isReturn(token) && isLineFeed(tokens[index + 1] ?? ''))).join('');
}

/** Divides an expression into escapes and single characters. */
function tokensOf(source: string): readonly string[] {
  return source.match(/\\[^]|[^]/g) ?? [];
}

function isReturn(token: string): boolean {
  return token === '\r' || token === String.raw`\r`;
}

function isLineFeed(token: string): boolean {
  return token === '\n' || token === String.raw`\n`;
}

/**
 * Finds the matches in a text, by line. Matches of nothing don't count.
 * @param most stops after this many matches
 * @throws DeadlineExceeded if a user's own expression takes too long for the text
 */
function findMatches(text: string, matcher: Matcher, most = Number.POSITIVE_INFINITY): readonly FoundLine[] {
  return withinDeadline(matcher, () => find(text, matcher, most));
}

/**
 * Finds what matches both in a text and as it's shown, with parts of it hidden. So a search can't find out what is hidden, and
 * replacing changes the ranges that were shown.
 */
export function findShownMatches(text: string, shown: string, matcher: Matcher, most: number): readonly FoundLine[] {
  const lines = findMatches(shown, matcher, most);
  if (shown === text || lines.length === 0) {
    return lines;
  }
  const real = new Set(findMatches(text, matcher).flatMap(({ ranges }) => ranges.map(rangeText)));
  const both = lines.map((line) => ({ ...line, ranges: line.ranges.filter((range) => real.has(rangeText(range))) }));
  return both.filter(({ ranges }) => ranges.length > 0);
}

/** Runs the work on one text. A user's own expression may not take long. */
export function withinDeadline<T>({ isOwn }: Matcher, work: () => T): T {
  return isOwn ? runWithin(longestMatching, work) : work();
}

function find(text: string, matcher: Matcher, most: number): readonly FoundLine[] {
  const byLine = new Map<number, TextRange[]>();
  let count = 0;
  for (const { range } of eachMatch(text, matcher)) {
    if (count >= most) {
      break;
    }
    count += 1;
    const known = byLine.get(range.start.line);
    if (known === undefined) {
      byLine.set(range.start.line, [range]);
    } else {
      known.push(range);
    }
  }
  const lines = linesOf(text);
  return [...byLine].map(([line, ranges]) => ({ line, ...previewOf(lines[line] ?? '', ranges), ranges }));
}

/** A match, and what its groups matched. */
export interface Match {
  readonly range: TextRange;
  readonly found: RegExpMatchArray;
}

/** Yields the matches in a text. Matches of nothing don't count. */
export function eachMatch(text: string, matcher: Matcher): Iterable<Match> {
  const lines = linesOf(text);
  return matcher.isMultiline ? acrossLines(lines, matcher) : lineByLine(lines, matcher);
}

/** Divides a text into lines as an editor does. */
function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}

function* lineByLine(lines: readonly string[], { expression }: Matcher): Iterable<Match> {
  for (const [line, text] of lines.entries()) {
    for (const found of foundIn(text, expression)) {
      const column = found.index;
      yield { found, range: { start: { line, column }, end: { line, column: column + found[0].length } } };
    }
  }
}

function* acrossLines(lines: readonly string[], { expression }: Matcher): Iterable<Match> {
  const starts: number[] = [];
  let length = 0;
  for (const text of lines) {
    starts.push(length);
    length += text.length + 1;
  }
  let line = 0;
  const positionOf = (offset: number): TextPosition => {
    while ((starts[line + 1] ?? Number.POSITIVE_INFINITY) <= offset) {
      line += 1;
    }
    return { line, column: offset - (starts[line] ?? 0) };
  };
  for (const found of foundIn(lines.join('\n'), expression)) {
    const start = positionOf(found.index);
    yield { found, range: { start, end: positionOf(found.index + found[0].length) } };
  }
}

/** Unlike `matchAll`, doesn't copy the expression for each line. Matches of nothing don't count. */
function* foundIn(text: string, expression: RegExp): Iterable<RegExpExecArray> {
  expression.lastIndex = 0;
  for (let found = expression.exec(text); found !== null; found = expression.exec(text)) {
    const { lastIndex } = expression;
    // An expression that isn't strict could also match half of a character.
    const isHalf = isWithinCharacter(text, found.index) || isWithinCharacter(text, lastIndex);
    if (found[0] === '') {
      expression.lastIndex = lastIndex + ((text.codePointAt(lastIndex) ?? 0) > 0xffff ? 2 : 1);
    } else if (!isHalf) {
      yield found;
      // Whoever gets the match may use the expression, too.
      expression.lastIndex = lastIndex;
    }
  }
}

function previewOf(text: string, [first]: readonly TextRange[]): Pick<FoundLine, 'preview' | 'previewStart'> {
  const from = text.length <= longestPreview ? 0 : Math.max(0, (first?.start.column ?? 0) - beforeMatch);
  const start = isWithinCharacter(text, from) ? from + 1 : from;
  const end = start + longestPreview;
  return { preview: text.slice(start, isWithinCharacter(text, end) ? end - 1 : end), previewStart: start };
}

/** Whether the index is between the halves of a surrogate pair. */
function isWithinCharacter(text: string, index: number): boolean {
  return index > 0 && (text.codePointAt(index - 1) ?? 0) > 0xffff;
}
