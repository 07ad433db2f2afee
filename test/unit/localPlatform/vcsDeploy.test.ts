import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { logFile, VcsSetUp, webroot } from './vcsSetUp';

const index = `${webroot}/ROOT/index.php`;

describe('local platform: deploying a Git project', () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start()));
  afterEach(() => setUp.stop());

  it('stores the project, and deploys nothing before the first Update', async () => {
    await setUp.create();
    await assert.rejects(lstat(setUp.file(index)));
    assert.deepEqual(setUp.server.requests, []);
  });

  it('deploys immediately if updateNow is set', async () => {
    await setUp.create({ updateNow: true });
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('the first Update removes the previous content of the context folder and clones to every node', async () => {
    const old = setUp.file(`${webroot}/ROOT/old.php`);
    await mkdir(dirname(old), { recursive: true });
    await writeFile(old, 'old');
    await setUp.create();
    const { result, log } = await setUp.update();
    assert.equal(result, 0);
    assert.match(log, /deployed [0-9a-f]{40}/u);
    for (const node of [0, 1]) assert.equal(await setUp.read(index, { node }), 'one\n');
    await assert.rejects(lstat(old));
  });

  it("later ones pull, and keep files that aren't in the repository", async () => {
    await setUp.create({ updateNow: true });
    await setUp.edit(`${webroot}/ROOT/upload.txt`, 'mine');
    const hash = await setUp.repository.commit({
      message: 'second',
      files: { 'index.php': 'two\n', 'about.php': null },
    });
    assert.match((await setUp.update()).log, new RegExp(`deployed ${hash}`, 'u'));
    assert.equal(await setUp.read(index), 'two\n');
    assert.equal(await setUp.read(`${webroot}/ROOT/upload.txt`), 'mine');
    await assert.rejects(lstat(setUp.file(`${webroot}/ROOT/about.php`)));
  });

  it('a pull that conflicts with an edit in the container fails and leaves the edit', async () => {
    await setUp.create({ updateNow: true });
    await setUp.edit(index, 'edited\n');
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const { result, error } = await setUp.update();
    assert.equal(result, 4000);
    assert.equal(
      error,
      `An error occurred during the VCS deployment on node ${setUp.nodeId(0)}. Please, check the logs for more details.`,
    );
    assert.equal(await setUp.read(index), 'edited\n');
    assert.equal(await setUp.read(index, { node: 1 }), 'two\n');
  });

  it('autoResolveConflict discards the edit', async () => {
    await setUp.create({ updateNow: true, autoResolveConflict: true });
    await setUp.edit(index, 'edited\n');
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    assert.equal((await setUp.update()).result, 0);
    assert.equal(await setUp.read(index), 'two\n');
  });

  it('an edit without a conflict stays', async () => {
    await setUp.create({ updateNow: true });
    await setUp.edit(`${webroot}/ROOT/about.php`, 'edited\n');
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    assert.equal((await setUp.update()).result, 0);
    assert.equal(await setUp.read(`${webroot}/ROOT/about.php`), 'edited\n');
  });

  it('deploys the branch of the project, and another one after a change', async () => {
    await setUp.repository.commit({ message: 'next', branch: 'next', files: { 'index.php': 'next\n' } });
    await setUp.create({ updateNow: true, branch: 'next' });
    assert.equal(await setUp.read(index), 'next\n');
    await setUp.succeed('EditProject', { ...setUp.editWishes, branch: 'master' });
    assert.equal((await setUp.update()).result, 0);
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('reports the deployed commit even if the branches of the clone are packed', async () => {
    await setUp.create({ updateNow: true });
    const clone = setUp.file(`${webroot}/ROOT`);
    await promisify(execFile)('git', ['-c', 'safe.directory=*', '-C', clone, 'pack-refs', '--all']);
    assert.match((await setUp.update()).log, new RegExp(`deployed ${setUp.first}`, 'u'));
  });

  it('the deployment of a missing branch fails', async () => {
    await setUp.create({ branch: 'nowhere' });
    assert.equal((await setUp.update()).result, 4000);
    assert.deepEqual(await readdir(setUp.file(webroot)), []);
  });

  it('repoHash pins the commit', async () => {
    const pinned = await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await setUp.repository.commit({ message: 'third', files: { 'index.php': 'three\n' } });
    const created = await setUp.create({ updateNow: true, repoHash: pinned });
    assert.equal(created['repoHash'], pinned);
    assert.equal(await setUp.read(index), 'two\n');
    await setUp.succeed('EditProject', { ...setUp.editWishes, repoHash: '' });
    await setUp.update();
    assert.equal(await setUp.read(index), 'three\n');
  });

  it('nodeId deploys to one node only', async () => {
    await setUp.create();
    assert.equal((await setUp.update({ nodeId: setUp.nodeId(1) })).result, 0);
    assert.equal(await setUp.read(index, { node: 1 }), 'one\n');
    await assert.rejects(lstat(setUp.file(index)));
    assert.equal((await setUp.update({ nodeId: 1 })).result, 5);
  });

  it('delay is the pause between nodes in seconds', async () => {
    await setUp.create();
    const started = performance.now();
    await setUp.update({ delay: 1 });
    assert(performance.now() - started >= 1000);
  });

  it("a failed node doesn't stop the deployment to the other", async () => {
    await setUp.create();
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'failNode', nodeId: setUp.nodeId(0) } });
    const { result, error, log } = await setUp.update();
    assert.equal(result, 4000);
    assert(error.includes(`on node ${setUp.nodeId(0)}.`));
    assert.match(log, /the node does not answer/u);
    assert.equal(await setUp.read(index, { node: 1 }), 'one\n');
    await assert.rejects(lstat(setUp.file(index)));
  });

  it('zdt switches a link from release to release and keeps the previous one', async () => {
    await setUp.create({ updateNow: true, zdt: true });
    assert((await lstat(setUp.file(`${webroot}/ROOT`))).isSymbolicLink());
    for (const text of ['two\n', 'three\n']) {
      await setUp.repository.commit({ message: text, files: { 'index.php': text } });
      assert.equal((await setUp.update()).result, 0);
      assert.equal(await setUp.read(index), text);
    }
    assert.equal((await readdir(setUp.file(`${webroot}/.releases/ROOT`))).length, 2);
    assert.equal((await setUp.send('GetProject'))['atomicDeploy'], true);
  });

  it('a project that no longer uses zdt has a folder again', async () => {
    await setUp.create({ updateNow: true, zdt: true });
    await setUp.succeed('EditProject', setUp.editWishes);
    assert.equal((await setUp.update()).result, 0);
    assert((await lstat(setUp.file(`${webroot}/ROOT`))).isDirectory());
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('Node.js stacks have their context in the home folder', async () => {
    await setUp.create({ envName: 'blog', updateNow: true });
    assert.equal(await setUp.read('/home/jelastic/ROOT/index.php', { envName: 'blog' }), 'one\n');
  });

  it('the log is a file on the node, with the paths inside the container', async () => {
    await setUp.create();
    const { log } = await setUp.update();
    const written = await setUp.read(logFile);
    assert(log.startsWith(written));
    assert.match(written, /Cloning into '\/var\/www\/webroot/u);
    assert.equal(written.includes(setUp.dataFolder), false);
  });
});
