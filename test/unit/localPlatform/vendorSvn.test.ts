import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { SvnRepository } from '../../localPlatform/vcs/svnRepository';
import { startSvnServer } from '../../localPlatform/vcs/svnServer';
import { svnCredentials, SvnSetUp } from './svnSetUp';
import { type VcsSetUp, webroot, type Wishes } from './vcsSetUp';

const root = `${webroot}/ROOT`;
const index = `${root}/index.php`;

describe("local platform: the vendor's deployment of a Subversion project", () => {
  let at: SvnSetUp;
  let setUp: VcsSetUp;
  let folder: string;
  let repository: SvnRepository;
  let wishes: Wishes;

  before(async function () {
    // Subversion isn't installed on this machine.
    if (!(await SvnRepository.isPossible())) this.skip();
  });
  beforeEach(async () => {
    at = await SvnSetUp.start(vendorDeployments);
    ({ setUp, folder, repository, wishes } = at);
  });
  afterEach(() => at.stop());

  it('discards edits even without auto-resolve, and keeps other files', async () => {
    await setUp.create({ ...wishes, updateNow: true, autoResolveConflict: false });
    await setUp.edit(index, 'edited\n');
    await setUp.edit(`${root}/.env`, 'SECRET=1\n');
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    const { result, log } = await setUp.update();
    assert.equal(result, 0);
    assert.match(log, /Updated to revision 2\./u);
    assert.equal(await setUp.read(index), 'two\n');
    assert.equal(await setUp.read(`${root}/.env`), 'SECRET=1\n');
    assert.match(await setUp.read('/var/lib/jelastic/vcs/ROOT.properties'), /^LAST_DEPLOYED_COMMIT=2$/mu);
  });

  it('ignores repoHash', async () => {
    await repository.commit('second', { 'trunk/index.php': 'two\n' });
    await setUp.create({ ...wishes, updateNow: true, repoHash: '1' });
    assert.equal(await setUp.read(index), 'two\n');
  });

  it('leaves an empty folder if the first checkout fails, with 4000 for a wrong password', async () => {
    await setUp.create({ ...wishes, password: 'wrong' });
    assert.equal((await setUp.update()).result, 4000);
    assert.deepEqual(await readdir(setUp.file(root)), []);
    assert.match(await setUp.read('/var/log/nginx/vcs_update.log'), /E170001/u);
  });

  it('relocates a checkout to another URL of its repository, and to no other repository', async () => {
    await setUp.create({ ...wishes, updateNow: true });
    await setUp.edit(`${root}/upload.txt`, 'mine\n');
    const again = await startSvnServer({ folder });
    try {
      const edit = { ...setUp.editWishes, ...wishes, url: `${again.url('tea')}/trunk` };
      await setUp.succeed('EditProject', edit);
      await repository.commit('second', { 'trunk/index.php': 'two\n' });
      assert.equal((await setUp.update()).result, 0);
      assert.equal(await setUp.read(index), 'two\n');
      assert.equal(await setUp.read(`${root}/upload.txt`), 'mine\n');
      const other = await SvnRepository.create(join(folder, 'coffee'), svnCredentials);
      await other.commit('first', { 'trunk/index.php': 'coffee\n' });
      const refused = await setUp.send('EditProject', { ...edit, url: `${again.url('coffee')}/trunk` });
      assert.equal(refused.result, 4017);
    } finally {
      await again.close();
    }
  });
});
