import type { Merged } from '../../files/saving/mergeTexts';
import { middleMarker } from '../../files/text';
import { isEditableName } from './variablesState';

// The text of a variables document: a `NAME=value` line for each variable. Blank lines and those with `#` are ignored.

const dot = '•';
/** Stands for a secret value that isn't shown. An unchanged mask means an unchanged value. */
const mask = dot.repeat(8);

export type LineProblemKind =
  | 'noEqualsSign'
  | 'invalidName'
  | 'repeatedName'
  /** It starts with a quotation mark or an apostrophe, but isn't a JSON string or a text between apostrophes. */
  | 'notQuoted'
  /** A mask, but there's no earlier value that it could stand for. */
  | 'nothingMasked'
  /** The mask was edited. */
  | 'partOfMask';

/** Why a line can't be read. Never has a value in it. */
export interface LineProblem {
  /** Counted from 1. */
  readonly line: number;
  readonly kind: LineProblemKind;
}

type Parsed = { readonly values: ReadonlyMap<string, string> } | { readonly problems: readonly LineProblem[] };

/** Whether the text shows secrets, or a mask for each. */
export type Secrets = 'shown' | 'masked';

/** Reads a document. A mask stands for the earlier value of its name. */
export function parseVariables(text: string, earlier: ReadonlyMap<string, string>): Parsed {
  const values = new Map<string, string>();
  const problems: LineProblem[] = [];
  for (const [index, words] of linesOf(text).entries()) {
    const line = readLine(words);
    if (line === undefined) {
      continue;
    }
    const problem = line === 'noEqualsSign' ? line : problemWith(line, values, earlier);
    if (problem !== undefined) {
      problems.push({ line: index + 1, kind: problem });
    } else if (line !== 'noEqualsSign') {
      values.set(line.name, valueOf(line.written, earlier.get(line.name)) ?? '');
    }
  }
  return problems.length > 0 ? { problems } : { values };
}

