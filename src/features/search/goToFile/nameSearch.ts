/** A part of what was typed. All parts must match. */
interface NamePart {
  readonly text: string;
  readonly lower: string;
  /** Up to the last slash, which only folders can match, and what follows. */
  readonly head: string;
  readonly tail: string;
  readonly mask: number;
  readonly tailMask: number;
  readonly hasCapitals: boolean;
}

/** What a user typed to find a file by its name. */
export interface NameQuery {
  readonly parts: readonly NamePart[];
  /** The typed path, if it starts at the container's root. */
  readonly absolutePath: string | undefined;
  /** Counted from 0, as in an editor. */
  readonly position: { readonly line: number; readonly column: number } | undefined;
}

/** The names of the files in a folder, also in lowercase and as bits from `letterMask`. */
export interface NamesInFolder {
  /** From the container's root. */
  readonly path: string;
  readonly names: readonly string[];
  readonly lower: readonly string[];
  readonly masks: readonly number[];
  /** Which of them to search, if not all. */
  readonly only?: readonly number[];
}

export interface FoundName {
  readonly folder: string;
  readonly name: string;
}

/** Reads a query such as `conf shop`, `sites/shop.conf`, `shop.conf:12`, or `/etc/hosts:3:5`. */
export function parseNameQuery(typed: string): NameQuery {
  const [, name = '', line, column = '1'] = /^(.*?)(?::(\d+)?(?::(\d+)?)?)?$/s.exec(typed.trim()) ?? [];
  const fromOne = (text: string) => Math.max(0, Number(text) - 1);
  return {
    parts: name.split(' ').flatMap((part) => (part === '' ? [] : [partOf(part)])),
    absolutePath: name.startsWith('/') ? name : undefined,
    position: line === undefined ? undefined : { line: fromOne(line), column: fromOne(column) },
  };
}

function partOf(text: string): NamePart {
  const lower = text.toLowerCase();
  const end = lower.lastIndexOf('/') + 1;
  const [head, tail] = [lower.slice(0, end), lower.slice(end)];
  return { text, lower, head, tail, mask: letterMask(lower), tailMask: letterMask(tail), hasCapitals: text !== lower };
}

/** Whether all that a query finds was also found by the one before, because more was typed. */
export function isNarrower({ parts }: NameQuery, before: NameQuery): boolean {
  return before.parts.length > 0 && before.parts.every(({ lower }, at) => parts[at]?.lower.startsWith(lower));
}

/**
 * Returns the letters and digits of a text as bits. A text that lacks one of a query's bits can't match, which is quicker
 * to see than by comparing the texts. There are 30 bits, because larger numbers need more memory.
 */
export function letterMask(lower: string): number {
  let mask = 0;
  for (let index = 0; index < lower.length; index += 1) {
    const code = lower.charCodeAt(index);
    if (code >= 97 && code <= 122) {
      mask |= 1 << (code - 97);
    } else if (code >= 48 && code <= 57) {
      mask |= 1 << (26 + (code % 3));
    } else if (code !== 47) {
      // Slashes are in every path.
      mask |= 1 << 29;
    }
  }
  return mask;
}

/** Finds the best matches, and returns where all are that a narrower query can find. */
export function searchNames(
  folders: Iterable<NamesInFolder>,
  query: NameQuery,
  { from, most }: { /** The folder that shown paths start in. */ readonly from: string; readonly most: number },
): { readonly best: readonly FoundName[]; readonly all: readonly NamesInFolder[] } {
  const { parts, absolutePath } = query;
  const best = new BestMatches(most);
  const all: NamesInFolder[] = [];
  const start = absolutePath === undefined ? (from === '/' ? 1 : from.length + 1) : 0;
  const wanted = parts.reduce((mask, part) => mask | part.mask, 0);
  for (const folder of folders) {
    const { path, names, lower, masks, only } = folder;
    const shown = (path === '/' ? path : `${path}/`).slice(start);
    const count = only?.length ?? names.length;
    const kept = searchFolder(folder, query, { shown, count, wanted, best });
    if (kept.length > 0) {
      all.push(kept.length === count ? folder : { path, names, lower, masks, only: kept });
    }
  }
  return { best: best.inOrder(), all };
}

interface SearchInFolder {
  /** The folder's path as it's shown. */
  readonly shown: string;
  /** How many of its names to search. */
  readonly count: number;
  /** The letters of all parts. */
  readonly wanted: number;
  readonly best: BestMatches;
}

/** Adds a folder's best matches, and returns the indexes of all that a narrower query can find. */
function searchFolder(
  { path, names, lower, masks, only }: NamesInFolder,
  { parts, absolutePath }: NameQuery,
  { shown, count, wanted, best }: SearchInFolder,
): readonly number[] {
  const shownLower = shown.toLowerCase();
  const missing = wanted & ~letterMask(shownLower);
  const inFolder = parts.map((part) => folderMatch(part, shown, shownLower));
  const kept: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const at = only?.[index] ?? index;
    const mask = masks[at] ?? 0;
    if ((missing & ~mask) !== 0) {
      continue;
    }
    const name = names[at] ?? '';
    const nameLower = lower[at] ?? '';
    if (!best.admits(highestScore(parts, nameLower), path, name)) {
      kept.push(at);
      continue;
    }
    const score = sumOf(inFolder, name, nameLower, mask);
    if (score > 0) {
      kept.push(at);
      best.add(absolutePath === `${shown}${name}` ? score + isWholePath : score, path, name);
    }
  }
  return kept;
}

