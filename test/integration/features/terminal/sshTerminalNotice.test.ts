import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, window } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { nextEvent, until } from '../../support/event';
import { fileUri, gantry } from '../../support/gantry';
import { pagesOpenedBy } from '../../support/pagesOpenedBy';
import { Person } from '../../support/person';
import { closeTerminals, setGate, SilentGate } from '../../support/terminals';

const run = promisify(execFile);

describe('a terminal with ssh', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let node: number;
  let person: Person;
  let gate: SilentGate;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    node = platform.nodes('shop', 'cp')[0]?.id ?? 0;
    parts = await gantry();
    const token = await platform.createToken({
      description: 'test',
      apiList: ['environment.control.GetEnvs', 'environment.file.GetList'],
    });
    await parts.accounts.add({ slug: 'ssh', label: 'S', address: platform.origin, transport: 'form', token });
    const added = parts.accounts.find('ssh');
    assert.ok(added);
    account = added;
    gate = new SilentGate();
    await gate.start();
    await setGate({ [account.host]: `127.0.0.1:${gate.port}` });
    person = new Person();
    // The token can't read the user ID.
    await person.answering(['678'], () => commands.executeCommand('gantry.terminal.copyCommand', row()));
    person.leave();
  });

  beforeEach(() => {
    person = new Person();
  });

  afterEach(async () => {
    await closeTerminals();
    person.leave();
  });

  after(async () => {
    await setGate(undefined);
    await parts.accounts.remove('ssh');
    await gate.stop();
    await platform.dispose();
  });

  const open = (...received: readonly unknown[]) => commands.executeCommand('gantry.terminal.open', ...received);
  const row = () => ({ environment: { account: account.slug, name: 'shop' }, layer: { id: 'cp' }, node: { id: node } });
  const failed =
    /^Couldn't connect to Saltmarsh Tea · NGINX PHP 8\.3 \(\d+\) over SSH, or the connection was lost\. .+ Settings › SSH Keys › Public Keys\.$/;

  // Windows has no ps.
  if (process.platform !== 'win32') {
    it('starts the program with exactly these arguments, whatever VS Code replaces elsewhere', async () => {
      const folder = '/srv/${env:HOME} ${workspaceFolder} "a b" $(touch canary) %PATH%';
      await mkdir(join(platform.nodeFolder(node), folder), { recursive: true });
      parts.listings.forgetAll();
      const connected = new Promise<void>((resolve) => {
        gate.onConnection = () => resolve();
      });
      await open(fileUri(account, 'shop', `cp~${node}`, folder));
      const [terminal] = window.terminals;
      assert.ok(terminal);
      await connected;
      const { stdout } = await run('ps', ['-ww', '-o', 'args=', '-p', String(await terminal.processId)]);
      const { shellPath, shellArgs } = terminal.creationOptions as { shellPath: string; shellArgs: string[] };
      assert.equal(shellPath, 'ssh');
      assert.equal(stdout.trimEnd().replace(/^\S*\/ssh /, ''), shellArgs.join(' '));
      assert.ok(stdout.includes(`cd -- '${folder}' && exec`));
    });
  }

  it('says how to add a key if it cannot connect, and offers the dashboard and the command', async () => {
    gate.onConnection = (socket) => socket.destroy();
    const closed = nextEvent(window.onDidCloseTerminal);
    await env.clipboard.writeText('');
    await person.answering([{ presses: 'Copy SSH Command' }], async () => {
      await open(row());
      await closed;
      await until(person.onDidSee, () => person.seen.some((text) => failed.test(text)));
    });
    assert.equal((await closed).exitStatus?.code, 255);
    assert.match(await env.clipboard.readText(), new RegExp(`^ssh -p \\d+ -t -- ${node}-678@127\\.0\\.0\\.1$`));
  });

  it('opens the dashboard from that message, because keys are added there', async () => {
    gate.onConnection = (socket) => socket.destroy();
    const pages = await pagesOpenedBy(() =>
      person.answering([{ presses: 'Open Dashboard' }], async () => {
        await open(row());
        await until(person.onDidSee, () => person.seen.some((text) => failed.test(text)));
      }),
    );
    assert.deepEqual(pages, [`${platform.origin}/`]);
  });

  it('lets the person change the user ID that they entered', async () => {
    gate.onConnection = (socket) => socket.destroy();
    const closed = nextEvent(window.onDidCloseTerminal);
    await person.answering([{ presses: 'Change User ID' }, '679'], async () => {
      await open(row());
      await closed;
      await until(person.onDidSee, () =>
        person.seen.some((text) => text.startsWith('The dashboard shows an SSH command')),
      );
    });
    await env.clipboard.writeText('');
    await commands.executeCommand('gantry.terminal.copyCommand', row());
    assert.match(await env.clipboard.readText(), new RegExp(`-- ${node}-679@`));
  });

  it('says nothing if the person closes the terminal', async () => {
    const connected = new Promise<void>((resolve) => {
      gate.onConnection = () => resolve();
    });
    await open(row());
    await connected;
    await closeTerminals();
    assert.deepEqual(person.seen, []);
  });
});
