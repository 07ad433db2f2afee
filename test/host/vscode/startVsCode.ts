import { existsSync } from 'node:fs';
import { copyFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { offerEvidence } from '../evidence';
import { scratchFolder } from '../folders';
import { type CodeServer, installCodeServer } from '../install/codeServer';
import { endGroup } from '../processes';
import { type StateFolders, type VsCodeOptions } from './options';
import { installVsix, launchServer } from './serverProcess';
import { prepareState } from './state';

/** A running VS Code server. Windows are opened on it with openWindow. */
export interface VsCode {
  readonly options: VsCodeOptions;
  readonly origin: string;
  readonly stateFolder: string;
  /** The last lines the server printed. */
  output(): string;
  /** Settles when the server that was started first has ended. */
  readonly ended: Promise<void>;
  /** Ends it and starts it again at the same address and on the same state, as after a crash or a reboot. */
  restart(): Promise<void>;
  /** Ends it with all it started; nothing of it is left but a stateFolder that was given. */
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
  const running = { current: first };
  const withdrawEvidence = offerEvidence((folder) => keepLogs(state.folder, folder));
  return {
    options,
    origin: first.origin,
    stateFolder: state.folder,
    ended: first.ended,
    output: () => running.current.output(),
    restart: async () => {
      await endGroup(running.current.child);
      running.current = await launchServer(codeServer, state, { ...options, port });
    },
    dispose: async () => {
      await withdrawEvidence();
      await endGroup(running.current.child);
      await rm(state.scratch, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** The server's output, and the logs of its windows and extension hosts. */
async function keepLogs(stateFolder: string, folder: string): Promise<void> {
  const logs = join(stateFolder, 'user', 'logs');
  if (existsSync(logs)) await cp(logs, join(folder, 'logs'), { recursive: true });
  await copyFile(join(stateFolder, 'server.log'), join(folder, 'server.log'));
}