function sumOf(matches: readonly FolderMatch[], name: string, lower: string, mask: number): number {
  let sum = 0;
  for (const match of matches) {
    const score = scoreOf(match, name, lower, mask);
    if (score === 0) {
      return 0;
    }
    sum += score;
  }
  return sum;
}

/** The most that a name can get, as far as a first look shows. */
function highestScore(parts: readonly NamePart[], lower: string): number {
  const [first] = parts;
  if (parts.length !== 1 || first?.head !== '') {
    return Number.MAX_SAFE_INTEGER;
  }
  const at = lower.indexOf(first.tail);
  return (at === 0 ? 10 : at > 0 ? 9 : 8) + (first.hasCapitals ? 0.5 : 0);
}

const isWholePath = 100;

/** What a part has in common with all files of a folder. */
interface FolderMatch {
  readonly part: NamePart;
  readonly shown: string;
  /** Where the part, and what's before its last slash, is in the folder's path, from `placeIn`. */
  readonly whole: number;
  readonly head: number;
  /** How many of its letters are in the path, in their order. */
  readonly matched: number;
}

function folderMatch(part: NamePart, shown: string, lower: string): FolderMatch {
  const head = placeIn(shown, lower, part.head);
  const matched = matchedUpTo(lower, part.lower, 0);
  const whole = matched < part.lower.length ? 0 : placeIn(shown, lower, part.lower);
  return { part, shown, whole, head: part.head !== '' && lower.endsWith(part.head) ? head + 1 : head, matched };
}

/**
 * How well a part matches a file, or 0. The start of a name comes first, then the start of a word in it, the starts of
 * several words, and its middle; then the same in the path; then letters with gaps.
 */
function scoreOf({ part, shown, whole, head, matched }: FolderMatch, name: string, lower: string, mask: number) {
  const inName = (part.tailMask & ~mask) === 0 ? placeIn(name, lower, part.tail) : 0;
  let score = inName > 0 && head > 0 ? 2 + Math.max(whole, inName + head) : whole > 0 ? 2 + whole : 0;
  if (score === 0 && matchedUpTo(lower, part.lower, matched) === part.lower.length) {
    score = matchedUpTo(lower, part.lower, 0) === part.lower.length ? 2 : 1;
  }
  // Who types capitals means them.
  return score > 0 && part.hasCapitals && `${shown}${name}`.includes(part.text) ? score + 0.5 : score;
}

/** 4 at the start of the text or of a folder's name, 3 at the start of a word, 2 for starts of words, 1 elsewhere. */
function placeIn(text: string, lower: string, part: string): number {
  const first = lower.indexOf(part);
  if (first === 0) {
    return 4;
  }
  let best = 0;
  for (let at = first; at > 0 && best < 4; at = lower.indexOf(part, at + 1)) {
    best = Math.max(best, lower.charCodeAt(at - 1) === 47 ? 4 : isWordStart(text, at) ? 3 : 1);
  }
  return best < 2 && part.length > 1 && startsWords(text, lower, part) ? 2 : best;
}

/** Whether each letter starts a word, or follows the one before, as in `wpconf` for `wp-config.php`. */
function startsWords(text: string, lower: string, part: string): boolean {
  let at = 0;
  for (let index = 0; index < part.length; index += 1) {
    const letter = part.charCodeAt(index);
    if (index === 0 || lower.charCodeAt(at) !== letter) {
      while (at < lower.length && (lower.charCodeAt(at) !== letter || !isWordStart(text, at))) {
        at += 1;
      }
    }
    if (at >= lower.length) {
      return false;
    }
    at += 1;
  }
  return true;
}

function isWordStart(text: string, at: number): boolean {
  if (at === 0) {
    return true;
  }
  const before = text.charCodeAt(at - 1);
  const isInWord =
    isCapital(before) || (before >= 97 && before <= 122) || (before >= 48 && before <= 57) || before > 127;
  return !isInWord || (isCapital(text.charCodeAt(at)) && !isCapital(before));
}

function isCapital(code: number): boolean {
  return code >= 65 && code <= 90;
}

/** Returns how many letters of the part are in the text, in this order, after those that were found before. */
function matchedUpTo(lower: string, part: string, from: number): number {
  let matched = from;
  for (let at = 0; matched < part.length; matched += 1) {
    at = lower.indexOf(part.charAt(matched), at) + 1;
    if (at === 0) {
      break;
    }
  }
  return matched;
}

interface Match extends FoundName {
  readonly rank: number;
}

/** Of equal matches, the shorter name comes first, then the shorter path. */
function rankOf(score: number, folder: string, name: string): number {
  return ((score + 1) * 512 - Math.min(name.length, 255)) * 4096 - Math.min(folder.length, 4095);
}

class BestMatches {
  private found: Match[] = [];
  private worst: Match | undefined;

  constructor(private readonly most: number) {}

  /** Whether a match of at most this score may be among the best. */
  admits(highest: number, folder: string, name: string): boolean {
    return this.worst === undefined || rankOf(highest, folder, name) >= this.worst.rank;
  }

  add(score: number, folder: string, name: string): void {
    const match = { folder, name, rank: rankOf(score, folder, name) };
    if (this.worst === undefined || compareMatches(match, this.worst) < 0) {
      this.found.push(match);
      if (this.found.length >= 4 * this.most) {
        this.found = this.inOrder();
        this.worst = this.found.at(-1);
      }
    }
  }

  inOrder(): Match[] {
    return this.found.sort(compareMatches).slice(0, this.most);
  }
}

function compareMatches(one: Match, other: Match): number {
  return other.rank - one.rank || compareTexts(one.name, other.name) || compareTexts(one.folder, other.folder);
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
