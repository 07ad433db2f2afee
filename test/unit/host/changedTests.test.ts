import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { changedWindowTests } from '../../host/changedTests';
import { scratchFolder } from '../../host/folders';

describe('the window tests that changed recently', () => {
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
      writeFileSync(join(folder, file), `${hour}`);
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
    assert.deepEqual(changedWindowTests(folder), {
      files: ['test/e2e/new.test.ts', 'test/e2e/changed.test.ts', 'test/integration/a/first.test.ts'],
    });
  });

  it('are none if only older commits changed some', () => {
    commit(0, 'test/e2e/old.test.ts');
    commit(5, 'src/a.ts');
    assert.deepEqual(changedWindowTests(folder), { files: [] });
  });

  it("aren't known if no commit is old enough", () => {
    commit(0, 'test/e2e/new.test.ts');
    assert.deepEqual(changedWindowTests(folder), { files: [], unknown: 'no commit is four hours older than HEAD' });
  });

  it("aren't known in a shallow clone, or without a repository", async () => {
    commit(0, 'test/e2e/old.test.ts');
    commit(5, 'test/e2e/new.test.ts');
    const clone = scratchFolder('shallow');
    git(5, 'clone', '--quiet', '--depth', '1', `file://${folder}`, join(clone, 'clone'));
    const unknown = { files: [], unknown: 'this is no complete clone of a Git repository' };
    assert.deepEqual(changedWindowTests(join(clone, 'clone')), unknown);
    assert.deepEqual(changedWindowTests(clone), unknown);
    await rm(clone, { recursive: true });
  });
});
