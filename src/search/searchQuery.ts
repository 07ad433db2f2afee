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

/** A position as in an editor: both counted from 0, columns in UTF-16 units. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

export interface TextRange {
  readonly start: TextPosition;
  readonly end: TextPosition;
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

/** Strict expressions reject escapes that aren't needed, such as `\-`, which other tools accept. */
function compile(source: string, flags: string, query: Pick<SearchQuery, 'isRegex' | 'wholeWord'>): RegExp {
  const { isRegex, wholeWord } = query;
  if (!isRegex && !wholeWord && /^[\t\n -~]*$/.test(source)) {
    // The same for plain ASCII, and several times as fast if case doesn't matter.
    return new RegExp(source, flags);
  }
  try {
    return new RegExp(wholeWord ? asWord(source, String.raw`[\p{L}\p{M}\p{N}_]`) : source, `${flags}u`);
  } catch {
    return new RegExp(wholeWord ? asWord(source, String.raw`\w`) : source, flags);
  }
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
export function findMatches(text: string, matcher: Matcher, most = Number.POSITIVE_INFINITY): readonly FoundLine[] {
  return matcher.isOwn ? runWithin(longestMatching, () => find(text, matcher, most)) : find(text, matcher, most);
}

function find(text: string, { expression, isMultiline }: Matcher, most: number): readonly FoundLine[] {
  const lines = linesOf(text);
  const ranges = isMultiline ? rangesAcrossLines(lines, expression, most) : rangesByLine(lines, expression, most);
  const byLine = new Map<number, TextRange[]>();
  for (const range of ranges) {
    const known = byLine.get(range.start.line);
    if (known === undefined) {
      byLine.set(range.start.line, [range]);
    } else {
      known.push(range);
    }
  }
  return [...byLine].map(([line, found]) => ({ line, ...previewOf(lines[line] ?? '', found), ranges: found }));
}

/** Divides a text into lines as an editor does. */
export function linesOf(text: string): readonly string[] {
  return text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
}

function rangesByLine(lines: readonly string[], expression: RegExp, most: number): readonly TextRange[] {
  const ranges: TextRange[] = [];
  for (const [line, text] of lines.entries()) {
    eachMatch(text, expression, (start, end) => {
      ranges.push({ start: { line, column: start }, end: { line, column: end } });
      return ranges.length < most;
    });
    if (ranges.length >= most) {
      break;
    }
  }
  return ranges;
}

/** Goes on while `found` returns true. Unlike `matchAll`, doesn't copy the expression for each line. */
function eachMatch(text: string, expression: RegExp, found: (start: number, end: number) => boolean): void {
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const { index } = match;
    if (match[0] === '') {
      expression.lastIndex = index + ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
    } else if (!found(index, expression.lastIndex)) {
      return;
    }
  }
}

function rangesAcrossLines(lines: readonly string[], expression: RegExp, most: number): readonly TextRange[] {
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
  const ranges: TextRange[] = [];
  eachMatch(lines.join('\n'), expression, (start, end) => {
    ranges.push({ start: positionOf(start), end: positionOf(end) });
    return ranges.length < most;
  });
  return ranges;
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
