import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { lstat, readdir, readlink } from 'node:fs/promises';
import { promisify } from 'node:util';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { VcsSetUp, webroot, type VcsAnswer, type Wishes } from './vcsSetUp';

const root = `${webroot}/ROOT`;
const name = /^ROOT_\d{4}\.\d\d\.\d\d-\d\d\.\d\d\.\d\d$/u;

describe("local platform: the vendor's zero-downtime deployment", () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start(vendorDeployments)));
  afterEach(() => setUp.stop());

  const update = (): Promise<VcsAnswer> => setUp.update({ nodeId: setUp.nodeId(0) });
  const create = async (wishes: Wishes = {}): Promise<void> => {
    await setUp.create(wishes);
    assert.equal((await update()).result, 0);
  };
  const edit = (wishes: Wishes): Promise<VcsAnswer> =>
    setUp.succeed('EditProject', { ...setUp.editWishes, autoResolveConflict: true, ...wishes });
  const commit = (text: string): Promise<string> =>
    setUp.repository.commit({ message: text, files: { 'index.php': `${text}\n` } });
  /** The link's target is a path in the container, so files behind it are read through the platform. */
  const read = async (path: string): Promise<unknown> =>
    (await setUp.send('Read', { path, nodeid: setUp.nodeId(0) }, 'file'))['body'];
  const releases = (): Promise<readonly string[]> => readdir(setUp.file(webroot)).then((names) => names.sort());
  const isLink = async (): Promise<boolean> => (await lstat(setUp.file(root))).isSymbolicLink();

  it('makes ROOT a link to a tree beside it, and keeps the tree before until the next Update', async () => {
    await create({ zdt: true });
    assert.match(await readlink(setUp.file(root)), new RegExp(`^${webroot}/ROOT_[\\d.-]+$`, 'u'));
    const [, first = ''] = await releases();
    assert.match(first, name);
    await commit('two');
    assert.equal((await update()).result, 0);
    const [, ...two] = await releases();
    assert.equal(two.length, 2);
    assert.equal(two[0], first);
    assert.equal(await read(`${root}/index.php`), 'two\n');
    assert.equal(await read(`${webroot}/${first}/index.php`), 'one\n');
    await commit('three');
    assert.equal((await update()).result, 0);
    const [, ...three] = await releases();
    assert.deepEqual([three.length, three[0]], [2, two[1]]);
  });

  it('copies untracked files from tree to tree, and leaves an edit in the tree before', async () => {
    await create({ zdt: true });
    const [, first = ''] = await releases();
    await setUp.edit(`${webroot}/${first}/.env`, 'SECRET=1\n');
    await setUp.edit(`${webroot}/${first}/index.php`, 'edited\n');
    assert.equal((await update()).result, 0);
    assert.equal(await read(`${root}/.env`), 'SECRET=1\n');
    assert.equal(await read(`${root}/index.php`), 'one\n');
    assert.equal(await read(`${webroot}/${first}/index.php`), 'edited\n');
  });

  it('moves an ordinary folder with its clone and its other files behind the link', async () => {
    await create();
    await setUp.edit(`${root}/upload.txt`, 'mine\n');
    await edit({ zdt: true });
    assert.equal((await update()).result, 0);
    assert(await isLink());
    assert.equal(await read(`${root}/upload.txt`), 'mine\n');
    assert.equal((await releases()).length, 2);
  });

  it('leaves the link where it is if the pull fails', async () => {
    await create({ zdt: true });
    const before = await readlink(setUp.file(root));
    await setUp.edit(`${webroot}/${before.split('/').at(-1)}/.git/HEAD`, `${setUp.first}\n`);
    await commit('two');
    assert.equal((await update()).result, 4000);
    assert.equal(await readlink(setUp.file(root)), before);
    assert.equal(await read(`${root}/index.php`), 'one\n');
  });

  it('leaves no folder if the pull fails when an ordinary folder becomes a link, until the next Update', async () => {
    await create();
    await setUp.edit(`${root}/.git/HEAD`, `${setUp.first}\n`);
    await edit({ zdt: true });
    assert.equal((await update()).result, 4000);
    await assert.rejects(lstat(setUp.file(root)));
    assert.equal((await update()).result, 4000);
    assert.equal(await read(`${root}/index.php`), 'one\n');
  });

  it('a project that no longer uses it has a folder again, with all files of the last tree', async () => {
    await create({ zdt: true });
    const [, first = ''] = await releases();
    await setUp.edit(`${webroot}/${first}/upload.txt`, 'mine\n');
    assert.equal((await update()).result, 0);
    await edit({ zdt: false });
    assert.equal((await update()).result, 0);
    assert.deepEqual(await releases(), ['ROOT']);
    assert.equal(await isLink(), false);
    assert.equal(await setUp.read(`${root}/upload.txt`), 'mine\n');
  });

  it('is for ROOT only', async () => {
    await setUp.create({ context: 'tea', updateNow: true, zdt: true });
    assert((await lstat(setUp.file(`${webroot}/tea`))).isDirectory());
  });

  it('DeleteProject removes all trees, and leaves an empty ROOT', async () => {
    await create({ zdt: true });
    assert.equal((await update()).result, 0);
    await setUp.succeed('DeleteProject', { context: 'ROOT' });
    assert.deepEqual(await releases(), ['ROOT']);
    assert.deepEqual(await readdir(setUp.file(root)), []);
  });

  it('renaming ROOT moves the files behind the link, ends zero-downtime, and leaves an empty ROOT', async () => {
    await create({ zdt: true });
    const edited = await edit({ zdt: true, newcontext: 'tea' });
    assert.equal(edited['atomicDeploy'], false);
    assert.deepEqual(await releases(), ['ROOT', 'tea']);
    assert.equal(await setUp.read(`${webroot}/tea/index.php`), 'one\n');
    const hash = await commit('two');
    assert.equal((await setUp.update({ context: 'tea', nodeId: setUp.nodeId(0) })).result, 0);
    const args = ['-c', 'safe.directory=*', '-C', setUp.file(`${webroot}/tea`), 'rev-parse', 'HEAD'];
    assert.equal((await promisify(execFile)('git', args)).stdout.trim(), hash);
  });

  it('4075 if the disk is full', async () => {
    await create({ zdt: true });
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'diskFull' } });
    assert.equal((await update()).result, 4075);
    assert.equal(await read(`${root}/index.php`), 'one\n');
  });
});
