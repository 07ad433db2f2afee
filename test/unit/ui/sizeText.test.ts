import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { sizeText } from '../../../src/ui/sizeText';

describe('a size', () => {
  it('has one decimal below ten, in the largest unit', () => {
    const sizes = [0, 209, 1023, 1024, 1331, 10 * 1024, 5 * 1024 * 1024, 1023 * 1024];
    assert.deepEqual(
      sizes.map((size) => sizeText(size)),
      ['0 B', '209 B', '1023 B', '1.0 KB', '1.3 KB', '10 KB', '5.0 MB', '1023 KB'],
    );
  });

  it('has the same number in English as in another language that writes numbers in this way', () => {
    for (let bytes = 1; bytes < 1024 ** 4; bytes = Math.ceil(bytes * 1.003)) {
      assert.equal(sizeText(bytes), sizeText(bytes, 'en-GB'));
    }
  });

  it("has its decimals in the user's language", () => {
    assert.equal(sizeText(1331, 'de'), '1,3 KB');
  });
});
