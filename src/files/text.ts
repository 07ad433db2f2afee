import { createHash } from 'node:crypto';
import { type FilePlace, nameOf } from '../containers/place';
import { isPlatformError } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';

/** The platform returned only the beginning: how many bytes of how many. */
export interface CutText {
  readonly returned: number;
  readonly length: number;
}

/**
 * Why the platform's text isn't exactly the file: it was cut; it has `bytes` that aren't UTF-8 text, or a `replacement` character,
 * which may stand for such bytes; the platform changes its `lineEnds`, leaves out its byte-order `mark`, or does both;
 * or something else is `missing`.
 */
export type Alteration = (typeof alterations)[number] | CutText;
const alterations = ['bytes', 'replacement', 'lineEnds', 'mark', 'lineEndsAndMark', 'missing'] as const;

/**
 * Why a text that was read can't be edited: it isn't exactly the file; it has a `nul` byte, as most binaries do; it is
 * `changing` while it is read, or only `growing`, as a log does; its length is unknown (`unmeasured`).
 */
export type TextFlaw = Alteration | 'nul' | 'changing' | 'growing' | 'unmeasured';

/** Half of a surrogate pair, which UTF-8 can't encode. */
const loneSurrogate = /\p{Surrogate}/u;

export function hasHalfCharacter(text: string): boolean {
  return loneSurrogate.test(text);
}

