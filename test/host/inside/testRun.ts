/** The options of a test run. */
export interface TestRun {
  readonly files: readonly string[];
  /** A regular expression that the full title of a test must match. */
  readonly grep?: string | undefined;
  /** For one test, in milliseconds. */
  readonly timeout: number;
}

/** A run inside an extension host, which sends its results to a local port. */
export interface HostRun extends TestRun {
  readonly port: number;
  /** The source of each bundled file. */
  readonly sources: readonly string[];
}
