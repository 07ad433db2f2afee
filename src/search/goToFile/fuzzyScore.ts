import type { NamePart } from './nameQuery';

const slash = 47;
const startBonus = 8;
const slashBonus = 5;

/**
 * How well a part of a query matches a text so far, while the text is read from left to right. The numbers are those of
 * VS Code's quick open: each character counts, and more so where a word or name starts, or directly after the one before.
 *
 * All files of a folder share the first part of their path, so what was found in it is copied instead of computed again.
 */
export class FuzzyScore {
  /** By character of the query: the best score up to it, and how many characters before it match without a gap. */
  private readonly scores: Int32Array;
  private readonly runs: Int32Array;
  private readonly length: number;
  /** By character code: whether the part has it. All but ASCII counts as such. */
  private readonly letters = new Uint8Array(128);
  /** The best score of a match that isn't at the start of the text: in a row, directly after a slash. */
  private readonly highest: number;
  private hasRuns = false;
  /** Whether the part's first character is that of the text, for which no slash is as good. */
  private isFirstAtStart = false;
  /** The character before the next one, or 0 at the start. */
  private previous = 0;

  constructor(private readonly part: NamePart) {
    this.length = part.lower.length;
    let highest = 0;
    for (let index = 0; index < this.length; index += 1) {
      this.letters[part.lower.charCodeAt(index)] = 1;
      const before = index === 0 ? slash : part.lower.charCodeAt(index - 1);
      highest += letterScore(0, before, index, true);
    }
    this.highest = highest;
    this.scores = new Int32Array(this.length);
    this.runs = new Int32Array(this.length);
  }

  /** The score of the whole part, or 0 if it doesn't match. */
  get total(): number {
    return this.scores[this.length - 1] ?? 0;
  }

  /** Whether reading on can't lead to a better score. */
  get isHighest(): boolean {
    return this.total >= this.highest + (this.isFirstAtStart ? startBonus - slashBonus : 0);
  }

  clear(): void {
    this.scores.fill(0);
    this.runs.fill(0);
    this.hasRuns = false;
    this.isFirstAtStart = false;
    this.previous = 0;
  }

  copy(other: FuzzyScore): void {
    this.scores.set(other.scores);
    this.runs.set(other.runs);
    this.hasRuns = other.hasRuns;
    this.isFirstAtStart = other.isFirstAtStart;
    this.previous = other.previous;
  }

  /** Reads on. */
  read(text: string, lower: string): void {
    const { scores, runs, length, part } = this;
    let before = this.previous;
    if (before === 0) {
      this.isFirstAtStart = lower.charCodeAt(0) === part.lower.charCodeAt(0);
    }
    for (let at = 0; at < lower.length; at += 1) {
      const letter = lower.charCodeAt(at);
      const original = text.charCodeAt(at);
      if (letter < 128 && this.letters[letter] === 0) {
        if (this.hasRuns) {
          runs.fill(0);
          this.hasRuns = false;
        }
        before = original;
        continue;
      }
      // From the end, because each character builds on the one before it as it was before this letter.
      for (let index = length - 1; index >= 0; index -= 1) {
        if (part.lower.charCodeAt(index) !== letter) {
          runs[index] = 0;
          continue;
        }
        const reached = index === 0 ? 0 : (scores[index - 1] ?? 0);
        const run = index === 0 ? 0 : (runs[index - 1] ?? 0);
        if (index > 0 && reached === 0) {
          runs[index] = 0;
          continue;
        }
        const score = reached + letterScore(original, before, run, part.text.charCodeAt(index) === original);
        if (score >= (scores[index] ?? 0)) {
          scores[index] = score;
          runs[index] = run + 1;
          this.hasRuns = true;
        } else {
          runs[index] = 0;
        }
      }
      before = original;
    }
    this.previous = before;
  }
}

function letterScore(letter: number, before: number, run: number, isSameCase: boolean): number {
  let score = isSameCase ? 2 : 1;
  if (run > 0) {
    score += Math.min(run, 3) * 6 + Math.max(0, run - 3) * 3;
  }
  if (before === 0) {
    return score + startBonus;
  }
  const separator = separatorScore(before);
  if (separator > 0) {
    return score + separator;
  }
  return run === 0 && letter >= 65 && letter <= 90 ? score + 2 : score;
}

function separatorScore(before: number): number {
  switch (before) {
    case slash:
    case 92:
      return slashBonus;
    case 95:
    case 45:
    case 46:
    case 32:
    case 39:
    case 34:
    case 58:
      return 4;
    default:
      return 0;
  }
}

/** Returns how many characters of the part are in the text, in this order, from a position of the part on. */
export function matchedUpTo(lower: string, part: string, from: number): number {
  let matched = from;
  for (let at = 0; matched < part.length; matched += 1) {
    const found = lower.indexOf(part.charAt(matched), at);
    if (found < 0) {
      break;
    }
    at = found + 1;
  }
  return matched;
}
