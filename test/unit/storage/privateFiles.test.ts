import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { writePrivateFile } from '../../../src/storage/privateFiles';

describe('a private file', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-private-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('is written whole by whichever of many writers comes last, and leaves nothing else', async () => {
    const file = join(folder, 'below', 'a.json');
    const texts = Array.from({ length: 50 }, (_, n) => `${n} `.repeat(10_000));
    await Promise.all(texts.map((text) => writePrivateFile(file, text)));
    assert.ok(texts.includes(await readFile(file, 'utf8')));
    assert.deepEqual(await readdir(join(folder, 'below')), ['a.json']);
    assert.equal((await stat(file)).mode & 0o077, 0);
  });

  it('leaves nothing behind when it cannot be written', async () => {
    const file = join(folder, 'a.json');
    await mkdir(file);
    await assert.rejects(writePrivateFile(file, 'text'));
    assert.deepEqual(await readdir(folder), ['a.json']);
  });
});
