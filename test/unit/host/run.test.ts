import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { isNamed } from '../../host/findTests';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';

describe('the command that runs tests', function () {
  this.timeout(limit(60_000));
  let failures: string;

  beforeEach(() => (failures = scratchFolder('failures')));
  afterEach(() => rm(failures, { recursive: true, force: true }));

  function run(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', join('test', 'run.ts'), ...args],
      { cwd: projectFolder, env: { ...process.env, GANTRY_FAILURES: failures }, encoding: 'utf8' },
    );
    return { status, stdout, stderr: stderr.trimEnd() };
  }

  it('rejects a number of times, or a seed, that is no positive integer, and runs nothing', () => {
    for (const [option, wrong] of [
      ['times', '0'],
      ['times', 'twice'],
      ['stalls', ''],
    ]) {
      assert.deepEqual(run('unit', 'unit/host/rerun', `--${option}=${wrong}`), {
        status: 2,
        stdout: '',
        stderr: `--${option} must be a positive integer, not "${wrong}".`,
      });
    }
  });

  it('rejects a run without a suite', () => {
    const { status, stdout, stderr } = run('address');
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^Name a suite to run: unit, integration, .+\.$/);
  });

  it('repeats the run as often as asked for', () => {
    const { status, stdout } = run('unit', 'unit/host/rerun', '--times', '2', '--grep', 'is nothing if nothing failed');
    assert.equal(status, 0, stdout);
    assert.equal(stdout.match(/^1 passed, 0 failed$/gm)?.length, 2, stdout);
  });

  it('stalls each repeated run with another seed', () => {
    const args = ['--times', '2', '--stalls', '7', '--grep', 'is nothing if nothing failed'];
    const { status, stdout } = run('unit', 'unit/host/rerun', ...args);
    assert.equal(status, 0, stdout);
    assert.deepEqual(stdout.match(/^stalls with seed \d+$/gm), ['stalls with seed 7', 'stalls with seed 8']);
  });

  it('finds no test by the name of a folder that the project is in', () => {
    const { status, stdout } = run('unit', projectFolder, '--grep', 'is nothing if nothing failed');
    assert.equal(status, 1, stdout);
    assert.match(stdout, /✗ unit: no test was found/);
  });
});

describe('a part of the path of a test', () => {
  it('is looked for in its path inside the project', () => {
    const file = join(projectFolder, 'test', 'unit', 'platform', 'address.test.ts');
    assert.ok(isNamed(file, ['unit/platform']));
    assert.ok(isNamed(file, ['mounts', 'address']));
    assert.ok(isNamed(file, ['test/unit/platform/address.test.ts']));
    assert.ok(!isNamed(file, ['mounts']));
    assert.ok(!isNamed(file, [projectFolder.replaceAll('\\', '/')]));
    assert.ok(!isNamed(file, []));
  });
});
