import { relative } from 'node:path';
import Mocha from 'mocha';
import { type TestEvent } from '../events/testEvent';
import { describeProblem } from './describeProblem';
import { type TestRun } from './testRun';

export interface MochaOptions extends TestRun {
  /** Called when a test or hook fails, before anything is torn down. Returns the folder with the evidence. */
  readonly onFailure?: (title: string) => string | undefined;
  readonly rootHooks?: Mocha.RootHookObject;
}

export type Send = (event: TestEvent) => void;

/** Runs test files in this process and sends an event for each result. Returns how many tests failed. */
export async function runMocha(options: MochaOptions, send: Send): Promise<number> {
  const mocha = new TestFiles({
    reporter: Silent,
    fullTrace: true,
    timeout: options.timeout,
    forbidOnly: process.env['CI'] === 'true',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
    ...(options.rootHooks === undefined ? {} : { rootHooks: options.rootHooks }),
  });
  for (const file of options.files) mocha.load(file);
  try {
    return await new Promise((resolve) => {
      const runner = mocha.run(resolve);
      reportEvents(runner, send, options.onFailure);
    });
  } finally {
    // Otherwise, runs that aren't disposed pass each rejection on to each other, twice as often with each run.
    mocha.dispose();
  }
}

class TestFiles extends Mocha {
  /** A file that can't be loaded counts as a failed test. */
  load(file: string): void {
    try {
      this.files = [file];
      this.loadFiles();
    } catch (error) {
      const test = new Mocha.Test(`${relative(process.cwd(), file)} can be loaded`, () => {
        throw error;
      });
      this.suite.addTest(test);
    }
    this.files = [];
  }
}

/** Results are sent only over the channel. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {
    // It would print what the channel tells already.
  }
}

function isHook(runnable: Mocha.Runnable): boolean {
  return runnable instanceof Mocha.Hook;
}

function reportEvents(runner: Mocha.Runner, send: Send, onFailure: MochaOptions['onFailure']): void {
  runner.once('start', () => send({ kind: 'begin', tests: runner.total }));
  runner.on('test', (test) => send({ kind: 'started', title: test.fullTitle() }));
  runner.on('hook', (hook) => send({ kind: 'started', title: hook.fullTitle() }));
  runner.on('pass', (test) => send({ kind: 'passed', title: test.fullTitle(), milliseconds: test.duration ?? 0 }));
  runner.on('pending', (test) => send({ kind: 'skipped', title: test.fullTitle() }));
  runner.on('fail', (test, error: unknown) => {
    const title = test.fullTitle();
    const kept = onFailure?.(title);
    // A hook can't be run by itself, but its suite can.
    const repeat = { file: test.file ?? '', title: isHook(test) ? (test.parent?.fullTitle() ?? '') : title };
    send({ kind: 'failed', title, problem: describeProblem(error), repeat, ...(kept === undefined ? {} : { kept }) });
  });
  runner.once('end', () => send({ kind: 'end' }));
}
