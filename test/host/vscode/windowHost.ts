import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type BrowserContext } from 'playwright-core';
import { descendants } from '../descendants';
import { type VsCodeVersion } from '../install/codeServer';
import { endProcesses, isAlive } from '../processes';
import { type VsCodeOptions } from './options';
import { startVsCode, type VsCode } from './startVsCode';
import { prepareState } from './state';

/** The options that can differ between the windows of one server. Other options need a separate VS Code. */
export type WindowSetUp = Pick<VsCodeOptions, 'extension' | 'alongside' | 'settings' | 'workspace'>;

/**
 * Runs one server and one browser for many windows, one after another, because starting them takes longer than most tests.
 * Removes all state between windows.
 */
export class WindowHost {
  private started: Promise<VsCode> | undefined;

  constructor(private readonly version: VsCodeVersion = 'newest') {}

  /** Returns a VS Code in the state of a new installation. Dispose of it before you take the next one. */
  async take(options: WindowSetUp): Promise<VsCode> {
    const vscode = await this.server();
    await prepareState(vscode.stateFolder, options);
    const contexts = new Set<BrowserContext>();
    return {
      ...vscode,
      options: { ...options, version: this.version },
      newContext: async () => {
        const context = await vscode.newContext();
        contexts.add(context);
        return context;
      },
      dispose: async () => {
        try {
          for (const context of contexts) await context.close();
          await clear(vscode);
        } catch (error) {
          // The next window gets a new server, because this one may keep something of this window.
          await this.dispose();
          throw error;
        }
        // On Windows, the processes of a window can't be distinguished from the server's own.
        if (process.platform === 'win32') await this.dispose();
      },
    };
  }

  async dispose(): Promise<void> {
    const vscode = await this.started;
    this.started = undefined;
    await vscode?.dispose();
  }

  /** Returns the running server, or a new one if a test or a crash ended it. */
  private async server(): Promise<VsCode> {
    const running = await this.started;
    if (running !== undefined && isAlive(running.pid())) return running;
    await running?.dispose();
    this.started = startVsCode({ version: this.version });
    // A server that couldn't start is replaced for the next window.
    this.started.catch(() => (this.started = undefined));
    const started = await this.started;
    // The server keeps the state that it was started with. Without this, the first window wouldn't get its own settings.
    await clear(started);
    return started;
  }
}

/** Files of the server itself. Tests created everything else in its folder. */
const serverNames: readonly string[] = ['config.yaml', 'extensions', 'home', 'server.log', 'user'];

/** State of the machine and the server that doesn't depend on a user. */
const keptNames: readonly string[] = [
  'serve-web-key-half',
  'CachedProfilesData',
  'logs',
  'User/machineid',
  'User/caches',
];

async function clear(vscode: VsCode): Promise<void> {
  await endProcesses(descendants(vscode.pid()).flatMap(({ pid, command }) => (belongsToWindow(command) ? [pid] : [])));
  for (const name of await readdir(vscode.stateFolder)) {
    if (!serverNames.includes(name)) await rm(join(vscode.stateFolder, name), { recursive: true, force: true });
  }
  const user = join(vscode.stateFolder, 'user');
  for (const folder of ['', 'User']) {
    const names = (await readdir(join(user, folder))).map((name) => join(folder, name).replaceAll('\\', '/'));
    const left = names.filter((name) => name !== 'User' && !keptNames.includes(name) && !name.endsWith('Cache.json'));
    for (const name of left) await rm(join(user, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Matches every process except the server's own two and those that serve all windows. */
function belongsToWindow(command: string): boolean {
  return !/out\/node\/entry|--type=ptyHost/.test(command);
}
