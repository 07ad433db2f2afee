import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const groups = new Set<number>();
const folders = new Set<string>();

/** Processes and folders that this process removes however it ends. */
export const leftovers = { groups, folders } as const;

process.once('exit', () => {
  for (const pid of groups) killGroup(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Settles when this process must end: after Ctrl+C, when its terminal closes, or when its parent process has ended. */
export async function askedToEnd(): Promise<NodeJS.Signals> {
  return await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    // npm ends its shell without telling us, so we can only notice that our parent process changed.
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve('SIGHUP'), 500).unref();
  });
}

/** Exits on a signal in a way that still emits `exit`. */
export function exitWhenAsked(): void {
  void askedToEnd().then((signal) => process.exit(128 + constants.signals[signal]));
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already gone, which is what was wanted.
  }
}
