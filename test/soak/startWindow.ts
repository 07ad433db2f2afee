import { join } from 'node:path';
import { build } from 'esbuild';
import { ending, endGroup, spawnGroup } from '../host/processes';
import type { WindowEvent, WindowTask } from './windowTask';

/** Bundles the window process into one file, so that it starts in a tenth of a second. Returns the path of the bundle. */
export async function bundleWindow(folder: string): Promise<string> {
  const program = join(folder, 'windowProcess.js');
  await build({
    entryPoints: [join(__dirname, 'windowProcess.ts')],
    outfile: program,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    mainFields: ['module', 'main'],
    logLevel: 'warning',
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
  /** Makes a window that is ready save its files. */
  startSaving(): void;
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
    startSaving: () => child.send('save'),
    kill: () => child.kill('SIGKILL'),
    dispose: () => endGroup(child),
  };
}
