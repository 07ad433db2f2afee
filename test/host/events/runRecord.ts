import { type TestEvent } from './testEvent';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** A failure to repeat: the test's file, and its title unless the whole run failed. */
export interface Failure {
  readonly file: string;
  readonly title?: string;
}

export interface RunResult {
  readonly counts: Counts;
  readonly failures: readonly Failure[];
}

export const emptyResult: RunResult = { counts: { passed: 0, failed: 0, skipped: 0 }, failures: [] };

export interface RunRecord {
  add(event: TestEvent): void;
  readonly counts: () => Counts;
  readonly failures: readonly Failure[];
  /** Settles at the run's `end` event. */
  readonly end: Promise<void>;
  /** Whether the `end` event has arrived. Without it the run has failed, whichever tests passed. */
  ended(): boolean;
  /** The test or hook that started last and hasn't ended. */
  running(): string | undefined;
}

/** Shows and counts each result as it arrives. */
export function recordRun(show: (line: string) => void): RunRecord {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const failures: Failure[] = [];
  const settle: { end: () => void } = { end: () => undefined };
  const end = new Promise<void>((resolve) => (settle.end = resolve));
  const state: { ended: boolean; running: string | undefined } = { ended: false, running: undefined };
  return {
    add: (event) => {
      state.running = event.kind === 'started' ? event.title : undefined;
      switch (event.kind) {
        case 'begin':
        case 'started':
          break;
        case 'passed':
          counts.passed++;
          show(`  ✓ ${event.title}${event.milliseconds < 200 ? '' : ` (${event.milliseconds} ms)`}`);
          break;
        case 'skipped':
          counts.skipped++;
          show(`  - ${event.title} (skipped)`);
          break;
        case 'failed':
          counts.failed++;
          if (event.repeat !== undefined) failures.push(event.repeat);
          show(`  ✗ ${event.title}\n${indent(event.problem)}`);
          if (event.kept !== undefined) show(`      kept in ${event.kept}`);
          break;
        case 'end':
          state.ended = true;
          settle.end();
          break;
      }
    },
    counts: () => ({ ...counts }),
    failures,
    end,
    ended: () => state.ended,
    running: () => state.running,
  };
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `      ${line}`)
    .join('\n');
}

export function total(all: readonly RunResult[]): RunResult {
  const sum = (pick: (counts: Counts) => number): number =>
    all.reduce((result, { counts }) => result + pick(counts), 0);
  return {
    counts: {
      passed: sum(({ passed }) => passed),
      failed: sum(({ failed }) => failed),
      skipped: sum(({ skipped }) => skipped),
    },
    failures: all.flatMap(({ failures }) => failures),
  };
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
