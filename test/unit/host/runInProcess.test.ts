import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Counts, summary } from '../../host/events/runRecord';
import { runInProcess } from '../../host/runInProcess';

async function run(
  fixture: string,
  { others = [], ...options }: { grep?: string; silence?: number; others?: string[] } = {},
): Promise<[Counts, string]> {
  const lines: string[] = [];
  const counts = await runInProcess({
    name: 'fixture',
    files: [fixture, ...others].map((name) => join(__dirname, 'fixtures', `${name}.fixture.ts`)),
    timeout: 5_000,
    show: (line) => lines.push(line),
    ...options,
  });
  return [counts, lines.join('\n')];
}

describe('a run of tests in a process', function () {
  this.timeout(60_000);

  it('shows each result with its stack, and counts', async () => {
    const [counts, shown] = await run('mixed');
    assert.equal(summary(counts), '1 passed, 1 failed, 1 skipped');
    assert.match(shown, /✓ mixed passes/);
    assert.match(shown, /✗ mixed fails\n\s+AssertionError.*\n[^]*'what is'[^]*at .*mixed\.fixture\.ts:5:/);
    assert.match(shown, /- mixed is not written yet/);
  });

  it('runs only what was asked for', async () => {
    assert.deepEqual((await run('passing', { grep: 'multiplies' }))[0], { passed: 1, failed: 0, skipped: 0 });
  });

  it('fails when there is no test', async () => {
    const [counts, shown] = await run('empty');
    assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
    assert.match(shown, /no test was found/);
  });

  it('counts a file that cannot be loaded as a failure, and runs the others', async () => {
    const [counts, shown] = await run('unloadable', { others: ['passing'] });
    assert.deepEqual(counts, { passed: 2, failed: 1, skipped: 0 });
    assert.match(shown, /✗ test.unit.host.fixtures.unloadable\.fixture\.ts can be loaded\n\s+Error: not today/);
  });

  it('fails when the process ends in the middle, and says where', async () => {
    const [counts, shown] = await run('crash');
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
    assert.match(shown, /before the end, during: crash ends the process/);
  });

  it('fails when nothing is heard any more, and says during what', async () => {
    const [counts, shown] = await run('silent', { silence: 3_000 });
    assert.deepEqual(counts, { passed: 0, failed: 1, skipped: 0 });
    assert.match(shown, /nothing was heard of the tests for 3 s before the end, during: silent never ends/);
  });

  it('fails when a test leaves something open, and says what', async () => {
    const [counts, shown] = await run('open');
    assert.deepEqual(counts, { passed: 1, failed: 1, skipped: 0 });
    assert.match(shown, /The tests left open: TCPServerWrap/);
  });
});
