import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { after, before, describe, it } from 'mocha';
import { isInIndex } from '../../../../../src/features/deployments/deployedState/gitFiles';

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
