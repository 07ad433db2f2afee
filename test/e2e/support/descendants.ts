import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Everything a process has started, and what that has started; only Linux shows it in files. */
export function descendants(pid: number): number[] {
  const parents = new Map(
    readdirSync('/proc')
      .filter(isNumber)
      .map((one) => [Number(one), parentOf(one)] as const),
  );
  const found = [pid];
  for (const parent of found) for (const [child, of] of parents) if (of === parent) found.push(child);
  return found.slice(1);
}

export function stillRunning(pids: readonly number[]): number[] {
  return pids.filter((pid) => existsSync(`/proc/${pid}`) && stateOf(String(pid)) !== 'Z');
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);
const parentOf = (pid: string): number => Number(status(pid)[1]);
const stateOf = (pid: string): string | undefined => status(pid)[0];

/** State and parent, which follow the name of the program; that stands in parentheses and may hold anything. */
function status(pid: string): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    // It has ended since it was listed.
    return [];
  }
}
