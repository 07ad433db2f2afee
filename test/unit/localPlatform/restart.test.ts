import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { startPlatform } from '../../localPlatform/localPlatform';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { AskedScene, partOf, post, rowsOf, textOf } from './requests';

describe('local platform: restart', () => {
  let dataFolder: string;
  beforeEach(async () => (dataFolder = await mkdtemp(join(tmpdir(), 'gantry-data-'))));
  afterEach(() => rm(dataFolder, { recursive: true, force: true }));

  const during = async (work: (asked: AskedScene) => Promise<void>): Promise<void> => {
    const asked = new AskedScene({ dataFolder });
    await asked.start();
    try {
      await work(asked);
    } finally {
      await asked.end();
    }
  };

  it('keeps everything except the sample password', async () => {
    let key = '';
    let session = '';
    let password = '';
    await during(async ({ platform, call, disk }) => {
      ({ password } = platform.sample);
      session = await platform.createSession();
      key = textOf(
        partOf(await call('CreateToken', { description: 't', tokenTemplate: 'Extended Access' }), 'token'),
        'key',
      );
      await call('Create', { path: '/open/mine' });
      await call('AddFavorite', { path: '/open/mine' });
      const [node, database] = [disk('cp'), disk('sqldb')];
      await call('AddMountPointById', { nodeId: node.id, path: '/mnt', sourcePath: '/srv', sourceNodeId: database.id });
    });
    await during(async ({ platform, call }) => {
      assert.equal((await call('GetEnvs', { session })).result, 0);
      assert.equal((await call('GetEnvs', { session: key })).result, 0);
      assert.equal((await call('Signin', { login: platform.sample.email, password })).result, 701);
      assert.equal(
        (await call('Signin', { login: platform.sample.email, password: platform.sample.password })).result,
        0,
      );
      assert.equal((await call('Write', { path: '/open/mine', body: "still the user's" })).result, 0);
      assert.equal(rowsOf(await call('GetFavorites'), 'favoriteList').length, 1);
      assert.equal(rowsOf(await call('GetMountPoints'), 'array').length, 1);
      assert.equal(platform.environments.length, 1);
    });
  });

  it('keeps nothing without a data folder', async () => {
    const asked = new AskedScene();
    await asked.start();
    const { platform } = asked;
    assert.ok((await stat(platform.dataFolder)).isDirectory());
    await asked.end();
    await assert.rejects(stat(platform.dataFolder));
  });

  it('has a useful sample', async () => {
    const platform = await startPlatform({ dataFolder });
    try {
      assert.ok(platform.environments.length >= 2);
      assert.deepEqual(
        ['bl', 'cp', 'sqldb'].map((layer) => platform.nodes('shop', layer).length),
        [1, 2, 1],
      );
      const session = await platform.createSession();
      const read = { session, envName: 'shop', path: '/etc/nginx/nginx.conf' };
      assert.match(textOf(await post(platform.origin, 'Read', read), 'body'), /http \{/u);
    } finally {
      await platform.dispose();
    }
  });

  it('says clearly that a port is in use, and leaves nothing behind', async () => {
    const server = createServer();
    const port = await listenOnLoopback(server);
    try {
      await assert.rejects(startPlatform({ port, environments: [] }), /EADDRINUSE/u);
    } finally {
      await new Promise((closed) => server.close(closed));
    }
  });
});

describe('local platform: command', () => {
  let dataFolder: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => (dataFolder = await mkdtemp(join(tmpdir(), 'gantry-data-'))));
  afterEach(async () => {
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(dataFolder, { recursive: true, force: true });
  });

  const start = (...args: string[]): ChildProcess => {
    const main = join(__dirname, '..', '..', 'localPlatform', 'main.ts');
    child = spawn(process.execPath, ['--require', 'tsx/cjs', main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
    return child;
  };

  it('prints its address, the repository, and the sign-in, and ends on SIGTERM', async () => {
    const running = start('--port', '0', '--data', dataFolder);
    assert.ok(running.stdout);
    const lines = createInterface({ input: running.stdout })[Symbol.asyncIterator]();
    const line = async (): Promise<string> => String((await lines.next()).value);
    const origin = /^listening on (http:\/\/127\.0\.0\.1:\d+)$/u.exec(await line())?.[1];
    const repository = /^git clone (http:\/\/\S+)$/u.exec(await line())?.[1];
    const [, login, password] = /^sign in as (\S+) with password (\S+)$/u.exec(await line()) ?? [];
    assert.ok(origin !== undefined && login !== undefined && password !== undefined);
    assert.equal((await post(origin, 'Signin', { login, password })).result, 0);
    await promisify(execFile)('git', ['clone', '--quiet', repository ?? '', join(dataFolder, 'clone')]);
    assert.ok((await readdir(dataFolder)).includes('nodes'));
    running.kill('SIGTERM');
    assert.deepEqual(await once(running, 'exit'), [0, null]);
  });

  it('says which port is in use', async () => {
    // The command doesn't create a sample in a folder that contains environments.
    const asked = new AskedScene({ dataFolder });
    await asked.start();
    const { platform } = asked;
    const running = start('--port', new URL(platform.origin).port, '--data', dataFolder);
    const said: Buffer[] = [];
    running.stderr?.on('data', (piece: Buffer) => said.push(piece));
    assert.deepEqual(await once(running, 'close'), [1, null]);
    assert.match(Buffer.concat(said).toString(), /^The port is taken/u);
    await asked.end();
  });

  it('rejects an invalid port', async () => {
    const running = start('--port', 'http');
    const said: Buffer[] = [];
    running.stderr?.on('data', (piece: Buffer) => said.push(piece));
    assert.deepEqual(await once(running, 'close'), [1, null]);
    assert.match(Buffer.concat(said).toString(), /--port http is no port/u);
  });
});
