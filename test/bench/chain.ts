/** The time during which a request was pending. */
export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** Returns the length of the longest chain of requests of which each began after the previous one ended. */
export function longestChain(requests: readonly Interval[]): number {
  let length = 0;
  let freeAt = Number.NEGATIVE_INFINITY;
  for (const { start, end } of [...requests].sort((a, b) => a.end - b.end)) {
    if (start >= freeAt) {
      length += 1;
      freeAt = end;
    }
  }
  return length;
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = 0, high = 0] = sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : sorted.slice(middle - 1);
  return (low + high) / 2;
}
