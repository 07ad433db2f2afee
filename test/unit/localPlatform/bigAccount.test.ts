import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';

describe('local platform: a big account', () => {
  let dataFolder: string;
  let platform: LocalPlatform;
  const start = async (bigAccount = 300): Promise<LocalPlatform> =>
    (platform = await startPlatform({ dataFolder, bigAccount }));

  beforeEach(async () => (dataFolder = await mkdtemp(join(tmpdir(), 'gantry-big-'))));
  afterEach(async () => {
    await platform.dispose();
    await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
  });

  const ask = async (path: string, parameters: Record<string, string> = {}): Promise<Record<string, unknown>> => {
    const body = new URLSearchParams({ ...parameters, session: await platform.createSession() });
    const response = await fetch(`${platform.origin}/1.0/environment/${path}`, { method: 'POST', body });
    return (await response.json()) as Record<string, unknown>;
  };
  const nodesOf = ({ environments }: LocalPlatform) =>
    environments.flatMap(({ layers }) => layers.flatMap(({ nodes }) => nodes));

  it('has 300 environments, about 2,000 nodes and 500 projects, and 1,000 favorites', async () => {
    await start();
    assert.equal(platform.environments.length, 300);
    assert.equal(new Set(platform.environments.map(({ envName }) => envName)).size, 300);
    assert.equal(new Set(platform.environments.map(({ displayName }) => displayName)).size, 300);
    assert.ok(Math.abs(nodesOf(platform).length - 2000) < 20, String(nodesOf(platform).length));
    const { infos } = (await ask('control/rest/getenvs')) as { infos: { nodeGroups: { deployments: object[] }[] }[] };
    const projects = infos.flatMap(({ nodeGroups }) => nodeGroups.flatMap(({ deployments }) => deployments));
    assert.ok(Math.abs(projects.length - 500) < 10, String(projects.length));
    const lists = await Promise.all(
      platform.environments.map(({ envName }) => ask('file/rest/getfavorites', { envName })),
    );
    const favorites = lists.flatMap(({ favoriteList }) => favoriteList as object[]);
    assert.ok(Math.abs(favorites.length - 1000) < 20, String(favorites.length));
  });

  it('is the same at every start', async () => {
    const first = JSON.stringify((await start(30)).environments);
    await platform.dispose();
    await rm(dataFolder, { recursive: true });
    assert.equal(JSON.stringify((await start(30)).environments), first);
  });

  it("gives a node its files when they're first needed, even after a restart", async () => {
    await start(12);
    await platform.dispose();
    await start(12);
    const envName = platform.environments.at(-1)?.envName ?? '';
    const [node] = platform.nodes(envName, 'cp');
    assert.ok(node);
    const folders = join(dataFolder, 'nodes');
    const before = (await readdir(folders)).length;
    assert.equal(existsSync(join(folders, String(node.id))), false);
    const { result, keywords } = await ask('file/rest/getlist', { envName, nodeid: String(node.id), path: '/etc' });
    assert.equal(result, 0);
    assert.match(JSON.stringify(keywords), /php\.ini|hosts/u);
    assert.equal((await readdir(folders)).length, before + 1);
  });
});
