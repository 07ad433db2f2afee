/** What a process that runs tests is told through its environment, besides the channel. */
export interface TestRun {
  readonly files: readonly string[];
  readonly grep?: string | undefined;
  /** For one test, in milliseconds. */
  readonly timeout: number;
}

const variable = 'GANTRY_TEST_RUN';

export function tellTestRun(run: TestRun): Readonly<Record<string, string>> {
  return { [variable]: JSON.stringify(run) };
}

export function testRun(): TestRun {
  return JSON.parse(process.env[variable] ?? '{"files":[],"timeout":0}') as TestRun;
}
