import assert from 'node:assert/strict';
import { lstat } from 'node:fs/promises';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, rowsOf } from './requests';

describe('local platform: entries', () => {
  const asked = onStageEachTime(new AskedScene());
  const disk = asked.disk('cp');
  const second = asked.disk('cp', 1);
  const { result } = asked;

  it('creates files and folders, and returns a row per node', async () => {
    const folder = await asked.call('Create', { path: '/srv/d', isdir: true });
    assert.deepEqual(
      [folder.result, folder['isDirectory'], folder['path'], folder['permission'], folder['user']],
      [0, true, '/srv/d', 'drwxr-xr-x', 'nginx'],
    );
    assert.deepEqual(
      rowsOf(folder, 'responses').map(({ nodeid, result: code, exitStatus }) => [nodeid, code, exitStatus]),
      [disk.id, second.id].map((id) => [id, 0, 0]),
    );
    assert.equal((await asked.call('Create', { path: '/srv/d/f' }))['isDirectory'], false);
    assert.equal(await second.text('/srv/d/f'), '');
  });

  it('creates nothing at an existing path or in a missing folder', async () => {
    await asked.call('Create', { path: '/srv/f' });
    await disk.link('/srv/nowhere', '/none');
    assert.equal(await result('Create', { path: '/srv/f' }), 4036);
    assert.equal(await result('Create', { path: '/srv', isdir: true }), 4036);
    assert.equal(await result('Create', { path: '/srv/nowhere', nodeid: disk.id }), 4036);
    assert.equal(await result('Create', { path: '/srv/none/f' }), 4035);
  });

  it('nests a failure on some nodes under an outer 0, or returns it as the outer one', async () => {
    await second.put('/srv/f', '');
    const nested = await asked.call('Create', { path: '/srv/f' });
    assert.equal(nested.result, 0);
    assert.deepEqual(
      rowsOf(nested, 'responses').map((row) => [row['nodeid'], row['result'], row['exitStatus']]),
      [
        [disk.id, 0, 0],
        [second.id, 4036, 1],
      ],
    );
    asked.platform.behaviour.nodeFailures = 'outer';
    await disk.put('/srv/g', '');
    assert.equal(await result('Create', { path: '/srv/g' }), 4036);
  });

  it('deletes files, trees, and links, but never the target of a link', async () => {
    await disk.put('/srv/real/keep', 'kept');
    await disk.put('/srv/d/e/f', '');
    await disk.link('/srv/d/link', '/srv/real');
    assert.equal(await result('Delete', { path: '/srv/d', nodeid: disk.id }), 0);
    await disk.link('/srv/link', 'real');
    assert.equal(await result('Delete', { path: '/srv/link', nodeid: disk.id }), 0);
    assert.deepEqual(await disk.names('/srv'), ['real']);
    assert.equal(await disk.text('/srv/real/keep'), 'kept');
    assert.equal(await result('Delete', { path: '/srv/none', nodeid: disk.id }), 4035);
    assert.equal(await result('Delete', { path: '/' }), 4037);
  });

  it('copies files and trees with their modes and links, and overwrites nothing', async () => {
    await disk.put('/srv/d/run', '#!', 0o755);
    await disk.put('/srv/d/sub/f', 'f');
    await disk.link('/srv/d/link', '../x');
    const copy = (src: string, dest: string) => result('Copy', { src, dest, nodeid: disk.id });
    assert.equal(await copy('/srv/d', '/srv/e'), 0);
    assert.deepEqual(await disk.names('/srv/e'), ['link', 'run', 'sub']);
    assert.equal((await lstat(disk.path('/srv/e/run'))).mode & 0o777, 0o755);
    assert.ok((await lstat(disk.path('/srv/e/link'))).isSymbolicLink());
    assert.equal(await copy('/srv/d/run', '/srv/run'), 0);
    assert.equal(await disk.text('/srv/run'), '#!');
    assert.equal(await copy('/srv/run', '/srv/d/run'), 4047);
    assert.equal(await copy('/srv/run', '/srv/d'), 4041);
    assert.equal(await copy('/srv/run', '/srv/none/run'), 4042);
    assert.equal(await copy('/srv/none', '/srv/x'), 4046);
    assert.equal(await copy('/none/deep', '/srv/x'), 4046);
    assert.equal(await copy('/srv/d', '/srv/d/sub/d'), 3);
  });

  it('renames within a folder and to another, depending on its switch, and overwrites nothing', async () => {
    await disk.put('/srv/a', 'a');
    await disk.put('/srv/b', 'b');
    await disk.folder('/srv/d');
    const rename = (oldPath: string, newPath: string) => result('Rename', { oldPath, newPath, nodeid: disk.id });
    assert.equal(await rename('/srv/a', '/srv/b'), 4036);
    assert.equal(await rename('/srv/a', '/srv/none/a'), 4035);
    assert.equal(await rename('/srv/none', '/srv/x'), 4035);
    assert.equal(await rename('/srv/d', '/srv/d/e'), 3);
    assert.equal(await rename('/srv/a', '/srv/A'), 0);
    assert.equal(await rename('/srv/A', '/srv/d/a'), 0);
    assert.equal(await disk.text('/srv/d/a'), 'a');
    asked.platform.behaviour.renameAcrossFolders = 'refused';
    const refused = await asked.call('Rename', { oldPath: '/srv/b', newPath: '/srv/d/b', nodeid: disk.id });
    assert.deepEqual([refused.result, refused['error'], refused['source']], [2333, 'Pathes are different.', 'JEL']);
    assert.equal(await rename('/srv/b', '/srv/c'), 0);
  });
});
