import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { replacesTarget } from '../../../src/compatibility/switchedOff';
import { Containers } from '../../../src/containers/containers';
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

describe('creating something where the platform would replace what exists', () => {
  let container: TestContainer;
  let containers: Containers;

  before(async () => {
    container = await TestContainer.start();
    containers = new Containers({ find: (slug) => container.containers.account(slug) }, undefined, (_, change) =>
      Promise.resolve(replacesTarget({ createOnto: 'overwrites' }, change) ? { kind: 'replacesTarget' } : undefined),
    );
    await container.put('/srv/there/file', 'text');
  });

  after(() => container.dispose());

  it('looks first, for files and for folders', async () => {
    await assert.rejects(containers.createFile(container.place('/srv/there/file', 0)), { kind: 'exists' });
    await assert.rejects(containers.createFolder(container.place('/srv/there', 0)), { kind: 'exists' });
    assert.ok(!container.requests().includes('Create'));
    await containers.createFolder(container.place('/srv/there/new', 0));
    assert.equal(container.requests().filter((operation) => operation === 'Create').length, 1);
  });
});
