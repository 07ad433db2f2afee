import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { untilFile, VcsSetUp, webroot, type VcsAnswer, type Wishes } from './vcsSetUp';

const hooksLog = '/var/log/nginx/hooks.log';
const fileOf = (hook: string, context = 'ROOT'): string => `/var/lib/jelastic/hooks/${hook}_${context}.sh`;
const hooks = (scripts: Readonly<Record<string, string>>): { hooks: string } => ({ hooks: JSON.stringify(scripts) });

describe('local platform: hooks as files that run', () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start(vendorDeployments)));
  afterEach(() => setUp.stop());

  const update = (wishes: Wishes = {}): Promise<VcsAnswer> => setUp.update({ nodeId: setUp.nodeId(0), ...wishes });
  const place = async (hook: string, script: string, node = 0): Promise<void> => {
    const file = setUp.file(fileOf(hook), { node });
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, script);
  };
  const read = (path: string): Promise<VcsAnswer> => setUp.send('Read', { path, nodeid: setUp.nodeId(0) }, 'file');

  it('run in the order of the vendor, and say so in their own log only', async () => {
    const names = ['preUpdate', 'preDeploy', 'preBuild', 'postBuild', 'postUpdate', 'postDeploy'];
    await setUp.create();
    for (const name of names) await place(name, `echo "this is ${name}"`);
    const { log } = await update();
    const said = [...(await setUp.read(hooksLog)).matchAll(/^this is (\w+)$/gmu)].map(([, name]) => name);
    // Nothing is built on this stack.
    assert.deepEqual(said, ['preUpdate', 'preDeploy', 'postUpdate', 'postDeploy']);
    assert.equal(log.includes('this is'), false);
  });

  it('have a heading and an ending in the log', async () => {
    await setUp.create(hooks({ preDeploy: 'echo mine' }));
    await update();
    const date = String.raw`\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d UTC \d{4}`;
    const lines = `^\\[INFO\\] ${date} Applying Pre-deploy hook for ROOT \n\nmine\n\\[INFO\\] ${date} Pre-deploy hook applied successfully\n`;
    assert.match(await setUp.read(hooksLog), new RegExp(lines, 'u'));
  });

  const results = { preUpdate: 4127, preDeploy: 4125, postUpdate: 4128, postDeploy: 4126 };
  for (const [name, result] of Object.entries(results)) {
    it(`a failing ${name} ends the deployment with ${result}, and the message names the log`, async () => {
      await setUp.create();
      await place(name, 'echo it is raining >&2; exit 3');
      const answer = await update();
      assert.equal(answer.result, result);
      assert.match(answer.error, new RegExp(`^P\\w+-\\w+ hook execution failed\\. .*: ${hooksLog}$`, 'u'));
      assert.match(await setUp.read(hooksLog), /it is raining\n\[ERROR\] .* hook execution failed\. Exit code 3\n/u);
      const deployed = setUp.read(`${webroot}/ROOT/index.php`);
      await (name.startsWith('pre') ? assert.rejects(deployed) : deployed);
    });
  }

  for (const [name, result] of Object.entries({ preBuild: 4129, postBuild: 4130 })) {
    it(`a failing ${name} ends the build on a build node with ${result}`, async () => {
      const layer = { name: 'build', nodeType: 'maven3', isVcsSupport: true, containerUser: 'maven' };
      await setUp.platform.addEnvironment({ envName: 'works', layers: [layer] });
      const where = { envName: 'works', nodeGroup: 'build' };
      await setUp.create({ ...where, ...hooks({ [name]: 'exit 1', preDeploy: 'exit 1' }) });
      assert.equal((await setUp.update(where)).result, result);
    });
  }

  it('one that takes too long ends the deployment with 124', async () => {
    setUp.platform.behaviour.hookSeconds = 1;
    await setUp.create(hooks({ preDeploy: 'echo begun; sleep 60' }));
    assert.equal((await update()).result, 124);
    assert.match(await setUp.read(hooksLog), /begun\n\[ERROR\] .* timed out\. Exit code 124\n/u);
  });

  it('print into the log while they run', async () => {
    await setUp.create(hooks({ preDeploy: 'echo begun; while [ ! -e go ]; do sleep 0.05; done' }));
    const updated = update();
    await mkdir(dirname(setUp.file(hooksLog)), { recursive: true });
    await untilFile(setUp.file(hooksLog), (text) => text.includes('begun'));
    await writeFile(setUp.file(`${webroot}/go`), '');
    assert.equal((await updated).result, 0);
  });

  it("what is on the node runs, and not what EditProject stored; the container's user may change it", async () => {
    await setUp.create(hooks({ preDeploy: 'echo stored' }));
    const written = await setUp.send(
      'Write',
      { path: fileOf('preDeploy'), body: 'echo edited', isAppendMode: false, nodeid: setUp.nodeId(0) },
      'file',
    );
    assert.equal(written.result, 0, written.error);
    await setUp.update();
    assert.match(await setUp.read(hooksLog), /^edited$/mu);
    assert.match(await setUp.read(hooksLog, { node: 1 }), /^stored$/mu);
  });

  it('an EditProject without hooks leaves them, and one with hooks replaces the four it knows', async () => {
    await setUp.create(hooks({ preDeploy: 'true' }));
    await place('postDeploy', 'true');
    await place('preUpdate', 'true');
    const folder = dirname(setUp.file(fileOf('any')));
    const files = async (): Promise<readonly string[]> => (await readdir(folder)).sort();
    await setUp.succeed('EditProject', setUp.editWishes);
    assert.deepEqual(await files(), ['postDeploy_ROOT.sh', 'preDeploy_ROOT.sh', 'preUpdate_ROOT.sh']);
    await setUp.succeed('EditProject', { ...setUp.editWishes, ...hooks({ postBuild: 'true' }) });
    assert.deepEqual(await files(), ['postBuild_ROOT.sh', 'preUpdate_ROOT.sh']);
  });

  it('are renamed with the context', async () => {
    await setUp.create(hooks({ preDeploy: 'echo mine' }));
    await place('preUpdate', 'echo too');
    await setUp.succeed('EditProject', { ...setUp.editWishes, newcontext: 'tea' });
    await assert.rejects(setUp.read(fileOf('preUpdate')));
    await update({ context: 'tea' });
    assert.match(await setUp.read(hooksLog), /^too$[^]*^mine$/mu);
  });

  it('move to a context whose name ends theirs with any edit of its project', async () => {
    await setUp.create({ context: 'greentea', ...hooks({ preDeploy: 'true' }) });
    await setUp.create({ context: 'tea' });
    await setUp.succeed('EditProject', { ...setUp.editWishes, oldcontext: 'tea', newcontext: 'tea' });
    assert.equal(await setUp.read(fileOf('preDeploy', 'tea')), 'true');
    await assert.rejects(setUp.read(fileOf('preDeploy', 'greentea')));
  });

  it('outlive their project, and run for the next one of the context', async () => {
    await setUp.create(hooks({ preDeploy: 'echo inherited' }));
    await setUp.succeed('DeleteProject', { context: 'ROOT' });
    assert.equal(await setUp.read(fileOf('preDeploy')), 'echo inherited');
    await setUp.create(hooks({ postDeploy: 'echo own' }));
    await update();
    assert.match(await setUp.read(hooksLog), /^inherited$[^]*^own$/mu);
  });

  it('can be unreadable, or readable only', async () => {
    await setUp.create(hooks({ preDeploy: 'true' }));
    assert.equal((await read(fileOf('preDeploy'))).result, 0);
    setUp.platform.behaviour.hookRights = 'none';
    await setUp.create({ context: 'other', ...hooks({ preDeploy: 'true' }) });
    assert.equal((await read(fileOf('preDeploy'))).result, 4037);
    assert.equal((await update()).result, 0);
  });
});
