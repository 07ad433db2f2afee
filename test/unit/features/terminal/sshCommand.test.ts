import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import {
  loginAt,
  parseGate,
  posixLine,
  powerShellLine,
  sshArguments,
  usualGate,
} from '../../../../src/features/terminal/sshCommand';
import { limit } from '../../../host/limits';
import { skipOn } from '../../../host/skipOn';
import { hostileDestinations } from './hostileCases';

const run = promisify(execFile);
const gate = { host: 'gate.example.com', port: 3022 };
const seed = 1;
const atOnce = 4;

type Destination = Parameters<typeof sshArguments>[0];

interface Accepted extends Destination {
  readonly args: readonly string[];
}

describe('the arguments of ssh', () => {
  it('connect to a node as the person, at a folder', () => {
    assert.deepEqual(sshArguments({ gate, login: loginAt(66001, 7), folder: undefined }), {
      ok: ['-p', '3022', '-t', '--', '66001-7@gate.example.com'],
    });
    assert.deepEqual(sshArguments({ gate, login: loginAt(66001, 7), folder: "/srv/it's here" }), {
      ok: [
        '-p',
        '3022',
        '-t',
        '--',
        '66001-7@gate.example.com',
        `cd -- '/srv/it'\\''s here' && exec "\${SHELL:-sh}" -l`,
      ],
    });
  });

  it("are refused for what isn't a host name, a user name, or a path that a line can hold", () => {
    for (const host of [
      '',
      '-oProxyCommand=x',
      'a b',
      'a;b',
      '.a',
      'a.',
      '[::1]',
      'a@b',
      '127.1',
      '0x7f.1',
      '010.0.0.1',
      'a.-b',
      'a..b',
      'ü.example',
    ])
      assert.deepEqual(sshArguments({ gate: { host, port: 22 }, login: '1-2', folder: undefined }), { unsafe: 'gate' });
    for (const port of [0, -1, 65_536, 1.5, NaN])
      assert.deepEqual(sshArguments({ gate: { host: 'a', port }, login: '1-2', folder: undefined }), {
        unsafe: 'gate',
      });
    for (const login of ['', '-l', loginAt(-1, 2), loginAt(NaN, 2), loginAt(1e21, 2), loginAt(1.5, 2), 'a@b', 'a b'])
      assert.deepEqual(sshArguments({ gate, login, folder: undefined }), { unsafe: 'login' }, login);
    for (const folder of ['', 'srv', '-', '~', '/a\nb', '/a\0', '/a\u001b[2J', '/\u0085', '/\ud800'])
      assert.deepEqual(sshArguments({ gate, login: '1-2', folder }), { unsafe: 'folder' }, JSON.stringify(folder));
  });

  it('go to the gate in the settings, or to the usual one', () => {
    assert.deepEqual(parseGate(' Gate.Example.com '), gate);
    assert.deepEqual(parseGate('ssh.example.com:22'), { host: 'ssh.example.com', port: 22 });
    for (const text of ['', ':22', 'a:0', 'a:99999', 'a:b', 'a:1:2', 'ssh://a', 'user@a', '-a'])
      assert.equal(parseGate(text), undefined, text);
    assert.deepEqual(usualGate('app.example.com'), gate);
    assert.deepEqual(usualGate('APP.example.com:8443'), gate);
    for (const host of ['example.com', 'application.example.com', '127.0.0.1:8080', 'app.', 'app.-x'])
      assert.equal(usualGate(host), undefined, host);
  });

  it('can be copied for PowerShell, unless its versions disagree about them', () => {
    const folder = "/srv/it's ‘here’ $(x)";
    const built = sshArguments({ gate, login: '1-2', folder });
    assert.ok('ok' in built);
    assert.equal(
      powerShellLine(built.ok, folder),
      `ssh -p 3022 -t -- 1-2@gate.example.com 'cd -- ''/srv/it''\\''''s ‘‘here’’ $(x)'' && exec "\${SHELL:-sh}" -l'`,
    );
    assert.equal(powerShellLine(['-p'], '/a"b'), undefined);
  });
});

