const mask = '•••';
/** Sessions have 36 characters and tokens are 40 hexadecimal digits; both hold a digit, which most words do not. */
const secretShapes = [
  /(?<![0-9A-Za-z])(?=[0-9A-Za-z-]*\d)[0-9A-Za-z][0-9A-Za-z-]{34}[0-9A-Za-z](?![0-9A-Za-z])/g,
  /(?<![0-9A-Fa-f])[0-9A-Fa-f]{40}(?![0-9A-Fa-f])/g,
];
const userInfo = /(\/\/)[^/\s@]+@/g;
/** A shorter secret stands in too many places by chance to be cut out one by one. */
const shortest = 4;
/** As many characters in a row that also stand in a text are taken for a quotation of it. */
const quotation = 12;

/** What may not be shown: secrets, and texts of the person's that an answer might quote. */
export interface Confidential {
  readonly secrets: readonly string[];
  readonly texts: readonly string[];
}

/** Takes out of some words everything confidential, in any spelling that a server or a proxy gives it. */
export function redact(words: string, { secrets, texts }: Confidential): string {
  let clean = words;
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret === '') continue;
    for (const spelling of spellings(secret)) {
      if (!clean.includes(spelling)) continue;
      if (spelling.length < shortest) return mask;
      clean = clean.replaceAll(spelling, mask);
    }
  }
  for (const shape of secretShapes) clean = clean.replace(shape, mask);
  clean = clean.replace(userInfo, `$1${mask}@`);
  return texts.reduce(withoutQuotations, clean);
}

/** A short and clean excerpt, on one line. */
export function excerpt(words: string, confidential: Confidential): string {
  const cut = redact(words.slice(0, 20_000), confidential)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  return cut.length > 200 ? `${cut.slice(0, 200)}…` : cut;
}

function spellings(secret: string): Set<string> {
  const encoded = encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\uFFFD'));
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const html = secret.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  const named = secret
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
  const base64 = Buffer.from(secret).toString('base64');
  return new Set([secret, encoded, form, JSON.stringify(secret).slice(1, -1), html, named, base64]);
}

/** A short text is a quotation as a whole. */
function withoutQuotations(words: string, text: string): string {
  if (text.length < shortest) return words;
  const size = Math.min(quotation, text.length);
  let clean = '';
  let start = 0;
  while (start < words.length) {
    const length = quotedFrom(words, start, text, size);
    clean += length === 0 ? words.charAt(start) : mask;
    start += Math.max(length, 1);
  }
  return clean;
}

/** How many characters from `start` stand in the text in just this order; 0 for fewer than `size`. */
function quotedFrom(words: string, start: number, text: string, size: number): number {
  const seed = words.slice(start, start + size);
  if (seed.length < size) return 0;
  const found = text.indexOf(seed);
  if (found < 0) return 0;
  let length = size;
  while (start + length < words.length && words.charAt(start + length) === text.charAt(found + length)) length += 1;
  return length;
}
