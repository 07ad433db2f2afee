import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FilePlace } from '../../../../src/containers/place';
import { VersionStore } from '../../../../src/features/versions/versionStore';
import { skipOn } from '../../../host/skipOn';

const place = (path: string, account = 'a'): FilePlace => ({
  ...{ kind: 'file', account, environment: 'shop', path },
  target: { nodeGroup: 'cp', nodeId: 1 },
});
const file = place('/etc/nginx/nginx.conf');

describe('earlier versions of files', () => {
  let folder: string;
  let clock: number;
  const store = (limits = { perFile: 50, bytes: 20_000_000, age: 1_000_000 }) =>
    new VersionStore(folder, limits, () => (clock += 1_000));
  /** Everything that is kept, with its size. */
  const onDisk = async () => {
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    return Promise.all(
      entries.map(async (entry) => {
        const { mode, size } = await stat(join(entry.parentPath, entry.name));
        return { isFile: entry.isFile(), mode: mode & 0o777, size };
      }),
    );
  };
  const texts = async (of = file) => (await store().of(of)).map(({ text }) => text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-versions-'));
    clock = 1_700_000_000_000;
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('have the text before the first save, and that after each one, newest first', async () => {
    await store().note(file, 'one', 'two');
    await store().note(file, 'two', 'three');
    await store().note(file, 'by a colleague', 'four');
    assert.deepEqual(await texts(), ['four', 'by a colleague', 'three', 'two', 'one']);
  });

  it('say which texts a save found, because their age is not known', async () => {
    await store().note(file, 'one', 'two');
    await store().note(file, 'by a colleague', 'three');
    const found = (await store().of(file)).map(({ isFound }) => isFound);
    assert.deepEqual(found, [false, true, false, true]);
  });

  it('lack what a save did not change, and what a new file had before', async () => {
    await store().note(file, 'same', 'same');
    assert.deepEqual(await texts(), []);
    await store().note(file, undefined, 'new');
    await store().note(file, undefined, 'new');
    assert.deepEqual(await texts(), ['new']);
  });

  it('are exact, whatever the text is', async () => {
    const odd = '\uFEFFa\r\nb\rc\n\u{1F600}\0';
    await store().note(file, 'x', odd);
    assert.equal((await texts())[0], odd);
  });

  it('stay within their limits after 500 saves', async () => {
    const limits = { perFile: 50, bytes: 100_000, age: Number.POSITIVE_INFINITY };
    const other = place('/etc/php.ini');
    for (let n = 0; n < 250; n += 1) {
      await store(limits).note(file, undefined, `${n} `.repeat(100));
      await store(limits).note(other, undefined, `${n} `.repeat(500));
    }
    const [kept, ofOther] = [await texts(), await texts(other)];
    assert.ok(kept.length <= 50 && ofOther.length <= 50);
    assert.ok([...kept, ...ofOther].reduce((sum, { length }) => sum + length, 0) <= 100_000);
    assert.equal(kept[0], '249 '.repeat(100));
  });

  it('take no more space on the disk than that, whatever is in them', async () => {
    const limits = { perFile: 500, bytes: 200_000, age: Number.POSITIVE_INFINITY };
    for (let n = 0; n < 500; n += 1) {
      await store(limits).note(file, undefined, `${n}${'\0"\n\\'.repeat(100)}`);
    }
    const sizes = (await onDisk()).map(({ isFile, size }) => (isFile ? size : 0));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 200_000 && total > 150_000, `${total} bytes`);
  });

  it('can be read only by the person', async function () {
    skipOn(this, 'win32');
    await store().note(file, 'one', 'two');
    await store().noteFollowed(file, 'restart');
    const all = await onDisk();
    assert.equal(all.filter(({ isFile }) => isFile).length, 3);
    for (const { isFile, mode } of all) assert.equal(mode, isFile ? 0o600 : 0o700);
  });

  it('are removed by age', async () => {
    await store().note(file, 'old', 'newer');
    clock += 2_000_000;
    await store().note(file, 'newer', 'newest');
    assert.deepEqual(await texts(), ['newest']);
  });

  it('are removed by age without another save, too', async () => {
    await store().note(file, 'old', 'newer');
    await store().noteFollowed(place('/'), 'restart');
    await store().note(place('/x', 'other'), 'old', 'newer');
    clock += 2_000_000;
    await store().noteFollowed({ ...place('/'), environment: 'blog' }, 'restart');
    await store().prune('a');
    const left = await readdir(folder, { recursive: true });
    assert.equal(
      left.filter((name) => name.endsWith('.json')).length,
      3,
      'what is recent, and those of the other account',
    );
    clock += 2_000_000;
    await store().prune('a');
    await store().prune('other');
    assert.ok(!(await readdir(folder, { recursive: true })).some((name) => name.endsWith('.json')));
  });

  it('keep what another window notes while old events are removed', async () => {
    const other = { ...place('/'), environment: 'blog' };
    for (const where of [file, other]) {
      await store().noteFollowed(where, 'restart');
    }
    clock += 990_000;
    for (const where of [file, other]) {
      await store().noteFollowed(where, 'redeploy');
    }
    const events = join(folder, 'followed');
    const names = readdirSync(events, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'));
    const last = join(events, names.sort().at(-1) ?? assert.fail('nothing was noted'));
    const added = [
      ...(JSON.parse(readFileSync(last, 'utf8')) as object[]),
      { at: clock, place: file, what: 'restart' },
    ];
    let isAdded = false;
    const pruning = new VersionStore(folder, { perFile: 50, bytes: 20_000_000, age: 1_000_000 }, () => {
      if (!isAdded) {
        writeFileSync(last, JSON.stringify(added));
        isAdded = true;
      }
      return clock + 10_000;
    });
    await pruning.prune('a');
    assert.ok(isAdded);
    assert.deepEqual(JSON.parse(readFileSync(last, 'utf8')), added.slice(1));
  });

  it('say what happened on their node before the next one', async () => {
    const all = place('/');
    const [node, layer] = [all, { ...all, target: { nodeGroup: 'cp' } }];
    await store().noteFollowed(node, 'restart');
    await store().note(file, 'one', 'two');
    await store().noteFollowed(node, 'failedRestart');
    await store().noteFollowed({ ...all, target: { nodeGroup: 'cp', nodeId: 2 } }, 'restart');
    await store().noteFollowed({ ...all, target: { nodeGroup: 'bl' } }, 'redeploy');
    await store().note(file, 'two', 'three');
    await store().noteFollowed(layer, 'redeploy');
    await store().noteFollowed(node, 'restart');
    await store().noteFollowed(node, 'restart');
    assert.deepEqual(
      (await store().of(file)).map(({ followed }) => followed),
      [['redeploy', 'restart'], ['failedRestart'], []],
    );
  });

  it('are gone even if they were being written when their account signed out', async () => {
    const one = store();
    await Promise.all([one.note(file, 'a', 'b'), one.noteFollowed(file, 'restart'), one.forgetAccount('a')]);
    assert.deepEqual(await readdir(folder, { recursive: true }), ['followed']);
  });

  it('are gone after their account signed out, and only those', async () => {
    await store().note(file, 'a', 'b');
    await store().note(place('/x', 'other'), 'c', 'd');
    await store().forgetAccount('a');
    assert.deepEqual([await texts(), await texts(place('/x', 'other'))], [[], ['d', 'c']]);
    assert.equal((await readdir(folder)).length, 1);
  });
});
