import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { skipOn } from '../../host/skipOn';
import { listenOnLoopback } from '../../localPlatform/server/loopback';
import { credentials, logFile, VcsSetUp, webroot } from './vcsSetUp';

const encoded = Buffer.from(`${credentials.login}:${credentials.password}`).toString('base64');
const secrets = [credentials.password, encodeURIComponent(credentials.password), encoded];

const demandNoSecret = (text: string, where: string): void => {
  for (const secret of secrets) assert.equal(text.includes(secret), false, `${where} holds the password`);
};

const commandLines = async (): Promise<string> => {
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/u.test(name));
  // A process may end after it was listed.
  const lines = await Promise.all(ids.map((id) => readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')));
  return lines.map((line) => line.replaceAll('\0', ' ')).join('\n');
};

describe('local platform: a repository password', () => {
  let setUp: VcsSetUp;
  beforeEach(async () => (setUp = await VcsSetUp.start()));
  afterEach(() => setUp.stop());

  it('is neither in the checkout nor in a log or response', async () => {
    const script = `echo 'they say ${credentials.password} and ${encoded}'`;
    const created = await setUp.create({ hooks: JSON.stringify({ preDeploy: script }) });
    const updated = await setUp.update();
    assert.match(updated.log, /they say \*\*\* and \*\*\*/u);
    demandNoSecret(JSON.stringify([created, updated, await setUp.send('GetProject')]), 'an answer');
    demandNoSecret(await setUp.read(logFile), 'the log');
    demandNoSecret(setUp.server.requests.join('\n'), 'a URL');
    const files = await readdir(setUp.file(`${webroot}/ROOT/.git`), { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      demandNoSecret(await readFile(join(file.parentPath, file.name), 'latin1'), file.name);
    }
  });

  it('is on no command line while Git fetches the sources', async function () {
    // Only Linux shows the command lines of all processes in files.
    skipOn(this, 'darwin', 'win32');
    let seen = '';
    const server = createHttpServer((request, response) => {
      const head = { 'content-type': 'application/x-git-upload-pack-advertisement' };
      // The platform's own request comes first and gets access. The next one is from Git.
      if ((request.headers['user-agent'] ?? '').startsWith('git/')) {
        void commandLines().then((lines) => {
          seen = lines;
          response.writeHead(500).end();
        });
      } else response.writeHead(200, head).end();
    });
    try {
      await setUp.create({ url: `http://127.0.0.1:${await listenOnLoopback(server)}/tea.git` });
      await setUp.update({ nodeId: setUp.nodeId(0) });
    } finally {
      server.close();
    }
    assert.match(seen, /git clone --branch master/u);
    demandNoSecret(seen, 'a command line');
  });

  it('is on no command line while Subversion fetches the sources', async function () {
    // Only Linux shows the command lines of all processes in files.
    skipOn(this, 'darwin', 'win32');
    let seen = '';
    const server = createServer((socket) => {
      void commandLines().then((lines) => {
        seen = lines;
        socket.destroy();
      });
    });
    try {
      await setUp.create({ type: 'SVN', url: `svn://127.0.0.1:${await listenOnLoopback(server)}/tea` });
      const { log } = await setUp.update({ nodeId: setUp.nodeId(0) });
      if (log.includes('svn is not installed')) this.skip();
    } finally {
      server.close();
    }
    assert.match(seen, /svn info/u);
    demandNoSecret(seen, 'a command line');
  });
});
