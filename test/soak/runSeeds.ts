import { limit, TimeoutError } from '../host/limits';
import { SharedSetup } from './sharedSetup';
import { soakCommand, type SoakTest, type SoakSetup } from './soakTest';

export interface SeedRange {
  readonly first: number;
  readonly count: number;
}

export interface SeedResult {
  readonly seed: number;
  /** The reason for the failure. Undefined if the seed passed. */
  readonly problem?: unknown;
}

export interface SeedOptions {
  readonly onResult: (result: SeedResult) => void;
  /** Once this returns true, no further seed starts. */
  readonly isStopped?: () => boolean;
}

/** Runs a test's seeds, several at a time. After a failure, later seeds get a new setup, so that the failure doesn't affect them. */
export async function runSeeds(test: SoakTest, { first, count }: SeedRange, options: SeedOptions): Promise<void> {
  const { onResult, isStopped = () => false } = options;
  const shared = new SharedSetup(() => test.setUp());
  const seeds = Array.from({ length: count }, (_, index) => first + index).values();
  const worker = async (): Promise<void> => {
    for (const seed of seeds) {
      if (isStopped()) {
        return;
      }
      onResult(await runSeed(test, seed, shared));
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(test.concurrency, count) }, worker));
  } finally {
    await shared.dispose();
  }
}

async function runSeed(test: SoakTest, seed: number, shared: SharedSetup<SoakSetup>): Promise<SeedResult> {
  const { setup, release } = await shared.lease();
  try {
    await withTimeout(limit(test.timeLimit), setup.runCase(seed));
  } catch (problem) {
    await release('failed');
    return { seed, problem: problem ?? new Error('Failed with no error.') };
  }
  await release('passed');
  return { seed };
}

/** Fails with the commands that repeat the failed seeds, unless all of these seeds pass. */
export async function assertSeeds(test: SoakTest, range: SeedRange): Promise<void> {
  const failed: SeedResult[] = [];
  await runSeeds(test, range, { onResult: (result) => 'problem' in result && failed.push(result) });
  const [first] = failed;
  if (first !== undefined) {
    const commands = failed.slice(0, 20).map(({ seed }) => soakCommand(test.name, seed));
    const isLate = failed.every(({ problem }) => problem instanceof TimeoutError);
    const message = `${failed.length} of ${range.count} failed:\n${commands.join('\n')}`;
    throw new (isLate ? TimeoutError : Error)(message, { cause: first.problem });
  }
}

async function withTimeout(milliseconds: number, work: Promise<void>): Promise<void> {
  const waiting: { timer?: NodeJS.Timeout } = {};
  const tooLong = new Promise<never>((_, reject) => {
    waiting.timer = setTimeout(
      () => reject(new TimeoutError(`Timed out after ${milliseconds / 1_000} s.`)),
      milliseconds,
    );
  });
  try {
    await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(waiting.timer);
  }
}
