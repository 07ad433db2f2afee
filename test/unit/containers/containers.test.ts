import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { replacesTarget } from '../../../src/compatibility/facts';
import { Containers } from '../../../src/containers/containers';
import { ServerSideOperations } from '../../../src/containers/serverSideOperations';
import { ConnectedScene } from '../../scene/connectedScene';
import { onStage } from '../../scene/onStage';

const path = '/srv/.gitkeep';

describe('creating a file when the response is lost', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });

  before(async () => {
    await cp.put('/srv/other', 'other\n');
  });

  const lose = (when: 'before' | 'after') => scene.fail('Create', { kind: 'reset', when });
  const create = () => scene.containers.createFile(cp.place(path));

  it("doesn't take a file of unknown length for the new one", async () => {
    const listed = { absolutePath: path, name: '.gitkeep', isDir: false };
    const body = JSON.stringify({ result: 0, keywords: [listed] });
    scene.fail('GetList', { kind: 'answer', status: 200, body });
    lose('before');
    await assert.rejects(create(), { operation: 'Create', isOutcomeUnknown: true });
  });

  it('takes an empty file for the new one, but unconfirmed', async () => {
    lose('after');
    assert.deepEqual(await create(), { isConfirmed: false });
    await cp.remove(path);
    assert.deepEqual(await create(), { isConfirmed: true });
  });
});

describe('creating something where the platform would replace what exists', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  let containers: Containers;

  before(async () => {
    containers = new Containers({ find: (slug) => scene.containers.account(slug) }, undefined, (_, change) =>
      Promise.resolve(replacesTarget({ createOnto: 'overwrites' }, change) ? { kind: 'replacesTarget' } : undefined),
    );
    await cp.put('/srv/there/file', 'text');
  });

  it('looks first, for files and for folders', async () => {
    await assert.rejects(containers.createFile(cp.place('/srv/there/file')), { kind: 'exists' });
    await assert.rejects(containers.createFolder(cp.place('/srv/there')), { kind: 'exists' });
    assert.ok(!scene.requests().includes('Create'));
    await containers.createFolder(cp.place('/srv/there/new'));
    assert.equal(scene.count('Create'), 1);
  });
});

describe('a change where the platform would make it on another node', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });

  it('is not sent, including unpacking an archive', async () => {
    const refused = { kind: 'refused', reason: 'it changes other nodes' } as const;
    const containers = new Containers({ find: (slug) => scene.containers.account(slug) }, undefined, () =>
      Promise.resolve(refused),
    );
    const work = new ServerSideOperations(containers);
    const archive = cp.place('/srv/all.tar');
    const pattern = { pattern: 'a', replacement: 'b' };
    for (const change of [
      () => work.unpack(archive, '/srv/all'),
      () => work.unpackOnType(archive, 'nginxphp', '/srv/all'),
      () => work.replace(archive, pattern),
      () => work.fetchFrom('https://example.com/all.tar', archive, { overwrite: false }),
    ]) {
      await assert.rejects(change(), { obstacle: 'unsafeHere' });
    }
    assert.deepEqual(scene.requests(), []);
  });
});

describe('a listing without a list', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });

  before(async () => {
    await cp.put('/srv/there.txt', 'text');
  });

  const omit = (times: number) => {
    const fault = { kind: 'answer', body: JSON.stringify({ result: 0 }) } as const;
    scene.fail('GetList', fault, { times });
  };
  const list = async (options = {}) => {
    const entries = await scene.containers.list(cp.place('/srv'), options);
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
