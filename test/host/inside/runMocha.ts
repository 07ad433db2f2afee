import { relative } from 'node:path';
import Mocha from 'mocha';
import { AssertionError } from 'node:assert';
import { type Cause, type TestEvent } from '../events/testEvent';
import { highestSlowness, limit } from '../limits';
import { isNotOnThisSystem } from '../skipOn';
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
    timeout: limit(options.timeout),
    bail: options.bail ?? false,
    forbidOnly: process.env['CI'] === 'true',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
    ...(options.rootHooks === undefined ? {} : { rootHooks: options.rootHooks }),
  });
  for (const file of options.files) mocha.load(file);
  try {
    // Later, those that `only` leaves out are gone.
    const defining = filesOf(mocha.suite);
    const empty = options.files.filter((file) => !defining.includes(file));
    return await new Promise((resolve) => {
      const runner = mocha.run(resolve);
      runner.once('start', () => {
        send({ kind: 'begin', tests: runner.total, files: filesOf(runner.suite, mocha.options.grep), empty });
      });
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
      // A changed file runs twice in a process.
      Reflect.deleteProperty(require.cache, file);
      this.files = [file];
      this.loadFiles();
    } catch (error) {
      const test = new Mocha.Test(`${relative(process.cwd(), file)} can be loaded`, () => {
        throw error;
      });
      test.file = file;
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

/** Returns the files with tests whose full title matches. */
function filesOf(suite: Mocha.Suite, grep: string | RegExp = ''): readonly string[] {
  const wanted = new RegExp(grep);
  const files = new Set<string>();
  suite.eachTest((test) => {
    if (test.file !== undefined && wanted.test(test.fullTitle())) files.add(test.file);
  });
  return [...files];
}

/**
 * Returns the file of a test or hook. A hook of the whole run has none of its own: before and after each test, it belongs
 * to the test that mocha calls the current one. There is none before the first test and after the last one.
 */
function fileOf(runnable: Mocha.Runnable): string {
  return runnable.file ?? (isHook(runnable) ? runnable.ctx?.currentTest?.file : undefined) ?? '';
}

function named(runnable: Mocha.Runnable): { readonly file: string; readonly title: string } {
  return { file: fileOf(runnable), title: runnable.fullTitle() };
}

/** Playwright's timeouts have this name, and mocha's this code. */
function causeOf(error: unknown): Cause {
  if (!(error instanceof Error)) return 'error';
  if (error instanceof AssertionError || error.name === 'AssertionError') return 'assertion';
  const isTimeout = error.name === 'TimeoutError' || ('code' in error && error.code === 'ERR_MOCHA_TIMEOUT');
  return isTimeout ? 'timeout' : 'error';
}

function isHook(runnable: Mocha.Runnable): boolean {
  return runnable instanceof Mocha.Hook;
}

function reportEvents(runner: Mocha.Runner, send: Send, onFailure: MochaOptions['onFailure']): void {
  const start = (one: Mocha.Runnable): void => send({ kind: 'started', ...named(one), longest: one.timeout() });
  runner.on('test', start);
  runner.on('hook', start);
  runner.on('pass', (test) => send({ kind: 'passed', ...named(test), milliseconds: test.duration ?? 0 }));
  runner.on('pending', (test) => {
    send({ kind: 'skipped', ...named(test), notOnThisSystem: isNotOnThisSystem(test) });
  });
  runner.on('fail', (test, error: unknown) => {
    const kept = onFailure?.(test.fullTitle());
    send({
      kind: 'failed',
      ...named(test),
      problem: describeProblem(error),
      cause: causeOf(error),
      // A hook can't be run by itself, but its suite can.
      repeat: isHook(test) ? (test.parent?.fullTitle() ?? '') : test.fullTitle(),
      ...(kept === undefined ? {} : { kept }),
    });
  });
  runner.once('end', () => send({ kind: 'end', slowness: highestSlowness() }));
}
