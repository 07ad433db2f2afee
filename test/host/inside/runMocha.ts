import { relative } from 'node:path';
import Mocha from 'mocha';
import { describeProblem } from './describeProblem';
import { type EventChannel } from './eventChannel';
import { type TestRun } from './testRun';

export interface MochaOptions extends TestRun {
  /** Called when a test or hook has failed, before anything is torn down; answers where it keeps what there is to see. */
  readonly onFailure?: (title: string) => string | undefined;
  readonly rootHooks?: Mocha.RootHookObject;
}

/** Runs test files in this process and tells each result over the channel; answers how many failed. */
export async function runMocha(options: MochaOptions, channel: EventChannel): Promise<number> {
  const mocha = new TestFiles({
    reporter: Silent,
    fullTrace: true,
    timeout: options.timeout,
    forbidOnly: process.env['CI'] === 'true',
    ...(options.grep === undefined ? {} : { grep: options.grep }),
    ...(options.rootHooks === undefined ? {} : { rootHooks: options.rootHooks }),
  });
  for (const file of options.files) mocha.load(file);
  return await new Promise((resolve) => {
    const runner = mocha.run(resolve);
    tell(runner, channel, options.onFailure);
  });
}

class TestFiles extends Mocha {
  /** A file that cannot be loaded is a failed test among the others. */
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

/** Results go over the channel alone. */
class Silent extends Mocha.reporters.Base {
  override epilogue(): void {
    // It would print what the channel tells already.
  }
}

function tell(runner: Mocha.Runner, channel: EventChannel, onFailure: MochaOptions['onFailure']): void {
  runner.once('start', () => channel.send({ kind: 'begin', tests: runner.total }));
  runner.on('test', (test) => channel.send({ kind: 'started', title: test.fullTitle() }));
  runner.on('hook', (hook) => channel.send({ kind: 'started', title: hook.fullTitle() }));
  runner.on('pass', (test) =>
    channel.send({ kind: 'passed', title: test.fullTitle(), milliseconds: test.duration ?? 0 }),
  );
  runner.on('pending', (test) => channel.send({ kind: 'skipped', title: test.fullTitle() }));
  runner.on('fail', (test, error: unknown) => {
    const kept = onFailure?.(test.fullTitle());
    const failed = { kind: 'failed', title: test.fullTitle(), problem: describeProblem(error) } as const;
    channel.send(kept === undefined ? failed : { ...failed, kept });
  });
  runner.once('end', () => channel.send({ kind: 'end' }));
}
