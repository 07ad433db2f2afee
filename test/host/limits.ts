import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/**
 * All waits of the tests derive from one figure: how many times slower this machine is than an idle one with two cores
 * of a current server. Each limit is given for that machine.
 */
export function limit(milliseconds: number): number {
  return Math.round(milliseconds * slowness());
}

/** A wait ran out of time, which a busy machine may cause. The runner knows it by its name. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** What was measured at the start, which a later figure is never below. */
const startVariable = 'GANTRY_SLOWNESS';
/** The figure when this process was started, until it has opened windows of its own. */
const lastVariable = 'GANTRY_LAST_SLOWNESS';
/** A machine that is slower than this is broken. */
const slowest = 6;

/** Medians on the reference machine, in milliseconds. */
const reference = { chore: 90, processStart: 65, hostWindow: 7_400, workbench: 3_700 } as const;

/** The last windows of this process, as multiples of the reference. */
const opened: number[] = [];
let highest = 1;
const counted = 3;

/** Returns the figure: the one measured at the start, or a higher one if the last windows took longer to open. */
export function slowness(): number {
  const last = opened.length < counted ? Number(process.env[lastVariable] ?? 1) : median(opened);
  return clamp(Math.max(Number(process.env[startVariable] ?? 1), last));
}

/** Sets the figure that this process begins with. */
export function beginWithSlowness(value: number): void {
  process.env[startVariable] = value.toFixed(2);
  Reflect.deleteProperty(process.env, lastVariable);
}

/** Notes how long a window took to open: until its first test, or until its workbench was there. */
export function noteOpening(kind: 'hostWindow' | 'workbench', milliseconds: number): void {
  opened.push(milliseconds / reference[kind]);
  if (opened.length > counted) opened.shift();
  highest = Math.max(highest, slowness());
}

/** Notes the figure of another process. */
export function noteSlowness(value: number): void {
  highest = Math.max(highest, value);
}

/** Returns the highest figure so far, of this process and those that it started. */
export function highestSlowness(): number {
  return Math.max(highest, slowness());
}

/** Passes the figure on to the processes that are started from now on. It sinks again when windows open faster. */
export function passOnSlowness(): void {
  process.env[lastVariable] = slowness().toFixed(2);
}

/** Measures the machine before anything else runs: some work of its processor, and starts of processes. */
export function measureSlowness(): number {
  const chore = medianTime(() => {
    const numbers = Array.from({ length: 120_000 }, (_, index) => (index * 7_919) % 120_011);
    createHash('sha256')
      .update(numbers.sort((one, other) => one - other).join())
      .digest();
  });
  const processStart = medianTime(() => spawnSync(process.execPath, ['-e', '0']));
  return clamp(Math.max(chore / reference.chore, processStart / reference.processStart));
}

function medianTime(work: () => unknown): number {
  return median(
    Array.from({ length: 5 }, () => {
      const begin = performance.now();
      work();
      return performance.now() - begin;
    }),
  );
}

function median(numbers: readonly number[]): number {
  return [...numbers].sort((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}

function clamp(value: number): number {
  return Math.min(slowest, Math.max(1, value));
}
