import { encodeQuery } from './sending/request';

const mask = '•••';
/** Sessions have 36 characters and tokens 40 hexadecimal digits. Both contain a digit, unlike most words. */
const secretShapes = [
  /(?<![0-9A-Za-z])(?=[0-9A-Za-z-]{0,35}\d)[0-9A-Za-z][0-9A-Za-z-]{34}[0-9A-Za-z](?![0-9A-Za-z])/g,
  /(?<![0-9A-Fa-f])[0-9A-Fa-f]{40}(?![0-9A-Fa-f])/g,
];
/** The characters of both shapes, and a secret's minimum number of consecutive ones. */
const isShapeCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const shortestShape = 36;
/** A password may contain an @, so it ends at the last one. */
const userInfo = /(\/\/)[^/\s]+@/g;
const userInfoStart = /(\/\/)[^/\s]+$/;
/** The maximum length of an excerpt, and of the start of the words that it's made from. */
const longestExcerpt = 200;
const longestStart = 1_000;
/** The most characters that encode a single one, such as three bytes encoded twice for a URL. */
const longestEncoding = 16;
/** A shorter secret or text occurs by chance too often to mask each occurrence. */
const shortest = 4;
/** Texts longer than this aren't compared: words that may quote them aren't shown at all. */
const longestTexts = 500_000;
/** What must not be shown: secrets, and the user's texts that a response may quote. */
export interface Confidential {
  readonly secrets: readonly string[];
  readonly texts: readonly string[];
}

/** Removes known secrets from our own words, where they aren't encoded. */
export function withoutSecrets(words: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret !== '' && words.includes(secret));
  if (found.some((secret) => secret.length < shortest)) return mask;
  return found.reduce((clean, secret) => clean.replaceAll(secret, mask), words);
}

/** Removes everything confidential, however a server or proxy encodes it. */
export function redact(words: string, { secrets, texts }: Confidential): string {
  let clean = words;
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret === '') continue;
    const masked = withoutBase64(clean.replace(secretPattern(clean, secret), mask), secret);
    if (masked !== clean && secret.length < shortest) return mask;
    clean = masked;
  }
  clean = withoutShapes(clean).replace(userInfo, `$1${mask}@`);
  const quotable = [...secrets, ...texts];
  const isTooMuch = quotable.reduce((sum, text) => sum + text.length, 0) > longestTexts;
  return isTooMuch ? mask : maskQuotedText(clean, quotable.flatMap(encodings), mask);
}

/** Returns a short, redacted excerpt on one line. */
export function excerpt(words: string, confidential: Confidential): string {
  const line = redactedStart(words, confidential)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return line.length > longestExcerpt ? `${line.slice(0, longestExcerpt)}…` : line;
}

/** Returns the redacted start of some words, without an end that may be the start of a secret. */
function redactedStart(words: string, confidential: Confidential): string {
  const longestSecret = Math.max(shortestShape, ...confidential.secrets.map((secret) => secret.length));
  const tail = longestSecret * longestEncoding;
  if (words.length <= longestStart + tail) return redact(words, confidential);
  const clean = redact(words.slice(0, longestStart + tail), confidential).replace(userInfoStart, '$1');
  const start = clean.slice(0, Math.max(0, clean.length - tail));
  return start.trim() === '' ? mask : start;
}

/** Only long words can contain a secret, so checking every 36th character finds them all. */
function withoutShapes(words: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let at = shortestShape - 1; at < words.length; at += shortestShape) {
    if (!isInShape(words, at)) continue;
    let start = at;
    while (start > from && isInShape(words, start - 1)) start -= 1;
    let end = at + 1;
    while (isInShape(words, end)) end += 1;
    if (end - start >= shortestShape) {
      const word = secretShapes.reduce((left, shape) => left.replace(shape, mask), words.slice(start, end));
      parts.push(words.slice(from, start), word);
      from = end;
    }
    at = Math.max(at, end - 1);
  }
  return parts.length === 0 ? words : [...parts, words.slice(from)].join('');
}

function isInShape(words: string, at: number): boolean {
  return isShapeCharacter[words.charCodeAt(at)] === 1;
}

/** Matches the first character of every encoded form. */
const encodingMark = /[%&+\\]/;

/** Returns a pattern that finds a secret in a text even if its characters are encoded for a URL, HTML, or JSON. */
function secretPattern(words: string, secret: string): RegExp {
  // Most texts contain nothing encoded, and a pattern with all encoded forms takes a hundred times as long to compile.
  if (!encodingMark.test(words)) return new RegExp(literally(secret), 'gi');
  const characters = Array.from(secret, (character) => {
    const encoded = encodedFormsOf(character).join('|');
    // Without the lookahead, the pattern for a secret of 36 characters takes 15 ms to compile.
    return `(?:(?=${encodingMark.source})(?:${encoded})|${literally(character)})`;
  });
  return new RegExp(characters.join(''), 'gi');
}

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

function encodedFormsOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
  // A URL in another URL is encoded twice.
  const inUrl = [...Buffer.from(character)].map((byte) => `%(?:25)?${byte.toString(16).padStart(2, '0')}`).join('');
  const inJson = literally(units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join(''));
  const name = htmlNames[character];
  const inHtml = [`&#0{0,7}${code};`, `&#x0{0,6}${code.toString(16)};`, ...(name === undefined ? [] : [`&${name};`])];
  const escaped = [JSON.stringify(character).slice(1, -1), `\\${character}`].map(literally);
  return [inUrl, inJson, ...inHtml, ...escaped, ...(character === ' ' ? ['\\+'] : [])];
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

