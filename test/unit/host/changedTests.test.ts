import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { changedTests, noChangedTests } from '../../host/changedTests';
import { scratchFolder } from '../../host/folders';

describe('the tests that changed recently', () => {
  let folder: string;

  beforeEach(() => {
    folder = scratchFolder('changed');
    git(0, 'init', '--quiet');
  });
  afterEach(() => rm(folder, { recursive: true }));

  function git(hour: number, ...args: readonly string[]): void {
    const date = new Date(Date.UTC(2026, 10, 25) + hour * 3_600_000).toISOString();
    const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }

  function commit(hour: number, ...files: readonly string[]): void {
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const source = file.includes('AtNight') ? "import { itNightly } from '../host/nightly';\n" : '';
      writeFileSync(join(folder, file), `${source}${hour}`);
    }
    git(hour, 'add', '.');
    git(hour, 'commit', '--quiet', '--message', `at ${hour}`);
  }

  it('are those of the last four hours before HEAD, the newest first', () => {
    commit(0, 'test/e2e/old.test.ts', 'test/e2e/changed.test.ts', 'test/e2e/removed.test.ts');
    commit(5, 'test/integration/a/first.test.ts', 'test/unit/a.test.ts', 'test/e2e/support/menus.ts', 'src/a.ts');
    git(6, 'rm', '--quiet', 'test/e2e/removed.test.ts');
    commit(6, 'test/e2e/changed.test.ts');
    commit(8, 'test/e2e/new.test.ts');
    assert.deepEqual(changedTests(folder).files, [
      'test/e2e/new.test.ts',
      'test/e2e/changed.test.ts',
      'test/integration/a/first.test.ts',
    ]);
  });

  it('include those that run only at night, in the suites that run them', () => {
    commit(0, 'src/a.ts', 'test/e2e/oldAtNight.test.ts', 'test/unit/soak/faultedSaves.test.ts');
    commit(5, 'test/e2e/openWorkspace.test.ts', 'test/e2e/byDay.test.ts', 'test/unit/byDay.test.ts');
    // The second one depends on the version of VS Code, so it runs in the oldest one, too.
    commit(6, 'test/integration/trees/bigAccount.test.ts', 'test/integration/files/saves.test.ts');
    commit(7, 'test/e2e/someAtNight.test.ts');
    commit(8, 'test/unit/someAtNight.test.ts');
    assert.deepEqual(changedTests(folder).nightly, [
      { suite: 'unit', file: 'test/unit/someAtNight.test.ts' },
      { suite: 'e2e', file: 'test/e2e/someAtNight.test.ts' },
      { suite: 'integration:minimum', file: 'test/integration/trees/bigAccount.test.ts' },
      { suite: 'e2e', file: 'test/e2e/openWorkspace.test.ts' },
    ]);
  });

  it('include the unit test of a changed soak test', () => {
    commit(0, 'test/unit/soak/savesAtNight.test.ts');
    commit(5, 'test/soak/savesAtNight.ts');
    assert.deepEqual(changedTests(folder), {
      ...noChangedTests,
      nightly: [{ suite: 'unit', file: 'test/unit/soak/savesAtNight.test.ts' }],
    });
  });

  it('include a short run of all soak tests if no unit test runs what changed', () => {
    commit(0, 'test/soak/run.ts');
    commit(5, 'test/soak/report.ts', 'test/soak/sequences.soak.ts');
    assert.deepEqual(changedTests(folder), {
      ...noChangedTests,
      nightly: [{ suite: 'soak', file: 'test/soak/run.ts' }],
    });
  });

  it('are only those that still exist', () => {
    commit(0, 'src/a.ts');
    commit(5, 'test/e2e/deletedAtNight.test.ts', 'test/e2e/kept.test.ts');
    rmSync(join(folder, 'test/e2e/deletedAtNight.test.ts'));
    assert.deepEqual(changedTests(folder), { ...noChangedTests, files: ['test/e2e/kept.test.ts'] });
  });

  it('name what runs only elsewhere', () => {
    commit(0, 'src/a.ts');
    commit(5, 'test/integration/a/first.test.ts', 'test/integration/a/second.test.ts');
    commit(6, 'test/bench/chain.ts', 'test/bench/inside/some.json');
    assert.deepEqual(changedTests(folder).elsewhere, [
      'test/bench/chain.ts (npm run bench)',
      'integration tests in a desktop VS Code (2 files; npm run test:desktop)',
    ]);
  });

  it('are none if only older commits changed some', () => {
    commit(0, 'test/e2e/old.test.ts');
    commit(5, 'src/a.ts');
    assert.deepEqual(changedTests(folder), noChangedTests);
  });

  it("aren't known if no commit is old enough", () => {
    commit(0, 'test/e2e/new.test.ts');
    assert.deepEqual(changedTests(folder), { ...noChangedTests, unknown: 'no commit is four hours older than HEAD' });
  });

  it("aren't known in a shallow clone, or without a repository", async () => {
    commit(0, 'test/e2e/old.test.ts');
    commit(5, 'test/e2e/new.test.ts');
    const clone = scratchFolder('shallow');
    git(5, 'clone', '--quiet', '--depth', '1', `file://${folder}`, join(clone, 'clone'));
    const unknown = { ...noChangedTests, unknown: 'this is no complete clone of a Git repository' };
    assert.deepEqual(changedTests(join(clone, 'clone')), unknown);
    assert.deepEqual(changedTests(clone), unknown);
    await rm(clone, { recursive: true });
  });
});
