import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from './folders';
import { type Job, type Runner } from './runJobs';

/** The duration of each job in seconds, used only to sort jobs. */
const known = join(projectFolder, 'test', 'durations.json');
type Durations = Readonly<Record<string, number>>;

/** Sorts the longest job first, so that none is left for the end. A new job may be long. */
export function longestFirst<Any extends Job>(jobs: readonly Any[]): Any[] {
  const durations = readDurations();
  const of = ({ name }: Job): number => durations[name] ?? Number.MAX_VALUE;
  return [...jobs].sort((a, b) => of(b) - of(a));
}

/** A runner that records the duration of its jobs. */
export function timed(runner: Runner, durations: Map<string, number>): Runner {
  return {
    run: async (job) => {
      const begin = performance.now();
      const result = await runner.run(job);
      durations.set(job.name, Math.round((performance.now() - begin) / 100) / 10);
      return result;
    },
    end: () => runner.end(),
  };
}

/** Stores the new durations, and keeps those of other jobs that still exist. */
export function keepDurations(noted: ReadonlyMap<string, number>, jobs: readonly Job[]): void {
  const all: Durations = { ...readDurations(), ...Object.fromEntries(noted) };
  const sorted = jobs.map(({ name }) => name).sort();
  const kept = sorted.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]]));
  writeFileSync(known, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`);
}

function readDurations(): Durations {
  return JSON.parse(readFileSync(known, 'utf8')) as Durations;
}
