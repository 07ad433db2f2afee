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

/** Without this a signal ends the process at once, and `exit` is never heard of. */
export function exitOnSignals(beforehand: (signal: NodeJS.Signals) => void = () => undefined): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      beforehand(signal);
      process.exit(128 + constants.signals[signal]);
    });
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
  } catch {
    // Already gone, which is what was wanted.
  }
}
