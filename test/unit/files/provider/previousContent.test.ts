import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { beforeEach, describe, it } from 'mocha';
import { Containers } from '../../../../src/containers/containers';
import { Moves } from '../../../../src/files/provider/moves';
import {
  movedContentsOf,
  type PreviousContent,
  PreviousContents,
} from '../../../../src/files/provider/previousContent';
import type { Backups } from '../../../../src/files/saving/backups';
import { backupsIn, closedWindow, readBackups } from '../journal/journalSetUp';
import { type FilePlace, nameOf } from '../../../../src/containers/place';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

describe('what VS Code deletes', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  let overwritten: Backups;
  let contents: PreviousContents;
  /** While the disk is full, nothing can be stored. */
  let isFull: boolean;

  beforeEach(async () => {
    isFull = false;
    overwritten = backupsIn(scene.local(), closedWindow('own'), {
      isForgotten: () => (isFull ? Promise.reject(new Error('no space left on device')) : Promise.resolve(false)),
    });
    const { listings } = scene;
    const containers = new Containers({ find: (slug) => scene.containers.account(slug) }, ({ path }) =>
      Promise.resolve(cp.everywhere(path)),
    );
    const deps = { containers, listings, edits: { isNewText: () => false }, overwritten };
    contents = new PreviousContents({ ...deps, moves: new Moves(deps.containers, deps.listings, () => assert.fail()) });
    for (const node of [0, 1]) {
      await cp.remove('/srv', node);
      await cp.put('/srv/live/images/tea', 'tea\n', node);
    }
    await cp.put('/srv/b.conf', 'old\n');
    listings.forgetAll();
  });

  const { fail } = scene;
  const remove = (place: FilePlace) => scene.containers.delete(place);
  const takeAway = async (place: FilePlace, work = () => remove(place)) => {
    const entry = (await scene.listings.lookUp(place)) ?? assert.fail();
    return (await contents.takeAway(place, entry, work)) ?? assert.fail();
  };
  const images = (node?: number) =>
    node === undefined ? cp.onLayer('/srv/live/images') : cp.place('/srv/live/images', node);
  const takeOut = (place: FilePlace, content: PreviousContent, path = '/srv/live') =>
    contents.takeOut(place, content, { ...place, path });
  const asides = async () => (await overwritten.entries()).map(({ movedTo }) => movedTo?.path).sort();
  const pathOf = (content: PreviousContent) => (content.kind === 'moved' ? content.movedTo.path : assert.fail());
  const texts = async () => (await readBackups(overwritten)).map(({ text }) => text);

  it('is on disk before it is deleted, so that nothing is lost if the window ends then', async () => {
    const file = cp.place('/srv/b.conf');
    const seen: unknown[] = [];
    await takeAway(file, async () => {
      seen.push(...(await texts()));
      await remove(file);
    });
    assert.deepEqual(seen, ['old\n']);
  });

  it("isn't kept on disk if a text surely wasn't deleted, but is if the response was lost", async () => {
    const file = cp.place('/srv/b.conf');
    fail('Delete', { kind: 'refuse', result: 4037, error: 'permission denied' });
    await assert.rejects(takeAway(file));
    assert.deepEqual(await texts(), []);
    fail('Delete', { kind: 'reset', when: 'before' });
    await assert.rejects(takeAway(file));
    assert.deepEqual(await texts(), ['old\n']);
  });

  it('keeps the record of its old name if the disk is too full for that of the new one', async () => {
    const content = await takeAway(images(0));
    isFull = true;
    const moved = await takeOut(images(0), content);
    assert.ok(cp.exists(`${pathOf(moved)}/tea`));
    assert.deepEqual(await asides(), [pathOf(content)]);
    await overwritten.drop(images(0), moved.id);
    assert.deepEqual(await asides(), []);
  });

  it('is known by one name when it is tried again, also if the first rename arrived late', async () => {
    for (const isLate of [false, true]) {
      await cp.put('/srv/live/images/tea', 'tea\n');
      scene.listings.forgetAll();
      const content = await takeAway(images(0));
      fail('Rename', { kind: 'reset', when: 'before' });
      await assert.rejects(takeOut(images(0), content));
      const [out = '', ...others] = (await asides()).filter((path) => path !== pathOf(content));
      assert.deepEqual(others, []);
      if (isLate) {
        await rename(cp.onDisk(pathOf(content)), cp.onDisk(out));
      }
      const moved = await takeOut(images(0), content);
      assert.equal(pathOf(moved), out);
      assert.ok(cp.exists(`${out}/tea`));
      assert.deepEqual(await asides(), [out]);
      await overwritten.drop(images(0), moved.id);
    }
  });

  it("keeps its new name on a layer if the platform says that a node didn't have the old one", async () => {
    const content = await takeAway(images());
    fail('Rename', { kind: 'refuse', result: 11, error: 'no such file', when: 'after' });
    const moved = await takeOut(images(), content);
    assert.notEqual(pathOf(moved), pathOf(content));
    assert.deepEqual(await asides(), [pathOf(moved)]);
  });

  it('keeps both names on a layer if a rename that failed has been made on one node', async () => {
    const content = await takeAway(images());
    fail('Rename', { kind: 'refuse', result: 4075, error: 'no space left', when: 'after' });
    await assert.rejects(takeOut(images(), content));
    assert.equal((await asides()).length, 2);
  });

  it('is taken out of a folder from any name that an earlier rename may have given it there', async () => {
    await cp.put('/srv/live/sub/images/tea', 'tea\n');
    const place = cp.place('/srv/live/sub/images');
    const content = await takeAway(place);
    fail('Rename', { kind: 'reset', when: 'before' });
    await assert.rejects(takeOut(place, content, '/srv/live/sub'));
    const between = pathOf(content).replace('/sub', '');
    await rename(cp.onDisk(pathOf(content)), cp.onDisk(between));
    const moved = await takeOut(place, content);
    assert.equal(pathOf(moved), pathOf(content).replace('/live/sub', ''));
    assert.ok(cp.exists(`${pathOf(moved)}/tea`));
    assert.ok(!cp.exists(between));
    assert.deepEqual(await asides(), [pathOf(moved)]);
    assert.deepEqual(
      movedContentsOf(moved).map(({ movedTo }) => movedTo.path),
      [pathOf(moved)],
    );
  });

  it("isn't taken out if two of its names have a part of it, and keeps all of them", async () => {
    await cp.put('/srv/live/sub/images/tea', 'tea\n');
    const place = cp.place('/srv/live/sub/images');
    const content = await takeAway(place);
    fail('Rename', { kind: 'refuse', result: 4075, error: 'no space left', when: 'after' });
    await assert.rejects(takeOut(place, content, '/srv/live/sub'));
    await cp.put(`${pathOf(content)}/milk`, 'milk\n');
    // Both are there, so the second one can't get the name that the first one has by then.
    await assert.rejects(takeOut(place, content));
    const out = pathOf(content).replace('/live/sub', '');
    assert.deepEqual(movedContentsOf(content).length, 3);
    assert.deepEqual(await asides(), [out, pathOf(content).replace('/sub', ''), pathOf(content)].sort());
    assert.ok(cp.exists(`${out}/milk`));
    assert.ok(cp.exists(`${pathOf(content).replace('/sub', '')}/tea`));
  });

  it("doesn't show in a listing from before it was taken out", async () => {
    const content = await takeAway(images(0));
    const live = cp.place('/srv/live');
    scene.listings.forgetAll();
    const shown = async () => (await scene.listings.list(live)).has(nameOf({ ...live, path: pathOf(content) }));
    assert.equal(await shown(), true);
    await takeOut(images(0), content);
    assert.equal(await shown(), false);
  });

  it("doesn't show in a listing from before it was deleted elsewhere", async () => {
    const { movedTo } = movedContentsOf(await takeOut(images(0), await takeAway(images(0))))[0] ?? assert.fail();
    const shown = async () => (await scene.listings.list({ ...movedTo, path: '/srv' })).has(nameOf(movedTo));
    assert.equal(await shown(), true);
    assert.equal(await contents.remove(images(0), movedTo), undefined);
    assert.equal(await shown(), false);
  });
});
