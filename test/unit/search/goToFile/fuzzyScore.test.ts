import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { FuzzyScore } from '../../../../src/search/goToFile/fuzzyScore';
import { parseNameQuery } from '../../../../src/search/goToFile/nameQuery';

/** The algorithm of VS Code's fuzzyScorer.ts, with its table of all characters of the query and the target. */
function referenceScore(target: string, query: string): number {
  const [targetLower, queryLower] = [target.toLowerCase(), query.toLowerCase()];
  const scores: number[][] = [];
  const runs: number[][] = [];
  for (let q = 0; q < query.length; q += 1) {
    scores.push([]);
    runs.push([]);
    for (let t = 0; t < target.length; t += 1) {
      const left = scores[q]?.[t - 1] ?? 0;
      const diagonal = scores[q - 1]?.[t - 1] ?? 0;
      const run = runs[q - 1]?.[t - 1] ?? 0;
      const isEqual = queryLower[q] === targetLower[t] && (q === 0 || diagonal > 0);
      const score = isEqual ? letterScore(query[q] ?? '', target, t, run) : 0;
      const isBetter = score > 0 && diagonal + score >= left;
      scores[q]?.push(isBetter ? diagonal + score : left);
      runs[q]?.push(isBetter ? run + 1 : 0);
    }
  }
  return scores[query.length - 1]?.[target.length - 1] ?? 0;
}

function letterScore(letter: string, target: string, at: number, run: number): number {
  let score = 1;
  if (run > 0) score += Math.min(run, 3) * 6 + Math.max(0, run - 3) * 3;
  if (letter === target[at]) score += 1;
  const before = target[at - 1];
  if (before === undefined) return score + 8;
  if ('/\\'.includes(before)) return score + 5;
  if (`_-. '":`.includes(before)) return score + 4;
  return run === 0 && /[A-Z]/.test(target[at] ?? '') ? score + 2 : score;
}

const text = (most: number) =>
  fc
    .string({
      unit: fc.constantFrom('a', 'b', 'c', 'A', 'B', 'C', '1', '2', '_', '-', '.', '/'),
      minLength: 1,
      maxLength: most,
    })
    .filter((one) => one !== '');

describe('the score of a match', () => {
  it("is that of VS Code's quick open, also if a text is read in two pieces", () => {
    fc.assert(
      fc.property(text(12), text(12), text(5), (folder, name, query) => {
        const [part] = parseNameQuery(query).parts;
        assert.ok(part);
        const inFolder = new FuzzyScore(part);
        inFolder.read(folder, folder.toLowerCase());
        assert.equal(inFolder.total, referenceScore(folder, query));
        const score = new FuzzyScore(part);
        score.copy(inFolder);
        score.read(name, name.toLowerCase());
        assert.equal(score.total, referenceScore(folder + name, query));
        if (inFolder.isHighest) assert.equal(score.total, inFolder.total);
        score.clear();
        score.read(name, name.toLowerCase());
        assert.equal(score.total, referenceScore(name, query));
      }),
      { numRuns: 20_000 },
    );
  });
});
