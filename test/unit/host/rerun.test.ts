import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { Cause } from '../../host/events/testEvent';
import { projectFolder } from '../../host/folders';
import { chooseReruns, type FailedFile, measureTime, protective } from '../../host/rerun';

function failed(path: string, ...causes: readonly Cause[]): FailedFile {
  const failures = causes.map((cause) => ({ file: `/test/${path}`, title: path, cause, problem: cause }));
  return { suite: path.split('/')[0] ?? '', path, failures };
}

const decided = (...files: readonly FailedFile[]) => {
  const decision = chooseReruns(files);
  return decision.kind === 'final' ? decision.because : decision.kind;
};

describe('the choice of what runs again', () => {
  it('is nothing if nothing failed', () => assert.equal(decided(), 'nothing'));

  it('is each failed window test, whatever the cause', () => {
    for (const cause of ['assertion', 'timeout', 'crash', 'error'] as const) {
      assert.equal(decided(failed('e2e/mounts.test.ts', cause)), 'again');
      assert.equal(decided(failed('integration/mounts/mounts.test.ts', cause)), 'again');
    }
  });

  it('is no unit test that failed by an assertion or an error, unless it measures time', () => {
    for (const cause of ['assertion', 'error'] as const) {
      assert.equal(decided(failed('unit/platform/client.test.ts', cause)), 'final: unit/platform/client.test.ts');
      assert.equal(decided(failed('unit/platform/redact.test.ts', cause)), 'again');
    }
    assert.equal(decided(failed('unit/platform/client.test.ts', 'timeout')), 'again');
  });

  it('is no test that protects texts and secrets, unless it ran out of time or its process ended', () => {
    for (const path of ['unit/soak/killedSaves.test.ts', 'e2e/secrets.test.ts', 'integration/support/everyRun.ts']) {
      assert.equal(decided(failed(path, 'timeout', 'assertion')), `final: ${path}`);
      assert.equal(decided(failed(path, 'error')), `final: ${path}`);
      assert.equal(decided(failed(path, 'timeout')), 'again');
      assert.equal(decided(failed(path, 'crash')), 'again');
    }
  });

  it('is nothing if a failure belongs to no file', () => {
    assert.equal(
      decided(failed('e2e/mounts.test.ts', 'timeout'), { ...failed('', 'crash'), suite: 'e2e' }),
      'final: e2e itself',
    );
  });

  it('is nothing if more than three files failed', () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => failed(`e2e/${name}.test.ts`, 'timeout'));
    assert.equal(decided(...files.slice(1)), 'again');
    assert.equal(decided(...files), "4 files failed, which isn't chance");
  });

  it('names only tests that exist', () => {
    for (const path of [...measureTime, ...protective]) assert.ok(existsSync(join(projectFolder, 'test', path)), path);
  });
});

interface LedgerEntry {
  readonly test: string;
  readonly file: string;
  /** The days on which it failed once, and the commits. */
  readonly seen: readonly string[];
  readonly cause: string;
  readonly plan: string;
  /** The day of its repair. */
  readonly repaired?: string;
}

describe('the ledger of flaky tests', () => {
  const entries = JSON.parse(readFileSync(join(projectFolder, 'test', 'flaky.json'), 'utf8')) as readonly LedgerEntry[];

  it('says the cause of each and what will be done, and none has been seen more than three times or after its repair', () => {
    for (const { test, file, seen, cause, plan, repaired = '9999' } of entries) {
      assert.ok(existsSync(join(projectFolder, 'test', file)), `${file} exists`);
      assert.ok(cause.trim() !== '' && plan.trim() !== '', `${test} has a cause and a plan`);
      assert.ok(seen.length > 0 && seen.length <= 3, `${test} was seen ${seen.length} times: repair it`);
      assert.ok(
        seen.every((time) => time.slice(0, 10) <= repaired),
        `${test} was seen again after its repair`,
      );
    }
  });
});
