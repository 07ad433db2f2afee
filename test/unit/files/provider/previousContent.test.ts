import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { PreviousContents } from '../../../../src/files/provider/previousContent';
import { Backups } from '../../../../src/files/saving/backups';
import type { FilePlace } from '../../../../src/containers/place';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { TestContainer } from '../container';

describe('what VS Code deletes', () => {
  let container: TestContainer;
  let folder: string;
  let kept: Backups;
  let contents: PreviousContents;

  before(async () => {
    container = await TestContainer.start();
  });

  after(() => container.dispose());

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-overwritten-'));
    const presence = { owner: { window: 'own', host: 'here' }, announce: () => Promise.resolve() };
    kept = new Backups(folder, presence);
    const { containers, listings } = container;
    contents = new PreviousContents({ containers, listings, edits: { isNewText: () => false }, kept });
    for (const node of [0, 1]) {
      await rm(container.onDisk('/srv', node), { recursive: true, force: true });
      await container.put('/srv/live/images/tea', 'tea\n', node);
    }
    await container.put('/srv/b.conf', 'old\n');
    listings.forgetAll();
  });

  afterEach(async () => {
    container.platform.faults.clear();
    await rm(folder, { recursive: true });
  });

  const fail = (operation: string, fault: FaultRule['fault']) => container.platform.faults.add({ operation, fault });
  const remove = (place: FilePlace) => container.containers.delete(place);
  const takeAway = async (place: FilePlace, work = () => remove(place)) => {
    const entry = (await container.listings.lookUp(place)) ?? assert.fail();
    return (await contents.takeAway(place, entry, work)) ?? assert.fail();
  };
  const texts = async () => (await kept.list()).map(({ text }) => text);

  it('is on disk before it is deleted, so that nothing is lost if the window ends then', async () => {
    const file = container.place('/srv/b.conf', 0);
    const seen: unknown[] = [];
    await takeAway(file, async () => {
      seen.push(...(await texts()));
      await remove(file);
    });
    assert.deepEqual(seen, ['old\n']);
  });

  it("isn't kept on disk if a text surely wasn't deleted, but is if the response was lost", async () => {
    const file = container.place('/srv/b.conf', 0);
    fail('Delete', { kind: 'refuse', result: 4037, error: 'permission denied' });
    await assert.rejects(takeAway(file));
    assert.deepEqual(await texts(), []);
    fail('Delete', { kind: 'reset', when: 'before' });
    await assert.rejects(takeAway(file));
    assert.deepEqual(await texts(), ['old\n']);
  });
});
