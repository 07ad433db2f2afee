import assert from 'node:assert/strict';
import { SvnRepository } from '../../localPlatform/vcs/svnRepository';
import type { SvnServer } from '../../localPlatform/vcs/svnServer';
import { SvnSetUp } from './svnSetUp';
import { logFile, untilFile, type VcsSetUp, webroot, type Wishes } from './vcsSetUp';

const index = `${webroot}/ROOT/index.php`;

describe('local platform: deploying a Subversion project', () => {
  let at: SvnSetUp;
  let setUp: VcsSetUp;
  let repository: SvnRepository;
  let server: SvnServer;
  let wishes: Wishes;

  before(async function () {
    // Subversion isn't installed on this machine.
    if (!(await SvnRepository.isPossible())) this.skip();
  });
  beforeEach(async () => {
    at = await SvnSetUp.start({ pollingSpeed: 1200 });
    ({ setUp, repository, server, wishes } = at);
  });
  afterEach(() => at.stop());

  it('checks out first and updates later', async () => {
    await setUp.create({ ...wishes, updateNow: true });
    for (const node of [0, 1]) assert.equal(await setUp.read(index, { node }), 'one\n');
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    const { result, log } = await setUp.update();
    assert.equal(result, 0);
    assert.match(log, /deployed 2/u);
    assert.equal(await setUp.read(index), 'two\n');
  });

  it('a conflicting edit makes it fail and stays', async () => {
    await setUp.create({ ...wishes, updateNow: true });
    await setUp.edit(index, 'edited\n');
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    const { result, log } = await setUp.update();
    assert.equal(result, 4000);
    assert.match(log, /M +\* .*index\.php/u);
    assert.equal(await setUp.read(index), 'edited\n');
    assert.equal(await setUp.read(index, { node: 1 }), 'two\n');
  });

  it('autoResolveConflict discards the edit', async () => {
    await setUp.create({ ...wishes, updateNow: true, autoResolveConflict: true });
    await setUp.edit(index, 'edited\n');
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    assert.equal((await setUp.update()).result, 0);
    assert.equal(await setUp.read(index), 'two\n');
  });

  it('repoHash is a revision', async () => {
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    await setUp.create({ ...wishes, updateNow: true, repoHash: '1' });
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('4053 for a wrong password, 4050 for a missing repository', async () => {
    await setUp.create({ ...wishes, password: 'wrong' });
    assert.equal((await setUp.update()).result, 4053);
    await setUp.create({ ...wishes, context: 'other', url: server.url('coffee') });
    assert.equal((await setUp.update({ context: 'other' })).result, 4050);
  });

  it('is updated by auto-update', async () => {
    await setUp.create({ ...wishes, updateNow: true, autoupdate: true, interval: '1' });
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    await untilFile(setUp.file(logFile), (log) => log.includes('deployed 2'));
    assert.equal(await setUp.read(index), 'two\n');
  });
});
