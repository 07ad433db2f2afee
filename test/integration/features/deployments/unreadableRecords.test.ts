import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { DeployHistory } from '../../../../src/features/deployments/history/deployHistory';
import type { DeployRecord } from '../../../../src/features/deployments/redeploy/redeployResult';
import { ProjectDrafts } from '../../../../src/features/deployments/settings/projectDrafts';
import { NodeEditLog } from '../../../../src/features/deployments/nodeEdits/nodeEditLog';
import { noWriteOnlySettings } from '../../../../src/features/deployments/settings/projectFields';
import type { ProjectPlace } from '../../../../src/features/deployments/projectPlace';
import { WriteOnlySettingsStore } from '../../../../src/features/deployments/settings/writeOnlySettings';
import type { FilePlace } from '../../../../src/containers/place';
import { openJournal } from '../../../unit/files/journal/journalSetUp';

const account = 'a';
const project: ProjectPlace = { account, environment: 'shop', layer: 'cp', context: 'ROOT' };
const file: FilePlace = {
  kind: 'file',
  account,
  environment: 'shop',
  target: { nodeGroup: 'cp', nodeId: 1 },
  path: '/a',
};

/** Puts a file or folder at the path that can't be read as what was there before, even by root. */
async function spoil(path: string, as: 'file' | 'folder'): Promise<void> {
  await rm(path, { recursive: true, force: true });
  await mkdir(dirname(path), { recursive: true });
  await (as === 'file' ? writeFile(path, '') : mkdir(path));
}

describe('an unreadable record on this computer', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-unreadable-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('of edits is not treated as an empty list', async () => {
    const nodeEditLog = new NodeEditLog(openJournal(folder).journal, () => true);
    const paths = async () => (await nodeEditLog.of(account)).map(({ path }) => path);
    assert.deepEqual(await paths(), []);
    assert.equal(await nodeEditLog.find(file), undefined);
    await nodeEditLog.note(file, { what: 'changed', before: 'old' });
    const [name = ''] = await readdir(join(folder, account));
    await nodeEditLog.note({ ...file, path: '/b' }, { what: 'changed', before: 'old' });
    await spoil(join(folder, account, name), 'folder');
    assert.deepEqual(await paths(), ['/b']);
    assert.equal((await nodeEditLog.read(account)).unknown, 1);
    await assert.rejects(nodeEditLog.find(file));
    await spoil(join(folder, account), 'file');
    await assert.rejects(nodeEditLog.of(account));
    nodeEditLog.dispose();
  });

  it('of an edit is replaced when the file is edited again', async () => {
    const nodeEditLog = new NodeEditLog(openJournal(folder).journal, () => true);
    await nodeEditLog.note(file, { what: 'changed', before: 'old' });
    const [name = ''] = await readdir(join(folder, account));
    await writeFile(join(folder, account, name), '{');
    assert.equal((await nodeEditLog.read(account)).unknown, 1);
    await nodeEditLog.note(file, { what: 'changed', before: 'newer' });
    assert.deepEqual(
      (await nodeEditLog.of(account)).map(({ path, before }) => [path, before]),
      [['/a', 'newer']],
    );
    assert.equal((await nodeEditLog.read(account)).unknown, 0);
    nodeEditLog.dispose();
  });

  it('of project settings is not treated as empty', async () => {
    const store = new WriteOnlySettingsStore(folder);
    assert.equal(await store.find(project), undefined);
    await store.keep(project, { ...noWriteOnlySettings, keyId: 7 });
    const [name = ''] = await readdir(join(folder, account));
    await spoil(join(folder, account, name), 'folder');
    await assert.rejects(store.find(project));
  });

  it('of redeploys is not treated as an empty history, and survives renaming the context', async () => {
    const history = new DeployHistory(folder);
    assert.deepEqual(await history.of(project), []);
    const record: DeployRecord = {
      id: 'one',
      ...project,
      startedAt: 1,
      milliseconds: 1,
      verdict: { kind: 'running' },
      nodes: [],
      log: '',
    };
    await history.keep(record);
    const [name = ''] = await readdir(join(folder, account));
    const kept = join(folder, account, name);
    await rename(join(kept, 'one.json'), join(folder, 'one.json'));
    await mkdir(join(kept, 'one.json'));
    await assert.rejects(history.of(project));
    await assert.rejects(history.move(project, { ...project, context: 'shop' }));
    assert.deepEqual(await readdir(kept), ['one.json']);
    await spoil(kept, 'file');
    await assert.rejects(history.of(project));
    history.dispose();
  });

  it('of a redeploy by another version of Gantry is not deleted when the context is renamed', async () => {
    const history = new DeployHistory(folder);
    const record: DeployRecord = {
      id: 'one',
      ...project,
      startedAt: 1,
      milliseconds: 1,
      verdict: { kind: 'running' },
      nodes: [],
      log: '',
    };
    await history.keep(record);
    const [name = ''] = await readdir(join(folder, account));
    await writeFile(join(folder, account, name, 'two.json'), '{"form":2}');
    const renamed = { ...project, context: 'shop' };
    await history.move(project, renamed);
    assert.deepEqual(await readdir(join(folder, account, name)), ['two.json']);
    assert.deepEqual(
      (await history.of(renamed)).map(({ id, context }) => [id, context]),
      [['one', 'shop']],
    );
    history.dispose();
  });

  it('of drafts is not treated as empty', async () => {
    const failures: unknown[] = [];
    const drafts = new ProjectDrafts(join(folder, 'drafts'), (error) => failures.push(error));
    await drafts.restored();
    assert.deepEqual(failures, []);
    await spoil(join(folder, 'drafts'), 'file');
    await drafts.restored();
    assert.equal(failures.length, 1);
    drafts.dispose();
  });
});
