/** This many consecutive characters that also occur in a text count as a quotation of it. */
const quotation = 12;
/** A shorter text occurs by chance too often. */
const shortest = 4;

/** Masks everything in `words` that quotes the texts. Takes time linear in the length of both. */
export function maskQuotedText(words: string, texts: readonly string[], mask: string): string {
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
