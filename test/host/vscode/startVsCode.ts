import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { offerEvidence } from '../evidence';
import { scratchFolder } from '../folders';
import { type CodeServer, installCodeServer, type VsCodeVersion } from '../install/codeServer';
import { endGroup, runToEnd, spawnGroup } from '../processes';
import { cleanEnvironment, homes } from './environment';
import { type Settings, writeSettings } from './testSettings';

/** From its folder, as under development, or packaged and installed, as a person has it. */
export type ExtensionUnderTest = { readonly folder: string } | { readonly vsix: string };

export interface VsCodeOptions {
  readonly version?: VsCodeVersion;
  readonly extension?: ExtensionUnderTest;
  /** Added to, and stronger than, quietSettings. */
  readonly settings?: Settings;
  /** A folder or a `.code-workspace` file that windows open; an empty window without it. */
  readonly workspace?: string;
  /** For the extension host and its terminals. */
  readonly env?: Readonly<Record<string, string>>;
  /** Kept when this ends, and must not be used by two at once. Without it a temporary one, removed at the end. */
  readonly stateFolder?: string;
  /** 0, any free one, unless told. */
  readonly port?: number;
  readonly auth?: { readonly password: string } | 'none';
  readonly workspaceTrust?: 'on' | 'off';
}

/** A running VS Code server. Windows are opened on it with openWindow. */
export interface VsCode {
  readonly options: VsCodeOptions;
  readonly origin: string;
  readonly stateFolder: string;
  /** The last lines the server printed. */
  output(): string;
  /** Settles when the server ends by itself. */
  readonly ended: Promise<void>;
  /** Ends it and starts it again at the same address and on the same state, as after a crash or a reboot. */
  restart(): Promise<void>;
  /** Ends it with all it started; nothing of it is left but a stateFolder that was given. */
  dispose(): Promise<void>;
}

export async function startVsCode(options: VsCodeOptions = {}): Promise<VsCode> {
  const codeServer = await installCodeServer(options.version ?? 'newest');
  const stateFolder = options.stateFolder ?? scratchFolder('vscode');
  try {
    await prepareState(stateFolder, options);
    await installExtension(codeServer, stateFolder, options);
    return await serve(codeServer, stateFolder, options);
  } catch (error) {
    if (options.stateFolder === undefined) await rm(stateFolder, { recursive: true, force: true });
    throw error;
  }
}

async function serve(codeServer: CodeServer, stateFolder: string, options: VsCodeOptions): Promise<VsCode> {
  const first = await launch(codeServer, stateFolder, options, options.port ?? 0);
  const port = Number(new URL(first.origin).port);
  const running = { current: first };
  const withdrawEvidence = offerEvidence((folder) => keepLogs(stateFolder, folder));
  return {
    options,
    origin: first.origin,
    stateFolder,
    ended: first.ended,
    output: () => running.current.output(),
    restart: async () => {
      await endGroup(running.current.child);
      running.current = await launch(codeServer, stateFolder, options, port);
    },
    dispose: async () => {
      await withdrawEvidence();
      await endGroup(running.current.child);
      if (options.stateFolder === undefined) await rm(stateFolder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

interface Launched {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly ended: Promise<void>;
  output(): string;
}

async function launch(
  codeServer: CodeServer,
  stateFolder: string,
  options: VsCodeOptions,
  port: number,
): Promise<Launched> {
  const password = options.auth === undefined || options.auth === 'none' ? undefined : options.auth.password;
  const child = spawnGroup(codeServer.node, [codeServer.entry, ...serverArguments(stateFolder, options, port)], {
    env: cleanEnvironment({
      ...homes(stateFolder),
      ...options.env,
      ...(password === undefined ? {} : { PASSWORD: password }),
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const log = createWriteStream(join(stateFolder, 'server.log'), { flags: 'a' });
  const ended = once(child, 'close')
    .then(() => log.end())
    .then(() => undefined);
  const origin = new Promise<string>((resolve, reject) => {
    const hear = (line: string): void => {
      lines.push(line);
      if (lines.length > 200) lines.shift();
      log.write(`${line}\n`);
      const listening = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line);
      if (listening?.[1] !== undefined) resolve(listening[1]);
    };
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface(stream).on('line', hear);
    child.once('error', reject);
    void ended.then(() => reject(new Error(`VS Code's server ended before it listened:\n${lines.join('\n')}`)));
  });
  return { child, origin: await origin, ended, output: () => lines.join('\n') };
}

function serverArguments(stateFolder: string, options: VsCodeOptions, port: number): string[] {
  return [
    ...['--auth', options.auth === undefined || options.auth === 'none' ? 'none' : 'password'],
    ...['--bind-addr', `127.0.0.1:${port}`],
    ...['--config', join(stateFolder, 'config.yaml')],
    ...folderArguments(stateFolder),
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    ...(options.workspaceTrust === 'on' ? [] : ['--disable-workspace-trust']),
  ];
}

function folderArguments(stateFolder: string): string[] {
  return ['--user-data-dir', join(stateFolder, 'user'), '--extensions-dir', join(stateFolder, 'extensions')];
}

async function prepareState(stateFolder: string, options: VsCodeOptions): Promise<void> {
  await mkdir(join(stateFolder, 'extensions'), { recursive: true });
  const trust = { 'security.workspace.trust.enabled': options.workspaceTrust === 'on' };
  // A window in the browser is a remote one: settings of machine scope are read from the server's `Machine` folder alone.
  for (const folder of ['User', 'Machine']) {
    await writeSettings(join(stateFolder, 'user', folder), { ...trust, ...options.settings });
  }
  // With a file of its own it neither reads nor writes the person's ~/.config/code-server.
  await writeFile(join(stateFolder, 'config.yaml'), 'cert: false\n');
}

async function installExtension(codeServer: CodeServer, stateFolder: string, options: VsCodeOptions): Promise<void> {
  if (options.extension === undefined || !('vsix' in options.extension)) return;
  const args = [codeServer.entry, '--config', join(stateFolder, 'config.yaml'), ...folderArguments(stateFolder)];
  await runToEnd(codeServer.node, [...args, '--force', '--install-extension', options.extension.vsix], {
    env: cleanEnvironment(homes(stateFolder)),
  });
}

/** The server's output, and the logs of its windows and extension hosts. */
async function keepLogs(stateFolder: string, folder: string): Promise<void> {
  const logs = join(stateFolder, 'user', 'logs');
  if (existsSync(logs)) await cp(logs, join(folder, 'logs'), { recursive: true });
  await copyFile(join(stateFolder, 'server.log'), join(folder, 'server.log'));
}