export function formatVariables(values: ReadonlyMap<string, string>, secrets: Secrets): string {
  return [...values]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${writtenValue(name, value, secrets)}\n`)
    .join('');
}

/** Returns a text with other values. Keeps its comments and the order of its lines. */
export function replaceValues(text: string, values: ReadonlyMap<string, string>, secrets: Secrets): string {
  const added = new Map(values);
  const lines = linesOf(text.trimEnd()).flatMap((words) => {
    const line = readLine(words);
    if (line === undefined || line === 'noEqualsSign') {
      return [words];
    }
    const value = values.get(line.name);
    added.delete(line.name);
    return value === undefined ? [] : [`${line.name}=${writtenValue(line.name, value, secrets)}`];
  });
  return `${lines.join('\n')}\n${formatVariables(added, secrets)}`;
}

/** Shows or masks the secrets in a text, and changes nothing else. A value that differs from the earlier one stays. */
export function showOrMask(text: string, earlier: ReadonlyMap<string, string>, secrets: Secrets): string {
  return linesOf(text)
    .map((words) => {
      const line = readLine(words);
      const before = line === undefined || line === 'noEqualsSign' ? undefined : earlier.get(line.name);
      if (line === undefined || line === 'noEqualsSign' || before === undefined) {
        return words;
      }
      return valueOf(line.written, before) === before
        ? `${line.name}=${writtenValue(line.name, before, secrets)}`
        : words;
    })
    .join('\n');
}

interface MergeOptions {
  readonly base: ReadonlyMap<string, string>;
  readonly theirs: ReadonlyMap<string, string>;
  readonly names: { readonly yours: string; readonly theirs: string };
  readonly secrets: Secrets;
}

/**
 * Applies others' changes to a text, and keeps its comments. What both sides changed differently is enclosed in conflict
 * markers, with which the text can't be saved. A mask in the result stands for their value.
 */
export function mergeVariables(text: string, { base, theirs, names, secrets }: MergeOptions): Merged {
  const added = new Map(theirs);
  let conflicts = 0;
  const theirLines = (name: string) => {
    const value = theirs.get(name);
    return value === undefined ? [] : [`${name}=${writtenValue(name, value, secrets)}`];
  };
  const bothLines = (name: string, yours: readonly string[]) => {
    conflicts += 1;
    const [start, end] = [`<<<<<<< ${names.yours}`, `>>>>>>> ${names.theirs}`];
    return [start, ...yours, middleMarker(names.theirs), ...theirLines(name), end];
  };
  const lines = linesOf(text.trimEnd()).flatMap((words) => {
    const line = readLine(words);
    if (line === undefined || line === 'noEqualsSign') {
      return [words];
    }
    const { name, written } = line;
    added.delete(name);
    const [before, now] = [base.get(name), theirs.get(name)];
    const yours = valueOf(written, before);
    if (now === before || (now === yours && yours !== before)) {
      return [words];
    }
    // A value whose quotation mark isn't closed yet can't be read either, but it was typed.
    const isTyped = yours === undefined && written !== mask;
    return yours === before && !isTyped ? theirLines(name) : bothLines(name, [words]);
  });
  const others = [...added.keys()].sort().flatMap((name) => {
    const before = base.get(name);
    return before === undefined ? theirLines(name) : before === theirs.get(name) ? [] : bothLines(name, []);
  });
  return { text: [...lines, ...others, ''].join('\n'), conflicts };
}

interface VariableLine {
  readonly name: string;
  /** The value as it's written, without spaces at its ends. */
  readonly written: string;
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Returns `undefined` for a line that's ignored. */
function readLine(words: string): VariableLine | 'noEqualsSign' | undefined {
  // As in files for shells.
  const line = words.trim().replace(/^export\s+(?=\w)/, '');
  if (line === '' || line.startsWith('#')) {
    return undefined;
  }
  const at = line.indexOf('=');
  return at < 0 ? 'noEqualsSign' : { name: line.slice(0, at).trim(), written: line.slice(at + 1).trim() };
}

function problemWith(
  { name, written }: VariableLine,
  values: ReadonlyMap<string, string>,
  earlier: ReadonlyMap<string, string>,
): LineProblemKind | undefined {
  if (!isEditableName(name)) {
    return 'invalidName';
  }
  if (values.has(name)) {
    return 'repeatedName';
  }
  if (written === mask) {
    return earlier.has(name) ? undefined : 'nothingMasked';
  }
  if (quote.test(written)) {
    return unquoted(written) === undefined ? 'notQuoted' : undefined;
  }
  return written.includes(dot) ? 'partOfMask' : undefined;
}

/** Returns `undefined` for a mask without an earlier value, and for something that can't be read. */
function valueOf(written: string, earlier: string | undefined): string | undefined {
  return written === mask ? earlier : quote.test(written) ? unquoted(written) : written;
}

const quote = /^["']/;

/** Reads a JSON string, or a text between apostrophes, in which a shell interprets nothing. */
function unquoted(written: string): string | undefined {
  const [, plain] = /^'([^']*)'$/.exec(written) ?? [];
  if (plain !== undefined) {
    return plain;
  }
  try {
    const value: unknown = JSON.parse(written);
    return typeof value === 'string' ? value : undefined;
  } catch {
    // The parser's message would quote the value.
    return undefined;
  }
}

function writtenValue(name: string, value: string, secrets: Secrets): string {
  if (secrets === 'masked' && value !== '' && looksSecret(name, value)) {
    return mask;
  }
  return isPlain(value) ? value : quoted(value);
}

/** The longest part of a value that a question shows, and how much of it may precede the first difference. */
const longestShown = 60;
const longestAlike = 20;

/**
 * Returns a line with the values before and after a change, as far as they are known, for a question. Leaves out
 * the common beginning of long values, so that the difference shows.
 */
export function formatChange(name: string, values: readonly (string | undefined)[], secrets: Secrets): string {
  const written = values.flatMap((value) => (value === undefined ? [] : [writtenValue(name, value, secrets)]));
  const different = [...new Set(written)];
  const start = different.some((text) => text.length > longestShown) ? startShown(different) : 0;
  const shown = different.map((text) => {
    const end = start + longestShown;
    return `${start > 0 ? '…' : ''}${text.slice(start, end)}${text.length > end ? '…' : ''}`;
  });
  return `${name}=${shown.join(' → ')}`;
}

/** Returns where the part of two values begins that a question shows. */
function startShown([before = '', after]: readonly string[]): number {
  let alike = 0;
  while (after !== undefined && alike < after.length && before[alike] === after[alike]) {
    alike += 1;
  }
  return alike > longestShown - longestAlike ? alike - longestAlike : 0;
}

/** Whether a value reads the same without quotation marks. Editors treat some other characters as line breaks. */
function isPlain(value: string): boolean {
  return value.trim() === value && !/^["']|•|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(value);
}

/** Returns a JSON string. Invisible characters are escaped, because an editor may change or remove them. */
function quoted(value: string): string {
  return JSON.stringify(value).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}

const secretName = /PASS|PWD|SECRET|TOKEN|KEY|CREDENTIAL|PRIVATE|AUTH|SALT|SIGNATURE|DSN|WEBHOOK(?:_?UR[LI])?$/i;
/**
 * A login in a URL, such as that of a database. Runs in linear time, because only the start of a word, or of what follows an
 * `@`, is searched for the next `@`, and for a login only if there's one.
 */
const loginInUrl = /(?<![^\s@])(?=[^\s@]*@)[^\s@]*?:\/\/[^/\s:@]*:[^\s@]+@/;
/** A password in a connection string or in JSON; a private key; or an address with which anyone can post in a channel. */
const secretValue =
  /(?:PASS\w{0,100}|PWD|SECRET|TOKEN|KEY)["']?\s*[=:]|PRIVATE KEY|\bhooks\.slack\.com\/|\bdiscord(?:app)?\.com\/api\/webhooks\/|\boutlook\.office(?:365)?\.com\/webhook|\.webhook\.office\.com\//i;

/** Whether a value is masked until the person asks for it. */
function looksSecret(name: string, value: string): boolean {
  return secretName.test(name) || secretValue.test(value) || loginInUrl.test(value);
}
