import assert from 'node:assert/strict';
import { lstat, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTar, makeZip, type TarEntry } from './makeArchive';
import { packedTrees } from './packedTrees';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene } from './requests';

describe('local platform: archives', () => {
  const asked = onStageEachTime(new AskedScene());
  const disk = asked.disk('cp');
  const unpack = async (archive: Buffer, destPath = '/srv/out'): Promise<unknown> => {
    await disk.put('/srv/archive', archive);
    return (await asked.call('UnpackById', { nodeId: disk.id, sourcePath: '/srv/archive', destPath })).result;
  };

  for (const [kind, base64] of Object.entries(packedTrees)) {
    it(`unpacks a ${kind}`, async () => {
      assert.equal(await unpack(Buffer.from(base64, 'base64')), 0);
      const names = await disk.names('/srv/out/app');
      assert.deepEqual(names, ['empty', 'link', 'n'.repeat(120), 'run.sh', 'sub', 'twin'].sort());
      assert.equal(await disk.text('/srv/out/app/sub/two words.txt'), 'löwe');
      assert.equal(await disk.text('/srv/out/app/twin'), 'run');
      assert.equal(await readlink(disk.path('/srv/out/app/link')), 'run.sh');
      assert.equal((await lstat(disk.path('/srv/out/app/run.sh'))).mode & 0o777, 0o755);
    });
  }

  it('overwrites existing files on all nodes of a type', async () => {
    const second = asked.disk('cp', 1);
    const archive = makeTar([{ name: 'a', content: 'new' }]);
    for (const each of [disk, second]) {
      await each.put('/srv/archive', archive);
      await each.put('/srv/a', 'old');
    }
    const answer = await asked.call('UnpackByType', {
      nodeType: 'nginxphp',
      sourcePath: '/srv/archive',
      destPath: '/srv',
    });
    assert.equal(answer.result, 0);
    assert.deepEqual([await disk.text('/srv/a'), await second.text('/srv/a')], ['new', 'new']);
  });

  it('rejects a file that is missing, damaged, or not an archive', async () => {
    const tar = makeTar([{ name: 'a', content: 'x'.repeat(3000) }]);
    const zipped = Buffer.from(packedTrees['tar.gz'], 'base64');
    assert.equal(await unpack(Buffer.from('plain text')), 4175);
    assert.equal(await unpack(Buffer.alloc(0)), 4175);
    assert.equal(await unpack(tar.subarray(0, 1500)), 4175);
    assert.equal(await unpack(zipped.subarray(0, 100)), 4175);
    assert.equal(await unpack(Buffer.from(packedTrees['tar.bz2'], 'base64').subarray(0, 150)), 4175);
    assert.equal(await unpack(Buffer.from(packedTrees.zip, 'base64').subarray(0, 400)), 4175);
    const missing = await asked.call('UnpackById', { nodeId: disk.id, sourcePath: '/srv/none', destPath: '/srv' });
    assert.equal(missing.result, 4035);
    assert.deepEqual(await disk.names('/srv'), ['archive']);
  });

  it('rejects a folder that belongs to root', async () => {
    assert.equal(await unpack(makeTar([{ name: 'a', content: 'x' }]), '/etc/out'), 4037);
    assert.equal((await asked.call('UnpackByType', { nodeType: 'none', sourcePath: '/a', destPath: '/b' })).result, 5);
  });

  const hostile: Readonly<Record<string, readonly TarEntry[]>> = {
    'a name with ..': [
      { name: 'ok', content: 'x' },
      { name: '../../../escaped', content: 'x' },
    ],
    'an absolute name': [{ name: '/escaped', content: 'x' }],
    'a hard link to the outside': [{ name: 'h', type: '1', target: '../../../../etc/passwd' }],
  };
  for (const [what, entries] of Object.entries(hostile)) {
    it(`writes nothing from an archive with ${what}`, async () => {
      assert.equal(await unpack(makeTar(entries)), 4175);
      assert.deepEqual(await disk.names('/srv'), ['archive']);
    });
  }

  it('writes nothing from a zip file that leads outside', async () => {
    assert.equal(await unpack(makeZip('../../escaped', 'x')), 4175);
    assert.equal(await unpack(makeZip('/escaped', 'x')), 4175);
    assert.deepEqual(await disk.names('/srv'), ['archive']);
  });

  it('stays inside the node behind a link from the archive', async () => {
    const outside = join(asked.platform.dataFolder, 'escaped');
    const entries: TarEntry[] = [
      { name: 'up', type: '2', target: '../../../../../../../..' },
      { name: 'out', type: '2', target: asked.platform.dataFolder },
      { name: 'up/escaped', content: 'x' },
    ];
    // `up` resolves to the container's own root, which belongs to root.
    assert.equal(await unpack(makeTar(entries)), 4037);
    assert.equal(
      await unpack(
        makeTar([
          { name: 'file', type: '2', target: outside },
          { name: 'file', content: 'x' },
        ]),
        '/srv/two',
      ),
      4035,
    );
    await assert.rejects(lstat(outside));
  });

  it('creates no devices', async () => {
    assert.equal(
      await unpack(
        makeTar([
          { name: 'null', type: '3' },
          { name: 'a', content: 'x' },
        ]),
      ),
      0,
    );
    assert.deepEqual(await disk.names('/srv/out'), ['a']);
  });
});
