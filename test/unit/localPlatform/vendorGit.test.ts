import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { VcsSetUp, webroot, type VcsAnswer, type Wishes } from './vcsSetUp';

const root = `${webroot}/ROOT`;
const index = `${root}/index.php`;
const autoResolveLog = '/var/log/nginx/vcs_autoresolve.log';

describe("local platform: the vendor's deployment of a Git project", () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start(vendorDeployments)));
  afterEach(() => setUp.stop());

  /** Updates the first node only. Nothing in these tests depends on the other. */
  const update = (): Promise<VcsAnswer> => setUp.update({ nodeId: setUp.nodeId(0) });
  const create = async (wishes: Wishes = {}): Promise<VcsAnswer> => {
    const created = await setUp.create(wishes);
    await succeed();
    return created;
  };
  const succeed = async (): Promise<VcsAnswer> => {
    const answer = await update();
    assert.equal(answer.result, 0, answer.log);
    return answer;
  };
  const edit = (wishes: Wishes): Promise<VcsAnswer> =>
    setUp.succeed('EditProject', { ...setUp.editWishes, autoResolveConflict: true, ...wishes });
  const commit = (text: string, branch = 'master'): Promise<string> =>
    setUp.repository.commit({ message: text, branch, files: { 'index.php': `${text}\n` } });
  const head = async (): Promise<string> => {
    const args = ['-c', 'safe.directory=*', '-C', setUp.file(root), 'rev-parse', 'HEAD'];
    return (await promisify(execFile)('git', args)).stdout.trim();
  };
  const shown = async (): Promise<string> => (await setUp.read(index)).trim();

  it('replaces the folder the first time, and has nothing to show if the clone fails', async () => {
    await mkdir(setUp.file(root), { recursive: true });
    await setUp.edit(`${root}/old.php`, 'old');
    await setUp.create({ password: 'wrong' });
    const { result, error } = await update();
    assert.equal(result, 4000);
    assert.match(error, /^An error occurred during the VCS deployment on node \d+\. Please, check the logs/u);
    assert.deepEqual(await readdir(setUp.file(webroot)), []);
    await edit({ password: setUp.projectWishes['password'] ?? '' });
    await succeed();
    assert.equal(await shown(), 'one');
  });

  it('discards edits of tracked files if auto-resolve is unset, and keeps untracked and ignored files', async () => {
    await setUp.repository.commit({ message: 'ignore', files: { '.gitignore': '.env\n' } });
    const created = await create();
    assert.equal(created['autoResolveConflict'], true);
    await setUp.edit(index, 'edited\n');
    await setUp.edit(`${root}/.env`, 'SECRET=1\n');
    await setUp.edit(`${root}/upload.txt`, 'mine\n');
    const hash = await commit('two');
    await succeed();
    assert.deepEqual([await shown(), await head()], ['two', hash]);
    assert.equal(await setUp.read(`${root}/.env`), 'SECRET=1\n');
    assert.equal(await setUp.read(`${root}/upload.txt`), 'mine\n');
  });

  it('logs where a reset has left HEAD, and not what it has discarded', async () => {
    await create();
    await setUp.edit(index, 'edited\n');
    await succeed();
    const line = /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4} HEAD is now at [0-9a-f]{7} first$/u;
    const lines = (await setUp.read(autoResolveLog)).trimEnd().split('\n');
    assert.equal(lines.length, 2);
    for (const one of lines) assert.match(one, line);
  });

  it('without auto-resolve, a pull that would overwrite an edit fails, and a checkout that fails is none', async () => {
    await create({ autoResolveConflict: false });
    await setUp.edit(index, 'edited\n');
    await commit('two');
    assert.equal((await update()).result, 4000);
    assert.equal(await shown(), 'edited');
    await setUp.repository.setReference('refs/heads/master', setUp.first);
    await commit('next', 'next');
    await edit({ branch: 'next', autoResolveConflict: false });
    await succeed();
    assert.deepEqual([await shown(), await head()], ['edited', setUp.first]);
  });

  it('fails at an untracked file in the way, even with auto-resolve', async () => {
    await create();
    await setUp.edit(`${root}/new.php`, 'mine\n');
    await setUp.repository.commit({ message: 'new', files: { 'new.php': 'theirs\n' } });
    assert.deepEqual([(await update()).result, (await update()).result], [4000, 4000]);
    assert.equal(await setUp.read(`${root}/new.php`), 'mine\n');
  });

  it('ignores repoHash, and returns it', async () => {
    await commit('two');
    const created = await create({ repoHash: setUp.first });
    assert.equal(created['repoHash'], setUp.first);
    assert.equal(await shown(), 'two');
    await commit('three');
    await succeed();
    assert.equal(await shown(), 'three');
    assert.equal((await setUp.succeed('GetProject'))['repoHash'], setUp.first);
  });

  it('pulls the branch that is left, so one Update leaves a branch of before where it was', async () => {
    const next = await commit('next', 'next');
    await create();
    await edit({ branch: 'next' });
    await succeed();
    assert.equal(await head(), next);
    const hash = await commit('two');
    await edit({ branch: 'master' });
    await succeed();
    assert.equal(await head(), setUp.first);
    await succeed();
    assert.deepEqual([await head(), await shown()], [hash, 'two']);
  });

  for (const kind of ['commit', 'tag'] as const) {
    it(`a ${kind} as branch detaches HEAD, and every Update after that fails, even with the branch set back`, async () => {
      const second = await commit('two');
      await setUp.repository.setReference('refs/tags/v1', setUp.first);
      await create({ branch: kind === 'tag' ? 'v1' : setUp.first });
      assert.deepEqual([await head(), await shown()], [setUp.first, 'one']);
      assert.match((await update()).log, /You are not currently on a branch/u);
      await edit({ branch: 'master' });
      assert.deepEqual([(await update()).result, (await update()).result], [4000, 4000]);
      assert.equal(await head(), setUp.first);
      await setUp.edit(`${root}/.git/HEAD`, 'ref: refs/heads/master\n');
      await succeed();
      assert.deepEqual([await head(), await shown()], [second, 'two']);
    });
  }

  it('without its .git, a folder with a detached HEAD is replaced by a new clone', async () => {
    await create({ branch: setUp.first });
    await edit({ branch: 'master' });
    await setUp.edit(`${root}/upload.txt`, 'mine\n');
    assert.equal((await update()).result, 4000);
    await rm(setUp.file(`${root}/.git`), { recursive: true });
    const second = await commit('two');
    await succeed();
    assert.equal(await head(), second);
    await assert.rejects(setUp.read(`${root}/upload.txt`));
  });

  it('a commit as branch detaches a clone that had a branch', async () => {
    await create();
    await commit('two');
    await edit({ branch: setUp.first });
    await succeed();
    assert.deepEqual([await head(), await shown()], [setUp.first, 'one']);
    assert.equal((await update()).result, 4000);
  });

  it('passes a detached HEAD if only what Git prints counts, and attaches it again', async () => {
    setUp.platform.behaviour.pullFailures = 'output';
    const second = await commit('two');
    await create({ branch: setUp.first });
    await succeed();
    assert.equal(await head(), setUp.first);
    await edit({ branch: 'master' });
    await succeed();
    assert.equal(await head(), second);
    const third = await commit('three');
    await succeed();
    assert.equal(await head(), third);
  });

  it('a branch that is gone from the repository makes every pull fail, even with another branch set', async () => {
    await commit('next', 'next');
    await create({ branch: 'next' });
    await setUp.repository.setReference('refs/heads/next');
    assert.match((await update()).log, /no such ref was fetched/u);
    await edit({ branch: 'master' });
    assert.equal((await update()).result, 4000);
    setUp.platform.behaviour.pullFailures = 'output';
    await succeed();
    assert.equal(await head(), setUp.first);
  });

  it("a branch that doesn't exist is no failure: the files stay on the branch before, or on the repository's own", async () => {
    await create({ branch: 'nowhere' });
    assert.deepEqual([await head(), await shown()], [setUp.first, 'one']);
    await edit({ branch: 'elsewhere' });
    await succeed();
    assert.equal(await head(), setUp.first);
  });

  it("takes a branch for the current one if the current one's name contains it", async () => {
    await commit('long', 'next-2');
    const short = await commit('short', 'next');
    await create({ branch: 'next-2' });
    await edit({ branch: 'next' });
    await succeed();
    assert.equal(await shown(), 'long');
    await edit({ branch: 'master' });
    await succeed();
    await edit({ branch: 'next' });
    await succeed();
    assert.equal(await head(), short);
  });

  it('packs the branches of the clone', async () => {
    await create();
    await succeed();
    assert.match(await setUp.read(`${root}/.git/packed-refs`), /refs\/heads\/master/u);
    await assert.rejects(setUp.read(`${root}/.git/refs/heads/master`));
  });

  it('another URL is set in the clone, whose other files stay', async () => {
    await create();
    await setUp.edit(`${root}/upload.txt`, 'mine\n');
    await edit({ url: `${setUp.url}/` });
    assert.match(await setUp.read(`${root}/.git/config`), /tea\.git\/\n/u);
    const hash = await commit('two');
    await succeed();
    assert.deepEqual([await head(), await setUp.read(`${root}/upload.txt`)], [hash, 'mine\n']);
  });

  it('updates a clone of one of our own deployments', async () => {
    setUp.platform.behaviour.deployments = 'own';
    setUp.platform.behaviour.repositoryPasswords = 'hidden';
    await create();
    Object.assign(setUp.platform.behaviour, vendorDeployments);
    const hash = await commit('two');
    await succeed();
    assert.equal(await head(), hash);
  });

  it('continues on the other node, and says which failed', async () => {
    await setUp.create({ updateNow: true });
    await writeFile(setUp.file(`${root}/.git/HEAD`, { node: 1 }), `${setUp.first}\n`);
    const hash = await commit('two');
    const { result, error } = await setUp.update();
    assert.equal(result, 4000);
    assert(error.includes(`on node ${setUp.nodeId(1)}.`));
    assert.equal(await head(), hash);
  });
});
