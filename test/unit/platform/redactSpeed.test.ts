import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { limit } from '../../host/limits';
import { excerpt, redact } from '../../../src/platform/redact';

describe('the speed of redaction', () => {
  it('is enough for every failure in a busy window', () => {
    const begin = process.cpuUsage();
    for (const words of ['environment [shop] not exist', '<title>502 &amp; more</title>']) {
      // Each secret is new, so that a cached pattern doesn't help.
      for (let n = 0; n < 25; n += 1) excerpt(words, { secrets: [randomUUID(), randomUUID()], texts: [] });
    }
    const { user, system } = process.cpuUsage(begin);
    assert.ok(user + system < limit(800) * 1000, `50 excerpts took ${(user + system) / 1000} ms`);
  });

  it('is linear for any words', () => {
    const secrets = [randomUUID(), randomUUID()];
    const texts = ['listen 80;\n'.repeat(10_000)];
    /** The processor time of the faster of two runs. */
    const cost = (text: string): number => {
      const runs = [1, 2].map(() => {
        const begin = process.cpuUsage();
        redact(text, { secrets, texts });
        return process.cpuUsage(begin).user;
      });
      return Math.min(...runs);
    };
    for (const piece of [
      'a-',
      '//',
      '%2',
      'a1-',
      ' @',
      'listen 80;\n',
      'one line of a log with 12 words and 36 characters\n',
    ]) {
      const words = (length: number) => piece.repeat(Math.ceil(length / piece.length));
      const [short, long] = [cost(words(200_000)), cost(words(1_600_000))];
      // Eight times as long; in quadratic time, it would take 64 times as long.
      assert.ok(
        long < Math.max(short, limit(5) * 1000) * 24,
        `${JSON.stringify(piece)} took ${long / short} times as long`,
      );
    }
  });
});
