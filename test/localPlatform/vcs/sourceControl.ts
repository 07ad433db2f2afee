import type { DeployLog } from './deployLog';

/** How a project's sources get to a folder, by git or by svn. Everything that goes wrong is a Refusal. */
export interface SourceControl {
  /** Refuses with 4050 where there is no such repository and 4053 where it does not let this login in. */
  demandAccess(): Promise<void>;
  /** The newest revision of what is deployed. */
  tip(): Promise<string>;
  checkOut(into: string, log: DeployLog): Promise<void>;
  /** Brings an existing checkout to the revision wanted, with local edits kept or thrown away as the project says. */
  bringUpToDate(folder: string, log: DeployLog): Promise<void>;
  revision(folder: string): Promise<string>;
}

/** Where and how long the programs run. */
export interface Workplace {
  /** A home that holds nobody's settings. */
  readonly home: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
}
