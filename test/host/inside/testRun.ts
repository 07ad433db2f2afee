/** The options of a test run. */
export interface TestRun {
  readonly files: readonly string[];
  /** A regular expression that the full title of a test must match. */
  readonly grep?: string | undefined;
  /** For one test on the reference machine, in milliseconds. */
  readonly timeout: number;
  /** Skips the rest of a file after a failure, because its tests share a window. */
  readonly bail?: boolean;
  /** Other files of the job follow, which use what these leave open. */
  readonly othersFollow?: boolean;
}

/** A run inside an extension host, which sends its results to a local port. */
export interface HostRun extends TestRun {
  readonly port: number;
  /** How much slower than the reference machine this one is: the extension host doesn't get our environment. */
  readonly slowness: number;
  /** The source of each bundled file. */
  readonly sources: readonly string[];
}
