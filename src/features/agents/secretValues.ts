import { isPartOfSecret } from './secretNames';

/** A part of a text, as offsets. */
export type Range = readonly [start: number, end: number];

/** The most characters of one value, so that an unclosed quote doesn't hide the rest of a file. */
const longest = 8_000;

/** Returns what is before a place in its line, at most so many characters. */
export function lineBefore(text: string, at: number, most: number): string {
  const part = text.slice(Math.max(0, at - most), at);
  return part.slice(part.lastIndexOf('\n') + 1);
}

export function endOfLineAt(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

/** Returns what a sticky expression matches here, or nothing. */
export function textAt(expression: RegExp, text: string, at: number): string {
  expression.lastIndex = at;
  return expression.exec(text)?.[0] ?? '';
}

/** What opens a literal, also in one that a program wrote into another. The same closes it, if it isn't a bracket. */
const opening = /"""|'''|\\{0,3}["'`]|(?:%[qQwWi]|\bqq?)[([{<|]|(?<![\w\])])\[=*\[(?![\s"'`[\]{(]*["'`[{(]|\s*\d)/y;
const brackets: Readonly<Record<string, string | undefined>> = { '(': ')', '[': ']', '{': '}', '<': '>', '|': '|' };

/** A text in quotes or brackets, what opens it, and where what closes it ends: at -1 if nothing does. */
interface Literal {
  readonly mark: string;
  readonly range: Range;
  readonly end: number;
}

export function literalAt(text: string, at: number): Literal | undefined {
  const mark = textAt(opening, text, at);
  const close = mark.startsWith('[') ? mark.replaceAll('[', ']') : (brackets[mark.at(-1) ?? ''] ?? mark);
  const from = at + mark.length;
  const to = mark === '' ? -1 : closing(text, from, close);
  return mark === '' ? undefined : { mark, range: [from, to], end: to < 0 ? -1 : to + close.length };
}

/** Returns where a quoted text ends, or -1. */
export function closing(text: string, from: number, mark: string): number {
  const most = Math.min(text.length, from + longest);
  for (let at = from; at < most; at += 1) {
    if (text.startsWith(mark, at)) {
      return at;
    }
    at += text[at] === '\\' ? 1 : 0;
  }
  return -1;
}

/** Tags and anchors in YAML, and casts in others. */
const tags = /(?:[!&][\w/!]*[^\S\n]+)+/y;
/** A word, also with what is replaced in it. */
const word = /(?:\$\{\{[^}\n]*\}\}|\$\{[^}\n]*\}|\$\([^)\n]*\)|[^\s,;&)}\]"'<>|`]){1,8000}/y;

/** Returns where a value is that begins here: in its quotes, or a word, or the rest of the line. */
export function valueFrom(text: string, at: number, isRestOfLine: boolean): Range {
  const from = at + textAt(tags, text, at).length;
  const literal = /[%[]/.test(text[from] ?? '') ? undefined : literalAt(text, from);
  if (literal !== undefined) {
    return quotedValue(text, from, literal, isRestOfLine);
  }
  if (/[[{]/.test(text[from] ?? '') && !(isRestOfLine && /=\s*$/.test(lineBefore(text, from, 100)))) {
    return [from, from];
  }
  // In an object of one line, the next key isn't part of it.
  return isRestOfLine && !/^[^{}]*\{[^}]*$/.test(lineBefore(text, from, 1_000))
    ? [from, endOfContinuedLine(text, from)]
    : [from, from + textAt(word, text, from).length];
}

function quotedValue(text: string, from: number, { mark, range, end }: Literal, isRestOfLine: boolean): Range {
  if (!isRestOfLine && mark.length === 1 && end > 0) {
    return withDoubledQuotes(text, mark, range, end);
  }
  // A shell would append what follows at once.
  const isJoined = isRestOfLine && !/^(?:[\s,;)}\]#]|$)/.test(text.slice(end, end + 1));
  return end < 0 || isJoined ? [from, endOfLineAt(text, Math.max(from, end))] : range;
}

/** In some languages, a quote in a text is written twice: `'it''s x'`, or `'password=''x'' user=y'`. */
function withDoubledQuotes(text: string, mark: string, [from, to]: Range, end: number): Range {
  if (text[end] === mark) {
    return [from, valueFrom(text, end, false)[1]];
  }
  const inner = from === to && /\w/.test(text[end] ?? '') ? text.slice(end, endOfLineAt(text, end)).indexOf(mark) : 0;
  return [from, inner > 0 ? end + inner : to];
}

function endOfContinuedLine(text: string, from: number): number {
  let end = endOfLineAt(text, from);
  while (
    /(?<!\\)(?:\\\\)*\\\r?$/.test(text.slice(Math.max(from, end - 20), end)) &&
    end < Math.min(text.length, from + longest)
  ) {
    end = endOfLineAt(text, end + 1);
  }
  return end;
}

/** How far an expression was read, the last character before but spaces, and the brackets around. In some are names of settings. */
interface Reading {
  readonly text: string;
  at: number;
  last: string;
  readonly end: number;
  readonly opened: { readonly mark: string; readonly hasNames: boolean }[];
  /** Whether keys below say for themselves that they are secret. */
  readonly ownKeys: boolean;
  readonly found: Range[];
}

/** Returns the literals of a value in a program: also of what is appended, and of a list, but not names of settings. */
export function literalsFrom(text: string, start: number, key: string, reach: number): readonly Range[] {
  const reading: Reading = {
    text,
    at: /^\/[^/*\s]/.test(text.slice(start, start + 2)) ? Infinity : start,
    end: Math.min(text.length, start + reach),
    last: '',
    opened: [],
    ownKeys: /(?:(?<!o)auth|credentials?)$/i.test(key),
    found: [],
  };
  while (reading.at < reading.end) {
    if (!readers.some((read) => read(reading))) {
      readMark(reading);
    }
  }
  return reading.found;
}

/** Each reads one kind of part if it's next. What ends the expression moves to the end. */
const readers: readonly ((reading: Reading) => boolean)[] = [
  readComment,
  readHeredoc,
  readLiteral,
  readWord,
  readNumber,
  readBracket,
];

function readAll(reading: Reading): boolean {
  reading.at = Infinity;
  return true;
}

function readOn(reading: Reading, part: string): boolean {
  reading.at += part.length;
  reading.last = part.at(-1) ?? reading.last;
  return part !== '';
}

function readWord(reading: Reading): boolean {
  return readOn(reading, textAt(/[^\s\d<"'`%()[\]{}\\,;]{1,200}/y, reading.text, reading.at));
}

/** Only a comment with an apostrophe. In others are values that were used before. */
function readComment(reading: Reading): boolean {
  const comment = textAt(/(?<=\s)(?:\/\/|#|\*)[^\n"'`]*\w'\w[^\n"'`]*(?=\n)/y, reading.text, reading.at);
  reading.at += comment.length;
  return comment !== '';
}

/** PHP's and Ruby's `<<<EOT`: all lines until one begins with that word. */
function readHeredoc(reading: Reading): boolean {
  const { text, at, end, found } = reading;
  const start = textAt(/<<[<~-]?['"]?\w+['"]?(?:[.,;)][^\n]*)?\r?\n/y, text, at);
  if (start === '') {
    return false;
  }
  const close = new RegExp(`\\n[^\\S\\n]*${/\w+/.exec(start)?.[0] ?? ''}\\b`, 'g');
  close.lastIndex = at + start.length - 1;
  found.push([at + start.length, Math.min(close.exec(text)?.index ?? end, end)]);
  return readAll(reading);
}

function readLiteral(reading: Reading): boolean {
  const { text, at, last, found } = reading;
  const literal = literalAt(text, at);
  if (literal === undefined) {
    return false;
  }
  const { mark, range, end } = literal;
  if (end < 0) {
    found.push([range[0], endOfLineAt(text, at)]);
    return readAll(reading);
  }
  // What seems to go on in the next line is mostly an apostrophe in a comment or in a regular expression.
  const isRemark = mark !== '`' || /(?:^|\s)(?:\/\/|[#*])/.test(lineBefore(text, at, 300));
  if (last !== '' && mark.length === 1 && isRemark && text.slice(at, end).includes('\n')) {
    return readOn(reading, mark);
  }
  if (isValue(reading, end)) {
    found.push(range);
  }
  return readOn(reading, text.slice(at, end));
}

/** Whether a literal that ends there isn't a key, or the value of another. */
function isValue({ text, at, last, opened, ownKeys }: Reading, end: number): boolean {
  const isKey = opened.length > 0 && last !== '?' && /^\s*(?:=>|:)/.test(text.slice(end, end + 40));
  if (isKey || opened.at(-1)?.hasNames === true) {
    return false;
  }
  const isPaired = /[:=>]/.test(last) && opened.some(({ mark }) => mark !== '(');
  const key = isPaired ? /([\w.-]+)["']?\s*(?:=>|:)\s*$/.exec(text.slice(Math.max(0, at - 60), at))?.[1] : undefined;
  return key === undefined || (ownKeys ? key === 'value' : isPartOfSecret(key));
}

function readNumber(reading: Reading): boolean {
  const { text, at, last, opened, found } = reading;
  const number = opened.length > 0 || /[\w$]/.test(last) ? '' : textAt(/\d[\w.]*/y, text, at);
  if (number !== '') {
    found.push([at, at + number.length]);
  }
  return readOn(reading, number);
}

const readsSetting = /(?:env|config|constant|param|get|fetch)\w*$|^require$/i;

function readBracket(reading: Reading): boolean {
  const { text, at, last, opened } = reading;
  const mark = text[at] ?? '';
  if (/[)\]}]/.test(mark)) {
    if (opened.pop() === undefined) {
      return readAll(reading);
    }
  } else if (/[([{]/.test(mark)) {
    const name = /([\w$]+)\s*$/.exec(text.slice(Math.max(0, at - 40), at))?.[1] ?? '';
    opened.push({ mark, hasNames: mark === '[' ? /\w/.test(last) : mark === '(' && readsSetting.test(name) });
  } else {
    return false;
  }
  return readOn(reading, mark);
}

/** Whether an operator is at the end of a line, or in front of the next. */
function goesOn({ text, at, last }: Reading): boolean {
  return /[=(.+|?:,>&\\]/.test(last) || textAt(/\s+(?:[.+?:]|\?[?:]|\|\||or)\s/y, text, at) !== '';
}

/** A comma, an operator, or a space. */
function readMark(reading: Reading): void {
  const { text, at, last, opened } = reading;
  const mark = text[at] ?? '';
  const isOver = /[,;]/.test(mark) || (mark === '\n' && last !== '' && !goesOn(reading));
  if (isOver && opened.length === 0) {
    readAll(reading);
  } else if (mark === ',' && opened.at(-1)?.hasNames === true) {
    // What follows a name is its default.
    opened.splice(-1, 1, { mark: '(', hasNames: false });
  }
  readOn(reading, mark.trim());
  reading.at += mark.trim() === '' ? 1 : 0;
}
