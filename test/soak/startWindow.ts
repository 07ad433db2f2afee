import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { ending, endGroup, spawnGroup } from '../host/processes';
import type { WindowEvent, WindowTask } from './windowTask';

/**
 * A process has no VS Code. What puts earlier texts back tells it which files changed, so it needs the names of these
 * changes, and nothing else of it.
 */
const namesOfVsCode: Plugin = {
  name: 'names of VS Code',
  setup: (steps) => {
    const contents = 'exports.FileChangeType = { Changed: 1, Created: 2, Deleted: 3 };';
    steps.onResolve({ filter: /^vscode$/ }, ({ path }) => ({ path, namespace: 'names' }));
    steps.onLoad({ filter: /./, namespace: 'names' }, () => ({ contents }));
  },
};

/** Bundles a process that simulates a window into one file, so that it starts in a tenth of a second. Returns its path. */
export async function bundleWindow(folder: string, source: 'windowProcess' | 'journalWindow'): Promise<string> {
  const program = join(folder, `${source}.js`);
  await build({
    entryPoints: [join(__dirname, `${source}.ts`)],
    outfile: program,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
    plugins: [namesOfVsCode],
  });
  return program;
}

type EventOf<Kind extends WindowEvent['kind']> = Extract<WindowEvent, { kind: Kind }>;

export interface WindowHandle {
  /** The events so far. */
  readonly events: readonly WindowEvent[];
  /** The exit code, or the signal that ended the process. */
  readonly ended: Promise<number | string>;
  /** Returns the first event of this kind, or undefined if the window ends without it. Rejects if the window reports a problem. */
  waitFor<Kind extends WindowEvent['kind']>(kind: Kind): Promise<EventOf<Kind> | undefined>;
  /** Makes a window that is ready save or restore its files. */
  begin(): void;
  kill(): void;
  dispose(): Promise<void>;
}

export function startWindow(program: string, task: WindowTask): WindowHandle {
  const child = spawnGroup(process.execPath, [program], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.send(task);
  const events: WindowEvent[] = [];
  child.on('message', (event) => events.push(event as WindowEvent));
  const ended = ending(child, 'close');
  const waitFor = <Kind extends WindowEvent['kind']>(kind: Kind): Promise<EventOf<Kind> | undefined> =>
    new Promise((resolve, reject) => {
      const check = (): void => {
        const failure = events.find((event) => event.kind === 'failed');
        const found = events.find((event): event is EventOf<Kind> => event.kind === kind);
        if (failure !== undefined) {
          reject(new Error(failure.problem));
        } else if (found !== undefined) {
          resolve(found);
        }
      };
      child.on('message', check);
      ended.then(() => resolve(undefined), reject);
      check();
    });
  return {
    events,
    ended,
    waitFor,
    begin: () => child.send('begin'),
    kill: () => child.kill('SIGKILL'),
    dispose: () => endGroup(child),
  };
}
