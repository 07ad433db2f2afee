/** The soak tests, named after the `npm run soak` options that set how many cases of each run. */
export const soakNames = ['saves', 'sequences', 'answers', 'kills', 'races', 'full-disks', 'redeploys'] as const;
export type SoakName = (typeof soakNames)[number];

/** A test that runs once for each of many seeds. */
export interface SoakTest {
  readonly name: SoakName;
  /** How many seeds run at the same time. */
  readonly concurrency: number;
  /** The time limit for one seed on the reference machine, in milliseconds. */
  readonly timeLimit: number;
  /** Sets up the state that seeds share until one of them fails. */
  setUp(): Promise<SoakSetup>;
}

export interface SoakSetup {
  /** Runs the test for this seed. Rejects if it fails. */
  runCase(seed: number): Promise<void>;
  dispose(): Promise<void>;
}

/** Returns the shell command that runs only this seed. */
export function soakCommand(name: SoakName, seed: number): string {
  return `npm run soak -- --${name} 1 --seed ${seed}`;
}
