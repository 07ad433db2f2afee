import assert from 'node:assert/strict';
import { lstat, mkdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { startPlatform } from '../../localPlatform/localPlatform';
import { credentials, VcsSetUp, webroot, type Wishes } from './vcsSetUp';

const infoSchema = v.looseObject({
  nodeGroups: v.array(v.looseObject({ name: v.string(), deployments: v.array(v.unknown()) })),
});

describe('local platform: VCS projects', () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start()));
  afterEach(() => setUp.stop());

  const refused = async (operation: string, wishes: Wishes): Promise<number> => {
    const { result, error } = await setUp.send(operation, wishes);
    assert.notEqual(error, '');
    return result;
  };
  const refusedCreate = (wishes: Wishes): Promise<number> =>
    refused('CreateProject', { ...setUp.projectWishes, ...wishes });

  it('GetProject returns the stored fields without password, key, hooks, and delay', async () => {
    await setUp.create({ branch: 'next', interval: '7', autoupdate: true, delay: 4, hooks: '{"preDeploy":"true"}' });
    const { project, ...stored } = await setUp.succeed('GetProject', { context: 'ROOT' });
    assert.equal(typeof project, 'string');
    assert.deepEqual(stored, {
      result: 0,
      reason: 0,
      source: 'JEL',
      error: '',
      log: '',
      atomicDeploy: false,
      autoResolveConflict: false,
      autoupdate: true,
      branch: 'next',
      context: 'ROOT',
      interval: '7',
      login: credentials.login,
      type: 1,
      url: setUp.url,
    });
  });

  it('getenvinfo lists the projects of a layer as its deployments', async () => {
    const { project } = await setUp.create();
    const { nodeGroups } = v.parse(infoSchema, await setUp.send('getenvinfo', {}, 'control'));
    assert.deepEqual(nodeGroups.find(({ name }) => name === 'cp')?.deployments, [
      { context: 'ROOT', name: project, type: 'GIT', url: setUp.url, branch: 'master' },
    ]);
    assert.deepEqual(nodeGroups.find(({ name }) => name === 'sqldb')?.deployments, []);
  });

  it('2500 for a missing project', async () => {
    assert.equal(await refused('GetProject', {}), 2500);
    assert.equal(await refused('Update', { context: 'ROOT' }), 2500);
    assert.equal(await refused('DeleteProject', { context: 'other' }), 2500);
    assert.equal(await refused('EditProject', setUp.editWishes), 2500);
  });

  it("4001 for a second project of a context, and for a layer that doesn't support projects", async () => {
    await setUp.create();
    assert.equal(await refusedCreate({}), 4001);
    assert.equal(await refusedCreate({ nodeGroup: 'sqldb' }), 4001);
    assert.equal(await refusedCreate({ context: 'other', keyId: 3 }), 4001);
  });

  it('4050 for an invalid repository URL', async () => {
    for (const url of [
      'tea',
      'file:///etc',
      'ssh://git@127.0.0.1/tea.git',
      'git@127.0.0.1:tea.git',
      '--upload-pack=x',
    ]) {
      assert.equal(await refusedCreate({ url }), 4050, url);
    }
  });

  it('4050 on Update if no repository responds', async () => {
    await setUp.create({ url: setUp.server.url('coffee') });
    assert.equal(await refused('Update', { context: 'ROOT' }), 4050);
  });

  it('4053 for a wrong or missing password, and a user name with invalid characters', async () => {
    await setUp.create({ password: 'wrong' });
    assert.equal(await refused('Update', { context: 'ROOT' }), 4053);
    await setUp.create({ context: 'nobody', login: '', password: '' });
    assert.equal(await refused('Update', { context: 'nobody' }), 4053);
    assert.equal(await refusedCreate({ context: 'other', login: 'ma-rit' }), 4053);
  });

  it('4079 for an invalid context', async () => {
    for (const context of ['..', '.', 'a/b', '', '.hidden'])
      assert.equal(await refusedCreate({ context }), 4079, context);
    assert.equal(await refusedCreate({ envName: 'blog', context: 'other' }), 4079);
  });

  it('3 for invalid parameters', async () => {
    assert.equal(await refusedCreate({ branch: '--upload-pack' }), 3);
    assert.equal(await refusedCreate({ interval: 'often' }), 3);
    assert.equal(await refusedCreate({ repoHash: 'HEAD~1' }), 3);
    assert.equal(await refusedCreate({ type: 'CVS' }), 3);
  });

  it('4017 for a password and a key together', async () => {
    await setUp.create();
    assert.equal(await refused('EditProject', { ...setUp.editWishes, password: 'new', keyId: 3 }), 4017);
  });

  it('credentials are removed from the URL', async () => {
    const address = new URL(setUp.url);
    address.username = credentials.login;
    address.password = credentials.password;
    const wishes = { type: 'GIT', context: 'ROOT', url: address.href, updateNow: true };
    const created = await setUp.succeed('CreateProject', wishes);
    assert.deepEqual([created['url'], created['login']], [setUp.url, credentials.login]);
    assert.equal((await setUp.read(`${webroot}/ROOT/.git/config`)).includes('@'), false);
  });

  it("EditProject keeps fields that weren't sent, and always the password", async () => {
    await setUp.create({ interval: '9', updateNow: true });
    const edited = await setUp.succeed('EditProject', { ...setUp.editWishes, autoResolveConflict: true });
    assert.deepEqual(
      [edited['interval'], edited['login'], edited['autoResolveConflict']],
      ['9', credentials.login, true],
    );
    assert.equal((await setUp.update()).result, 0);
  });

  it("EditProject clears fields that weren't sent if the switch says so", async () => {
    setUp.platform.behaviour.unsentProjectFields = 'cleared';
    await setUp.create({ branch: 'next', interval: '9' });
    const edited = await setUp.succeed('EditProject', setUp.editWishes);
    assert.deepEqual([edited['branch'], edited['interval'], edited['login']], ['master', '5', undefined]);
  });

  it('another URL makes the next Update start with a new checkout', async () => {
    await setUp.create({ updateNow: true });
    await setUp.edit(`${webroot}/ROOT/upload.txt`, 'mine');
    await setUp.succeed('EditProject', { ...setUp.editWishes, url: `${setUp.url}/` });
    assert.match((await setUp.update()).log, /check out/u);
    await assert.rejects(lstat(setUp.file(`${webroot}/ROOT/upload.txt`)));
  });

  for (const zdt of [false, true]) {
    it(`renaming a context moves the deployed files${zdt ? ' with its releases' : ''}`, async () => {
      await setUp.create({ updateNow: true, zdt });
      await setUp.succeed('EditProject', { ...setUp.editWishes, zdt, newcontext: 'shop' });
      for (const node of [0, 1]) {
        assert.equal(await setUp.read(`${webroot}/shop/index.php`, { node }), 'one\n');
        await assert.rejects(lstat(setUp.file(`${webroot}/ROOT`, { node })));
      }
      assert.equal(await refused('GetProject', { context: 'ROOT' }), 2500);
      assert.match((await setUp.update({ context: 'shop' })).log, /update from/u);
    });
  }

  it('4017 for a context that is in use', async () => {
    await setUp.create();
    await setUp.create({ context: 'other' });
    assert.equal(await refused('EditProject', { ...setUp.editWishes, newcontext: 'other' }), 4017);
  });

  it('DeleteProject deletes the files of the project', async () => {
    await setUp.create({ updateNow: true, zdt: true });
    await setUp.succeed('DeleteProject', { context: 'ROOT' });
    for (const node of [0, 1]) {
      await assert.rejects(lstat(setUp.file(`${webroot}/ROOT`, { node })));
      await assert.rejects(lstat(setUp.file(`${webroot}/.releases/ROOT`, { node })));
    }
    assert.equal(await refused('GetProject', {}), 2500);
  });

  it('nothing is deployed through a link that leads outside the node', async () => {
    const outside = join(setUp.dataFolder, 'outside');
    await mkdir(outside);
    await mkdir(dirname(setUp.file(webroot)), { recursive: true });
    await rm(setUp.file(webroot), { recursive: true, force: true });
    await symlink(outside, setUp.file(webroot));
    await setUp.create();
    assert.equal(await refused('Update', { context: 'ROOT' }), 4000);
    await assert.rejects(lstat(join(outside, 'ROOT')));
  });

  it('enums are returned in the format of the switch', async () => {
    await setUp.create();
    setUp.platform.behaviour.enums = 'nameAndNumber';
    assert.equal((await setUp.send('GetProject'))['type'], 'GIT(1)');
  });

  it('projects survive a restart', async () => {
    await setUp.create({ updateNow: true });
    const { dataFolder } = setUp.platform;
    await setUp.platform.dispose();
    const again = await startPlatform({ dataFolder });
    try {
      const body = new URLSearchParams({ envName: 'shop', session: await again.createSession(), context: 'ROOT' });
      const response = await fetch(`${again.origin}/1.0/environment/vcs/rest/update`, { method: 'POST', body });
      const { result, log } = v.parse(v.looseObject({ result: v.number(), log: v.string() }), await response.json());
      assert.equal(result, 0);
      assert.match(log, /update from/u);
    } finally {
      await again.dispose();
    }
  });
});
