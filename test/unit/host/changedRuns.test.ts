import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { describe, it } from 'mocha';
import { repeatChanged, runAtNight } from '../../host/changedRuns';
import { noChangedTests } from '../../host/changedTests';
import { countsOf, emptyResult, failedFile } from '../../host/events/runRecord';
import { projectFolder } from '../../host/folders';
import { limit } from '../../host/limits';
import { type Suite } from '../../suites';

const counts = { passed: 1, failed: 0, skipped: 0 };
const wanted = { grep: undefined, reversed: false, durations: new Map<string, number>() };

/** Window tests that pass, each file after so many milliseconds of a clock of their own. */
function slowSuite(milliseconds: number) {
  const ran: string[] = [];
  const suite: Suite = {
    needs: [],
    script: 'test:fixtures',
    stage: 'windows',
    jobs: () => [],
    runner: () => ({
      run: ({ files: [file = ''] }) => {
        ran.push(file);
        return Promise.resolve({ byFile: new Map([[file, counts]]), failures: [] });
      },
      end: () => Promise.resolve(emptyResult),
    }),
  };
  return { ran, suite, now: () => ran.length * milliseconds };
}

describe('the time for changed tests', () => {
  it('ends after 60 seconds for nightly tests, and those that did not run are named', async () => {
    const { ran, suite, now } = slowSuite(100 * 60_000);
    const nightly = ['a', 'b', 'c'].map((name) => ({ suite: 'e2e', file: `test/e2e/${name}.test.ts` }));
    const changed = { ...noChangedTests, nightly: [{ suite: 'unit', file: 'test/unit/a.test.ts' }, ...nightly] };
    const runs = [{ name: 'e2e', suite, jobs: [] }];
    const results = new Map([['e2e', emptyResult]]);
    const { lines } = await runAtNight(runs, results, { wanted, changed, stage: 'windows', before: 0, now });
    const file = join(projectFolder, 'test', 'e2e', 'a.test.ts');
    assert.deepEqual(ran, [file]);
    assert.deepEqual(results.get('e2e')?.byFile, new Map([[file, counts]]));
    assert.deepEqual(lines, [
      'changed, but their nightly tests did not run: test/e2e/b.test.ts (e2e), test/e2e/c.test.ts (e2e)',
    ]);
  });

  it('ends after 90 seconds for two more runs: none starts that would take longer, and files that did not run twice are named', async () => {
    const { ran, suite, now } = slowSuite(limit(20_000));
    const files = ['a', 'b', 'c'].map((name) => `test/e2e/${name}.test.ts`);
    const [a = '', b = '', c = ''] = files.map((file) => join(projectFolder, file));
    const runs = [{ name: 'e2e', suite, jobs: [] }];
    const changed = { ...noChangedTests, files };
    const { lines } = await repeatChanged(runs, new Map(), { wanted, changed, known: [], now });
    assert.deepEqual([...ran].sort(), [a, a, b, c], '80 seconds have passed, and the next one would take 20');
    assert.deepEqual(lines, ['changed, but not run twice more: test/e2e/b.test.ts, test/e2e/c.test.ts']);
  });

  it('is over when the run itself has little time left', async () => {
    const { ran, suite, now } = slowSuite(1);
    const runs = [{ name: 'e2e', suite, jobs: [] }];
    const changed = {
      ...noChangedTests,
      nightly: [{ suite: 'e2e', file: 'test/e2e/a.test.ts' }],
      files: ['test/e2e/b.test.ts'],
    };
    const options = { wanted, changed, now, until: limit(20_000) - 1 };
    const night = await runAtNight(runs, new Map(), { ...options, stage: 'windows', before: 0 });
    const more = await repeatChanged(runs, new Map(), { ...options, known: [] });
    assert.deepEqual(ran, []);
    assert.deepEqual(
      [...night.lines, ...more.lines],
      [
        'changed, but their nightly tests did not run: test/e2e/a.test.ts (e2e)',
        'changed, but not run twice more: test/e2e/b.test.ts',
      ],
    );
  });

  it('is saved by integration tests that share a window, up to five of them, and not by those that need their own', async () => {
    const ran: string[] = [];
    const suite: Suite = {
      needs: [],
      script: 'test:fixtures',
      stage: 'windows',
      jobs: () => [],
      runner: () => ({
        run: ({ files }) => {
          ran.push(files.map((file) => basename(file, '.test.ts')).join(' '));
          return Promise.resolve({ byFile: new Map(files.map((file) => [file, counts])), failures: [] });
        },
        end: () => Promise.resolve(emptyResult),
      }),
    };
    const names = ['connections', 'requestCounts', 'mounts', 'text', 'favorites', 'logSource', 'extension', 'provider'];
    const nightly = names.map((name) => ({ suite: 'integration:minimum', file: `test/integration/${name}.test.ts` }));
    const runs = [{ name: 'integration:minimum', suite, jobs: [] }];
    const changed = { ...noChangedTests, nightly };
    await runAtNight(runs, new Map(), { wanted, changed, stage: 'windows', before: 0 });
    assert.deepEqual(ran, ['connections mounts text favorites logSource', 'requestCounts', 'extension', 'provider']);
  });
});

