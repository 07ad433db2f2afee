import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { budgets, parallel, pieces } from '../../../bench/budgets';
import type { ListingCache } from '../../../../src/containers/listingCache';
import { DistantPlatform } from '../../../bench/inside/distantPlatform';
import { fileWork, layOut, openToType, typeFor, type WorkingOn } from '../../../bench/inside/filesWork';
import { parallelWork } from '../../../bench/inside/parallelWork';
import { type Bench, measureAt, ProviderClock, withoutWatching } from '../../../bench/inside/measure';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { windowScene } from '../../support/windowScene';

/**
 * The delays of each response. Requests that don't wait for each other overlap, but on a busy machine the second one may
 * leave after the first response. Only requests that do wait for each other are in sequence at every delay.
 */
const [delay, longDelay] = [30, 2_000];

const asked = ({ journal }: LocalPlatform) =>
  journal.entries.map(({ operation, parameters }) => `${operation} ${parameters['path'] ?? ''}`).join(', ');

describe('requests for file operations', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  let working: WorkingOn;
  let bench: Bench;
  let clock: ProviderClock;

  before(async () => {
    const { parts, account, platform } = scene;
    // A write that takes longer than a second on a busy machine would cost another listing.
    parts.listings.lookups.patience = 60_000;
    // So would a listing that is too old to show that a file doesn't exist yet.
    Object.assign((Reflect.get(parts.listings, 'cache') as ListingCache).limits, { absence: 60_000 });
    working = { parts, account, node: { id: cp.nodeId(), folder: cp.onDisk('') } };
    clock = new ProviderClock(parts.files.fileSystem);
    bench = { platform: new DistantPlatform(platform.origin), turns: 2, clock };
    await layOut(working);
    withoutWatching(parts);
  });

  after(() => clock.remove());

  for (const name of pieces) {
    const { work: title, requests, sequential } = budgets[name];
    it(`${title}: at most ${requests} requests, at most ${sequential} in sequence`, async () => {
      const work = fileWork(working)[name];
      const seen = await measureAt(delay, work, bench);
      assert.ok((seen.requests ?? 0) <= requests, `${seen.requests} requests: ${asked(scene.platform)}`);
      if ((seen.sequential ?? 0) <= sequential) return;
      const again = await measureAt(longDelay, work, { ...bench, turns: 1 });
      assert.ok((again.sequential ?? 0) <= sequential, `${again.sequential} in sequence`);
    });
  }

  for (const name of parallel) {
    const { work: title, requests } = budgets[name];
    it(`${title}: at most ${requests} requests`, async () => {
      const seen = await measureAt(delay, parallelWork(working)[name], bench);
      assert.ok((seen.requests ?? 0) <= requests, `${seen.requests} requests: ${asked(scene.platform)}`);
    });
  }

  it('type into an open file: no requests', async () => {
    await openToType(working);
    assert.deepEqual(await scene.requestsDuring(() => typeFor(1_000)), []);
  });
});
