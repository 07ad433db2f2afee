import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { projectFolder } from '../host/folders';
import { notificationShown, pick, runCommand, tidyUp } from '../host/vscode/workbench';
import { type LocalPlatform, startPlatform } from '../localPlatform/localPlatform';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { picture } from './support/picture';
import { signInWithPassword } from './support/signIn';

describe('tasks in a window with a folder', () => {
  let platform: LocalPlatform;
  let folder: string;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    platform = await startPlatform();
    folder = await mkdtemp(join(tmpdir(), 'gantry-tasks-'));
    for (const name of ['run', 'other']) {
      await mkdir(dirname(log(name)), { recursive: true });
      await writeFile(log(name), 'started before\n');
    }
    const common = { type: 'gantry', environment: 'shop', node: node() };
    const tasks = [
      { ...common, label: 'restart one', action: 'restart' },
      { ...common, label: 'wait for start', action: 'followLog', path: '/var/log/run.log', until: 'started' },
      { ...common, label: 'watch run', action: 'followLog', path: '/var/log/run.log' },
      { ...common, label: 'watch other', action: 'followLog', path: '/var/log/other.log', until: 'ready' },
    ];
    await mkdir(join(folder, '.vscode'));
    await writeFile(join(folder, '.vscode/tasks.json'), JSON.stringify({ version: '2.0.0', tasks }));
    gantry = await openGantry({
      workspace: folder,
      alongside: [join(projectFolder, 'test/e2e/support/taskWatcher')],
    });
    page = gantry.page;
    await signInWithPassword(page, platform);
  });

  afterEach(() => tidyUp(page, 'notifications.clearAll'));

  after(async () => {
    await gantry.close();
    await platform.dispose();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const node = () => platform.nodes('shop', 'cp')[0]?.id ?? 0;
  const log = (name: string) => join(platform.nodeFolder(node()), 'var/log', `${name}.log`);
  const output = (text: string | RegExp): Locator =>
    page.locator('.terminal-wrapper.active .xterm-rows').filter({ hasText: text });
  const run = async (name: string) => {
    await runCommand(page, 'Tasks: Run Task');
    await pick(page, name);
  };
  const ends = (name: string, exitCode: number) => notificationShown(page, `${name} ended with ${exitCode}`);
  const reads = (name: string) =>
    platform.journal.count(({ parameters }) => parameters['path'] === `/var/log/${name}.log`);

  it('are found by other extensions: those in tasks.json, and those for known projects', async () => {
    await runCommand(page, 'List Gantry Tasks');
    const found = await notificationShown(page, /^Found /);
    const text = (await found.locator('.notification-list-item-message').textContent()) ?? '';
    for (const name of ['restart one', 'wait for start', 'redeploy ROOT on shop', 'restart cp on shop']) {
      assert.ok(text.includes(name), text);
    }
  });

  it('restart a service', async () => {
    platform.journal.reset();
    await run('restart one');
    await output(/Restarted the service on /).waitFor();
    await ends('restart one', 0);
    const restarted = platform.journal.entries.filter(({ operation }) => operation === 'RestartServices');
    assert.deepEqual(
      restarted.map(({ parameters }) => parameters['nodeId']),
      [String(node())],
    );
    await picture(page, 'task-restart');
  });

  it('follow a log until a new line has a text', async () => {
    await run('wait for start');
    await output(/started before/).waitFor();
    await appendFile(log('run'), 'it has started\n');
    await output(/it has started/).waitFor();
    await ends('wait for start', 0);
  });

  it('end with their requests when they are terminated', async () => {
    await run('watch run');
    await output(/started before/).waitFor();
    const held = platform.faults.add({
      operation: 'ReadLog',
      parameters: { path: '/var/log/run.log' },
      fault: { kind: 'hang' },
    });
    await held.reached;
    const before = reads('run');
    await runCommand(page, 'Tasks: Terminate Task');
    await pick(page, 'watch run');
    await notificationShown(page, 'watch run is over');
    held.release();
    // Meanwhile, another log is looked at several times.
    await run('watch other');
    for (let looks = 0; looks < 3; looks += 1) {
      await platform.journal.next(({ parameters }) => parameters['path'] === '/var/log/other.log');
    }
    await appendFile(log('other'), 'ready\n');
    await ends('watch other', 0);
    assert.equal(reads('run'), before);
  });
});
