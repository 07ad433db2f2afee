import assert from 'node:assert/strict';
import { join } from 'node:path';
import { failuresSoFar } from '../../host/events/observeRun';
import { limit } from '../../host/limits';
import { countsOf, type Failure, summary } from '../../host/events/runRecord';
import { repeatCommands } from '../../host/repeatCommands';
import { TestProcess, type TestProcessOptions } from '../../host/testProcess';

const fixture = (name: string): string => join(__dirname, 'fixtures', `${name}.fixture.ts`);

interface Outcome {
  readonly counts: string;
  readonly shown: string;
  readonly failures: readonly Failure[];
}

describe('a test process', function () {
  this.timeout(limit(30_000));
  const running: { tests?: TestProcess } = {};
  const lines: string[] = [];

  beforeEach(() => {
    lines.splice(0);
  });
  afterEach(async () => {
    await running.tests?.end();
  });

  function start(options: Partial<TestProcessOptions> = {}): (...names: readonly string[]) => Promise<Outcome> {
    const tests = new TestProcess({ name: 'fixture', timeout: 5_000, show: (line) => lines.push(line), ...options });
    running.tests = tests;
    return async (...names) => {
      lines.splice(0);
      const result = await tests.run({ name: names.join(), files: names.map(fixture) });
      return { counts: summary(countsOf(result)), failures: result.failures, shown: lines.join('\n') };
    };
  }

  it('shows and counts each result, with the stack of each failure, and continues with the next file', async () => {
    const run = start();
    const mixed = await run('mixed');
    assert.equal(mixed.counts, '1 passed, 1 failed, 1 skipped');
    assert.match(mixed.shown, /✓ mixed passes/);
    assert.match(mixed.shown, /✗ mixed fails\n\s+AssertionError.*\n[^]*'what is'[^]*at .*mixed\.fixture\.ts:5:/);
    assert.match(mixed.shown, /- mixed is not written yet/);
    const [failure] = mixed.failures;
    assert.deepEqual([failure?.file, failure?.title, failure?.cause], [fixture('mixed'), 'mixed fails', 'assertion']);

    const empty = await run('empty');
    assert.equal(empty.counts, '0 passed, 1 failed', 'a file without a test is a failure');
    assert.match(empty.shown, /no test was found/);

    const unloadable = await run('unloadable');
    assert.equal(unloadable.counts, '0 passed, 1 failed', 'a file that cannot be loaded is a failure');
    assert.match(
      unloadable.shown,
      /✗ test.unit.host.fixtures.unloadable\.fixture\.ts can be loaded\n\s+Error: not today/,
    );

    assert.equal((await run('passing')).counts, '2 passed, 0 failed');
  });

  it('runs only the tests that match the pattern', async () => {
    const run = start({ grep: 'multiplies' });
    assert.equal((await run('passing')).counts, '1 passed, 0 failed');
    assert.equal((await run('mixed')).counts, '0 passed, 0 failed', 'the matching tests may be in other files');
  });

  it('reports the test that ended the process, and runs the next file in a new process', async () => {
    const run = start();
    const crash = await run('crash');
    assert.equal(crash.counts, '1 passed, 1 failed');
    assert.match(crash.shown, /the process ended with 3 before the end, during: crash ends the process/);
    assert.deepEqual(
      crash.failures.map(({ file, title, cause }) => ({ file, title, cause })),
      [{ file: fixture('crash'), title: undefined, cause: 'crash' }],
    );
    assert.equal((await run('passing')).counts, '2 passed, 0 failed');
  });

  it('reports the file that ended the process after its last test, and runs the next one in a new process', async () => {
    const run = start();
    assert.equal((await run('diesLater')).counts, '1 passed, 0 failed');
    const next = await run('passing');
    assert.equal(next.counts, '2 passed, 1 failed');
    assert.match(
      next.shown,
      /✗ fixture: after the last test of .+diesLater\.fixture\.ts: the process ended with 3 before the end/,
    );
    assert.deepEqual(
      next.failures.map(({ file, title, cause }) => ({ file, title, cause })),
      [{ file: fixture('diesLater'), title: undefined, cause: 'crash' }],
    );
    assert.equal(failuresSoFar().at(-1)?.file, fixture('diesLater'), 'a run that ends early says the same');
  });

  it('lets the files of a job share what one of them left, and disposes of it after the last one', async () => {
    const run = start();
    const both = await run('leaves', 'leaves');
    assert.deepEqual(both.shown.match(/finds .*/g), ['finds what 0 others left', 'finds what 1 others left']);
    assert.match((await run('leaves')).shown, /finds what 0 others left/);
  });

  it('runs the other files of a job if one fails, which share nothing with it', async () => {
    const { counts, shown } = await start({ bail: true })('leaves', 'opensAndFails', 'leaves');
    assert.equal(counts, '2 passed, 1 failed');
    assert.deepEqual(shown.match(/finds .*/g), ['finds what 0 others left', 'finds what 0 others left']);
  });

  it('names the step that failed, and keeps its reason', async () => {
    const { shown, failures } = await start()('inStep');
    assert.deepEqual(
      failures.map(({ cause }) => cause),
      ['timeout', 'assertion'],
    );
    assert.match(
      shown,
      /TimeoutError: In the step “wait for the row”: no row after 25 s\n[^]*at .*inStep\.fixture\.ts:10:/,
    );
    assert.match(shown, /AssertionError.*: In the step “count the rows”: Expected/);
  });

  it('ends a file that reports nothing for too long, and names the test that was running', async () => {
    const silent = await start({ timeout: 100, silence: 1_000 })('silent');
    assert.equal(silent.counts, '0 passed, 1 failed');
    assert.match(silent.shown, /the tests reported nothing for \d s before the end, during: silent never ends/);
  });

  it('reports the handles that tests left open as a failure', async () => {
    const run = start();
    assert.equal((await run('open')).counts, '1 passed, 0 failed');
    assert.ok(running.tests);
    assert.equal(countsOf(await running.tests.end()).failed, 1);
    assert.match(lines.join('\n'), /The tests left something open: TCPServerWrap/);
  });

  it('counts nothing that failed tests left open, because they had no chance to close it', async () => {
    const run = start();
    assert.equal((await run('opensAndFails')).counts, '0 passed, 1 failed');
    assert.equal((await run('passing')).counts, '2 passed, 0 failed');
    assert.ok(running.tests);
    assert.equal(countsOf(await running.tests.end()).failed, 0, lines.join('\n'));
  });
});

describe('the command that repeats a failed test', () => {
  it('names the file and the test, quoted for a shell', () => {
    const why = { cause: 'assertion', problem: '' } as const;
    const failures = [
      { ...why, file: fixture('mixed'), title: "it’s $HOME, isn't it" },
      { ...why, file: fixture('crash') },
      { ...why, file: '', title: 'anywhere' },
    ];
    assert.deepEqual(repeatCommands('test:unit', failures), [
      String.raw`npm run test:unit -- unit/host/fixtures/mixed.fixture.ts --grep 'it’s $HOME, isn'\''t it'`,
      'npm run test:unit -- unit/host/fixtures/crash.fixture.ts',
      'npm run test:unit -- --grep anywhere',
    ]);
  });
});
