import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, type BrowserContext } from 'playwright-core';
import { offerEvidence } from '../evidence';
import { scratchFolder } from '../folders';
import { type CodeServer, installCodeServer } from '../install/codeServer';
import { endGroup } from '../processes';
import { launchBrowser, newBrowserContext } from './browser';
import { type StateFolders, type VsCodeOptions } from './options';
import { installVsix, launchServer, type ServerProcess } from './serverProcess';
import { prepareState } from './state';

/** A running VS Code server. Windows are opened on it with openWindow. */
export interface VsCode {
  readonly options: VsCodeOptions;
  readonly origin: string;
  readonly stateFolder: string;
  /** The ID of the server's main process. */
  pid(): number;
  /** The last lines of the server's output. */
  output(): string;
  /** Settles when the first server has ended. */
  readonly ended: Promise<void>;
  /** Restarts the server at the same address and with the same state, as after a crash or reboot. */
  restart(): Promise<void>;
  /** Opens a browser context for a new user. The browser starts when it is first needed. */
  newContext(): Promise<BrowserContext>;
  /** Ends the server, its child processes, and its browser, and removes its files, except in a stateFolder from the options. */
  dispose(): Promise<void>;
}

export async function startVsCode(options: VsCodeOptions = {}): Promise<VsCode> {
  const codeServer = await installCodeServer(options.version ?? 'newest');
  const scratch = scratchFolder('vscode');
  const state = { folder: options.stateFolder ?? join(scratch, 'state'), scratch };
  try {
    await prepareState(state.folder, options);
    if (options.extension !== undefined && 'vsix' in options.extension) {
      await installVsix(codeServer, state, options.extension.vsix);
    }
    return await serve(codeServer, state, options);
  } catch (error) {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

async function serve(codeServer: CodeServer, state: StateFolders, options: VsCodeOptions): Promise<VsCode> {
  const first = await launchServer(codeServer, state, options);
  const port = Number(new URL(first.origin).port);
  const running: { current: ServerProcess; browser?: Promise<Browser> } = { current: first };
  const withdrawEvidence = offerEvidence((folder) => keepLogs(state.folder, port, folder));
  return {
    options,
    origin: first.origin,
    stateFolder: state.folder,
    pid: () => running.current.child.pid ?? 0,
    ended: first.ended,
    output: () => running.current.output(),
    restart: async () => {
      await endGroup(running.current.child);
      running.current = await launchServer(codeServer, state, { ...options, port });
    },
    newContext: async () => {
      running.browser ??= launchBrowser();
      const forget = (): void => {
        delete running.browser;
      };
      // Starts another browser for the next window if this one fails to start or crashes.
      const browser = await running.browser.catch((error: unknown) => {
        forget();
        throw error;
      });
      browser.once('disconnected', forget);
      return await newBrowserContext(browser);
    },
    dispose: async () => {
      await withdrawEvidence();
      await (await running.browser?.catch(() => undefined))?.close();
      await endGroup(running.current.child);
      await rm(state.scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/**
 * Copies the server's output and the logs of its windows and extension hosts to a separate folder, because several
 * servers may be running.
 */
async function keepLogs(stateFolder: string, port: number, evidence: string): Promise<void> {
  const folder = join(evidence, `server-${port}`);
  const logs = join(stateFolder, 'user', 'logs');
  await mkdir(folder);
  if (existsSync(logs)) await cp(logs, join(folder, 'logs'), { recursive: true });
  await copyFile(join(stateFolder, 'server.log'), join(folder, 'server.log'));
}
