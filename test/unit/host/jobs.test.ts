import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, it } from 'mocha';
import { bundleTests } from '../../host/bundleTests';
import { emptyResult } from '../../host/events/runRecord';
import { findTests } from '../../host/findTests';
import { projectFolder } from '../../host/folders';
import { runAll } from '../../host/runAll';
import { runJobs } from '../../host/runJobs';
import { everyJob, type Suite, suites } from '../../suites';

const fixture = (name: string): string => join(__dirname, 'fixtures', `${name}.fixture.ts`);

describe('the jobs of a test run', () => {
  it('have different names in each suite', () => {
    for (const [suite, { jobs }] of Object.entries(suites)) {
      const names = jobs().map(({ name }) => name);
      assert.deepEqual(
        names.filter((name, index) => names.indexOf(name) !== index),
        [],
        suite,
      );
    }
  });

  it('keep their durations if they run only at night, too', () => {
    const names = everyJob().map(({ name }) => name);
    for (const name of ['openWorkspace', 'logs', 'walkthrough']) assert.ok(names.includes(`e2e/${name}.test.ts`), name);
    for (const { jobs } of Object.values(suites)) for (const { name } of jobs()) assert.ok(names.includes(name), name);
  });

  it('run files that define their tests on every system, because a file without a test fails', () => {
    const all = ['unit', 'integration', 'e2e'].flatMap((folder) => findTests(join(projectFolder, 'test', folder)));
    const leavesOut = /process\.platform .+\? .*\bdescribe\b/;
    // `skipOn` says on which systems tests don't run.
    assert.deepEqual(
      all.filter((file) => leavesOut.test(readFileSync(file, 'utf8'))).map((file) => relative(projectFolder, file)),
      [],
    );
  });

  it('are refused if two have the same name, before any of them runs', async () => {
    const ran: string[] = [];
    const runner = {
      run: ({ name }: { readonly name: string }) => Promise.resolve((ran.push(name), emptyResult)),
      end: () => Promise.resolve(emptyResult),
    };
    const queued = (...names: readonly string[]) => ({
      jobs: names.map((name) => ({ suite: 'some', name, files: [] })),
      atOnce: 1,
      start: () => runner,
    });
    await assert.rejects(runJobs(queued('one', 'two', 'one')), /the same name: one\./);
    assert.deepEqual(ran, []);
    await runJobs(queued('one', 'two'));
    assert.deepEqual(ran, ['one', 'two']);
  });

  it('share one queue with those of other suites in windows: new ones first, then the longest', async () => {
    const known = JSON.parse(readFileSync(join(projectFolder, 'test', 'durations.json'), 'utf8')) as object;
    const [longest = '', ...shorter] = Object.entries(known)
      .sort(([, one], [, other]) => Number(other) - Number(one))
      .map(([name]) => name);
    const shortest = shorter.at(-1) ?? '';
    const ran: string[] = [];
    const run = (suiteName: string, ...names: readonly string[]) => {
      const suite: Suite = {
        needs: [],
        script: '',
        stage: 'windows',
        jobs: () => [],
        runner: () => ({
          run: ({ name }) => Promise.resolve((ran.push(`${suiteName}: ${name}`), passed)),
          end: () => Promise.resolve(emptyResult),
        }),
      };
      return { name: suiteName, suite, jobs: names.map((name) => ({ name, files: [] })) };
    };
    const passed = { byFile: new Map([['a', { passed: 1, failed: 0, skipped: 0 }]]), failures: [] };
    const wanted = { grep: undefined, reversed: false, durations: new Map<string, number>() };
    const runs = [run('integration', shortest), run('e2e', longest, 'a new one')];
    await runAll(runs, { wanted, ready: Promise.resolve(), runsAgain: false });
    assert.deepEqual(ran, ['e2e: a new one', `e2e: ${longest}`, `integration: ${shortest}`]);
  });

  it('have separate bundles, so that two at the same time neither replace nor remove the files of the other', async () => {
    const bundle = (name: string) => bundleTests({ files: [fixture(name)], timeout: 1_000, port: 1, slowness: 1 });
    const [passing, mixed] = await Promise.all([bundle('passing'), bundle('mixed')]);
    const testsOf = ({ main }: typeof passing): string => readFileSync(join(dirname(main), 'bundle.js'), 'utf8');
    try {
      assert.match(testsOf(mixed), /"mixed"/);
      assert.doesNotMatch(testsOf(passing), /"mixed"/);
      await mixed.remove();
      assert.equal(existsSync(dirname(mixed.main)), false);
      assert.doesNotMatch(testsOf(passing), /"mixed"/);
    } finally {
      await passing.remove();
    }
    assert.equal(existsSync(dirname(passing.main)), false);
  });
});