describe('a changed file whose nightly tests fail', () => {
  /** Runs the nightly tests of changed files, all of which run out of time. */
  async function failing(names: readonly string[], before: number) {
    const ran: string[] = [];
    const suite: Suite = {
      needs: [],
      script: 'test:fixtures',
      stage: 'windows',
      jobs: () => [],
      runner: () => ({
        run: ({ files: [file = ''] }) => {
          ran.push(basename(file, '.test.ts'));
          return Promise.resolve(failedFile({ file, cause: 'timeout', problem: 'too late' }));
        },
        end: () => Promise.resolve(emptyResult),
      }),
    };
    const nightly = names.map((name) => ({ suite: 'e2e', file: `test/e2e/${name}.test.ts` }));
    const results = new Map([['e2e', emptyResult]]);
    const options = { wanted, changed: { ...noChangedTests, nightly }, stage: 'windows', before } as const;
    const { lines } = await runAtNight([{ name: 'e2e', suite, jobs: [] }], results, options);
    return { ran: ran.sort(), lines, counts: countsOf(results.get('e2e') ?? emptyResult) };
  }

  it('runs once more if it is one of three in the whole run', async () => {
    assert.deepEqual(await failing(['a'], 2), {
      ran: ['a', 'a'],
      lines: ['e2e/a.test.ts failed twice with its nightly tests'],
      counts: { passed: 0, failed: 1, skipped: 0 },
    });
  });

  it('does not run again if it is one of four, whenever the others failed', async () => {
    const lines = ['No file ran again, because 4 files failed, too many to be chance'];
    for (const [names, before] of [
      [['a', 'b', 'c', 'd'], 0],
      [['a'], 3],
    ] as const) {
      const counts = { passed: 0, failed: names.length, skipped: 0 };
      assert.deepEqual(await failing(names, before), { ran: names, lines, counts });
    }
  });
});

describe('the changed tests that are named as not run', () => {
  const lines = async (changed: Partial<typeof noChangedTests>) => {
    return (await repeatChanged([], new Map(), { wanted, changed: { ...noChangedTests, ...changed }, known: [] }))
      .lines;
  };

  it('are those that run elsewhere, and those of suites that did not run', async () => {
    assert.deepEqual(await lines({}), []);
    assert.deepEqual(await lines({ elsewhere: ['test/bench/a.ts (npm run bench)'], files: ['test/e2e/a.test.ts'] }), [
      'changed, but not run: test/bench/a.ts (npm run bench)',
      'changed, but not run twice more: test/e2e/a.test.ts',
    ]);
  });

  it('are all if the change is not known', async () => {
    assert.deepEqual(await lines({ unknown: 'no history' }), ['changed tests did not run more often: no history']);
  });
});
