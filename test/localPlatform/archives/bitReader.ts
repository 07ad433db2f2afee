import { badArchive } from './archiveEntry';

/** Reads a buffer bit by bit, starting with the highest bit of each byte. */
export class BitReader {
  readonly #bytes: Buffer;
  #at = 0;
  #bit = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  bit(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw badArchive('it is cut short');
    const value = (byte >> (7 - this.#bit)) & 1;
    this.#bit = (this.#bit + 1) % 8;
    if (this.#bit === 0) this.#at += 1;
    return value;
  }

  bits(count: number): number {
    let value = 0;
    for (let read = 0; read < count; read += 1) value = value * 2 + this.bit();
    return value;
  }

  /** Skips to the next whole byte. Returns whether anything is left. */
  align(): boolean {
    if (this.#bit > 0) this.#at += 1;
    this.#bit = 0;
    return this.#at < this.#bytes.length;
  }
}
