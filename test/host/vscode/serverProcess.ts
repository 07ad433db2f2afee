import { type ChildProcess } from 'node:child_process';
import { createWriteStream, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type CodeServer } from '../install/codeServer';
import { limit } from '../limits';
import { ending, endGroup, runToEnd, spawnGroup } from '../processes';
import { cleanEnvironment, homes } from './environment';
import { type StateFolders, type VsCodeOptions } from './options';

export interface ServerProcess {
  readonly child: ChildProcess;
  readonly origin: string;
  readonly ended: Promise<void>;
  /** The last lines of its output. */
  output(): string;
}

const linesKept = 200;

/** The environment is complete, so VS Code needn't ask a login shell for it, which it would do for each window. */
const environmentIsComplete = { VSCODE_CLI: '1' };

/** Starts VS Code's server and waits until it listens. */
export async function launchServer(
  codeServer: CodeServer,
  state: StateFolders,
  options: VsCodeOptions,
): Promise<ServerProcess> {
  const child = spawnGroup(codeServer.node, [codeServer.entry, ...serverArguments(codeServer, state, options)], {
    env: cleanEnvironment({ ...environmentIsComplete, ...homes(state.folder), ...access(options), ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const output = (): string => lines.join('\n');
  const log = createWriteStream(join(state.folder, 'server.log'), { flags: 'a' });
  const ended = ending(child, 'close').then(() => void log.end());
  try {
    const origin = await listening(child, ended, (line) => {
      lines.push(line);
      if (lines.length > linesKept) lines.shift();
      log.write(`${line}\n`);
    });
    return { child, origin, ended, output };
  } catch (error) {
    await endGroup(child);
    throw new Error(`VS Code's server did not start:\n${output()}`, { cause: error });
  }
}

async function listening(child: ChildProcess, ended: Promise<void>, hear: (line: string) => void): Promise<string> {
  return await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('it took too long')), limit(40_000));
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      act();
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) => {
        hear(line);
        const origin = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1];
        if (origin !== undefined) settle(() => resolve(origin));
      });
    }
    ended.then(
      () => settle(() => reject(new Error('it ended'))),
      (error: unknown) => settle(() => reject(new Error('it could not be run', { cause: error }))),
    );
  });
}

/** Installs a package as a user would. */
export async function installVsix(codeServer: CodeServer, { folder }: StateFolders, vsix: string): Promise<void> {
  const args = [codeServer.entry, ...folderArguments(folder), '--force', '--install-extension', vsix];
  await runToEnd(codeServer.node, args, { env: cleanEnvironment(homes(folder)) });
}

/**
 * The password is passed in the environment, because all users of the machine can read command lines. Tests don't use
 * the gallery.
 */
function access({ auth }: VsCodeOptions): Record<string, string> {
  return auth === undefined || auth === 'none'
    ? { EXTENSIONS_GALLERY: '{"serviceUrl":"","itemUrl":"","resourceUrlTemplate":""}' }
    : { PASSWORD: auth.password };
}

function serverArguments(
  { fewerExtensions }: CodeServer,
  { folder, scratch }: StateFolders,
  { auth, port, workspaceTrust, builtInExtensions }: VsCodeOptions,
): string[] {
  return [
    '--auth',
    auth === undefined || auth === 'none' ? 'none' : 'password',
    '--bind-addr',
    `127.0.0.1:${port ?? 0}`,
    // A socket in a deeply nested state folder would have too long a path.
    '--session-socket',
    join(scratch, 'session.sock'),
    ...folderArguments(folder),
    ...builtInArguments(builtInExtensions, fewerExtensions, scratch),
    '--disable-telemetry',
    '--disable-update-check',
    '--disable-getting-started-override',
    // The name is on the password page and in the title of the window. The address without a folder opens an empty one.
    ...(auth === undefined || auth === 'none' ? [] : ['--app-name', 'VS Code with Gantry', '--ignore-last-opened']),
    ...(workspaceTrust === 'on' ? [] : ['--disable-workspace-trust']),
  ];
}

function builtInArguments(
  wanted: VsCodeOptions['builtInExtensions'],
  needed: string,
  scratch: string,
): readonly string[] {
  if (wanted === 'all') return [];
  if (wanted !== 'withoutGit') return ['--builtin-extensions-dir', needed];
  const folder = join(scratch, 'extensions-without-git');
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(needed).filter((one) => !one.startsWith('git'))) {
    const link = join(folder, name);
    if (!existsSync(link)) symlinkSync(join(needed, name), link, 'junction');
  }
  return ['--builtin-extensions-dir', folder];
}

function folderArguments(folder: string): string[] {
  return [
    '--config',
    join(folder, 'config.yaml'),
    '--user-data-dir',
    join(folder, 'user'),
    '--extensions-dir',
    join(folder, 'extensions'),
  ];
}
