import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { TextSnapshots } from '../../../../../src/files/saving/edits/textSnapshots';
import type { FilePlace } from '../../../../../src/containers/place';

const place = (n: number): FilePlace => ({
  ...{ kind: 'file', account: 'a', environment: 'shop', path: `/srv/${n}` },
  target: { nodeGroup: 'cp', nodeId: 1 },
});

describe('the texts returned to VS Code', () => {
  it('are evicted even if they are empty', () => {
    const versions = new TextSnapshots({ each: 3, characters: 10_000 });
    for (let n = 0; n < 1_000; n += 1) versions.add({ text: '', place: place(n) });
    assert.equal(versions.showing(place(0), ''), undefined);
    assert.equal(versions.showing(place(999), '')?.text, '');
  });
});