export function utf8Length(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** Whether the text is the whole file, exactly. Only the length proves it, because Read loses bytes that aren't UTF-8. */
export function isWhole(text: string, entry: FileEntry): boolean {
  return entry.length === utf8Length(text) && !hasHalfCharacter(text);
}

/** Whether the folder can't be listed but may contain readable files, because the environment is shared. */
export function mayNotBeListed(error: unknown): boolean {
  return isPlatformError(error) && error.kind === 'forbidden' && error.obstacle !== 'notShared';
}

/**
 * Derives an entry from a file's text if its folder may not be listed. Gives no length if the text is damaged or empty,
 * because a response without text looks the same.
 */
export function entryOfText(place: FilePlace, text: string): FileEntry {
  const length = text === '' || text.includes('\uFFFD') ? undefined : utf8Length(text);
  return { absolutePath: place.path, name: nameOf(place), isDir: false, length };
}

/** Returns `undefined` if the text can be edited and written back without losing a byte. */
export function textFlawOf(text: string, entry: FileEntry | undefined): FirstFlaw | undefined {
  const length = entry?.length;
  const isAll = entry !== undefined && isWhole(text, entry);
  const isAltered = length !== undefined && !isAll;
  if (isAltered && cutOf(text, length) !== undefined) {
    return 'changing';
  }
  if (text.includes('\uFFFD') || hasHalfCharacter(text)) {
    return isAll ? 'replacement' : 'bytes';
  }
  if (isAltered) {
    return 'changing';
  }
  if (text.includes('\0')) {
    return 'nul';
  }
  return length === undefined ? 'unmeasured' : undefined;
}

/** The flaws that one text and one listing can show. */
type FirstFlaw = 'bytes' | 'replacement' | 'changing' | 'nul' | 'unmeasured';

const markLength = 3;

/** Returns why an unchanging file differs in length from its text, as far as the difference shows. */
function alterationOf(text: string, length: number): Alteration | 'unmeasured' {
  const cut = cutOf(text, length);
  if (cut !== undefined) {
    return cut;
  }
  const missing = length - utf8Length(text);
  if (missing < 0) {
    return -missing === bytesBeyondLatin1(text) ? 'bytes' : 'unmeasured';
  }
  const [reason, ...others] = reasonsToLack(missing, text);
  return reason === undefined || others.length > 0 ? 'missing' : reason;
}

/** Returns what the platform may have altered if its text lacks so many bytes. */
function reasonsToLack(missing: number, text: string): readonly Alteration[] {
  const lineEnds = text.includes('\r') ? 0 : text.split('\n').length - 1;
  const mayLackMark = !text.startsWith('\uFEFF');
  return [
    ...(missing === lineEnds ? (['lineEnds'] as const) : []),
    ...(mayLackMark && missing === markLength ? (['mark'] as const) : []),
    ...(mayLackMark && lineEnds > 0 && missing === lineEnds + markLength ? (['lineEndsAndMark'] as const) : []),
  ];
}

/**
 * Returns how much there is if more is missing than a mark and a byte for each line. A cut can leave half a character at
 * the end. A file that has become longer or shorter since it was listed looks the same.
 */
export function cutOf(text: string, length: number): CutText | undefined {
  const whole = text.replace(/\uFFFD{1,3}$/, '');
  const returned = utf8Length(whole);
  const maxAltered = markLength + whole.split('\n').length;
  return length - returned > maxAltered && !whole.includes('\uFFFD') && !hasHalfCharacter(whole)
    ? { returned, length }
    : undefined;
}

/** How much longer a text would be than a file of which it shows each byte as a character. */
function bytesBeyondLatin1(text: string): number | undefined {
  return /^[\0-\u00FF]*$/.test(text) ? utf8Length(text) - text.length : undefined;
}

export interface ProvenText {
  readonly text: string;
  readonly flaw: TextFlaw | undefined;
}

interface MeasuredText extends ProvenText {
  /** The listing that the text agrees with, or one from before the text was read. */
  readonly listed: FileEntry | undefined;
}

/** Reads and lists the file again on the platform. */
interface TextSource {
  readonly read: () => Promise<string>;
  /** Returns `undefined` if its folder may not be listed. */
  readonly measure: () => Promise<FileEntry | undefined>;
}

/** In bytes. A longer file isn't read a second time. */
const longestReadTwice = 1024 * 1024;

/** Finds out why a text's length differs from the listing: lists the file again and, if it's short, reads it again. */
export async function provenText(
  first: string,
  listed: FileEntry | undefined,
  file: TextSource,
): Promise<MeasuredText> {
  const flaw = textFlawOf(first, listed);
  if (flaw !== 'changing') {
    return { text: first, flaw, listed };
  }
  const now = await file.measure();
  const flawNow = textFlawOf(first, now);
  if (flawNow !== 'changing') {
    return { text: first, flaw: flawNow, listed: now };
  }
  const [before, after] = [listed?.length ?? 0, now?.length ?? 0];
  if (before < after && utf8Length(first) >= before) {
    // The complete log as of one moment.
    return { text: first, flaw: 'growing', listed };
  }
  if (before === after) {
    // The file didn't change, so the platform altered its text. Files in /proc have no length.
    return { text: first, flaw: after === 0 ? 'growing' : alterationOf(first, after), listed };
  }
  return after > longestReadTwice ? { text: first, flaw: 'changing', listed } : readAgain(now, file);
}

async function readAgain(listed: FileEntry | undefined, file: TextSource): Promise<MeasuredText> {
  const text = await file.read();
  const flaw = textFlawOf(text, listed);
  if (flaw !== 'changing') {
    return { text, flaw, listed };
  }
  const length = listed?.length ?? 0;
  if ((await file.measure())?.length === length) {
    return { text, flaw: length === 0 ? 'growing' : alterationOf(text, length), listed };
  }
  return { text, flaw: utf8Length(text) < length ? 'changing' : 'growing', listed };
}

export function isAlteration(flaw: TextFlaw | undefined): flaw is Alteration {
  return typeof flaw === 'object' || alterations.some((one) => one === flaw);
}

/**
 * Whether a file certainly has something else than the text that was read of it, so that the text must not replace the
 * file, or stand for it anywhere. A replacement character may be the file's own.
 */
export function differsFromFile(flaw: TextFlaw | undefined): boolean {
  return flaw === 'changing' || flaw === 'growing' || (isAlteration(flaw) && flaw !== 'replacement');
}

/** Decodes bytes and keeps a byte-order mark. Returns `undefined` if they aren't UTF-8 or contain a NUL. */
export function decodeText(bytes: Uint8Array): string | undefined {
  return bytes.includes(0) ? undefined : decodeUtf8(bytes);
}

/** The same, also if they contain a NUL. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // The decoder throws only for bytes that aren't UTF-8.
    return undefined;
  }
}

export function encodeText(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Whether some lines end as on Windows, and some don't. */
export function hasMixedLineEnds(text: string): boolean {
  return text.includes('\r\n') && /(?:^|[^\r])\n/.test(text);
}

/** Normalizes a text like an editor: without a byte-order mark, and with one kind of line ending. */
export function normalizeText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
}

