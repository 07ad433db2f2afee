import type { SeededRandom } from './seededRandom';

const alphabet = ['a', 'b', '\n', '\r\n', 'ü', '🏗️', '\t', '&', '%', '+', '=', '\uFEFF', ' '] as const;

/** Returns a short text with characters that encodings often break. */
export function randomText(random: SeededRandom): string {
  return Array.from({ length: random.below(60) }, () => random.pick(alphabet)).join('');
}
