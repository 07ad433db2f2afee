import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { projectFolder, scratchFolder } from '../../host/folders';
import { limit } from '../../host/limits';

const copied = ['test/affected.ts', 'test/suites.ts', 'test/host', 'tsconfig.json'];

/** A project with a feature, its translation, and tests. */
const files: Readonly<Record<string, string>> = {
  '.gitignore': 'node_modules\n',
  'package.json': '{}',
  'src/features/favorites/favorites.ts': "export const text = 'Added to your favorites.';\n",
  'test/localPlatform/texts.ts': '',
  'src/other.ts': "export const other = 'Nothing to do here.';\n",
  'l10n/bundle.l10n.de.json': '{ "Added to your favorites.": "Hinzugefügt." }',
  'test/unit/favorites.test.ts': "import '../../src/features/favorites/favorites';\n",
  'test/unit/other.test.ts': "import '../../src/other';\n",
  'test/unit/words/translations.test.ts': '',
  'test/integration/features/favorites/view.test.ts': '',
  'test/e2e/favorites.test.ts': "wait('Added to your favorites.');\n",
  'test/e2e/languages.test.ts': '',
};

describe('the tests that a change touches', function () {
  this.timeout(limit(60_000));
  let folder: string;

  beforeEach(() => {
    folder = scratchFolder('affected');
    for (const path of copied) cpSync(join(projectFolder, path), join(folder, path), { recursive: true });
    symlinkSync(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
    git(0, 'init', '--quiet', '--initial-branch', 'main');
    commit(0, files);
  });
  afterEach(() => rm(folder, { recursive: true }));

  function git(hour: number, ...args: readonly string[]): void {
    const date = new Date(Date.UTC(2026, 10, 25) + hour * 3_600_000).toISOString();
    const env = { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date };
    const identity = ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false'];
    const { status, stderr } = spawnSync('git', [...identity, ...args], { cwd: folder, env, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  function write(changed: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(changed)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  function commit(hour: number, changed: Readonly<Record<string, string>>): void {
    write(changed);
    git(hour, 'add', '.');
    git(hour, 'commit', '--quiet', '--message', `at ${hour}`);
  }
  function affected(...args: readonly string[]) {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', 'tsx', 'test/affected.ts', '--list', ...args],
      { cwd: folder, encoding: 'utf8' },
    );
    const [, listed = ''] = /touches \d+ test files:\n([^]*)/.exec(stdout) ?? [];
    const changed = Number(/^(\d+) files changed/m.exec(stdout)?.[1]);
    return { status, stdout, stderr, changed, tests: listed.split('\n').filter((line) => line !== '') };
  }

  const feature = { 'src/features/favorites/favorites.ts': "export const text = 'Added to favorites.';\n" };
  const ofFeature = [
    'unit/favorites.test.ts',
    'unit/words/translations.test.ts',
    'integration/features/favorites/view.test.ts',
    'e2e/favorites.test.ts',
  ];

  it('import it, are of its folder, read all sources, or wait for its texts', () => {
    write(feature);
    const { tests, stdout } = affected('--since', 'HEAD');
    assert.deepEqual(tests, ofFeature, stdout);
    assert.match(stdout, /^test\/e2e\/favorites\.test\.ts:1 "Added to your favorites\.", which was "Added to your/m);
  });

  it('are those of a branch that left main, also where nothing knows of origin/main', () => {
    git(0, 'switch', '--quiet', '--create', 'next');
    commit(9, feature);
    assert.deepEqual(affected().tests, ofFeature);
    git(9, 'branch', '--quiet', '--force', 'main');
    git(9, 'update-ref', 'refs/remotes/origin/main', 'main~1');
    assert.deepEqual(affected().tests, ofFeature);
    git(9, 'update-ref', 'refs/remotes/origin/main', 'main');
    const { changed, tests } = affected();
    assert.deepEqual([changed, tests], [0, []], 'everything is pushed');
  });

  it('are those of the last four hours on main itself, where nothing knows of origin/main', () => {
    commit(9, feature);
    commit(10, { 'src/other.ts': "export const other = 'Something to do here.';\n" });
    const { changed, tests } = affected();
    assert.equal(changed, 2);
    assert.ok(tests.includes('unit/favorites.test.ts') && tests.includes('unit/other.test.ts'), tests.join());
  });

  it("aren't none if nothing tells what the change is", () => {
    write(feature);
    const { status, stdout, stderr } = affected();
    assert.deepEqual([status, stdout], [2, '']);
    assert.match(stderr, /^There is no earlier commit to compare with\. Name one: .+ --since COMMIT$/m);
  });

  it('are those that read the translations if one changed', () => {
    write({ 'l10n/bundle.l10n.de.json': '{ "Added to your favorites.": "Ist hinzugefügt." }' });
    assert.deepEqual(affected('--since', 'HEAD').tests, ['unit/words/translations.test.ts', 'e2e/languages.test.ts']);
  });
});