/** Compares the encoded texts, because encoding replaces lone surrogates. */
export function isWritten(shown: string | undefined, text: string): boolean {
  return shown !== undefined && normalizeText(decodeText(encodeText(shown)) ?? shown) === normalizeText(text);
}

const maskStart = 'masked-by-gantry-';
const anyMask = new RegExp(`${maskStart}([0-9a-f]{6})([0-9a-f]{6})`, 'g');
const proofOf = (id: string) => createHash('sha256').update(maskStart).update(id).digest('hex').slice(0, 6);

/** Returns what a language model gets instead of a secret. */
export function maskWith(digest: string): string {
  const id = digest.slice(0, 6);
  return `${maskStart}${id}${proofOf(id)}`;
}

/** Whether there are more masks than before. In bytes, they are found whatever the encoding of their text is. */
export function gainsMasks(now: string | Uint8Array, before = ''): boolean {
  if (typeof now === 'string') {
    return countMasks(now) > countMasks(before);
  }
  const bytes = Buffer.from(now.buffer, now.byteOffset, now.byteLength);
  return (['latin1', 'utf16le'] as const).some(
    (encoding) => bytes.includes(maskStart, 0, encoding) && gainsMasks(bytes.toString(encoding), before),
  );
}

/** Counts the masks, also those of other windows. What only looks like one has no valid proof. */
function countMasks(text: string): number {
  return text.includes(maskStart)
    ? [...text.matchAll(anyMask)].filter(([, id = '', proof]) => proof === proofOf(id)).length
    : 0;
}

/** A conflict in a text, by the numbers of its lines with markers. */
export interface MergeConflict {
  readonly start: number;
  readonly middle: number;
  readonly end: number;
  /** How the merge named the other side. */
  readonly theirs: string;
}

/** The line between the sides of a conflict. A side may have a line of equals signs, so this one names the other side. */
export function middleMarker(theirs: string): string {
  return `======= ${theirs}`;
}

export function mergeConflicts(text: string, yours: string): readonly MergeConflict[] {
  const found: MergeConflict[] = [];
  let start = -1;
  /** The lines that may be the middle, by the names in them. */
  const middles = new Map<string, number>();
  linesOf(text).forEach((line, index) => {
    const [marker, theirs] = [line.slice(0, 8), line.slice(8).trimEnd()];
    const middle = marker === '>>>>>>> ' ? middles.get(theirs) : undefined;
    if (line === `<<<<<<< ${yours}\n`) {
      start = index;
      middles.clear();
    } else if (middle !== undefined) {
      found.push({ start, middle, end: index, theirs });
      start = -1;
      middles.clear();
    } else if (start >= 0 && marker === '======= ' && !middles.has(theirs)) {
      middles.set(theirs, index);
    }
  });
  return found;
}

/** Counts the conflicts of an earlier merge that are still in the text. */
export function unresolvedConflicts(text: string, yours: string): number {
  return linesOf(text).filter((line) => line === `<<<<<<< ${yours}\n`).length;
}

/** Splits into lines with their line breaks, so that a missing final line break counts as a difference. */
export function linesOf(text: string): string[] {
  return normalizeText(text).split(/(?<=\n)/);
}
