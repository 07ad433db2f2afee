import assert from 'node:assert/strict';
import { cp as copyOnDisk } from 'node:fs/promises';
import { before, beforeEach, describe, it } from 'mocha';
import { Containers } from '../../../../src/containers/containers';
import type { FilePlace } from '../../../../src/containers/place';
import { Moves } from '../../../../src/files/provider/moves';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

describe('a move', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  let moves: Moves;
  let carry: (from: FilePlace, to: FilePlace) => Promise<void>;

  before(() => {
    moves = new Moves(
      new Containers({ find: (slug) => scene.containers.account(slug) }, ({ path }) =>
        Promise.resolve(cp.everywhere(path)),
      ),
      scene.listings,
      (from, to) => carry(from, to),
    );
  });

  beforeEach(async () => {
    await cp.remove('/srv');
    await cp.put('/srv/a', 'a');
    await cp.put('/srv/b', 'bb');
    await cp.put('/srv/folder/one', '1');
    await cp.put('/srv/folder/below/two', '2');
    scene.platform.journal.reset();
    carry = () => assert.fail('all of it is in one container');
  });

  const at = (path: string) => cp.place(`/srv/${path}`);
  const rename = (from: string, to: string) => moves.rename(at(from), at(to));
  const copy = (from: string, to: string) => moves.copy(at(from), at(to));
  const { fail } = scene;
  const names = () => cp.names('/srv');

  it('of a folder with its contents takes one request', async () => {
    await rename('folder', 'moved');
    assert.deepEqual(scene.requests(), ['Rename']);
    assert.equal(await cp.text('/srv/moved/below/two'), '2');
  });

  it('rejects an existing target', async () => {
    await assert.rejects(rename('a', 'b'), { kind: 'exists' });
    await assert.rejects(copy('a', 'b'), { kind: 'exists' });
    assert.equal(await cp.text('/srv/b'), 'bb');
    assert.deepEqual(await names(), ['a', 'b', 'folder']);
  });

  it('without a response is checked and not repeated', async () => {
    fail('Rename', { kind: 'gatewayError', status: 504, when: 'after' });
    await rename('a', 'c');
    assert.equal(scene.count('Rename'), 1);
    fail('Rename', { kind: 'gatewayError', status: 504, when: 'before' });
    await assert.rejects(rename('c', 'd'), { kind: 'timeout' });
    assert.deepEqual(await names(), ['b', 'c', 'folder']);
  });

  it('onto itself does nothing, and into itself is rejected before anything is sent', async () => {
    await rename('a', 'a');
    await assert.rejects(rename('folder', 'folder/below/new'), { kind: 'invalid' });
    await assert.rejects(copy('folder', 'folder/new'), { kind: 'invalid' });
    assert.deepEqual(scene.requests(), []);
  });

  describe("if the platform can't rename into another folder", () => {
    beforeEach(() => {
      scene.platform.behaviour.renameAcrossFolders = 'refused';
    });

    it('copies, compares, and only then deletes', async () => {
      await rename('a', 'folder/a');
      assert.deepEqual(
        scene.requests().filter((operation) => operation !== 'GetList'),
        ['Rename', 'Copy', 'Read', 'Read', 'Delete'],
      );
      assert.equal(await cp.text('/srv/folder/a'), 'a');
      assert.ok(!cp.exists('/srv/a'));
    });

    it("moves a file that the platform can't read as text, because the platform itself copied it", async () => {
      await cp.put('/srv/folder/b.bin', Buffer.from([0, 255, 254, 0]));
      await cp.put('/srv/b.d/x', 'x');
      for (const path of ['/srv/folder/b.bin', '/srv/b.d/folder/b.bin']) {
        const fault = { kind: 'refuse', result: 99, error: 'not a text file' } as const;
        scene.fail('Read', fault, { parameters: { path }, times: 'always' });
      }
      await rename('folder', 'b.d/folder');
      assert.deepEqual(await names(), ['a', 'b', 'b.d']);
      assert.ok(cp.exists('/srv/b.d/folder/b.bin'));
    });

    it("says that the original still exists if it can't be deleted", async () => {
      await cp.put('/srv/b.d/x', 'x');
      fail('Delete', { kind: 'refuse', result: 4037, error: 'permission denied' });
      await assert.rejects(rename('folder', 'b.d/folder'), {
        obstacle: 'originalKept',
        message: /\/srv\/folder → \/srv\/b\.d\/folder.*all or part of it still exists/,
      });
      assert.equal(await cp.text('/srv/folder/below/two'), '2');
      assert.equal(await cp.text('/srv/b.d/folder/below/two'), '2');
    });

    it('says that the copy exists if the response to the delete is lost', async () => {
      fail('Delete', { kind: 'reset', when: 'before' });
      await assert.rejects(rename('a', 'folder/a'), {
        obstacle: 'originalUncertain',
        isOutcomeUnknown: true,
        message: /\/srv\/a → \/srv\/folder\/a.*copied.*original may still exist/,
      });
      assert.equal(await cp.text('/srv/folder/a'), 'a');
    });

    it("deletes nothing if only one of both can't be read", async () => {
      const fault = { kind: 'refuse', result: 99, error: 'input/output error' } as const;
      scene.platform.faults.add({
        operation: 'Read',
        parameters: { path: '/srv/folder/a' },
        times: 'always',
        fault,
      });
      await assert.rejects(rename('a', 'folder/a'), { obstacle: 'copyUnproven' });
      assert.equal(await cp.text('/srv/a'), 'a');
    });

    it("deletes nothing if a response doesn't list what is in a folder", async () => {
      await cp.put('/srv/b.d/x', 'x');
      for (const path of ['/srv/folder/below', '/srv/b.d/folder/below']) {
        const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
        scene.fail('GetList', fault, { parameters: { path }, times: 'always' });
      }
      await assert.rejects(rename('folder', 'b.d/folder'), { obstacle: 'copyUnproven' });
      assert.equal(await cp.text('/srv/folder/below/two'), '2');
    });

    it('deletes nothing if the copy differs', async () => {
      const copied = fail('Copy', { kind: 'delay', milliseconds: 20, when: 'after' });
      const moving = rename('folder', 'b.d/folder');
      await assert.rejects(moving);
      await cp.put('/srv/b.d/x', 'x');
      fail('Delete', { kind: 'reset', when: 'before' });
      const again = rename('folder', 'b.d/folder');
      await copied.reached;
      await cp.put('/srv/folder/late', 'late');
      await assert.rejects(again);
      assert.equal(await cp.text('/srv/folder/below/two'), '2');
      assert.equal(await cp.text('/srv/folder/late'), 'late');
    });
  });

  describe('to another node', () => {
    const there = (path: string) => cp.place(`/srv/${path}`, 1);
    const other = (path: string) => cp.text(`/srv/${path}`, 1);
    /** Runs between a copy and its check. */
    let meanwhile: () => Promise<void>;

    beforeEach(async () => {
      meanwhile = () => Promise.resolve();
      await cp.remove('/srv', 1);
      carry = async (from, to) => {
        await copyOnDisk(cp.onDisk(from.path), cp.onDisk(to.path, 1), { recursive: true });
        await meanwhile();
      };
    });

    it('reads the copy back and only then deletes the source', async () => {
      await moves.rename(at('folder'), there('folder'));
      assert.equal(await other('folder/below/two'), '2');
      assert.ok(!cp.exists('/srv/folder'));
      const operations = scene.requests();
      assert.equal(operations.at(-1), 'Delete');
      assert.equal(operations.filter((operation) => operation === 'Read').length, 4);
    });

    it('keeps the source if another text of the same length arrived', async () => {
      meanwhile = () => cp.put('/srv/b', 'xx', 1);
      await assert.rejects(moves.rename(at('b'), there('b')), { obstacle: 'copyDiffers' });
      assert.equal(await cp.text('/srv/b'), 'bb');
    });

    it('keeps the source if someone changed it in the meantime to the same length', async () => {
      meanwhile = () => cp.put('/srv/folder/one', '9');
      await assert.rejects(moves.rename(at('folder'), there('folder')), {
        obstacle: 'copyDiffers',
      });
      assert.equal(await cp.text('/srv/folder/one'), '9');
    });

    it('keeps the source on all nodes of a layer if one of them has another text', async () => {
      await cp.put('/srv/b', 'zz', 1);
      await assert.rejects(moves.rename(cp.onLayer('/srv/b'), there('moved')), { obstacle: 'copyDiffers' });
      assert.equal(await cp.text('/srv/b'), 'bb');
      assert.equal(await other('b'), 'zz');
    });

    it("keeps the source if one node of the layer that it's moved to has another text", async () => {
      meanwhile = async () => {
        await cp.put('/srv/moved', 'bb');
        await cp.put('/srv/moved', 'zz', 1);
      };
      await assert.rejects(moves.rename(at('b'), cp.onLayer('/srv/moved')), { obstacle: 'copyDiffers' });
      assert.equal(await cp.text('/srv/b'), 'bb');
    });

    it("keeps the source if the copy can't be compared exactly", async () => {
      await cp.put('/srv/folder/image', Buffer.from([0x89, 0x50, 0, 255]));
      await assert.rejects(moves.rename(at('folder'), there('folder')), {
        obstacle: 'copyUnproven',
      });
      assert.ok(cp.exists('/srv/folder/image'));
      assert.ok(cp.exists('/srv/folder/image', 1));
    });
  });

  describe('that copies', () => {
    it('leaves the copy to the platform', async () => {
      await copy('folder', 'copied');
      assert.deepEqual(scene.requests(), ['Copy']);
      assert.equal(await cp.text('/srv/copied/below/two'), '2');
      assert.equal(await cp.text('/srv/folder/below/two'), '2');
    });

    it('succeeds without a response if everything was copied', async () => {
      fail('Copy', { kind: 'reset', when: 'after' });
      await copy('folder', 'copied');
      assert.equal(await cp.text('/srv/copied/below/two'), '2');
      fail('Copy', { kind: 'reset', when: 'before' });
      await assert.rejects(copy('folder', 'again'), { kind: 'unreachable' });
    });
  });
});
