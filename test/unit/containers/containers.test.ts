import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { replacesTarget } from '../../../src/compatibility/facts';
import { Containers } from '../../../src/containers/containers';
import { ServerSideOperations } from '../../../src/containers/serverSideOperations';
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

describe('a change where the platform would make it on another node', () => {
  let container: TestContainer;

  before(async () => {
    container = await TestContainer.start();
  });

  after(() => container.dispose());

  it('is not sent, including unpacking an archive', async () => {
    const refused = { kind: 'refused', reason: 'it changes other nodes' } as const;
    const containers = new Containers({ find: (slug) => container.containers.account(slug) }, undefined, () =>
      Promise.resolve(refused),
    );
    const work = new ServerSideOperations(containers);
    const archive = container.place('/srv/all.tar', 0);
    const pattern = { pattern: 'a', replacement: 'b' };
    for (const change of [
      () => work.unpack(archive, '/srv/all'),
      () => work.unpackOnType(archive, 'nginxphp', '/srv/all'),
      () => work.replace(archive, pattern),
      () => work.fetchFrom('https://example.com/all.tar', archive, { overwrite: false }),
    ]) {
      await assert.rejects(change(), { obstacle: 'unsafeHere' });
    }
    assert.deepEqual(container.requests(), []);
  });
});

describe('a listing without a list', () => {
  let container: TestContainer;

  before(async () => {
    container = await TestContainer.start();
    await container.put('/srv/there.txt', 'text');
  });

  afterEach(() => container.platform.faults.clear());

  after(() => container.dispose());

  const omit = (times: number) => {
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    container.platform.faults.add({ operation: 'GetList', times, fault });
  };
  const list = async (options = {}) => {
    const entries = await container.containers.list(container.place('/srv', 0), options);
    return entries.map(({ name }) => name);
  };

  it('is asked for once more, whoever asks', async () => {
    omit(1);
    assert.ok((await list()).includes('there.txt'));
    omit(1);
    assert.ok((await list({ isProof: true })).includes('there.txt'));
  });

  it('is an empty folder the second time, unless something depends on it', async () => {
    omit(2);
    assert.deepEqual(await list(), []);
    omit(2);
    await assert.rejects(list({ isProof: true }), { obstacle: 'listMissing' });
  });
});
