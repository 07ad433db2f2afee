import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { JsonFolder } from '../../../src/storage/stores';

const run = promisify(execFile);

describe('a folder of JSON files', () => {
  let folder: string;
  const store = (options?: { readonly isStrict: boolean }) => new JsonFolder(folder, v.string(), options);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-json-'));
  });

  afterEach(() => rm(folder, { recursive: true }));

  it('holds the value of whichever of many windows comes last, for its owner alone, and nothing else', async () => {
    const texts = Array.from({ length: 50 }, (_, n) => `${n} `.repeat(10_000));
    await Promise.all(texts.map((text) => store().write('below/a', text)));
    assert.ok(texts.includes((await store().read('below/a')) ?? ''));
    assert.deepEqual(await readdir(join(folder, 'below')), ['a.json']);
    assert.equal((await stat(join(folder, 'below', 'a.json'))).mode & 0o077, 0);
    assert.equal((await stat(join(folder, 'below'))).mode & 0o077, 0);
  });

  it('leaves nothing behind when a file cannot be written', async () => {
    await mkdir(join(folder, 'a.json'));
    await assert.rejects(store().write('a', 'text'));
    assert.deepEqual(await readdir(folder), ['a.json']);
  });

  it('lists thousands of files, of which a process can open only some at once', async () => {
    const keys = Array.from({ length: 500 }, (_, n) => `key-${n}`);
    await Promise.all(keys.map((key) => store().write(key, key)));
    const source = new URL('../../../src/storage/stores.ts', import.meta.url).href;
    const code = `const loaded = await import(${JSON.stringify(source)});
      const { JsonFolder } = loaded.default ?? loaded;
      const v = await import('valibot');
      console.log((await new JsonFolder(process.env['FOLDER'], v.string()).list()).size);`;
    const node = `exec "${process.execPath}" --import tsx --input-type=module --eval "$CODE"`;
    const { stdout } = await run('sh', ['-c', `ulimit -n 200; ${node}`], {
      env: { ...process.env, CODE: code, FOLDER: folder },
    });
    assert.equal(stdout.trim(), '500');
  });

  it('is empty only where nothing exists', async () => {
    const missing = new JsonFolder(join(folder, 'missing'), v.string());
    assert.deepEqual([await missing.read('a'), await missing.keys(), [...(await missing.list())]], [undefined, [], []]);
    await mkdir(join(folder, 'a.json'));
    await assert.rejects(store().read('a'));
    await assert.rejects(store().list());
    await writeFile(join(folder, 'anna'), '');
    await assert.rejects(store().list('anna'));
  });

  it('leaves out what it cannot parse, unless it is strict', async () => {
    await store().write('b', 'kept');
    await writeFile(join(folder, 'a.json'), '{');
    await writeFile(join(folder, 'c.json'), '7');
    assert.deepEqual([...(await store().list())], [['b', 'kept']]);
    await assert.rejects(store({ isStrict: true }).read('a'));
    await assert.rejects(store({ isStrict: true }).list());
  });

  it('makes changes of a key one after the other, and those of its folder in between', async () => {
    const values = store();
    const append = (text: string) =>
      values.change('anna/a', async (file) => file.write(`${(await file.read()) ?? ''}${text}`));
    await Promise.all([append('a'), append('b'), values.removeAll('anna'), append('c'), append('d')]);
    assert.equal(await values.read('anna/a'), 'cd');
    void values.write('anna/b', 'written');
    await values.settled();
    assert.deepEqual(await values.keys('anna'), ['anna/a', 'anna/b']);
    await values.remove('anna/a');
    assert.deepEqual(await values.keys(), ['anna/b']);
  });

  it('removes what was left half written only once it is old', async () => {
    await store().write('anna/a', 'whole');
    await writeFile(join(folder, 'anna', 'a.json.1.unfinished'), '"ha');
    await writeFile(join(folder, 'anna', 'a.json.2.unfinished'), '"ha');
    await utimes(join(folder, 'anna', 'a.json.1.unfinished'), 1, 1);
    // Listed, and gone as soon as it is looked at.
    await symlink('nowhere', join(folder, 'b.json.unfinished'));
    await store().removeUnfinished(10_000);
    assert.deepEqual(await readdir(join(folder, 'anna')), ['a.json', 'a.json.2.unfinished']);
    assert.deepEqual([...(await store().list())], [['anna/a', 'whole']]);
  });
});
