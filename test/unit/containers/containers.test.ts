import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { TestContainer } from '../files/container';

const path = '/srv/.gitkeep';

describe('creating a file when the response is lost', () => {
  let container: TestContainer;

  before(async () => {
    container = await TestContainer.start();
    await container.put('/srv/other', 'other\n');
  });

  afterEach(() => container.platform.faults.clear());

  after(() => container.dispose());

  const lose = (when: 'before' | 'after') =>
    container.platform.faults.add({ operation: 'Create', fault: { kind: 'reset', when } });
  const create = () => container.containers.createFile(container.place(path, 0));

  it("doesn't take a file of unknown length for the new one", async () => {
    const listed = { absolutePath: path, name: '.gitkeep', isDir: false };
    const body = JSON.stringify({ result: 0, keywords: [listed] });
    container.platform.faults.add({ operation: 'GetList', fault: { kind: 'answer', status: 200, body } });
    lose('before');
    await assert.rejects(create(), { operation: 'Create', isOutcomeUnknown: true });
  });

  it('takes an empty file for the new one, but unconfirmed', async () => {
    lose('after');
    assert.deepEqual(await create(), { isConfirmed: false });
    await container.remove(path);
    assert.deepEqual(await create(), { isConfirmed: true });
  });
});
