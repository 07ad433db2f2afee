import assert from 'node:assert/strict';
import { type ChildProcess } from 'node:child_process';
import { chmod, copyFile, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, type Page } from 'playwright-core';
import { cacheFolder, projectFolder, scratchFolder } from '../host/folders';
import { descendants, runningProcesses } from '../host/descendants';
import { itNightly } from '../host/nightly';
import { ending, endGroup, runToEnd, spawnGroup } from '../host/processes';
import { skipOn } from '../host/skipOn';
import { launchBrowser, newBrowserContext } from '../host/vscode/browser';
import { workbenchIsThere } from '../host/vscode/openWindow';
import { editor, runCommand } from '../host/vscode/workbench';
import { keys } from './support/keyboard';
import { picture } from './support/picture';
import { openRow } from './support/rows';
import { rowIn, section } from './support/sections';
import { browseTo } from './support/signIn';
import { step } from './support/step';

const start = (...args: string[]): string[] => ['--import', 'tsx', join(projectFolder, 'test', 'start.ts'), ...args];

describe('npm start', () => {
  const running: { child?: ChildProcess; browser?: Browser; announced: Map<string, string> } = { announced: new Map() };

  before(async () => {
    running.child = spawnGroup(process.execPath, start('--port', '0', '--platform-port', '0'), {
      cwd: projectFolder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    running.announced = await announcement(running.child);
    running.browser = await launchBrowser();
  });

  after(async () => {
    await running.browser?.close();
    if (running.child) await endGroup(running.child);
  });

  it('shows how to sign in, lets no one else in, and ends everything it started on Ctrl+C', async () => {
    await step('shows where VS Code and the platform are and how to sign in', checkAnnouncement);
    await step(
      'rejects VS Code requests without its password, and has the packaged Gantry installed, which saves a file, and opens each time',
      openVsCode,
    );
    await step('ends everything it started on Ctrl+C', endAll);
  });

  function checkAnnouncement(): void {
    assert.deepEqual(
      [...running.announced.keys()],
      [
        'VS Code',
        'VS Code password',
        'platform',
        'sign in as',
        'password',
        'Git repository',
        'Git username',
        'Git password',
      ],
    );
    assert.match(running.announced.get('VS Code') ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.match(running.announced.get('platform') ?? '', /^http:\/\/127\.0\.0\.1:\d+$/);
  }

  async function openVsCode(): Promise<void> {
    assert.ok(running.browser);
    const context = await newBrowserContext(running.browser);
    const page = await context.newPage();
    await page.goto(running.announced.get('VS Code') ?? '');
    await page.locator('input[name=password]').fill(running.announced.get('VS Code password') ?? '');
    await page.keyboard.press('Enter');
    await workbenchIsThere(page);
    await section(page, 'Environments').waitFor();
    await saveAFile(page);
    await picture(page, 'npm-start');
    assert.equal(
      await page
        .locator('.notification-list-item')
        .filter({ hasText: /\bport\b/ })
        .count(),
      0,
    );
    await opensOnGantry(page);
    await context.close();
  }

  /** Also if it isn't the first start, and whatever was open before. */
  async function opensOnGantry(page: Page): Promise<void> {
    await runCommand(page, 'View: Show Explorer');
    await section(page, 'Environments').waitFor({ state: 'hidden' });
    await page.goto(running.announced.get('VS Code') ?? '');
    await workbenchIsThere(page);
    await section(page, 'Environments').waitFor();
  }

  /** The package leaves out files of the project, so it must do more than start. */
  async function saveAFile(page: Page): Promise<void> {
    const [origin = '', email = '', password = ''] = ['platform', 'sign in as', 'password'].map((name) =>
      running.announced.get(name),
    );
    const folders = ['Saltmarsh Tea', 'Load balancer', 'NGINX 1.26', 'conf.d'];
    await browseTo(page, { origin, sample: { email, password } }, folders);
    await openRow(rowIn(page, 'Environments', 'shop.conf'));
    await editor(page).locator('.view-line').first().click();
    await page.keyboard.press(keys.top);
    await page.keyboard.type('# edited\n');
    await page.locator('.tab.active.dirty').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await page.locator('.tab.active:not(.dirty)').waitFor();
  }

  it('says in one sentence that a port is already in use', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    assert.ok(typeof address === 'object' && address !== null);
    const attempt = runToEnd(process.execPath, start('--port', String(address.port)), { cwd: projectFolder });
    await assert.rejects(
      attempt,
      new RegExp(`ended with 1:\nPort ${address.port} is taken; choose another with --port\\.\n$`),
    );
    await new Promise((resolve) => taken.close(resolve));
  });

  async function endAll(): Promise<void> {
    assert.ok(running.child?.pid);
    const started = process.platform === 'linux' ? descendants(running.child.pid) : [];
    const ended = ending(running.child, 'exit');
    running.child.kill('SIGINT');
    assert.equal(await ended, 0);
    assert.ok(process.platform !== 'linux' || started.length >= 2);
    const left = new Set(runningProcesses().map(({ pid }) => pid));
    assert.deepEqual(
      started.filter(({ pid }) => left.has(pid)),
      [],
    );
    for (const place of ['VS Code', 'platform']) await assert.rejects(fetch(running.announced.get(place) ?? ''));
  }
});

describe('npm start -- --desktop', () => {
  before(function () {
    // It can't start a script like a program.
    skipOn(this, 'win32');
  });

  itNightly('opens the desktop VS Code on the PATH with the extension, and ends with it', async () => {
    const folder = scratchFolder('stand-in');
    const report = join(folder, 'report.json');
    await copyFile(join(projectFolder, 'test', 'unit', 'host', 'fixtures', 'standIn.cjs'), join(folder, 'code'));
    await chmod(join(folder, 'code'), 0o755);
    const printed = await runToEnd(process.execPath, start('--desktop', '--platform-port', '0'), {
      cwd: projectFolder,
      env: { ...process.env, GANTRY_VSCODE: join(folder, 'code'), STAND_IN_REPORT: report },
    });
    assert.match(printed, /platform +http:\/\/127\.0\.0\.1:\d+\n/);
    const args = JSON.parse(await readFile(report, 'utf8')) as string[];
    assert.ok(args.includes(`--extensionDevelopmentPath=${projectFolder}`));
    assert.ok(args.some((one) => one.startsWith(`--user-data-dir=${cacheFolder}`)));
    await rm(folder, { recursive: true });
  });
});

async function announcement(child: ChildProcess): Promise<Map<string, string>> {
  const announced = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    ending(child, 'exit').then((how) => reject(new Error(`npm start ended with ${how}`)), reject);
    if (child.stdout === null) return;
    createInterface(child.stdout).on('line', (line) => {
      const [, name, value] = /^ {2}(\S.*?) {2,}(\S+)$/.exec(line) ?? [];
      if (name !== undefined && value !== undefined) announced.set(name, value);
      if (line.includes('Ctrl+C')) resolve();
    });
  });
  return announced;
}
