import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { parent, CheckStage } from './checkStage';

describe('the scratch folder of a compatibility check', () => {
  let stage: CheckStage;

  before(async () => {
    stage = await CheckStage.start();
    for (const { id } of stage.platform.nodes('tea-shop-7')) {
      await mkdir(join(stage.platform.nodeFolder(id), parent), { recursive: true });
      await writeFile(join(stage.platform.nodeFolder(id), parent, 'mine.txt'), 'mine');
    }
  });

  afterEach(() => stage.platform.faults.clear());

  after(() => stage.dispose());

  const mine = ['mine.txt', 'mine.txt'];

  it('is removed from every node after a canceled check', async () => {
    const result = await stage.read();
    const canceling = new AbortController();
    void stage.platform.journal.nextArrival(({ operation }) => operation === 'Rename').then(() => canceling.abort());
    const { left, error, result: written } = await stage.write(result, { signal: canceling.signal });
    assert.notEqual(error, undefined);
    assert.deepEqual(left, []);
    assert.equal(written.isIncomplete, true);
    assert.deepEqual(await stage.onDisk(), mine);
  });

  for (const operation of ['Create', 'Write', 'Append', 'Rename', 'Copy']) {
    for (const when of ['before', 'after'] as const) {
      it(`is removed if the connection is lost ${when} ${operation}`, async () => {
        const result = await stage.read();
        stage.platform.faults.add({ operation, fault: { kind: 'reset', when } });
        const { left, result: written } = await stage.write(result);
        assert.deepEqual(left, []);
        assert.equal(written.isIncomplete, true);
        assert.deepEqual(await stage.onDisk(), mine);
      });
    }
  }

  it('is removed if the first attempts to delete it fail', async () => {
    const result = await stage.read();
    const target = { operation: 'Delete', nth: 2, times: 2 };
    stage.platform.faults.add({ ...target, fault: { kind: 'refuse', result: 99, error: 'busy' } });
    assert.deepEqual((await stage.write(result)).left, []);
    assert.deepEqual(await stage.onDisk(), mine);
  });

  it("is named if it can't be removed", async () => {
    const result = await stage.read();
    stage.platform.faults.add({
      operation: 'Delete',
      times: 'always',
      fault: { kind: 'refuse', result: 99, error: 'busy' },
    });
    const { left, result: written } = await stage.write(result);
    assert.equal(left.length, 2);
    assert.equal(written.leftFolders, 2);
    assert(left.every(({ path }) => path.startsWith(`${parent}/gantry-check-`)));
    for (const { target, path } of left) {
      await rm(join(stage.platform.nodeFolder(target.nodeId ?? 0), path), { recursive: true });
    }
  });

  it('is recorded before anything is created, and until it is removed everywhere', async () => {
    stage.recorded.splice(0);
    const result = await stage.read();
    const created = stage.platform.journal.nextArrival(({ operation }) => operation === 'Create');
    const recordedFirst = created.then(() => stage.recorded.map(([step]) => step));
    await stage.write(result);
    assert.deepEqual(await recordedFirst, ['begin']);
    const [[, begun] = [], [step, left] = []] = stage.recorded;
    assert.deepEqual(
      begun?.map(({ target }) => target.nodeId),
      stage.places(parent).map(({ target }) => target.nodeId),
    );
    assert.deepEqual([step, left], ['end', []]);
    assert.equal(stage.recorded.length, 2);
  });

  it('is still recorded on the nodes where it remains', async () => {
    stage.recorded.splice(0);
    const result = await stage.read();
    const [, second] = stage.places(parent);
    stage.platform.faults.add({
      operation: 'Delete',
      times: 'always',
      parameters: { nodeid: String(second?.target.nodeId) },
      fault: { kind: 'refuse', result: 99, error: 'busy' },
    });
    const { left } = await stage.write(result);
    assert.deepEqual(
      left.map(({ target }) => target.nodeId),
      [second?.target.nodeId],
    );
    assert.deepEqual(stage.recorded.at(-1), ['end', left]);
    stage.platform.faults.clear();
    for (const { target, path } of left) {
      await rm(join(stage.platform.nodeFolder(target.nodeId ?? 0), path), { recursive: true });
    }
  });

  describe('that another node already shows', () => {
    const writeOn = async (index: number, path: string, text: string) => {
      const file = join(stage.platform.nodeFolder(stage.platform.nodes('tea-shop-7')[index]?.id ?? 0), path);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text);
    };
    const check = async () => {
      const { result, left, error } = await stage.write(await stage.read());
      assert.equal(error, undefined, String(error));
      assert.deepEqual(left, []);
      return result.facts;
    };

    beforeEach(async () => {
      for (const index of [0, 1]) {
        await writeOn(index, '/etc/hostname', `node${index}\n`);
      }
    });

    afterEach(async () => {
      stage.behave({});
      for (const { id } of stage.platform.nodes('tea-shop-7')) {
        await rm(join(stage.platform.nodeFolder(id), '/etc/hostname'));
      }
      assert.deepEqual(await stage.onDisk(), mine);
    });

    it('proves that node IDs are ignored if nothing tells the nodes apart and any ID is accepted', async () => {
      stage.behave({ nodeIds: 'ignored' });
      const { oneNode, overwriting, masterOnly } = await check();
      assert.deepEqual([oneNode, overwriting, masterOnly], ['ignored', 'replaces', undefined]);
    });

    it('proves nothing if the platform checks the ID: the nodes may share the folder', async () => {
      stage.behave({ nodeIds: 'checked' });
      assert.equal((await check()).oneNode, 'sameFolder');
    });

    it('proves nothing if the nodes have other files of their own: they do share the folder', async () => {
      stage.behave({});
      const [first, second] = stage.platform.nodes('tea-shop-7');
      assert.ok(first && second);
      const account = stage.account();
      const at = { envName: 'tea-shop-7', nodeId: second.id, path: '/srv/shared' };
      await writeOn(0, '/srv/handover/mine.txt', 'mine');
      await account.call('AddMountPointById', { ...at, sourcePath: parent, sourceNodeId: first.id });
      try {
        const { result, left, error } = await stage.write(await stage.read(), {
          parents: stage
            .places(parent)
            .map((place, index) => (index === 0 ? place : { ...place, path: '/srv/shared' })),
        });
        assert.deepEqual([left, error], [[], undefined]);
        assert.equal(result.facts.oneNode, 'sameFolder');
        assert.equal(result.facts.overwriting, 'replaces');
      } finally {
        await account.call('RemoveMountPointById', { envName: 'tea-shop-7', nodeId: second.id, path: '/srv/shared' });
      }
    });

    it('proves that changes go to another node if reads show it only there, whichever node comes first', async () => {
      stage.behave({ nodeIds: 'mainChanges' });
      const { oneNode, overwriting } = await check();
      assert.deepEqual([oneNode, overwriting], ['ignored', 'replaces']);
      const parents = [...stage.places(parent)].reverse();
      const { result, left, error } = await stage.write(await stage.read(), { parents });
      assert.deepEqual([result.facts.oneNode, left, error], ['ignored', [], undefined]);
    });

    it('proves nothing if its name may have been taken before', async () => {
      stage.behave({ nodeIds: 'mainChanges' });
      const [, second] = stage.places(parent);
      stage.platform.faults.add({
        operation: 'GetList',
        parameters: { path: parent, nodeid: String(second?.target.nodeId) },
        fault: { kind: 'refuse', result: 99, error: 'busy' },
      });
      const { result, error } = await stage.write(await stage.read());
      assert.equal(result.facts.oneNode, undefined);
      assert.match(String(error), /exists/);
    });

    it('proves that changes reach other nodes if these have different files beside it', async () => {
      stage.behave({ nodeIds: 'onlyReads' });
      assert.equal((await check()).oneNode, 'sameFolder');
      await writeOn(1, `${parent}/other.txt`, 'other');
      assert.equal((await check()).oneNode, 'everyNode');
      await rm(join(stage.platform.nodeFolder(stage.platform.nodes('tea-shop-7')[1]?.id ?? 0), parent, 'other.txt'));
    });
  });
});
