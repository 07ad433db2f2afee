import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { skipOn } from '../../host/skipOn';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, entriesOf } from './requests';

describe('local platform: rights and links', () => {
  const asked = onStageEachTime(new AskedScene());
  const disk = asked.disk('cp');
  const result = async (operation: string, values: Parameters<AskedScene['call']>[1]): Promise<unknown> =>
    (await asked.call(operation, { nodeid: disk.id, ...values })).result;

  it("lets the user read and write only public files and the user's own", async () => {
    await disk.put('/etc/app.conf', 'x', 0o644);
    await disk.put('/etc/shadow', 'x', 0o640);
    await disk.put('/etc/shared', 'x', 0o666);
    assert.equal(await result('Read', { path: '/etc/app.conf' }), 0);
    assert.equal(await result('Read', { path: '/etc/shadow' }), 4037);
    assert.equal(await result('Write', { path: '/etc/app.conf', body: 'y' }), 4037);
    assert.equal(await result('Append', { path: '/etc/app.conf', body: 'y' }), 4037);
    assert.equal(await result('ReplaceInBody', { path: '/etc/app.conf', pattern: 'x', replacement: 'y' }), 4037);
    assert.equal(await result('Write', { path: '/etc/shared', body: 'y' }), 0);
    assert.equal(await result('Write', { path: '/etc/new', body: 'y' }), 4037);
    assert.equal(await disk.text('/etc/app.conf'), 'x');
  });

  it("uses the owner's bits if the user is the owner", async () => {
    await disk.put('/srv/locked', 'x', 0o444);
    await disk.put('/srv/secret', 'x', 0o200);
    assert.equal(await result('Write', { path: '/srv/locked', body: 'y' }), 4037);
    assert.equal(await result('Read', { path: '/srv/secret' }), 4037);
  });

  it("requires the folder's bits to list, enter, add, and remove", async () => {
    await disk.put('/srv/blind/f', 'x');
    await disk.folder('/srv/blind', 0o300);
    await disk.put('/srv/shut/f', 'x');
    await disk.folder('/srv/shut', 0o600);
    await disk.put('/srv/fixed/f', 'x');
    await disk.folder('/srv/fixed', 0o555);
    assert.equal(await result('GetList', { path: '/srv/blind' }), 4037);
    assert.equal(await result('Read', { path: '/srv/blind/f' }), 0);
    assert.equal(await result('Read', { path: '/srv/shut/f' }), 4037);
    assert.equal(await result('Create', { path: '/srv/fixed/g' }), 4037);
    assert.equal(await result('Delete', { path: '/srv/fixed/f' }), 4037);
    assert.equal(await result('Rename', { oldPath: '/srv/fixed/f', newPath: '/srv/f' }), 4037);
    assert.equal(await result('Delete', { path: '/srv/fixed' }), 4037);
    assert.equal(await result('Copy', { src: '/srv/fixed/f', dest: '/srv/fixed/g' }), 4037);
    assert.equal(await result('Copy', { src: '/srv/shut', dest: '/srv/opened' }), 4037);
    for (const folder of ['/srv/blind', '/srv/shut', '/srv/fixed']) await disk.folder(folder, 0o755);
  });

  it('makes the user the owner of created files everywhere', async () => {
    assert.equal(await result('Create', { path: '/open/mine', isdir: true }), 0);
    assert.equal(await result('Write', { path: '/open/mine/f', body: 'x' }), 0);
    assert.equal(await result('Rename', { oldPath: '/open/mine', newPath: '/open/still-mine' }), 0);
    assert.equal(await result('Write', { path: '/open/still-mine/f', body: 'y' }), 0);
    await disk.put('/open/roots/f', 'x');
    assert.equal(await result('Write', { path: '/open/roots/f', body: 'y' }), 4037);
    assert.equal(await result('Delete', { path: '/open/still-mine' }), 0);
    await disk.put('/open/still-mine/f', 'x');
    assert.equal(await result('Write', { path: '/open/still-mine/f', body: 'y' }), 4037);
  });

  it('resolves links as the container does: absolute ones from its own root', async () => {
    await disk.put('/srv/releases/2/index.php', 'two');
    await disk.link('/srv/current', '/srv/releases/2');
    await disk.link('/srv/relative', 'releases/../current/index.php');
    assert.equal((await asked.call('Read', { path: '/srv/current/index.php' }))['body'], 'two');
    assert.equal((await asked.call('Read', { path: '/srv/relative' }))['body'], 'two');
    assert.equal(await result('Write', { path: '/srv/relative', body: 'changed' }), 0);
    assert.equal(await disk.text('/srv/releases/2/index.php'), 'changed');
  });

  it('stops at circular links', async () => {
    await disk.link('/srv/a', 'b');
    await disk.link('/srv/b', 'a');
    assert.equal(await result('Read', { path: '/srv/a' }), 99);
    assert.deepEqual(
      entriesOf(await asked.call('GetList', { path: '/srv' })).map(({ name }) => name),
      ['a', 'b'],
    );
  });

  it('never leaves the node: .. at the root, links to the outside, odd spellings', async () => {
    await writeFile(join(asked.platform.dataFolder, 'nodes', 'outside'), 'secret');
    await disk.link('/srv/out', join(asked.platform.dataFolder, 'nodes'));
    await disk.link('/srv/up', '../../../../nodes');
    const ways = [
      '/../../outside',
      '/srv/../../../outside',
      '/srv/out/outside',
      '/srv/up/outside',
      '//..//..//outside',
      '/./../outside',
      '/..%2f..%2foutside',
      '/..\\..\\outside',
      join(asked.platform.dataFolder, 'nodes', 'outside'),
    ];
    for (const path of ways) {
      assert.equal(await result('Read', { path }), 4035, path);
      assert.notEqual(await result('Write', { path, body: 'x' }), 0, path);
      assert.notEqual(await result('Copy', { src: path, dest: '/srv/stolen' }), 0, path);
      assert.notEqual(await result('Delete', { path }), 0, path);
    }
    assert.equal(await result('Read', { path: '/srv/nul\0/x' }), 3);
    assert.equal(await result('Read', { path: `/srv/${'x'.repeat(300)}` }), 3);
    assert.equal(await result('Rename', { oldPath: '/srv/out', newPath: '/../../moved' }), 4037);
  });

  it('opens only regular files', async function () {
    skipOn(this, 'win32');
    const { execFileSync } = await import('node:child_process');
    execFileSync('mkfifo', [disk.path('/srv/pipe')]);
    assert.equal(await result('Read', { path: '/srv/pipe' }), 99);
    assert.equal(await result('Write', { path: '/srv/pipe', body: 'x' }), 99);
    assert.equal(entriesOf(await asked.call('GetList', { path: '/srv' }))[0]?.['fileType'], 'named pipe');
  });
});
