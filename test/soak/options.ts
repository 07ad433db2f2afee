import { parseArgs } from 'node:util';
import { parsePositiveInteger } from '../host/positiveInteger';
import { type SoakName, soakNames } from './soakTest';

export interface SoakOptions {
  /** The tests to run, and how many seeds of each. Infinity if no number was given. */
  readonly counts: ReadonlyMap<SoakName, number>;
  /** The first seed of each test. */
  readonly firstSeed: number;
  readonly minutes: number | undefined;
}

export const usage = `npm run soak [-- OPTIONS]
  without options     run all tests until Ctrl+C
  --minutes N         stop after N minutes
  --saves N           run N saves that hit faults
  --sequences N       run N sequences of file and folder operations in a real VS Code
  --answers N         parse N corrupted responses
  --kills N           kill N windows while they save, restore, write to the journal, or sign out
  --races N           let two or three windows save the same files, or write to the journal, at the same time, N times
  --full-disks N      let this computer's disk be full while a window works, N times
  --redeploys N       run N sequences of redeploys, roll backs and other changes of a project in a real VS Code
  --seed N            start with seed N instead of 1
If you set the number for any test, only tests with a number run. To repeat one seed: --saves 1 --seed 4711`;

/** Throws an error with a message for the user if an option is invalid. */
export function parseSoakOptions(args: readonly string[]): SoakOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      saves: text,
      sequences: text,
      answers: text,
      kills: text,
      races: text,
      'full-disks': text,
      redeploys: text,
      minutes: text,
      seed: text,
    },
  });
  const given = soakNames.flatMap((name): readonly [SoakName, number][] => {
    const count = parsePositiveInteger(name, values[name]);
    return count === undefined ? [] : [[name, count]];
  });
  const everything = soakNames.map((name): [SoakName, number] => [name, Infinity]);
  return {
    counts: new Map(given.length > 0 ? given : everything),
    firstSeed: parsePositiveInteger('seed', values.seed) ?? 1,
    minutes: parsePositiveInteger('minutes', values.minutes),
  };
}
