import type { DeployLog } from './deployLog';

/** Gets a project's sources with Git or Subversion. Every failure is a Refusal. */
export interface SourceControl {
  /** Fails with 4050 if there is no such repository, and with 4053 if it rejects the credentials. */
  demandAccess(): Promise<void>;
  /** Returns the newest revision. */
  tip(): Promise<string>;
  checkOut(into: string, log: DeployLog): Promise<void>;
  /** Updates an existing checkout to the wanted revision. Local edits are kept or discarded, as the project says. */
  bringUpToDate(folder: string, log: DeployLog): Promise<void>;
  revision(folder: string): Promise<string>;
}

/** The folder and time limit for programs. */
export interface Workplace {
  /** A home folder without any user's settings. */
  readonly home: string;
  readonly seconds: number;
  readonly signal: AbortSignal;
}
