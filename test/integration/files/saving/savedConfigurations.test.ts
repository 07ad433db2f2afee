import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FilePlace } from '../../../../src/containers/place';
import { SavedConfigurations } from '../../../../src/files/saving/savedConfigurations';
import { FileVersions } from '../../../../src/features/versions/fileVersions';
import { scratchFolder } from '../../../host/folders';
import { openJournal } from '../../../unit/files/journal/journalSetUp';
import { fileAt } from '../../../scene/fileAt';

describe('Configuration that is not in effect yet', () => {
  let folder: string;
  const opened: SavedConfigurations[] = [];
  beforeEach(() => {
    folder = scratchFolder('configurations');
  });
  afterEach(async () => {
    opened.splice(0).forEach((one) => one.dispose());
    await rm(folder, { recursive: true, force: true });
  });

  const place = fileAt('/etc/nginx/nginx.conf');
  const layer = { account: 'a', environment: 'shop', nodeGroup: 'cp' };
  const here = { account: 'a', environment: 'shop' };
  const openWindow = async (hasConsent: boolean, now?: () => number) => {
    const { journal } = openJournal(folder, { hasConsent: () => hasConsent, ...(now && { now }) });
    const versions = new FileVersions(journal);
    const saved = new SavedConfigurations(journal, assert.ifError);
    opened.push(saved);
    await saved.refresh(['a']);
    const found = (text: string, path: string) =>
      ({
        kind: 'text',
        text,
        whole: true,
        entry: { name: 'a', absolutePath: path, isDir: false, length: text.length },
      }) as const;
    /** What a verified save tells both. */
    const save = async (before: string, after: string, node: FilePlace = place) => {
      saved.note({
        kind: 'saved',
        before: [{ node, found: found(before, node.path) }],
        nodes: [{ node, found: found(after, node.path) }],
      });
      await versions.note(node, before, after);
      await saved.settled();
    };
    return { saved, save };
  };
  const onDisk = async () => {
    const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
    return (await Promise.all(found.map(({ parentPath, name }) => readFile(join(parentPath, name), 'utf8')))).join(
      '\n',
    );
  };

  it('is known after the window is reloaded, with the way back if versions are kept', async () => {
    const first = await openWindow(true);
    await first.save('one', 'two');
    await first.save('two', 'three');
    const { saved, save } = await openWindow(true);
    assert.ok(saved.has(place));
    const texts = async () =>
      (await saved.inLayer(layer)).map(({ after, saves }) => [after, ...saves.map(({ before }) => before)]);
    assert.deepEqual(await texts(), [['three', 'one', 'two']]);
    await save('three', 'four');
    assert.deepEqual(await texts(), [['four', 'one', 'two', 'three']], 'goes on with the next save');
  });

  it('is known after a reload without consent, too, but no text is, neither there nor on the disk', async () => {
    await (await openWindow(false)).save('earlier text', 'text now');
    assert.doesNotMatch(await onDisk(), /earlier text|text now/);
    const { saved } = await openWindow(false);
    assert.ok(saved.has(place));
    assert.deepEqual(await saved.inLayer(layer), []);
  });

  it('goes back only as far as all texts are known', async () => {
    const first = await openWindow(false);
    await first.save('one', 'two');
    const agreed = await openWindow(true);
    await agreed.save('two', 'three');
    const { saved } = await openWindow(true);
    assert.deepEqual(
      (await saved.inLayer(layer)).map(({ after, saves }) => [after, ...saves.map(({ before }) => before)]),
      [['three', 'two']],
    );
  });

  it('leaves only the place of a file with secrets on the disk', async () => {
    const files = ['/etc/ssl/my.key', '/etc/shadow', '/etc/varnish/secret', '/etc/ssl/my.key.bak'].map((path) =>
      fileAt(path),
    );
    for (const file of files) {
      await (await openWindow(false)).save('KEY 1', 'KEY 2', file);
      assert.doesNotMatch(await onDisk(), /digest/, file.path);
      assert.ok((await openWindow(true)).saved.has(file));
    }
  });

  it('is over in all windows when one of them restarts the service, also if that has not looked since', async () => {
    const [first, second] = [await openWindow(true), await openWindow(true)];
    await first.save('one', 'two');
    assert.ok(!second.saved.has(place));
    second.saved.forgetNode(1, here);
    await second.saved.settled();
    await first.saved.refresh(['a']);
    assert.ok(!first.saved.has(place));
    assert.ok(!(await openWindow(true)).saved.has(place));
  });

  it('is not brought back by a window that is reading it while its service is restarted', async () => {
    await (await openWindow(true)).save('one', 'two');
    const { saved } = await openWindow(true);
    const reading = saved.refresh(['a']);
    saved.forgetNode(1, here);
    await Promise.all([reading, saved.settled()]);
    assert.ok(!saved.has(place));
    assert.ok(!(await openWindow(true)).saved.has(place));
  });

  it('stays if a file is saved while its service is restarted by another window', async () => {
    const [first, second] = [await openWindow(true), await openWindow(true)];
    await first.save('one', 'two');
    second.saved.forgetNode(1, here);
    await second.saved.settled();
    const reading = first.saved.refresh(['a']);
    await first.save('two', 'three');
    await reading;
    assert.ok(first.saved.has(place));
    assert.ok((await openWindow(true)).saved.has(place));
  });

  it('stays if a save finds its own text there, unless that is the one that the service has read', async () => {
    const { saved, save } = await openWindow(true);
    await save('one', 'two');
    // Its first try arrived, but nothing said so.
    await save('three', 'three');
    assert.ok(saved.has(place));
    assert.ok((await openWindow(true)).saved.has(place));
    assert.deepEqual(await saved.inLayer(layer), [], 'what was between is not known');
    await save('three', 'four');
    await save('three', 'three');
    assert.ok(!saved.has(place));
    await (await openWindow(true)).save('three', 'three');
    assert.ok(!(await openWindow(true)).saved.has(place));
  });

  it('is not known from a window that has not looked, and stays if that finds its own text there', async () => {
    const [first, second] = [await openWindow(true), await openWindow(true)];
    await first.save('one', 'two');
    await second.save('two', 'two');
    assert.ok((await openWindow(true)).saved.has(place));
  });

  it('is over after 30 days, or if its mark is damaged, which hides no other', async () => {
    const day = 86_400_000;
    await (await openWindow(true, () => Date.now() - 31 * day)).save('one', 'two');
    const later = fileAt('/etc/nginx/later.conf');
    await (await openWindow(true)).save('one', 'two', later);
    await writeFile(join(folder, 'a', 'configured-damaged.mark'), '{');
    const { saved } = await openWindow(true);
    assert.deepEqual([saved.has(place), saved.has(later)], [false, true]);
    assert.equal((await readdir(join(folder, 'a'))).filter((name) => name.endsWith('.mark')).length, 1);
  });
});
