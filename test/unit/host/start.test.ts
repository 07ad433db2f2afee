import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { scratchFolder } from '../../host/folders';
import { checkPort } from '../../host/start/freePort';
import { readAnnouncement } from '../../host/start/platformProcess';
import { startOptions } from '../../host/start/startOptions';
import { prepareState, writeDesktopSettings } from '../../host/vscode/state';
import { listenOnLoopback } from '../../localPlatform/server/loopback';

describe('the options of npm start', () => {
  it('have the same ports at every start by default', () => {
    assert.deepEqual(startOptions([]), { port: 8710, platformPort: 8711, desktop: false });
    assert.deepEqual(startOptions(['--port', '0', '--platform-port', '9000', '--desktop']), {
      port: 0,
      platformPort: 9000,
      desktop: true,
    });
  });

  for (const wrong of ['', 'http', '-1', '65536', '80 80', '1e3']) {
    it(`reject the port "${wrong}"`, () => {
      assert.throws(() => startOptions([`--port=${wrong}`]), /--port takes a number from 0 .*\nusage: npm start/);
    });
  }

  it('include the number of environments of a big account', () => {
    assert.equal(startOptions(['--environments', '300']).environments, 300);
    for (const wrong of ['', '1', 'many', '1e3']) {
      assert.throws(
        () => startOptions([`--environments=${wrong}`]),
        /--environments takes a number from 2 .*\nusage: npm start/,
      );
    }
  });

  it('reject unknown options', () => {
    assert.throws(() => startOptions(['--prot', '1']), /--prot.*\nusage: npm start/s);
  });
});

describe('the settings of someone who tries Gantry', () => {
  const printedBy = async (work: () => Promise<void>) => {
    const printed: unknown[] = [];
    const { log } = console;
    console.log = (line: unknown) => printed.push(line);
    try {
      await work();
    } finally {
      console.log = log;
    }
    return printed;
  };

  it('are its defaults, which tests change', async () => {
    const folder = scratchFolder('settings');
    try {
      const gantryIn = (file: string) => {
        const settings = JSON.parse(readFileSync(join(folder, file), 'utf8')) as object;
        return Object.keys(settings).filter((name) => name.startsWith('gantry.'));
      };
      const files = ['user/Machine/settings.json', 'user/User/settings.json'];
      await prepareState(folder, { auth: { password: 'secret' } });
      assert.deepEqual(files.flatMap(gantryIn), []);
      await prepareState(folder, {});
      assert.deepEqual(files.flatMap(gantryIn), ['gantry.restart.delay', 'gantry.versionHistory.keep']);
      await writeDesktopSettings(join(folder, 'desktop'), {});
      assert.deepEqual(gantryIn('desktop/User/settings.json'), []);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('stay when it starts again, with the address of the local platform added', async () => {
    const folder = scratchFolder('settings');
    const origin = (port: number) => ({ 'gantry.platforms': [`http://127.0.0.1:${port}`] });
    const starts = {
      'server/user/Machine': (port: number) =>
        prepareState(join(folder, 'server'), { auth: { password: 'secret' }, settings: origin(port) }),
      'desktop/User': (port: number) => writeDesktopSettings(join(folder, 'desktop'), origin(port)),
    };
    try {
      for (const [parent, start] of Object.entries(starts)) {
        const file = join(folder, parent, 'settings.json');
        const settings = () => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
        await start(1);
        const theirs = { 'gantry.platforms': ['https://app.example.com'], 'gantry.ssh.gate': { a: 'b' } };
        await writeFile(file, JSON.stringify({ ...settings(), ...theirs, 'update.mode': 'manual' }));
        await start(2);
        const { 'gantry.platforms': platforms, 'gantry.ssh.gate': gate, 'update.mode': mode } = settings();
        assert.deepEqual(platforms, ['https://app.example.com', 'http://127.0.0.1:2']);
        assert.deepEqual([gate, mode], [{ a: 'b' }, 'manual']);
        await writeFile(file, '\n');
        await start(3);
        assert.deepEqual(settings()['gantry.platforms'], ['http://127.0.0.1:3']);
        const commented = '{ // mine\n}';
        await writeFile(file, commented);
        const printed = await printedBy(() => start(2));
        assert.equal(readFileSync(file, 'utf8'), commented);
        assert.deepEqual(printed, [`Added no settings to ${file}, because it isn't plain JSON.`]);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

describe('a port for npm start', () => {
  const taken: { server?: Server } = {};
  afterEach(() => {
    taken.server?.close();
  });

  it('is accepted if it is free', async () => {
    await checkPort(0, '--port');
  });

  it('is rejected in a sentence if it is in use', async () => {
    const server = createServer();
    taken.server = server;
    const port = await listenOnLoopback(server);
    await assert.rejects(checkPort(port, '--platform-port'), {
      message: `Port ${port} is taken; choose another with --platform-port.`,
    });
  });
});

describe('the output of the local platform', () => {
  const printed =
    'a warning\nlistening on http://127.0.0.1:40123\ngit clone http://a:b@127.0.0.1:9/shop.git\nsign in as anna@example.org with password s3cret-x\n';

  it('contains its address and the sample sign-in', () => {
    assert.deepEqual(readAnnouncement(printed), {
      origin: 'http://127.0.0.1:40123',
      login: 'anna@example.org',
      password: 's3cret-x',
      repository: 'http://a:b@127.0.0.1:9/shop.git',
    });
  });

  it('is incomplete before the last line', () => {
    assert.equal(readAnnouncement(printed.slice(0, 50)), undefined);
  });
});
