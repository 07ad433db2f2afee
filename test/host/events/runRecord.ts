import { type Cause, type TestEvent } from './testEvent';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface Failure {
  /** The test's file, or empty if the failure belongs to none. */
  readonly file: string;
  /** The title to repeat, unless the whole file or a hook of the whole run failed. */
  readonly title?: string;
  readonly cause: Cause;
  readonly problem: string;
  /** The folder with screenshots and logs. */
  readonly kept?: string;
  /** The files to repeat if it isn't the file itself. */
  readonly repeat?: readonly string[];
}

export interface RunResult {
  readonly byFile: ReadonlyMap<string, Counts>;
  readonly failures: readonly Failure[];
}

const none: Counts = { passed: 0, failed: 0, skipped: 0 };
export const emptyResult: RunResult = { byFile: new Map(), failures: [] };

/** Returns the result of a file that failed as a whole. */
export function failedFile(failure: Failure): RunResult {
  return { byFile: new Map([[failure.file, { ...none, failed: 1 }]]), failures: [failure] };
}

export function countsOf({ byFile }: RunResult): Counts {
  return [...byFile.values()].reduce(sumOf, none);
}

function sumOf(one: Counts, other: Counts): Counts {
  return {
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
  };
}

export function total(all: readonly RunResult[]): RunResult {
  const byFile = new Map<string, Counts>();
  for (const result of all)
    for (const [file, counts] of result.byFile) byFile.set(file, sumOf(byFile.get(file) ?? none, counts));
  return { byFile, failures: all.flatMap(({ failures }) => failures) };
}

/** Returns the result with these files replaced by what they did when they ran again. */
export function replaced(result: RunResult, again: RunResult): RunResult {
  const isKept = (file: string): boolean => !again.byFile.has(file);
  return total([
    {
      byFile: new Map([...result.byFile].filter(([file]) => isKept(file))),
      failures: result.failures.filter(({ file }) => isKept(file)),
    },
    again,
  ]);
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}

export interface RunRecord {
  add(event: TestEvent): void;
  result(): RunResult;
  /** Settles at the run's `end` event. */
  readonly end: Promise<void>;
  /** Whether the `end` event has arrived. Without it the run has failed, whichever tests passed. */
  ended(): boolean;
  /** The test or hook that started last and hasn't ended. */
  readonly running: () => string | undefined;
  /** The file of the last event. */
  file(): string;
}

/** Shows and counts each result as it arrives. */
export function recordRun(show: (line: string) => void): RunRecord {
  const byFile = new Map<string, Counts>();
  const failures: Failure[] = [];
  const settle: { end: () => void } = { end: () => undefined };
  const end = new Promise<void>((resolve) => (settle.end = resolve));
  const state: { ended: boolean; running: string | undefined; file: string } = {
    ended: false,
    running: undefined,
    file: '',
  };
  const count = (file: string, what: keyof Counts): void => {
    byFile.set(file, sumOf(byFile.get(file) ?? none, { ...none, [what]: 1 }));
  };
  return {
    add: (event) => {
      state.running = event.kind === 'started' ? event.title : undefined;
      if ('file' in event && event.file !== '') state.file = event.file;
      switch (event.kind) {
        case 'begin':
        case 'started':
          break;
        case 'passed':
          count(event.file, 'passed');
          show(`  ✓ ${event.title}${event.milliseconds < 200 ? '' : ` (${event.milliseconds} ms)`}`);
          break;
        case 'skipped':
          if (!event.notOnThisSystem) count(event.file, 'skipped');
          else byFile.set(event.file, byFile.get(event.file) ?? none);
          show(`  - ${event.title} (${event.notOnThisSystem ? `not on ${process.platform}` : 'skipped'})`);
          break;
        case 'failed': {
          count(event.file, 'failed');
          const { file, repeat: title, cause, problem, kept } = event;
          failures.push({
            file,
            ...(title === '' ? {} : { title }),
            cause,
            problem,
            ...(kept === undefined ? {} : { kept }),
          });
          show(`  ✗ ${event.title}\n${indent(problem)}`);
          if (kept !== undefined) show(`      kept in ${kept}`);
          break;
        }
        case 'end':
          state.ended = true;
          settle.end();
          break;
      }
    },
    result: () => ({ byFile: new Map(byFile), failures: [...failures] }),
    end,
    ended: () => state.ended,
    running: () => state.running,
    file: () => state.file,
  };
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}
