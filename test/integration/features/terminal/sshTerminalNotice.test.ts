import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, window } from 'vscode';
import { nextEvent, until } from '../../support/event';
import { pagesOpenedBy } from '../../support/pagesOpenedBy';
import { closeTerminals, setGate, SilentGate } from '../../support/terminals';
import { windowScene } from '../../support/windowScene';

const run = promisify(execFile);

describe('a terminal with ssh', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const cp = scene.environment('shop').layer('cp');
  const { person } = scene;
  const row = () => cp.nodeRow();
  const gate = new SilentGate();

  before(async () => {
    const apiList = ['environment.control.GetEnvs', 'environment.file.GetList'];
    const account = await scene.signInWith({ description: 'test', apiList });
    await gate.start();
    await setGate({ [account.host]: `127.0.0.1:${gate.port}` });
    // The token can't read the user ID.
    await person.answering(['678'], () => commands.executeCommand('gantry.terminal.copyCommand', row()));
  });

  beforeEach(() => person.enter());

  afterEach(closeTerminals);

  after(async () => {
    await setGate(undefined);
    await gate.stop();
  });

  const open = (...received: readonly unknown[]) => commands.executeCommand('gantry.terminal.open', ...received);
  const failed =
    /^Couldn't connect to Saltmarsh Tea · NGINX PHP 8\.3 \(\d+\) over SSH, or the connection was lost\. .+ Settings › SSH Keys › Public Keys\.$/;

  // Windows has no ps.
  if (process.platform !== 'win32') {
    it('starts the program with exactly these arguments, whatever VS Code replaces elsewhere', async () => {
      const folder = '/srv/${env:HOME} ${workspaceFolder} "a b" $(touch canary) %PATH%';
      await cp.makeFolder(folder);
      scene.parts.listings.forgetAll();
      const connected = new Promise<void>((resolve) => {
        gate.onConnection = () => resolve();
      });
      await open(cp.uri(folder));
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
    assert.match(await env.clipboard.readText(), new RegExp(`^ssh -p \\d+ -t -- ${cp.nodeId()}-678@127\\.0\\.0\\.1$`));
  });

  it('opens the dashboard from that message, because keys are added there', async () => {
    gate.onConnection = (socket) => socket.destroy();
    const pages = await pagesOpenedBy(() =>
      person.answering([{ presses: 'Open Dashboard' }], async () => {
        await open(row());
        await until(person.onDidSee, () => person.seen.some((text) => failed.test(text)));
      }),
    );
    assert.deepEqual(pages, [`${scene.platform.origin}/`]);
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
    assert.match(await env.clipboard.readText(), new RegExp(`-- ${cp.nodeId()}-679@`));
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
