import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'mocha';
import type { Cause } from '../../host/events/testEvent';
import { findTests } from '../../host/findTests';
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
      assert.equal(
        decided(failed('unit/platform/client.test.ts', cause)),
        'these failures are final: unit/platform/client.test.ts',
      );
      assert.equal(decided(failed('unit/platform/redactSpeed.test.ts', cause)), 'again');
    }
    assert.equal(decided(failed('unit/platform/client.test.ts', 'timeout')), 'again');
  });

  it('is no test that protects texts and secrets, unless it ran out of time or its process ended', () => {
    for (const path of [
      'unit/soak/killedSaves.test.ts',
      'unit/platform/redact.test.ts',
      'integration/features/agents/projectTools.test.ts',
      'integration/features/deployments/rollBack/rollBackFlow.test.ts',
      'integration/features/versions/versionCommands.test.ts',
      'integration/files/saving/interruptedSavesCommands.test.ts',
      'e2e/secrets.test.ts',
      'integration/support/everyRun.ts',
    ]) {
      assert.equal(decided(failed(path, 'timeout', 'assertion')), `these failures are final: ${path}`);
      assert.equal(
        decided(failed(path, 'error')),
        path.startsWith('e2e') ? 'again' : `these failures are final: ${path}`,
      );
      assert.equal(decided(failed(path, 'timeout')), 'again');
      assert.equal(decided(failed(path, 'crash')), 'again');
    }
  });

  it('is nothing if a failure belongs to no file', () => {
    assert.equal(
      decided(failed('e2e/mounts.test.ts', 'timeout'), { ...failed('', 'crash'), suite: 'e2e' }),
      'these failures are final: e2e itself',
    );
  });

  it('is nothing if more than three files failed', () => {
    const files = ['a', 'b', 'c', 'd'].map((name) => failed(`e2e/${name}.test.ts`, 'timeout'));
    assert.equal(decided(...files.slice(1)), 'again');
    assert.equal(decided(...files), '4 files failed, too many to be chance');
  });

  it('includes each unit test that measures how long something took, rather than its own processor time', () => {
    // These wait for at least so long.
    const atLeast = ['localPlatform/faults', 'localPlatform/vcsDeploy', 'localPlatform/services'];
    const measuring = findTests(join(projectFolder, 'test', 'unit')).flatMap((file) => {
      const path = relative(join(projectFolder, 'test'), file).replaceAll('\\', '/');
      const isListed = measureTime.includes(path) || atLeast.some((name) => path === `unit/${name}.test.ts`);
      return isListed ||
        !/performance\.now\(\)|Date\.now\(\) - (began|begun|begin|started)/.test(readFileSync(file, 'utf8'))
        ? []
        : [path];
    });
    assert.deepEqual(measuring, []);
  });

  it('names only tests that exist', () => {
    for (const path of [...measureTime, ...protective]) assert.ok(existsSync(join(projectFolder, 'test', path)), path);
  });
});
