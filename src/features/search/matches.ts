// Finds the matches in a text, and replaces them.

import { runWithin } from '../../ui/interruptible';
import type { Matcher } from './searchQuery';

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

const longestPreview = 250;
const beforeMatch = 60;
/** In milliseconds, for one file. */
const longestMatching = 1_000;

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
function withinDeadline<T>({ isOwn }: Matcher, work: () => T): T {
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
interface Match {
  readonly range: TextRange;
  readonly found: RegExpMatchArray;
}

/** Yields the matches in a text. Matches of nothing don't count. */
function eachMatch(text: string, matcher: Matcher): Iterable<Match> {
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

export interface MatchReplacement {
  readonly text: string;
  /** Whether `$1`, `\n` and the like stand for something else, as in VS Code after a regular expression. */
  readonly isPattern: boolean;
}

export interface NewText {
  readonly text: string;
  readonly count: number;
}

/**
 * Replaces the matches that are chosen, and keeps every other character, including line endings and a byte-order mark.
 * Line breaks in the replacement become those of the text.
 */
export function replaceMatches(
  text: string,
  matcher: Matcher,
  replacement: MatchReplacement,
  isChosen: (range: TextRange) => boolean = () => true,
): NewText {
  return withinDeadline(matcher, () => replace(text, matcher, replacement, isChosen));
}

function replace(
  text: string,
  matcher: Matcher,
  replacement: MatchReplacement,
  isChosen: (range: TextRange) => boolean,
): NewText {
  const starts = lineStarts(text);
  const offsetOf = ({ line, column }: TextRange['start']) => (starts[line] ?? 0) + column;
  const lineEnd = /\r\n|\r|\n/.exec(text)?.[0] ?? '\n';
  const parts: string[] = [];
  let [from, count] = [0, 0];
  for (const match of eachMatch(text, matcher)) {
    if (isChosen(match.range)) {
      const written = replacement.isPattern ? expand(replacement.text, match) : replacement.text;
      parts.push(text.slice(from, offsetOf(match.range.start)), written.replaceAll(/\r\n|\r|\n/g, lineEnd));
      from = offsetOf(match.range.end);
      count += 1;
    }
  }
  return { text: `${parts.join('')}${text.slice(from)}`, count };
}

/** Where each line starts. An editor doesn't count a byte-order mark to the first one. */
function lineStarts(text: string): readonly number[] {
  const starts = [text.startsWith('\uFEFF') ? 1 : 0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) {
    starts.push(index + end.length);
  }
  return starts;
}

/** Reads `$&`, `$0`, `$1`, `$<name>`, `$$`, `\n`, `\t` and `\\`. */
function expand(pattern: string, { found }: Match): string {
  return pattern.replaceAll(
    /\$(?:(&)|(\$)|<([^>]+)>|(\d{1,2}))|\\([nt\\])/g,
    (whole: string, ...captured: readonly (string | undefined)[]) => {
      const [all, dollar, name, digits, letter] = captured;
      if (letter !== undefined) {
        return letters.get(letter) ?? '';
      }
      if (dollar !== undefined) {
        return '$';
      }
      if (name !== undefined) {
        return found.groups === undefined ? whole : (found.groups[name] ?? '');
      }
      return all === undefined ? groupText(digits ?? '0', found, whole) : found[0];
    },
  );
}

/** `$12` is the first group and a 2 if there are fewer than twelve groups. */
function groupText(digits: string, found: RegExpMatchArray, whole: string): string {
  if (Number(digits) < found.length) {
    return found[Number(digits)] ?? '';
  }
  const [first = '', second = ''] = digits;
  return second !== '' && Number(first) < found.length ? `${found[Number(first)] ?? ''}${second}` : whole;
}

const letters = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['\\', '\\'],
]);
