import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FilePlace } from '../../../../src/containers/place';
import { FailedListings } from '../../../../src/files/provider/failedListings';

const at = (path: string): FilePlace => ({
  kind: 'file',
  account: 'a',
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 1 },
  path,
});

describe('folders whose listing failed', () => {
  let now = 0;
  let failed: FailedListings;

  beforeEach(() => {
    now = 0;
    failed = new FailedListings(() => now);
    failed.add(at('/srv/full/below'));
  });

  it('are found at and below the deleted folder, once', () => {
    assert.deepEqual(failed.take(at('/srv/ful')), []);
    assert.deepEqual(failed.take(at('/srv/full/below/deeper')), []);
    assert.deepEqual(failed.take(at('/srv')), [at('/srv/full/below')]);
    assert.deepEqual(failed.take(at('/srv')), []);
  });

  it('count for as long as a move may take', () => {
    now = 59 * 60_000;
    assert.equal(failed.take(at('/srv')).length, 1);
    failed.add(at('/srv/full'));
    now += 61 * 60_000;
    assert.deepEqual(failed.take(at('/srv')), []);
  });
});
