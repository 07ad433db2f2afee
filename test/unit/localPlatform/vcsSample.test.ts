import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { vendorDeployments } from '../../localPlatform/behaviour';
import { startPlatform, type LocalPlatform } from '../../localPlatform/localPlatform';
import { plantedLogin } from '../../localPlatform/vcs/repositoryPasswords';
import { sampleRepository } from '../../localPlatform/vcs/sampleRepositories';

const answerSchema = v.looseObject({
  result: v.number(),
  url: v.optional(v.string()),
  log: v.optional(v.string(), ''),
});

const ask = async (platform: LocalPlatform, operation: string): Promise<v.InferOutput<typeof answerSchema>> => {
  const body = new URLSearchParams({ envName: 'shop', context: 'ROOT', session: await platform.createSession() });
  const response = await fetch(`${platform.origin}/1.0/environment/vcs/rest/${operation}`, { method: 'POST', body });
  return v.parse(answerSchema, await response.json());
};

const fileOf = (platform: LocalPlatform, envName: string, layer: string, path: string): string => {
  const [node] = platform.nodes(envName, layer);
  assert(node !== undefined, `${envName} has no node in ${layer}`);
  return join(platform.nodeFolder(node.id), path);
};

const stockroom = '/var/www/webroot/stockroom';

describe('local platform: the sample', () => {
  let folder: string;
  let platform: LocalPlatform;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-sample-'));
    platform = await startPlatform({ dataFolder: folder });
  });
  afterEach(async () => {
    await platform.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  it('has two environments, and two application nodes in shop', () => {
    const layers = platform.environments.map((environment) => [
      environment.envName,
      environment.layers.map(({ name, nodes }) => `${name} ${nodes.length}`),
    ]);
    assert.deepEqual(layers, [
      ['shop', ['bl 1', 'cp 2', 'sqldb 1']],
      ['blog-staging', ['cp 1', 'sqldb 1']],
    ]);
  });

  it("keeps the bytes of files that aren't plain UTF-8 text with LF line endings", async () => {
    const read = (name: string): Promise<Buffer> => readFile(fileOf(platform, 'shop', 'cp', `${stockroom}/${name}`));
    assert((await read('DELIVERIES.txt')).includes('\r\n'));
    assert((await read('lieferanten.txt')).includes(Buffer.from('Müller', 'latin1')));
    assert.equal((await read('logo.png')).toString('latin1', 1, 4), 'PNG');
    const counts = await readdir(fileOf(platform, 'shop', 'cp', `${stockroom}/counts`));
    assert.deepEqual(new Set(counts), new Set(['Inventory #4 (draft).csv', 'März 2026.csv']));
  });

  it('has a shop that is deployed from a repository with write access', async () => {
    const index = fileOf(platform, 'shop', 'cp', '/var/www/webroot/ROOT/index.php');
    assert.match(await readFile(index, 'utf8'), /All teas/u);
    const files = { 'index.php': '<?php echo "Closed";\n' };
    const hash = await sampleRepository(platform.dataFolder).commit({ message: 'Close the shop', files });
    const { result, log } = await ask(platform, 'update');
    assert.equal(result, 0);
    assert(log.includes(`deployed ${hash}`));
    assert.equal(await readFile(index, 'utf8'), files['index.php']);
  });

  it('can be deployed again after a restart, even if the repository has a new URL', async () => {
    const before = await ask(platform, 'getproject');
    await platform.dispose();
    platform = await startPlatform({ dataFolder: folder });
    assert.notEqual((await ask(platform, 'getproject')).url, before.url);
    const { result, log } = await ask(platform, 'update');
    assert.equal(result, 0, log);
    assert.match(log, /update from/u);
  });

  it('can be deployed as by the vendor, and again after a restart', async () => {
    await platform.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
    for (const title of ['Open', 'Close']) {
      platform = await startPlatform({ dataFolder: folder, behaviour: vendorDeployments });
      const hash = await sampleRepository(folder).commit({ message: title, files: { 'index.php': title } });
      assert.equal((await ask(platform, 'update')).result, 0);
      const settings = fileOf(platform, 'shop', 'cp', '/var/lib/jelastic/vcs/ROOT.properties');
      assert((await readFile(settings, 'utf8')).includes(`LAST_DEPLOYED_COMMIT=${hash}\n`));
      const config = fileOf(platform, 'shop', 'cp', '/var/www/webroot/ROOT/.git/config');
      assert((await readFile(config, 'utf8')).includes(`//deploy:${plantedLogin.password}@`));
      if (title === 'Open') await platform.dispose();
    }
  });

  it("doesn't restore a deleted project", async () => {
    await ask(platform, 'deleteproject');
    await platform.dispose();
    platform = await startPlatform({ dataFolder: folder });
    assert.equal((await ask(platform, 'getproject')).result, 2500);
  });
});
