import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { bundleTests } from '../../host/bundleTests';
import { emptyResult } from '../../host/events/runRecord';
import { runJobs } from '../../host/runJobs';
import { suites } from '../../suites';

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
