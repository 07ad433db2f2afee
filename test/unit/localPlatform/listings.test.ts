import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, entriesOf, partOf, textOf, type Values } from './requests';

describe('local platform: listings', () => {
  const asked = onStageEachTime(new AskedScene());
  const disk = asked.disk('cp');
  const names = async (values: Values): Promise<string[]> =>
    entriesOf(await asked.call('GetList', values)).map((entry) => textOf(entry, 'name'));

  it('lists the entries of a folder with all fields that have a value', async () => {
    await disk.put('/etc/app.conf', 'löwe', 0o640);
    await disk.folder('/etc/conf.d');
    await utimes(disk.path('/etc/app.conf'), 1_629_384_697, 1_629_384_697);
    const answer = await asked.call('GetList', { path: '/etc/' });
    assert.deepEqual([answer.result, answer['coreRootPath'], answer['directoryPathList']], [0, '/', ['/etc']]);
    assert.deepEqual(Object.keys(partOf(answer, 'keywords')), ['/etc']);
    const [file, folder] = entriesOf(answer);
    assert.deepEqual(file, {
      absolutePath: '/etc/app.conf',
      fileType: 'regular file',
      isDir: false,
      isExported: false,
      isRoot: false,
      lastModified: '2021-08-19 14:51:37',
      length: 5,
      name: 'app.conf',
      permission: '-rw-r-----',
    });
    assert.deepEqual([folder?.['fileType'], folder?.['isDir'], folder?.['name']], ['directory', true, 'conf.d']);
  });

  it('can simulate other platforms: times, keys, permissions, and the folder among its entries', async () => {
    await disk.put('/etc/a', '', 0o600);
    await disk.folder('/etc/d');
    await utimes(disk.path('/etc/a'), 1_629_384_697.25, 1_629_384_697.25);
    const { behaviour } = asked.platform;
    Object.assign(behaviour, { fileTimes: 'minutes', listingKeys: 'kind', permissionForm: 'octal' });
    const byKind = await asked.call('GetList', { path: '/etc' });
    assert.deepEqual(Object.keys(partOf(byKind, 'keywords')), ['directories', 'files']);
    const file = entriesOf(byKind).find(({ name }) => name === 'a');
    assert.deepEqual([file?.['lastModified'], file?.['permission']], ['2021-08-19 14:51', '600']);
    Object.assign(behaviour, { fileTimes: 'milliseconds', listingKeys: 'single', listingSelf: 'present' });
    const single = await asked.call('GetList', { path: '/etc' });
    assert.deepEqual(Object.keys(partOf(single, 'keywords')), ['files']);
    assert.equal(entriesOf(single)[0]?.['absolutePath'], '/etc');
    assert.equal(entriesOf(single)[1]?.['lastModified'], '1629384697250');
  });

  it('applies a filter that matches whole names or parts of them', async () => {
    for (const name of ['a.conf', 'b.conf', 'a.conf.bak', 'two words.conf']) await disk.put(`/etc/${name}`, '');
    assert.deepEqual(await names({ path: '/etc', filter: '.*\\.conf' }), ['a.conf', 'b.conf', 'two words.conf']);
    assert.deepEqual(await names({ path: '/etc', filter: 'conf' }), []);
    assert.deepEqual(await names({ path: '/etc', filter: '\\Qa.conf\\E(\\.bak)?' }), ['a.conf', 'a.conf.bak']);
    assert.deepEqual(await names({ path: '/etc', filter: 'two\\ words\\.conf' }), ['two words.conf']);
    asked.platform.behaviour.filter = 'finds';
    assert.deepEqual((await names({ path: '/etc', filter: '^a\\.conf' })).length, 2);
    assert.equal((await asked.call('GetList', { path: '/etc', filter: '(' })).result, 3);
    assert.equal((await asked.call('GetList', { path: '/etc', filter: 'x'.repeat(255) })).result, 0);
    assert.equal((await asked.call('GetList', { path: '/etc', filter: 'x'.repeat(256) })).result, 3);
  });

  it('rejects a path that is missing or not a folder', async () => {
    await disk.put('/etc/a', '');
    assert.equal((await asked.call('GetList', { path: '/none' })).result, 4035);
    assert.equal((await asked.call('GetList', { path: '/etc/a' })).result, 4102);
  });

  it('returns the shortcuts of the layer and the favorites of the account if there is no path', async () => {
    await disk.put('/srv/app.ini', '');
    await asked.call('AddFavorite', { path: '/srv/app.ini', keyword: 'settings' });
    await asked.call('AddFavorite', { path: '/srv/gone', keyword: 'gone' });
    const answer = await asked.call('GetList');
    assert.deepEqual(answer['directoryPathList'], ['/etc', '/srv/app.ini']);
    assert.deepEqual(Object.keys(partOf(answer, 'keywords')), ['conf', 'settings']);
  });

  it('shows the targets of links under their own names, and a broken link without a type', async () => {
    await disk.put('/srv/real/a', '12345');
    await disk.link('/srv/short', '/srv/real');
    await disk.link('/srv/nowhere', '/srv/none');
    const [nowhere, , short] = entriesOf(await asked.call('GetList', { path: '/srv' }));
    assert.deepEqual([short?.['name'], short?.['isDir'], short?.['absolutePath']], ['short', true, '/srv/short']);
    assert.deepEqual([nowhere?.['name'], nowhere?.['fileType'], nowhere?.['isDir']], ['nowhere', undefined, false]);
    const [inside] = entriesOf(await asked.call('GetList', { path: '/srv/short' }));
    assert.deepEqual([inside?.['absolutePath'], inside?.['length']], ['/srv/short/a', 5]);
  });

  it('lists the files of the master or of the requested node', async () => {
    const second = asked.disk('cp', 1);
    await second.put('/srv/only-here', '');
    assert.deepEqual(await names({ path: '/srv' }), []);
    assert.deepEqual(await names({ path: '/srv', nodeid: second.id }), ['only-here']);
  });

  it('lists a folder of thousands', async () => {
    for (let index = 0; index < 3000; index += 1) writeFileSync(disk.path(`/srv/f${index}`), '');
    assert.equal((await names({ path: '/srv' })).length, 3000);
  });
});
