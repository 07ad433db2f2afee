import assert from 'node:assert/strict';
import fc from 'fast-check';
import { encodeQuery } from '../../../../src/platform/sending/request';

const pairs = fc.array(fc.tuple(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary', maxLength: 200 })), {
  maxLength: 5,
});

describe('a form', () => {
  it('is encoded according to the standard, whatever it contains', () => {
    fc.assert(
      fc.property(pairs, (some) => {
        assert.equal(encodeQuery(some), new URLSearchParams(some).toString());
      }),
      { numRuns: 2_000, seed: 7 },
    );
  });

  it('keeps every byte of a text', () => {
    const text = Array.from({ length: 0x3000 }, (_, point) => String.fromCodePoint(point)).join('') + '😀\r\n\n\r';
    const decoded = new URLSearchParams(encodeQuery([['body', text]]));
    assert.equal(decoded.get('body'), text);
  });
});