describe('1,000 hostile destinations', function () {
  this.timeout(limit(60_000));
  let temporary = '';
  let accepted: readonly Accepted[] = [];

  before(function () {
    // It has neither sh nor the names of files that these tests need.
    skipOn(this, 'win32');
    temporary = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-ssh-')));
    const all = hostileDestinations(1_000, seed);
    assert.equal(all.length, 1_000);
    accepted = all.flatMap((destination) => {
      const built = sshArguments(destination);
      return 'ok' in built ? [{ ...destination, args: built.ok }] : [];
    });
    assert.ok(accepted.length > 250 && accepted.length < 750, `${accepted.length} of 1,000 are accepted`);
  });
  after(() => rmSync(temporary, { recursive: true, force: true }));

  /** Checks each in turn, a few at once. */
  const forEach = async <T>(items: readonly T[], check: (item: T) => Promise<void>) => {
    const rest = [...items];
    const worker = async () => {
      for (let item = rest.pop(); item !== undefined; item = rest.pop()) await check(item);
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
  };

  it('mean to ssh only the host, the user and the port, or are refused', async () => {
    const meaning = async (args: readonly string[]) => (await run('ssh', ['-F', 'none', '-G', ...args])).stdout;
    const usual = await meaning(['-p', '3022', '-t', '--', 'nobody@gate.example.com']);
    assert.match(usual, /^user nobody$/m);
    await forEach(accepted, async ({ args, gate: { host, port }, login }) => {
      const expected = usual
        .replace(/^user .*$/m, `user ${login}`)
        .replace(/^hostname .*$/m, `hostname ${host}`)
        .replace(/^host .*$/m, `host ${host}`)
        .replace(/^port .*$/m, `port ${port}`);
      assert.equal(await meaning(args), expected, JSON.stringify(args));
    });
  });

  it('end in exactly the folder, and run nothing but the shell', async () => {
    const [root, elsewhere, noPrograms] = ['root', 'elsewhere', 'bin'].map((name) => join(temporary, name));
    assert.ok(root !== undefined && elsewhere !== undefined && noPrograms !== undefined);
    for (const folder of [root, elsewhere, noPrograms]) mkdirSync(folder);
    const shell = join(temporary, 'a shell');
    writeFileSync(shell, '#!/bin/sh\npwd -P\nprintf "%s\\n" "$#" "$@"\n', { mode: 0o755 });
    const folders = accepted.flatMap(({ folder }) => (folder === undefined || !isCreatable(folder) ? [] : [folder]));
    assert.ok(folders.length > 200, `${folders.length} folders`);
    await forEach(folders, async (folder) => {
      const place = join(root, folder);
      mkdirSync(place, { recursive: true });
      const built = sshArguments({ gate, login: '1-2', folder: `${root}${folder}` });
      const command = 'ok' in built ? built.ok.at(-1) : undefined;
      const env = { SHELL: shell, PATH: noPrograms };
      const { stdout, stderr } = await run('/bin/sh', ['-c', command ?? ''], { cwd: elsewhere, env });
      assert.deepEqual([stdout, stderr], [`${realpathSync(place)}\n1\n-l\n`, ''], JSON.stringify(folder));
    });
    const files = [root, elsewhere].flatMap((folder) =>
      readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => !entry.isDirectory()),
    );
    assert.deepEqual(files, []);
  });

  it('are copied as a line that a shell takes for the same arguments', () => {
    const lines = accepted.map(({ args }) => posixLine(args));
    const script = [`ssh() { printf '%s\\0' "$#" "$@"; }`, ...lines].join('\n');
    const { stdout, stderr } = spawnSync('/bin/sh', ['-s'], { input: script, env: { PATH: '' }, encoding: 'utf8' });
    assert.equal(stderr, '');
    const expected = accepted.flatMap(({ args }) => [String(args.length), ...args]);
    assert.deepEqual(stdout.split('\0'), [...expected, '']);
  });
});

/** Whether a disk can have this path. */
function isCreatable(path: string): boolean {
  return path
    .slice(1)
    .split('/')
    .every((name) => !['', '.', '..'].includes(name) && Buffer.byteLength(name) <= 255);
}
