import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { endGroup, spawnGroup } from '../../../host/processes';
import { listenOnLoopback } from '../../../localPlatform/server/loopback';

const run = promisify(execFile);
const mostTries = 3;
/** An empty folder that `sshd` needs if root starts it. Usually, the system makes it, and whoever tests next needs it, too. */
const emptyFolder = '/run/sshd';

/** A real `sshd` on the loopback, with its own keys, for the user of the tests. */
export class SshServer {
  private constructor(
    readonly port: number,
    /** A new temporary folder, removed at the end. */
    readonly folder: string,
    private readonly child: ChildProcess,
  ) {}

  /** The absolute path of the installed program, which it needs to start itself for each connection. */
  static findProgram(): string | undefined {
    const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
    return folders.map((folder) => join(folder, 'sshd')).find((file) => existsSync(file));
  }

  static async start(program: string): Promise<SshServer> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'gantry-sshd-')));
    for (const name of ['host', 'user', 'stranger']) {
      await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', join(folder, name)]);
    }
    await writeFile(join(folder, 'authorized'), await readFile(join(folder, 'user.pub')), { mode: 0o600 });
    if (userInfo().uid === 0) mkdirSync(emptyFolder, { recursive: true, mode: 0o755 });
    for (let tries = 1; ; tries++) {
      const port = await freePort();
      const config = join(folder, 'sshd_config');
      await writeFile(config, serverOptions(folder, port).join('\n'));
      const child = spawnGroup(program, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
      const problem = await untilListening(child);
      if (problem === undefined) {
        const known = (await readFile(join(folder, 'host.pub'), 'utf8')).trim();
        await writeFile(join(folder, 'known'), `[127.0.0.1]:${port} ${known}\n`);
        return new SshServer(port, folder, child);
      }
      if (tries === mostTries) {
        await rm(folder, { recursive: true, force: true });
        throw new Error(`sshd doesn't start: ${problem}`);
      }
    }
  }

  /** The options of a client with one of the keys. They take the place of the settings of the person who runs the tests. */
  async clientOptions(key: 'user' | 'stranger'): Promise<readonly string[]> {
    const config = join(this.folder, `client_${key}`);
    const lines = [
      `IdentityFile ${join(this.folder, key)}`,
      'IdentitiesOnly yes',
      'IdentityAgent none',
      'BatchMode yes',
      `UserKnownHostsFile ${join(this.folder, 'known')}`,
      'GlobalKnownHostsFile none',
      'StrictHostKeyChecking yes',
    ];
    await writeFile(config, lines.join('\n'));
    return ['-F', config];
  }

  async stop(): Promise<void> {
    await endGroup(this.child);
    await rm(this.folder, { recursive: true, force: true });
  }
}

function serverOptions(folder: string, port: number): readonly string[] {
  return [
    'ListenAddress 127.0.0.1',
    `Port ${port}`,
    `HostKey ${join(folder, 'host')}`,
    'PidFile none',
    'UsePAM no',
    // The temporary folder is in one that others can write to.
    `AuthorizedKeysFile ${join(folder, 'authorized')}`,
    'StrictModes no',
    `AllowUsers ${userInfo().username}`,
    'PasswordAuthentication no',
    'KbdInteractiveAuthentication no',
    'PermitRootLogin prohibit-password',
    'PrintMotd no',
    'PrintLastLog no',
    '',
  ];
}

async function freePort(): Promise<number> {
  const server = createServer();
  const port = await listenOnLoopback(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Resolves once the server listens, or with what it said before it ended. */
function untilListening(child: ChildProcess): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    if (child.stderr !== null) {
      createInterface(child.stderr).on('line', (line) => {
        said.push(line);
        if (line.includes('Server listening on')) resolve(undefined);
      });
    }
    child.once('error', reject);
    child.once('close', (code) => resolve(`${said.join(' ')} (exit code ${code})`));
  });
}
