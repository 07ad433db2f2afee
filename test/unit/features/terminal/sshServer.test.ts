import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { connectionFailedCode, sshArguments } from '../../../../src/features/terminal/sshCommand';
import { ending } from '../../../host/processes';
import { skipOn } from '../../../host/skipOn';
import { SshServer } from './sshServer';

describe('ssh with a real server', () => {
  let server: SshServer;

  before(async function () {
    // There is no sshd that the user of the tests may start.
    skipOn(this, 'win32');
    const program = SshServer.findProgram();
    // OpenSSH's server isn't installed on this machine.
    if (program === undefined) this.skip();
    server = await SshServer.start(program);
  });
  after(() => (server as SshServer | undefined)?.stop());

  /** Runs `ssh` as the product does, with a key. A gate's user names exist only there, so this takes the user's own. */
  const connect = async (folder: string | undefined, key: 'user' | 'stranger', typed: string) => {
    const built = sshArguments({
      gate: { host: '127.0.0.1', port: server.port },
      login: userInfo().username.toLowerCase(),
      folder,
    });
    assert.ok('ok' in built, JSON.stringify(built));
    const child = spawn('ssh', [...(await server.clientOptions(key)), ...built.ok], { stdio: 'pipe' });
    const output = { stdout: '', stderr: '' };
    child.stdout.on('data', (chunk: Buffer) => (output.stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
    // A client that ended early doesn't read.
    child.stdin.on('error', () => undefined);
    child.stdin.end(typed);
    return { code: await ending(child, 'close'), ...output };
  };

  for (const name of ['tea', "it's", '$(touch canary)', '`touch canary`', '-la', 'a  b "c"', '日本 ü', '; exit 3 #']) {
    it(`lists the content of the folder ${name}`, async () => {
      const folder = join(server.folder, 'nodes', name);
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'one'), '');
      await writeFile(join(folder, 'two'), '');
      const { code, stdout, stderr } = await connect(folder, 'user', 'echo "files: $(ls -A | tr "\\n" " ")"\nexit 7\n');
      assert.equal(code, 7, stderr);
      assert.match(stdout, /^files: one two $/m);
    });
  }

  it("starts in the user's home folder if none was chosen", async () => {
    const { code, stdout, stderr } = await connect(undefined, 'user', 'echo "at: $(pwd) of $HOME"\nexit 0\n');
    assert.equal(code, 0, stderr);
    const { at, home } = /^at: (?<at>.+) of (?<home>.+)$/m.exec(stdout)?.groups ?? {};
    assert.ok(at !== undefined && at === home, stdout);
  });

  it('opens no shell at another place if the folder is gone', async () => {
    const { code, stdout, stderr } = await connect(join(server.folder, 'gone'), 'user', 'echo "here: $(pwd)"\n');
    assert.ok(code !== 0 && code !== connectionFailedCode, String(code));
    assert.match(stderr, /gone/);
    assert.ok(!stdout.includes('here:'));
  });

  it('ends with the code that the product explains if the key is wrong', async () => {
    const { code, stderr } = await connect(undefined, 'stranger', 'exit 0\n');
    assert.equal(code, connectionFailedCode);
    assert.match(stderr, /Permission denied \(publickey\)/);
  });
});
