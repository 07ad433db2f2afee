import { rmSync } from 'node:fs';
import { constants } from 'node:os';

const groups = new Set<number>();
const folders = new Set<string>();

/** What this process must not leave behind, however it ends. */
export const leftovers = { groups, folders } as const;

process.once('exit', () => {
  for (const pid of groups) killGroup(pid);
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** Settles when this process is asked to end: by Ctrl-C, by its terminal being closed, or because who started it was ended. */
export async function askedToEnd(): Promise<NodeJS.Signals> {
  return await new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve(signal));
    // npm ends the shell it starts us with, which tells us nothing; that our parent is another then is all there is to notice.
    const parent = process.ppid;
    setInterval(() => process.ppid !== parent && resolve('SIGHUP'), 500).unref();
  });
}

/** Without this a signal ends the process at once, and `exit` is never heard of. */
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
