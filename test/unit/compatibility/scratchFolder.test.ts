import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
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
      ...{ operation: 'Delete', times: 'always' },
      fault: { kind: 'refuse', result: 99, error: 'busy' },
    });
    const { left, result: written } = await stage.write(result);
    assert.equal(left.length, 2);
    assert.equal(written.leftFolders, 2);
    assert(left.every(({ path }) => path.startsWith(`${parent}/gantry-check-`)));
  });
});
