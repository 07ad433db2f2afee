import { type TestEvent } from './testEvent';

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

export interface RunRecord {
  hear(event: TestEvent): void;
  readonly counts: () => Counts;
  /** Whether the run told its end; one that did not has failed, whatever passed before. */
  ended(): boolean;
  /** The test or hook that was started last and has not ended. */
  running(): string | undefined;
}

/** Shows each result as it comes and counts. */
export function recordRun(show: (line: string) => void): RunRecord {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  const state: { ended: boolean; running: string | undefined } = { ended: false, running: undefined };
  return {
    hear: (event) => {
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
          show(`  ✗ ${event.title}\n${indent(event.problem)}`);
          if (event.kept !== undefined) show(`      kept in ${event.kept}`);
          break;
        case 'end':
          state.ended = true;
          break;
      }
    },
    counts: () => ({ ...counts }),
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

export function total(all: readonly Counts[]): Counts {
  return {
    passed: all.reduce((sum, { passed }) => sum + passed, 0),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
    skipped: all.reduce((sum, { skipped }) => sum + skipped, 0),
  };
}

export function summary({ passed, failed, skipped }: Counts): string {
  return `${passed} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`;
}
