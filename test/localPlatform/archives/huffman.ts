import { badArchive } from './archiveEntry';
import type { BitReader } from './bitReader';

/** A canonical Huffman code: symbols in the order of their codes, and where each length begins. */
export class HuffmanCode {
  readonly #symbols: readonly number[];
  readonly #counts: readonly number[];

  constructor(lengths: readonly number[]) {
    this.#symbols = lengths.map((_, symbol) => symbol).sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0) || a - b);
    this.#counts = Array.from({ length: 21 }, (_, length) => lengths.filter((other) => other === length).length);
  }

  read(bits: BitReader): number {
    let code = 0;
    let first = 0;
    let index = 0;
    for (let length = 1; length <= 20; length += 1) {
      code = code * 2 + bits.bit();
      const count = this.#counts[length] ?? 0;
      const symbol = this.#symbols[index + code - first];
      if (code - first < count && symbol !== undefined) return symbol;
      index += count;
      first = (first + count) * 2;
    }
    throw badArchive('a damaged bzip2 code');
  }
}
