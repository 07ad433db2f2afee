import assert from 'node:assert/strict';
import { lstat, readFile } from 'node:fs/promises';
import { untilFile, VcsSetUp, webroot } from './vcsSetUp';

const index = `${webroot}/ROOT/index.php`;

const hooks = (scripts: Readonly<Record<string, string>>): { hooks: string } => ({ hooks: JSON.stringify(scripts) });

describe('local platform: hooks of a project', () => {
  let setUp: VcsSetUp;
  before(() => (process.env['GANTRY_SECRET_OF_THE_STARTER'] = 'known'));
  beforeEach(async () => (setUp = await VcsSetUp.start()));
  afterEach(() => setUp.stop());
  after(() => Reflect.deleteProperty(process.env, 'GANTRY_SECRET_OF_THE_STARTER'));

  it('run in order, with their output in the log', async () => {
    const names = ['preDeploy', 'preBuild', 'postBuild', 'postDeploy'];
    await setUp.create(hooks(Object.fromEntries(names.map((name) => [name, `echo "this is ${name}"`]))));
    const { log } = await setUp.update({ nodeId: setUp.nodeId(0) });
    const said = [...log.matchAll(/^this is (\w+)$/gmu)].map(([, name]) => name);
    assert.deepEqual(said, names);
  });

  it('run in the folder of the sources', async () => {
    await setUp.create(hooks({ postBuild: 'cp index.php built.php', postDeploy: 'cat built.php > live.php' }));
    assert.equal((await setUp.update()).result, 0);
    assert.equal(await setUp.read(`${webroot}/ROOT/live.php`), 'one\n');
  });

  it('have a minimal environment and a separate home', async () => {
    await setUp.create(hooks({ preDeploy: 'env; touch "$HOME/mine"; ls "$HOME"' }));
    const { log } = await setUp.update();
    assert.equal(log.includes('GANTRY_SECRET_OF_THE_STARTER'), false);
    assert.equal(log.includes(`HOME=${process.env['HOME'] ?? '/nowhere'}\n`), false);
    assert.match(log, /^mine$/mu);
  });

  it('choose their interpreter with their first line', async () => {
    await setUp.create(hooks({ preDeploy: `#!${process.execPath}\nconsole.log('said by', 'node');` }));
    assert.match((await setUp.update()).log, /said by node/u);
  });

  const results = { preDeploy: 4125, postDeploy: 4126, preBuild: 4127, postBuild: 4128 };
  for (const [name, result] of Object.entries(results)) {
    it(`a failing ${name} ends the deployment with ${result}`, async () => {
      await setUp.create(hooks({ [name]: 'echo it is raining >&2; exit 3' }));
      const answer = await setUp.update();
      assert.equal(answer.result, result);
      assert.match(answer.log, /it is raining/u);
      assert.match(answer.log, new RegExp(`the hook ${name} ended with 3`, 'u'));
      if (name === 'postDeploy') assert.equal(await setUp.read(index), 'one\n');
      else await assert.rejects(lstat(setUp.file(index)));
    });
  }

  it('one that fails before the sources are fetched leaves the deployed files unchanged', async () => {
    await setUp.create({ updateNow: true });
    await setUp.succeed('EditProject', { ...setUp.editWishes, ...hooks({ preBuild: 'exit 1' }) });
    await setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    assert.equal((await setUp.update()).result, 4127);
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('one that takes too long is ended with all its child processes', async () => {
    setUp.platform.behaviour.hookSeconds = 1;
    await setUp.create(hooks({ preDeploy: 'sleep 60 & sleep 61' }));
    const { result, log } = await setUp.update({ nodeId: setUp.nodeId(0) });
    assert.equal(result, 4125);
    assert.match(log, /took too long and was ended/u);
  });

  it('one that is running ends with the platform', async () => {
    setUp.platform.behaviour.hookSeconds = 120;
    await setUp.create(hooks({ preDeploy: 'echo "$$" > running; sleep 60' }));
    const update = setUp.update().catch((error: unknown) => error);
    const running = setUp.file(`${webroot}/running`);
    await untilFile(running, (text) => text.endsWith('\n'));
    await setUp.platform.dispose();
    const id = Number(await readFile(running, 'utf8'));
    assert.throws(() => process.kill(id, 0), { code: 'ESRCH' });
    await update;
  });

  it('unknown script names or invalid JSON are a wrong parameter', async () => {
    for (const text of ['{"preFlight":"true"}', '{"preDeploy":1}', 'echo', '[]']) {
      const answer = await setUp.send('CreateProject', { ...setUp.projectWishes, hooks: text });
      assert.deepEqual([answer.result, answer.error], [3, 'invalid parameter [hooks]']);
    }
  });

  it('are files on every node from when they are saved until they are removed, named for the context', async () => {
    const file = (context: string, node: number) =>
      setUp.file(`/var/lib/jelastic/hooks/preDeploy_${context}.sh`, { node });
    await setUp.create(hooks({ preDeploy: 'true' }));
    for (const node of [0, 1]) assert.equal(await readFile(file('ROOT', node), 'utf8'), 'true');
    const renamed = { ...setUp.editWishes, newcontext: 'tea' };
    await setUp.succeed('EditProject', { ...renamed, ...hooks({ preDeploy: 'false' }) });
    await assert.rejects(readFile(file('ROOT', 0)));
    assert.equal(await readFile(file('tea', 0), 'utf8'), 'false');
    await setUp.succeed('EditProject', { ...renamed, oldcontext: 'tea', hooks: '{}' });
    await assert.rejects(readFile(file('tea', 0)));
  });

  it('can be files only from the next Update on', async () => {
    setUp.platform.behaviour.hookFiles = 'deployed';
    await setUp.create(hooks({ preDeploy: 'true' }));
    const file = setUp.file('/var/lib/jelastic/hooks/preDeploy_ROOT.sh');
    await assert.rejects(readFile(file));
    await setUp.update();
    assert.equal(await readFile(file, 'utf8'), 'true');
  });
});
