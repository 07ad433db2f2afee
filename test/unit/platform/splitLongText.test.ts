import assert from 'node:assert/strict';
import fc from 'fast-check';
import { operations } from '../../../src/platform/contract';
import { composeRequest, encodedLength, encodeForm, encodeQuery } from '../../../src/platform/sending/request';
import { splitLongText } from '../../../src/platform/splitLongText';

const at = {
  address: { baseUrl: 'https://app.hoster.example/1.0', host: 'app.hoster.example' },
  transport: 'query',
} as const;
const place = { session: 'x'.repeat(40), envName: 'shop', nodeGroup: 'cp', path: '/srv/site.conf' };
const lengthOf = (text: string) => encodeQuery([['', text]]).length - '='.length;

/** Returns the shortest of a few attempts in milliseconds, because other work on the machine only makes it longer. */
function shortest(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return Math.min(...times);
}

describe('pieces of a text', () => {
  it('are one if the text fits, and none if the path alone is too long', () => {
    assert.deepEqual(splitLongText(at, { ...place, body: 'short' }), ['short']);
    assert.deepEqual(splitLongText(at, place), ['']);
    assert.deepEqual(splitLongText(at, { ...place, path: `/${'x'.repeat(2000)}`, body: 'short' }), []);
    assert.equal(splitLongText({ ...at, transport: 'form' }, { ...place, body: 'x'.repeat(10_000) }).length, 1);
  });

  it('are measured by their encoded length', () => {
    const some = Array.from({ length: 0x300 }, (_, n) => [n, n * 1_399]).flat();
    for (const point of [...some, 0x7ff, 0x800, 0xffff, 0x10000, 0x10ffff]) {
      const character = String.fromCodePoint(point);
      if (point < 0xd800 || point > 0xdfff)
        assert.equal(encodedLength(point), lengthOf(character), `U+${point.toString(16)}`);
    }
  });

  it('make up the whole text, each as long as a URL allows and no longer', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1_500, maxLength: 6_000 }), (body) => {
        const pieces = splitLongText(at, { ...place, body });
        assert.equal(pieces.join(''), body);
        const room = Math.max(...pieces.map(lengthOf));
        for (const body of pieces) {
          const pairs = Object.entries({ ...place, body, isAppendMode: 'false' });
          assert.ok('ok' in composeRequest(operations.Write, pairs, at), 'no URL is too long');
        }
        for (const piece of pieces.slice(0, -1)) {
          assert.ok(lengthOf(piece) > room - lengthOf('😀'), 'the next character would not have fitted');
        }
      }),
      { numRuns: 50, seed: 7 },
    );
  });

  it('of five megabytes are split about as fast as they are encoded', function () {
    this.timeout(60_000);
    const body = 'grüße 🏗️ & more\n'.repeat(300_000);
    const encoding = shortest(() => encodeForm([['body', body]]));
    const cutting = shortest(() => splitLongText(at, { ...place, body }));
    assert.ok(cutting < encoding * 10, `${cutting} ms to cut what is encoded in ${encoding} ms`);
  });
});
