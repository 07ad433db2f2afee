import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { BareRepository } from '../../localPlatform/vcs/bareRepository';
import { startGitServer, type GitServer } from '../../localPlatform/vcs/gitServer';

const run = promisify(execFile);
const credentials = { login: 'marit', password: 'tea' };
const authorization = `Basic ${Buffer.from('marit:tea').toString('base64')}`;
const author = ['-c', 'user.name=Marit Holm', '-c', 'user.email=marit@saltmarsh.example'];

/** Runs Git, which sends the credentials with the first request. */
const git = async (cwd: string, ...args: readonly string[]): Promise<string> => {
  const header = `http.extraHeader=Authorization: ${authorization}`;
  const env = { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull, GIT_TERMINAL_PROMPT: '0' };
  return (await run('git', ['-c', header, ...author, ...args], { cwd, env })).stdout.trim();
};

describe('local platform: the Git server', () => {
  let folder: string;
  let repository: BareRepository;
  let server: GitServer;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-git-server-'));
    repository = await BareRepository.create(join(folder, 'served', 'tea.git'));
    server = await startGitServer({ folder: join(folder, 'served'), credentials });
  });
  afterEach(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  for (const version of [0, 1, 2]) {
    it(`serves clones, fetches, and pushes in protocol version ${version}`, async () => {
      const protocol = ['-c', `protocol.version=${version}`];
      const first = await repository.commit({ message: 'first', files: { 'index.php': 'one\n' } });
      const [one, other] = [join(folder, 'one'), join(folder, 'other')];
      await git(folder, ...protocol, 'clone', server.url('tea'), one);
      await git(folder, ...protocol, 'clone', server.url('tea'), other);
      assert.equal(await git(one, 'rev-parse', 'HEAD'), first);
      await git(one, 'commit', '--allow-empty', '--message', 'second');
      await git(one, ...protocol, 'push', 'origin', 'HEAD:master');
      await git(other, ...protocol, 'fetch', 'origin');
      assert.equal(await git(other, 'rev-parse', 'origin/master'), await git(one, 'rev-parse', 'HEAD'));
    });
  }

  it('commits on top of a pushed commit, even if the branch is packed', async () => {
    const clone = join(folder, 'clone');
    await repository.commit({ message: 'first', files: { 'index.php': 'one\n' } });
    await git(folder, 'clone', server.url('tea'), clone);
    await git(clone, 'commit', '--allow-empty', '--message', 'second');
    await git(clone, 'push', 'origin', 'HEAD:master');
    await git(repository.folder, 'pack-refs', '--all');
    const third = await repository.commit({ message: 'third', files: { 'index.php': 'three\n' } });
    assert.equal(await git(repository.folder, 'log', '--format=%s', third), 'third\nsecond\nfirst');
    assert.equal(await git(repository.folder, 'fsck'), '');
  });

  it('accepts compressed requests, which Git uses for long ones', async () => {
    const first = await repository.commit({ message: 'first', files: { 'index.php': 'one\n' } });
    const response = await fetch(`${server.url('tea')}/git-upload-pack`, {
      method: 'POST',
      headers: { authorization, 'git-protocol': 'version=2', 'content-encoding': 'gzip' },
      body: gzipSync('0014command=ls-refs\n0000'),
    });
    assert.match(await response.text(), new RegExp(`${first} refs/heads/master`, 'u'));
  });

  it('responds with 404 unless the request is for an existing repository', async () => {
    const { origin } = new URL(server.url('tea'));
    const statuses = new Map<string, number>();
    for (const path of [
      '/',
      '/tea.git/HEAD',
      '/tea.git/info/refs',
      '/tea.git/info/refs?service=git-shell',
      '/coffee.git/info/refs?service=git-upload-pack',
      '/..%2Fserved%2Ftea.git/info/refs?service=git-upload-pack',
    ])
      statuses.set(path, (await fetch(`${origin}${path}`, { headers: { authorization } })).status);
    assert.deepEqual([...new Set(statuses.values())], [404], JSON.stringify([...statuses]));
  });

  it('rejects requests without the credentials, and pushes if there are no credentials', async () => {
    const discovery = '/info/refs?service=git-receive-pack';
    assert.equal((await fetch(`${server.url('tea')}${discovery}`)).status, 401);
    const open = await startGitServer({ folder: join(folder, 'served') });
    try {
      assert.equal((await fetch(`${open.url('tea')}${discovery}`)).status, 403);
      assert.equal((await fetch(`${open.url('tea')}${discovery.replace('receive', 'upload')}`)).status, 200);
    } finally {
      await open.close();
    }
  });
});