/** Masks each Base64 word that contains the secret, such as the login of an `Authorization` header. */
function withoutBase64(words: string, secret: string): string {
  const clean = [0, 1, 2].reduce((left, offset) => {
    const core = base64Core(secret, offset);
    if (core.length < shortestCore) return left;
    return withoutWord(withoutWord(left, core), core.replaceAll('+', '-').replaceAll('/', '_'));
  }, words);
  return clean.replaceAll(Buffer.from(secret).toString('base64'), mask);
}

/** A shorter piece of Base64 occurs by chance. */
const shortestCore = 6;

/** Returns the Base64 characters that depend only on the secret if it starts this many bytes after a group of three. */
function base64Core(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)]);
  return bytes.toString('base64').slice(Math.ceil((offset * 4) / 3), Math.floor((bytes.length * 4) / 3));
}

function withoutWord(words: string, piece: string): string {
  const parts = words.split(piece);
  const kept = parts.map((part, index) => {
    let start = 0;
    let end = part.length;
    if (index > 0) while (start < end && isBase64(part, start)) start += 1;
    if (index < parts.length - 1) while (end > start && isBase64(part, end - 1)) end -= 1;
    return part.slice(start, end);
  });
  return kept.join(mask);
}

function isBase64(words: string, at: number): boolean {
  return /[\w+/=-]/.test(words.charAt(at));
}

/** Returns a text as servers may encode it. */
function encodings(text: string): readonly string[] {
  const form = encodeQuery([['', text]]).slice(1);
  const html = text.replace(/[&<>"]/g, (character) => `&${htmlNames[character]};`);
  return [...new Set([text, form, form.replaceAll('+', '%20'), JSON.stringify(text).slice(1, -1), html])];
}

/** This many consecutive characters that also occur in a text count as a quotation of it. */
const quotation = 12;

/** Masks everything in `words` that quotes the texts. Takes time linear in the length of both. */
function maskQuotedText(words: string, texts: readonly string[], mask: string): string {
  // A short text counts as quoted only if it appears as a whole.
  const short = texts.filter((text) => text.length >= shortest && text.length < quotation);
  const clean = short.reduce((left, text) => left.replaceAll(text, mask), words);
  const long = texts.filter((text) => text.length >= quotation);
  const total = long.reduce((sum, text) => sum + text.length, 0);
  if (total === 0 || clean.length < quotation) return clean;
  if (total <= clean.length) return masked(clean, new NgramIndex(long), () => true, mask);
  const inWords = new NgramIndex([clean]);
  const quoted = new Set<number>();
  for (const text of long) inWords.find(text, (gram) => quoted.add(gram));
  return quoted.size === 0 ? clean : masked(clean, inWords, (gram) => quoted.has(gram), mask);
}

function masked(words: string, grams: NgramIndex, isQuoted: (gram: number) => boolean, mask: string): string {
  const ranges: { readonly start: number; end: number }[] = [];
  grams.find(words, (gram, start) => {
    if (!isQuoted(gram)) return;
    const end = start + quotation;
    const last = ranges.at(-1);
    if (last !== undefined && start <= last.end) last.end = end;
    else ranges.push({ start, end });
  });
  let from = 0;
  const kept = ranges.map(({ start, end }) => {
    const before = words.slice(from, start);
    from = end;
    return before;
  });
  return [...kept, words.slice(from)].join(mask);
}

/** Every quotation contains a sample at one of `step` positions, so a search checks only every `step`th position. */
const sample = 4;
const step = quotation - sample + 1;

/** An index of all runs of `quotation` characters in some texts, for linear-time lookup in others. */
class NgramIndex {
  private readonly all: string;
  /** By hash: the position of a run in `all`, plus one; 0 for none. At most half full. */
  private readonly positions: Int32Array;
  /** By hash: 1 if it may be a sample of a run. */
  private readonly samples = new Uint8Array(2 ** 16);

  constructor(texts: readonly string[]) {
    this.all = texts.join('');
    this.positions = new Int32Array(2 ** Math.ceil(Math.log2(this.all.length * 2)));
    let offset = 0;
    for (const text of texts) {
      for (let start = 0; start + quotation <= text.length; start += 1) {
        const slot = this.slotOf(text, start);
        if (this.positions[slot] === 0) this.positions[slot] = offset + start + 1;
      }
      for (let start = 0; start + sample <= text.length; start += 1) {
        this.samples[hashOf(text, start, sample) & (this.samples.length - 1)] = 1;
      }
      offset += text.length;
    }
  }

  /** Reports each run in a text that's in the index, and where it begins. Equal runs have the same number. */
  find(text: string, tell: (gram: number, start: number) => void): void {
    for (let at = step - 1; at + sample <= text.length; at += step) {
      if (this.samples[hashOf(text, at, sample) & (this.samples.length - 1)] === 0) continue;
      const last = Math.min(at, text.length - quotation);
      for (let start = at - step + 1; start <= last; start += 1) {
        const slot = this.slotOf(text, start);
        if (this.positions[slot] !== 0) tell(slot, start);
      }
    }
  }

  /** Returns the slot where this run is stored, or would be. */
  private slotOf(text: string, start: number): number {
    const last = this.positions.length - 1;
    for (let slot = hashOf(text, start, quotation) & last; ; slot = (slot + 1) & last) {
      const position = this.positions[slot] ?? 0;
      if (position === 0 || this.isAt(position - 1, text, start)) return slot;
    }
  }

  private isAt(position: number, text: string, start: number): boolean {
    for (let index = 0; index < quotation; index += 1) {
      if (this.all.charCodeAt(position + index) !== text.charCodeAt(start + index)) return false;
    }
    return true;
  }
}

function hashOf(text: string, start: number, length: number): number {
  let hash = 0;
  for (let at = start; at < start + length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
