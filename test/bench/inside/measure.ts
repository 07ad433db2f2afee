import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FileSystemProvider } from 'vscode';
import type { Parts } from '../../integration/support/parts';
import { longestChain, median } from '../chain';
import type { Figure } from '../figure';
import type { DistantPlatform } from './distantPlatform';

const methods = [
  'stat',
  'readDirectory',
  'readFile',
  'writeFile',
  'createDirectory',
  'delete',
  'rename',
  'copy',
] as const;

/** Measures the time that the provider works, without VS Code's own work in between. */
export class ProviderClock {
  private total = 0;
  private underway = 0;
  private since = 0;

  constructor(private readonly provider: FileSystemProvider) {
    for (const method of methods) {
      const own: unknown = Reflect.get(provider, method);
      if (typeof own === 'function') {
        const call = own.bind(provider) as (...given: unknown[]) => Promise<unknown>;
        Reflect.set(provider, method, (...given: unknown[]) => this.time(() => call(...given)));
      }
    }
  }

  /** Restores the provider. */
  remove(): void {
    methods.forEach((method) => Reflect.deleteProperty(this.provider, method));
  }

  begin(): void {
    this.total = 0;
  }

  /** The time in milliseconds during which at least one call was pending. */
  get milliseconds(): number {
    return this.total;
  }

  private async time<T>(call: () => Promise<T>): Promise<T> {
    if (this.underway === 0) this.since = performance.now();
    this.underway += 1;
    try {
      return await call();
    } finally {
      this.underway -= 1;
      if (this.underway === 0) this.total += performance.now() - this.since;
    }
  }
}

/** Turns off watching, because its requests would come at random times. */
export function withoutWatching({ watching }: Parts): void {
  Reflect.set(watching, 'lookAround', () => Promise.resolve());
}

/** Collects garbage, so that the size of the heap is that of what is still used. */
export function forceCollection(): void {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
}

/** How often processor time is measured. An even number, because folders are renamed there and back. */
const fewTurns = 6;

/** A piece of work that is repeated. */
export interface Work {
  /** Called before each repetition. Its requests don't count. */
  prepare?(turn: number): Thenable<unknown>;
  run(turn: number): Thenable<unknown>;
}

export interface Bench {
  readonly platform: DistantPlatform;
  /** If undefined, the time is that of the whole work. */
  readonly clock?: ProviderClock;
  readonly turns: number;
}

/** Returns the figure at a delay of 200 ms, with the ratio at 50 ms. */
export async function measureNearAndFar(work: Work, bench: Bench): Promise<Figure> {
  const far = await measureAt(200, work, bench);
  const near = await measureAt(50, work, bench);
  return { ...far, ratioAt50: near.ratio };
}

/**
 * Returns the time at a delay of 50 ms as a multiple of the plain client's time. `ratioAt0` is the same without a
 * delay.
 */
export async function measureBeside(work: Work, other: Work, { platform, turns }: Bench): Promise<Figure> {
  const bench = { platform, turns };
  // First, because files that were written add up.
  await platform.clearFaults();
  const processor = await timesProcessor(work, other);
  const [far, farOther] = [await measureAt(50, work, bench), await measureAt(50, other, bench)];
  const [near, nearOther] = [await measureAt(0, work, bench), await measureAt(0, other, bench)];
  const times = (one: Figure, beside: Figure) => (one['milliseconds'] ?? 0) / (beside['milliseconds'] ?? 0);
  const ratios = { ratio: times(far, farOther), ratioAt0: times(near, nearOther), processor };
  return { ...far, ...ratios, plain: farOther['milliseconds'] };
}

/** Returns the processor time that the work takes in this process, as a multiple of another's. */
export async function timesProcessor(work: Work, other: Work): Promise<number> {
  return (await processorTime(work)) / (await processorTime(other));
}

/** Returns the median in milliseconds. */
async function processorTime(work: Work): Promise<number> {
  const times: number[] = [];
  for (let turn = 0; turn < fewTurns; turn += 1) {
    await work.prepare?.(turn);
    const before = process.cpuUsage();
    await work.run(turn);
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1000);
  }
  return median(times);
}

/** Returns the maximum number of requests, the longest chain, and the median time at this delay. */
export async function measureAt(delay: number, work: Work, { platform, clock, turns }: Bench): Promise<Figure> {
  const seen: { requests: number; sequential: number; milliseconds: number }[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    await platform.clearFaults();
    await work.prepare?.(turn);
    await platform.setDelay(delay);
    await platform.forgetJournal();
    clock?.begin();
    const begun = performance.now();
    await work.run(turn);
    const milliseconds = clock?.milliseconds ?? performance.now() - begun;
    const requests = await platform.requests();
    seen.push({ requests: requests.length, sequential: longestChain(requests), milliseconds });
  }
  await platform.clearFaults();
  const requests = Math.max(...seen.map((one) => one.requests));
  const sequential = Math.max(...seen.map((one) => one.sequential));
  const milliseconds = median(seen.map((one) => one.milliseconds));
  return {
    requests,
    sequential,
    ratio: sequential * delay === 0 ? 0 : milliseconds / (sequential * delay),
    milliseconds,
  };
}
