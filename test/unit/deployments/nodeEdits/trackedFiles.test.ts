import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { isIgnored, isInIndex } from '../../../../src/deployments/nodeEdits/trackedFiles';

describe("a clone's index, read as text", () => {
  const long = `${'deep/'.repeat(30)}x.php`;
  const veryLong = `${'deeper/'.repeat(50)}x.php`;
  const tracked = ['index.php', 'a/index.php', 'TREE', 'ümlaut.php', ...Array.from({ length: 300 }, (_, n) => `f${n}`)];
  let folder: string;
  let bytes: Buffer;

  const git = (...args: readonly string[]) =>
    promisify(execFile)('git', ['-C', folder, '-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args]);
  const add = async (path: string) => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), path);
  };
  const readIndex = async () => (bytes = await readFile(join(folder, '.git/index')));

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-index-'));
    await git('init', '--quiet');
    for (const path of [...tracked, long, veryLong]) await add(path);
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'all');
    await git('reset', '--quiet', '--hard', 'HEAD');
    await readIndex();
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('has exactly the files that Git tracks', () => {
    const text = bytes.toString();
    for (const path of tracked.filter((one) => !one.startsWith('ü'))) assert.equal(isInIndex(text, path), true, path);
    assert.equal(isInIndex(text, long), true);
    for (const path of ['.env', 'f300', 'a/index', 'deep/y.php']) assert.equal(isInIndex(text, path), false, path);
  });

  it("doesn't tell where names aren't certain: the end of a longer one, a folder, no ASCII, a very long one", () => {
    const text = bytes.toString();
    for (const path of ['ndex.php', 'a', 'ümlaut.php', 'ö.php', veryLong])
      assert.equal(isInIndex(text, path), undefined);
  });

  it("doesn't tell if the text is cut, lacks its NUL bytes, or isn't an index", () => {
    const text = bytes.toString();
    for (const part of [text.slice(0, 2000), text.replaceAll('\0', ''), '', 'ref: refs/heads/main\n']) {
      assert.equal(isInIndex(part, '.env'), undefined);
    }
  });

  it("doesn't tell of an index that shortens names or leaves some out", async () => {
    await git('update-index', '--index-version', '4');
    assert.equal(isInIndex((await readIndex()).toString(), '.env'), undefined);
    await git('update-index', '--index-version', '2');
    assert.equal(isInIndex((await readIndex()).toString(), '.env'), false);
    await git('update-index', '--split-index');
    assert.equal(isInIndex((await readIndex()).toString(), '.env'), undefined);
  });
});

describe('what .gitignore says', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-ignore-'));
    await promisify(execFile)('git', ['-C', folder, 'init', '--quiet']);
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const paths = [
    ...['.env', 'a/.env', '.env.local', 'env', 'build/x.js', 'a/build/x.js', 'build', 'a/b/c.log', 'c.log', 'keep.log'],
    ...['a/keep.log', 'a/b', 'a/x/b', 'a/x/y/b', 'ab', 'a+b', 'axb', 'tmp/deep/er/x', 'tmp', 'x/tmp/y', '#x', 'sp ace'],
  ];
  const withRules = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    const read = (path: string) => Promise.resolve(files[path]);
    // Git lists those that it ignores, and fails if there are none.
    const asked = promisify(execFile)('git', ['-C', folder, '-c', 'core.excludesFile=', 'check-ignore', ...paths]);
    const git = await asked.then(
      ({ stdout }) => stdout.split('\n').filter((one) => one !== ''),
      (): string[] => [],
    );
    const ignored = await Promise.all(paths.map((path) => isIgnored(path, read)));
    await Promise.all(Object.keys(files).map((path) => rm(join(folder, path))));
    return { git, ours: paths.filter((_, index) => ignored[index]) };
  };

  for (const rules of [
    ...['.env', '/.env', '.env*', '*.log\n!keep.log', '!keep.log\n*.log', 'build/', 'build', '/build/', 'a/b', '/a/b/'],
    ...['**/b', 'a/**/b', 'a/**', 'tmp/**', 'tmp/*', '**/tmp/', 'a?b', 'a+b', 'a*b', 'a**b', 'a/*/b', '*', '*\n!a/'],
    ...[
      '# x\n#x\n\n',
      '.env  ',
      '.env\r',
      '*.log \r\n!keep.log\r\n',
      'tmp/\n!tmp/deep',
      '*.log\n!a/\n!a/b/c.log',
      'sp ace',
      '/',
      '!',
      '**',
    ],
  ]) {
    it(`${JSON.stringify(rules)} is understood as by Git`, async () => {
      const { git, ours } = await withRules({ '.gitignore': rules });
      assert.deepEqual(ours, git);
    });
  }

  it('in a folder is about that folder, and goes before that of the folders above', async () => {
    const { git, ours } = await withRules({ '.gitignore': '*.log\n', 'a/.gitignore': '!keep.log\n/b\n.env\n' });
    assert.deepEqual(ours, git);
    assert.ok(ours.includes('a/.env') && !ours.includes('a/keep.log') && !ours.includes('.env'));
  });

  it("counts as nothing if it can't be understood", async () => {
    const { ours } = await withRules({ '.gitignore': '.env\n[!a]b\n' });
    assert.deepEqual(ours, []);
  });
});
