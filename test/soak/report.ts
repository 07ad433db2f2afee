import { summary } from '../host/events/runRecord';
import { describeProblem } from '../host/inside/describeProblem';
import type { SeedResult } from './runSeeds';
import { soakCommand, type SoakName } from './soakTest';

interface Tally {
  passed: number;
  failed: number;
  /** How long seeds of this test have been running, in milliseconds. */
  busy: number;
}

/** How many failures of one test are shown in full. For the others, only the command is shown. */
const maxProblems = 20;

/** Counts results and shows failures as they happen. */
export class SoakReport {
  private readonly tallies = new Map<SoakName, Tally>();
  private readonly failures: string[] = [];
  private running: { readonly name: SoakName; since: number } | undefined;
  private readonly start: number;

  constructor(
    private readonly show: (line: string) => void,
    private readonly now: () => number = Date.now,
  ) {
    this.start = now();
  }

  get hasFailures(): boolean {
    return this.failures.length > 0;
  }

  /** Counts the time from now on for this test. */
  begin(name: SoakName): void {
    this.countTime();
    this.running = { name, since: this.now() };
  }

  add(name: SoakName, { seed, ...result }: SeedResult): void {
    const tally = this.tally(name);
    if (!('problem' in result)) {
      tally.passed += 1;
      return;
    }
    this.fail(tally, `${name}, seed ${seed}`, result.problem);
    this.show(`    repeat with: ${soakCommand(name, seed)}`);
    this.failures.push(soakCommand(name, seed));
  }

  /** Records that a test couldn't continue. */
  addAborted(name: SoakName, problem: unknown): void {
    this.fail(this.tally(name), `${name} couldn't continue`, problem);
    this.failures.push(`${name} couldn't continue`);
  }

  showProgress(): void {
    this.countTime();
    const minutes = ((this.now() - this.start) / 60_000).toFixed(1);
    this.show(`${minutes} min: ${this.counts().join(', ')}`);
  }

  /** Shows the counts and the failed seeds. The last line is the total. */
  showSummary(): void {
    this.countTime();
    this.show('');
    for (const line of this.counts()) this.show(line);
    if (this.hasFailures) {
      this.show(`\nFailed:\n${this.failures.map((line) => `  ${line}`).join('\n')}\n`);
    }
    const all = [...this.tallies.values()];
    const passed = all.reduce((sum, tally) => sum + tally.passed, 0);
    const failed = all.reduce((sum, tally) => sum + tally.failed, 0);
    this.show(summary({ passed, failed, skipped: 0 }));
  }

  private fail(tally: Tally, title: string, problem: unknown): void {
    tally.failed += 1;
    const text = typeof problem === 'string' ? problem : describeProblem(problem);
    this.show(`  ✗ ${title}${tally.failed > maxProblems ? '' : `\n${text.replaceAll(/^/gm, '      ')}`}`);
  }

  private counts(): readonly string[] {
    return [...this.tallies].map(([name, { passed, failed, busy }]) => {
      const rate = busy === 0 ? '' : ` (${((passed + failed) / (busy / 1_000)).toFixed(1)}/s)`;
      return `${(passed + failed).toLocaleString('en')} ${name}${rate}${failed === 0 ? '' : `, ${failed} failed`}`;
    });
  }

  private countTime(): void {
    if (this.running !== undefined) {
      this.tally(this.running.name).busy += this.now() - this.running.since;
      this.running.since = this.now();
    }
  }

  private tally(name: SoakName): Tally {
    const known = this.tallies.get(name) ?? { passed: 0, failed: 0, busy: 0 };
    this.tallies.set(name, known);
    return known;
  }
}
