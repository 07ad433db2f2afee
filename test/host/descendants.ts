import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessRow {
  readonly pid: number;
  readonly command: string;
}

interface ListedProcess extends ProcessRow {
  readonly parent: number;
}

/** Lists all running processes. Doesn't work on Windows. */
export function runningProcesses(): ListedProcess[] {
  return process.platform === 'linux' ? listFromFiles() : listFromPs();
}

/** Returns the running processes that a process started, directly or indirectly. */
export function descendants(pid: number): ProcessRow[] {
  const all = runningProcesses();
  const found = [pid];
  for (const parent of found) found.push(...all.filter((one) => one.parent === parent).map((one) => one.pid));
  return all.filter((one) => one.pid !== pid && found.includes(one.pid));
}

/** Reads `/proc`, because a minimal Linux has no `ps`. */
function listFromFiles(): ListedProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        // State and parent follow the program's name, which is in parentheses and may contain any character.
        const [state, parent] = readFileSync(`/proc/${pid}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ');
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        return state === 'Z' ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
      } catch {
        // The process has ended since it was listed.
        return [];
      }
    });
}

function listFromPs(): ListedProcess[] {
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8' }).split('\n');
  return lines.flatMap((line) => {
    const [, pid, parent, command = ''] = /^ *(\d+) +(\d+) (.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
  });
}
