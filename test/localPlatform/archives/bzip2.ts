import { badArchive, mostBytes } from './archiveEntry';
import { BitReader } from './bitReader';
import { HuffmanCode } from './huffman';

const blockMagic = 0x314159265359;
const endMagic = 0x177245385090;
const symbolsPerCode = 50;

/** Takes the value at an index of a move-to-front list, and moves it there. */
const takeToFront = (list: number[], index: number): number => {
  const [value] = list.splice(index, 1);
  if (value === undefined) throw badArchive('a damaged bzip2 block');
  list.unshift(value);
  return value;
};

const readUsedBytes = (bits: BitReader): number[] => {
  const groups = bits.bits(16);
  const used: number[] = [];
  for (let group = 0; group < 16; group += 1) {
    if (((groups >> (15 - group)) & 1) === 0) continue;
    const members = bits.bits(16);
    for (let member = 0; member < 16; member += 1) if ((members >> (15 - member)) & 1) used.push(group * 16 + member);
  }
  return used;
};

const readSelectors = (bits: BitReader, codes: number): number[] => {
  const order = Array.from({ length: codes }, (_, index) => index);
  return Array.from({ length: bits.bits(15) }, () => {
    let index = 0;
    while (bits.bit() === 1) index += 1;
    return takeToFront(order, index);
  });
};

const readCode = (bits: BitReader, symbols: number): HuffmanCode => {
  let length = bits.bits(5);
  const lengths = Array.from({ length: symbols }, () => {
    while (bits.bit() === 1) length += bits.bit() === 0 ? 1 : -1;
    return length;
  });
  return new HuffmanCode(lengths);
};

/** Undoes Huffman codes, run lengths of zeros, and move-to-front. Returns the last column of the sorted rotations. */
const readColumn = (bits: BitReader, room: number): Uint8Array => {
  const front = readUsedBytes(bits);
  const endSymbol = front.length + 1;
  const codeCount = bits.bits(3);
  const selectors = readSelectors(bits, codeCount);
  const codes = Array.from({ length: codeCount }, () => readCode(bits, endSymbol + 1));
  const column = new Uint8Array(room);
  let length = 0;
  let run = 0;
  let weight = 1;
  const put = (value: number, times: number): void => {
    if (length + times > room) throw badArchive('a bzip2 block is too long');
    column.fill(value, length, length + times);
    length += times;
  };
  for (let read = 0; ; read += 1) {
    const code = codes[selectors[Math.floor(read / symbolsPerCode)] ?? -1];
    if (code === undefined) throw badArchive('a damaged bzip2 block');
    const symbol = code.read(bits);
    if (symbol <= 1) {
      run += weight * (symbol + 1);
      weight *= 2;
      continue;
    }
    put(front[0] ?? 0, run);
    run = 0;
    weight = 1;
    if (symbol === endSymbol) return column.subarray(0, length);
    put(takeToFront(front, symbol - 1), 1);
  }
};

/** Undoes the Burrows-Wheeler transform. */
const sortedBack = (column: Uint8Array, origin: number): Uint8Array => {
  const starts = new Uint32Array(257);
  for (const value of column) starts[value + 1] = (starts[value + 1] ?? 0) + 1;
  for (let value = 1; value < 257; value += 1) starts[value] = (starts[value] ?? 0) + (starts[value - 1] ?? 0);
  const next = new Uint32Array(column.length);
  column.forEach((value, index) => {
    const place = starts[value] ?? 0;
    next[place] = index;
    starts[value] = place + 1;
  });
  const text = new Uint8Array(column.length);
  let at = next[origin] ?? 0;
  for (let index = 0; index < column.length; index += 1) {
    text[index] = column[at] ?? 0;
    at = next[at] ?? 0;
  }
  return text;
};

/** Expands runs: after four equal bytes, the next byte is the number of additional ones. */
const unrun = (text: Uint8Array): Buffer => {
  const pieces: Buffer[] = [];
  let start = 0;
  let equal = 0;
  for (let at = 0; at < text.length; at += 1) {
    equal = at > start && text[at] === text[at - 1] ? equal + 1 : 1;
    if (equal < 4 || at + 1 >= text.length) continue;
    pieces.push(Buffer.from(text.subarray(start, at + 1)), Buffer.alloc(text[at + 1] ?? 0, text[at]));
    start = at + 2;
    at += 1;
    equal = 0;
  }
  return Buffer.concat([...pieces, Buffer.from(text.subarray(start))]);
};

/** Returns the contents of a bzip2 file with one or more streams. Doesn't verify checksums. */
export const unpackBzip2 = (bytes: Buffer): Buffer => {
  const bits = new BitReader(bytes);
  const pieces: Buffer[] = [];
  let total = 0;
  do {
    if (bits.bits(24) !== 0x425a68) throw badArchive('no bzip2 file');
    const room = (bits.bits(8) - 0x30) * 100_000;
    let magic = bits.bits(48);
    for (; magic === blockMagic; magic = bits.bits(48)) {
      bits.bits(32);
      if (bits.bit() === 1) throw badArchive('a randomised bzip2 block');
      const origin = bits.bits(24);
      const piece = unrun(sortedBack(readColumn(bits, room), origin));
      total += piece.length;
      if (total > mostBytes) throw badArchive('it is too large');
      pieces.push(piece);
    }
    if (magic !== endMagic) throw badArchive('a damaged bzip2 file');
    bits.bits(32);
  } while (bits.align());
  return Buffer.concat(pieces);
};
