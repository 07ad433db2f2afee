export type Pair = readonly [name: string, value: string];

const code = (character: string): number => character.charCodeAt(0);
const hexDigits = Buffer.from('0123456789ABCDEF');
const percent = code('%');
const space = code(' ');
const plus = code('+');

/** 1 for each byte that a form carries as it is. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) => (/[\w*.-]/.test(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Pairs as a form has them. Byte by byte, because a text of ten megabytes holds up the whole process for a second
 * in URLSearchParams.
 */
export function encodeForm(pairs: readonly Pair[]): Uint8Array {
  const parts = pairs.flatMap(([name, value], index) => [
    Buffer.from(index === 0 ? '' : '&'),
    encodeBytes(Buffer.from(name)),
    Buffer.from('='),
    encodeBytes(Buffer.from(value)),
  ]);
  return Buffer.concat(parts);
}

/** The same pairs, as the part of a URL that follows the question mark. */
export function encodeQuery(pairs: readonly Pair[]): string {
  return Buffer.from(encodeForm(pairs)).toString('latin1');
}

/** How many characters a character takes there. */
export function encodedLength(codePoint: number): number {
  if (codePoint === space || plain[codePoint] === 1) return 1;
  const bytes = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
  return bytes * '%00'.length;
}

function encodeBytes(bytes: Uint8Array): Uint8Array {
  const encoded = new Uint8Array(bytes.length * 3);
  let length = 0;
  for (const byte of bytes) {
    if (plain[byte] === 1) encoded[length++] = byte;
    else if (byte === space) encoded[length++] = plus;
    else {
      encoded[length++] = percent;
      encoded[length++] = hexDigits[byte >> 4] ?? 0;
      encoded[length++] = hexDigits[byte & 15] ?? 0;
    }
  }
  return encoded.subarray(0, length);
}
