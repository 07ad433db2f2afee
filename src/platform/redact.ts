import { encodeQuery } from './sending/formEncoding';
import { maskQuotations } from './quotations';

const mask = '•••';
/** Sessions have 36 characters and tokens are 40 hexadecimal digits; both hold a digit, which most words do not. */
const secretShapes = [
  /(?<![0-9A-Za-z])(?=[0-9A-Za-z-]{0,35}\d)[0-9A-Za-z][0-9A-Za-z-]{34}[0-9A-Za-z](?![0-9A-Za-z])/g,
  /(?<![0-9A-Fa-f])[0-9A-Fa-f]{40}(?![0-9A-Fa-f])/g,
];
/** The characters of both shapes, and how many of them in a row a secret has at least. */
const isShapeCharacter = Uint8Array.from({ length: 128 }, (_, code) =>
  /[0-9A-Za-z-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
const shortestShape = 36;
const userInfo = /(\/\/)[^/\s@]+@/g;
/** A shorter secret stands in too many places by chance to be cut out one by one. */
const shortest = 4;
/** Texts longer than this aren't compared: words that may quote them aren't shown at all. */
const longestTexts = 500_000;
/** What may not be shown: secrets, and texts of the person's that an answer might quote. */
export interface Confidential {
  readonly secrets: readonly string[];
  readonly texts: readonly string[];
}

/** Takes known secrets out of our own words, in which they can only stand as they are. */
export function withoutSecrets(words: string, secrets: readonly string[]): string {
  const found = secrets.filter((secret) => secret !== '' && words.includes(secret));
  if (found.some((secret) => secret.length < shortest)) return mask;
  return found.reduce((clean, secret) => clean.replaceAll(secret, mask), words);
}

/** Takes out of some words everything confidential, in any spelling that a server or a proxy gives it. */
export function redact(words: string, { secrets, texts }: Confidential): string {
  let clean = words;
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret === '') continue;
    const masked = clean.replace(secretPattern(clean, secret), mask).replaceAll(base64(secret), mask);
    if (masked !== clean && secret.length < shortest) return mask;
    clean = masked;
  }
  clean = withoutShapes(clean).replace(userInfo, `$1${mask}@`);
  const quotable = [...secrets, ...texts];
  const isTooMuch = quotable.reduce((sum, text) => sum + text.length, 0) > longestTexts;
  return isTooMuch ? mask : maskQuotations(clean, quotable.flatMap(encodings), mask);
}

/** A short and clean excerpt, on one line. */
export function excerpt(words: string, confidential: Confidential): string {
  const cut = redact(words.slice(0, 1_000), confidential)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cut.length > 200 ? `${cut.slice(0, 200)}…` : cut;
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
    const encoded = encodedFormsOf(character).map(literally).join('|');
    // Without the lookahead, the pattern for a secret of 36 characters takes 15 ms to compile.
    return `(?:(?=${encodingMark.source})(?:${encoded})|${literally(character)})`;
  });
  return new RegExp(characters.join(''), 'gi');
}

const htmlNames: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Returns the encoded forms of a character. */
function encodedFormsOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const units = Array.from({ length: character.length }, (_, unit) => character.charCodeAt(unit));
  const inUrl = [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
  const inJson = units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  const inHtml = [`&#${code};`, `&#x${code.toString(16)};`, `&${htmlNames[character] ?? `#0${code}`};`];
  const escaped = [JSON.stringify(character).slice(1, -1), `\\${character}`];
  return [inUrl, inJson, ...inHtml, ...escaped, ...(character === ' ' ? ['+'] : [])];
}

function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

/** A whole text as servers give it back. */
function encodings(text: string): readonly string[] {
  const form = encodeQuery([['', text]]).slice(1);
  const html = text.replace(/[&<>"]/g, (character) => `&${htmlNames[character]};`);
  return [...new Set([text, form, form.replaceAll('+', '%20'), JSON.stringify(text).slice(1, -1), html])];
}
