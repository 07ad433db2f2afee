import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { leftovers } from './leftovers';
import { limit } from './limits';

/** How long to wait until processes end. */
const endTimeout = (): number => limit(3_000);
const longestProgram = 5 * 60_000;

interface ProgramOptions extends SpawnOptions {
  /** How long it may run on the reference machine, in milliseconds. */
  readonly longest?: number;
}

/** Runs a program until it ends, or fails if that takes too long. Shows its output only if it fails. */
export async function runToEnd(
  command: string,
  args: readonly string[],
  { longest = longestProgram, ...options }: ProgramOptions = {},
): Promise<string> {
  const child = spawnGroup(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const tooLong = `didn't end within ${Math.round(limit(longest) / 1000)} s`;
  const stopping = new AbortController();
  const late = pause(limit(longest), tooLong, { signal: stopping.signal }).catch(() => tooLong);
  const ended = await Promise.race([ending(child, 'close'), late]).finally(() => stopping.abort());
  if (ended === tooLong) await endGroup(child);
  leftovers.groups.delete(child.pid ?? 0);
  const problem = ended === tooLong ? tooLong : `ended with ${ended}`;
  if (ended !== 0) throw new Error(`${command} ${args.join(' ')} ${problem}:\n${output}`);
  return output;
}

/** Returns the last output lines of a child process with piped output. */
export function lastLines(child: ChildProcess, count: number): () => readonly string[] {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface(stream).on('line', (line) => {
      lines.push(line);
      if (lines.length > count) lines.shift();
    });
  }
  return () => lines;
}

/** Starts a process group, so that all its processes can be ended together. */
export function spawnGroup(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  const child = spawn(command, args, { ...options, detached: process.platform !== 'win32', windowsHide: true });
  if (child.pid !== undefined) leftovers.groups.add(child.pid);
  return child;
}

/**
 * Ends a group started with spawnGroup: sends SIGTERM, and SIGKILL to processes that are still running after `wait`
 * milliseconds. Returns when all of them have ended.
 */
export async function endGroup(child: ChildProcess, wait = endTimeout()): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  signalGroup(pid, 'SIGTERM');
  if (!(await groupGone(pid, wait))) {
    signalGroup(pid, 'SIGKILL');
    await groupGone(pid, endTimeout());
  }
  leftovers.groups.delete(pid);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  if (process.platform === 'win32') {
    spawn('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  signalProcess(-pid, signal);
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

/** Kills processes that aren't our children, and returns when all of them have ended. */
export async function endProcesses(pids: readonly number[]): Promise<void> {
  for (const pid of pids) signalProcess(pid, 'SIGKILL');
  await Promise.all(pids.map((pid) => waitUntilGone(() => isAlive(pid), endTimeout())));
}

/** Polls, because there is no end event for a group: some of its members aren't our children. */
async function groupGone(pid: number, within: number): Promise<boolean> {
  return await waitUntilGone(() => isAlive(process.platform === 'win32' ? pid : -pid), within);
}

async function waitUntilGone(isRunning: () => boolean, within: number): Promise<boolean> {
  const deadline = Date.now() + within;
  while (isRunning()) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    if (isGone(error)) return false;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ESRCH';
}

/** Returns the exit code or the name of the signal. To read all output, wait for `close`. */
export async function ending(child: ChildProcess, event: 'exit' | 'close'): Promise<number | string> {
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once(event, (code: number | null, signal: NodeJS.Signals | null) => resolve(code ?? signal ?? 'no code'));
  });
}
