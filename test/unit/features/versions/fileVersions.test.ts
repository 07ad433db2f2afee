import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { FilePlace } from '../../../../src/containers/place';
import { FileVersions } from '../../../../src/features/versions/fileVersions';
import { skipOn } from '../../../host/skipOn';
import { fileAt } from '../../../scene/fileAt';
import { limitsOf, openJournal } from '../../files/journal/journalSetUp';

const file = fileAt('/etc/nginx/nginx.conf');
const age = 1_000_000;

describe('earlier versions of files', () => {
  let folder: string;
  let clock: number;
  let hasConsent: boolean;
  let isForgotten: boolean;
  /** The troubles of each window. */
  const told: (readonly unknown[])[] = [];
  /** As another window has them. */
  const store = (limits: Parameters<typeof limitsOf>[0] = {}) => {
    const { journal, troubles } = openJournal(folder, {
      hasConsent: () => hasConsent,
      isForgotten: () => Promise.resolve(isForgotten),
      limits: limitsOf({ age, ...limits }),
      now: () => (clock += 1_000),
    });
    told.push(troubles);
    return new FileVersions(journal);
  };
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
  /** Returns the lengths of the records and texts. */
  const records = async () => {
    const names = await readdir(folder, { recursive: true });
    const logs = names.filter((name) => name.endsWith('.log'));
    const lines = (await Promise.all(logs.map((name) => readFile(join(folder, name), 'utf8')))).join('').split('\n');
    return [lines.filter((line) => line !== '').length, names.filter((name) => /texts.\w+$/.test(name)).length];
  };
  const texts = async (of = file) => (await store().of(of)).map(({ text }) => text);

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-versions-'));
    [clock, hasConsent, isForgotten] = [1_700_000_000_000, true, false];
  });
  afterEach(() => rm(folder, { recursive: true }));
  afterEach(() => assert.deepEqual(told.splice(0).flat(), []));

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
    const other = fileAt('/etc/php.ini');
    const kept = store({ bytes: 100_000, age: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 250; n += 1) {
      await kept.note(file, undefined, `${n} `.repeat(100));
      await kept.note(other, undefined, `${n} `.repeat(500));
    }
    const [ofFile, ofOther] = (await Promise.all([file, other].map((one) => kept.of(one)))).map((versions) =>
      versions.map(({ text }) => text),
    );
    assert.ok(ofFile !== undefined && ofOther !== undefined && ofFile.length <= 50 && ofOther.length <= 50);
    assert.ok([...ofFile, ...ofOther].reduce((sum, { length }) => sum + length, 0) <= 100_000);
    assert.equal(ofFile[0], '249 '.repeat(100));
  });

  it('take no more space on the disk than that, whatever is in them', async () => {
    const kept = store({ most: 500, bytes: 180_000, age: Number.POSITIVE_INFINITY });
    for (let n = 0; n < 500; n += 1) {
      await kept.note(file, undefined, `${n}${'\0"\n\\'.repeat(100)}`);
    }
    const sizes = (await onDisk()).map(({ isFile, size }) => (isFile ? size : 0));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(total <= 200_000 && total > 150_000, `${total} bytes`);
  });

  it('are not kept without consent, nor what followed them', async () => {
    hasConsent = false;
    await store().note(file, 'one', 'two');
    await store().noteFollowed(file, 'restart');
    assert.deepEqual(await readdir(folder), []);
  });

  it('can be read only by the person', async function () {
    skipOn(this, 'win32');
    await store().note(file, 'one', 'two');
    await store().noteFollowed(file, 'restart');
    const last = store();
    await last.note(file, 'two', 'three');
    for (let times = 0; times < 2; times += 1) {
      const all = await onDisk();
      assert.equal(all.filter(({ isFile }) => isFile).length, 6, 'three texts, and the log of each window');
      for (const { isFile, mode } of all) assert.equal(mode, isFile ? 0o600 : 0o700);
      // This writes its log as a whole.
      await last.journal.tidy();
    }
  });

  it('are removed by age', async () => {
    await store().note(file, 'old', 'newer');
    clock += 2_000_000;
    await store().note(file, 'newer', 'newest');
    const versions = await store().of(file);
    assert.deepEqual(
      versions.map(({ text, isFound }) => [text, isFound]),
      [
        ['newest', false],
        ['newer', true],
      ],
      'what the save found is as old as the save',
    );
  });

  it('are removed by age without another save, too', async () => {
    const kept = store();
    await kept.note(file, 'old', 'newer');
    await kept.noteFollowed(fileAt('/'), 'restart');
    await kept.note(fileAt('/x', { account: 'other' }), 'old', 'newer');
    clock += 2 * age;
    await kept.noteFollowed({ ...fileAt('/'), environment: 'blog' }, 'restart');
    await kept.journal.tidy();
    assert.deepEqual(await records(), [1, 0], 'what is recent');
    clock += 2 * age;
    await kept.journal.tidy();
    assert.deepEqual(
      (await onDisk()).filter(({ isFile }) => isFile),
      [],
    );
  });

  it('keep what another window notes while old events are removed', async () => {
    const kept = store();
    const other = { ...fileAt('/'), environment: 'blog' };
    await kept.note(file, 'one', 'two');
    for (const where of [file, other]) {
      await kept.noteFollowed(where, 'restart');
    }
    clock += 990_000;
    await kept.note(file, 'two', 'three');
    for (const where of [file, other]) {
      await kept.noteFollowed(where, 'redeploy');
    }
    clock += 20_000;
    await Promise.all([kept.journal.tidy(), store().noteFollowed(file, 'failedRestart')]);
    const [newest, ...older] = await store().of(file);
    assert.deepEqual([newest?.followed, older], [['redeploy', 'failedRestart'], []]);
  });

  it('say what happened on their node before the next one', async () => {
    const all = fileAt('/');
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

  it('say what saved them, in how many files the same was replaced, and what was there before an older one was restored', async () => {
    const versions = store();
    await versions.note(file, 'one\n', 'two\n');
    const batch = '2026-01-01T00:00:00.000Z';
    for (const path of ['/a', '/b']) {
      const entry = {
        place: fileAt(path),
        cause: 'replace',
        state: 'pending',
        batch,
        before: 'x',
        after: 'y',
      } as const;
      await versions.journal.append(entry);
    }
    await versions.note(file, 'two\n', 'three\n', { reason: { cause: 'replace', batch } });
    await versions.note(file, 'three\n', 'two\n', { reason: { cause: 'restore' } });
    await versions.note(file, 'two\n', 'four\n', { reason: { cause: 'replace', batch: 'gone' } });
    const found = await store().of(file);
    assert.deepEqual(
      found.map(({ cause, replacedIn, isBeforeRestore, isFound }) => [cause, replacedIn, isBeforeRestore, isFound]),
      [
        ['replace', 1, false, false],
        ['restore', undefined, false, false],
        ['replace', 3, true, false],
        ['save', undefined, false, false],
        ['save', undefined, false, true],
      ],
    );
  });

  it('say if text was appended, or replaced in this file alone', async () => {
    const versions = store();
    await versions.note(file, 'one\n', 'one\ntwo\n', { reason: { cause: 'append' } });
    await versions.note(file, 'one\ntwo\n', 'one\nTWO\n', { reason: { cause: 'replaceInFile' } });
    assert.deepEqual(
      (await store().of(file)).map(({ cause, text }) => [cause, text]),
      [
        ['replaceInFile', 'one\nTWO\n'],
        ['append', 'one\ntwo\n'],
        ['append', 'one\n'],
      ],
    );
  });

  it('say how many lines changed since the version before', async () => {
    const lines = (...all: string[]) => all.map((line) => `${line}\n`).join('');
    const texts = [
      lines('a', 'b', 'c'),
      lines('a', 'x', 'c', 'd'),
      lines('d', 'c', 'x', 'a'),
      lines('d', 'c', 'x'),
      'd\r\nc\r\nx\r\n',
    ];
    for (const [index, text] of texts.entries()) await store().note(file, texts[index - 1], text);
    assert.deepEqual((await store().of(file)).map(({ changedLines }) => changedLines).reverse(), [
      undefined,
      2,
      4,
      1,
      3,
    ]);
  });

  it('follow a file that got another name, or whose folder did', async () => {
    const [renamed, moved] = [fileAt('/etc/nginx/site.conf'), fileAt('/etc/web/site.conf')];
    await store().note(file, 'one', 'two');
    await store().noteGone(file, { movedTo: renamed });
    await store().note(renamed, 'two', 'three');
    await store().noteGone(fileAt('/etc/nginx'), { movedTo: fileAt('/etc/web') });
    await store().note(moved, 'three', 'four');
    const versions = await store().of(moved);
    assert.deepEqual(
      versions.map(({ text, path }) => [text, path]),
      [
        ['four', undefined],
        ['three', renamed.path],
        ['two', file.path],
        ['one', file.path],
      ],
    );
    // A new file with the old name has what was there before, and nothing that was saved under the new name.
    await store().note(file, undefined, 'new');
    assert.deepEqual(await texts(), ['new', 'two', 'one']);
    assert.deepEqual(await store().deletedIn(fileAt('/')), []);
  });

  it('follow a file that got another name before many restarts', async () => {
    const renamed = fileAt('/etc/nginx/site.conf');
    const usual = new FileVersions(openJournal(folder, { now: () => (clock += 1_000) }).journal);
    await usual.note(file, 'one', 'two');
    await usual.noteGone(file, { movedTo: renamed });
    for (let n = 0; n < 250; n += 1) await usual.noteFollowed(fileAt('/'), 'restart');
    assert.deepEqual(
      (await usual.of(renamed)).map(({ text }) => text),
      ['two', 'one'],
    );
  });

  it('say that the file was deleted also if it had another name by then', async () => {
    const renamed = fileAt('/etc/nginx/site.conf');
    await store().note(file, 'one', 'two');
    await store().noteGone(file, { movedTo: renamed });
    await store().noteGone(fileAt('/etc/nginx'), { before: undefined });
    assert.deepEqual(
      (await store().of(renamed)).map(({ text, path, followed }) => [text, path, followed]),
      [
        ['two', file.path, ['delete']],
        ['one', file.path, []],
      ],
    );
  });

  it('stay when their file is deleted, with its last text, and can be found in its folder', async () => {
    const [other, below] = [fileAt('/etc/php.ini'), fileAt('/etc/nginx/conf.d/a.conf')];
    await store().note(file, 'one', 'two');
    await store().noteGone(file, { before: 'by a colleague' });
    // Nothing was saved here, and an editor's text is no version.
    await store().noteGone(fileAt('/etc/shown'), { before: 'shown' });
    await store().noteGone(other, { before: 'read', isRead: true });
    await store().note(below, undefined, 'a');
    await store().noteGone(fileAt('/etc/nginx'), { before: undefined });
    await store().noteGone(fileAt('/never/seen'), { before: undefined });
    await store().note(fileAt('/a'), undefined, 'same');
    await store().noteGone(fileAt('/a'), { before: 'same' });
    assert.deepEqual(
      (await store().of(fileAt('/a'))).map(({ text, followed }) => [text, followed]),
      [['same', ['delete']]],
    );
    await store().note(fileAt('/a'), undefined, 'same again');
    assert.deepEqual(
      (await store().of(file)).map(({ text, followed, isFound }) => [text, followed, isFound]),
      [
        ['by a colleague', ['delete'], true],
        ['two', [], false],
        ['one', [], true],
      ],
    );
    const deletedIn = async (folder: FilePlace) =>
      (await store().deletedIn(folder)).map(({ place: { path, target } }) => [path, target]);
    const onNode = { nodeGroup: 'cp', nodeId: 1 };
    assert.deepEqual(await deletedIn(fileAt('/etc/nginx')), [
      [below.path, onNode],
      [file.path, onNode],
    ]);
    const wholeLayer = { nodeGroup: 'cp' };
    assert.deepEqual(await deletedIn({ ...fileAt('/'), target: wholeLayer }), [
      [below.path, wholeLayer],
      [other.path, wholeLayer],
      [file.path, wholeLayer],
    ]);
    assert.deepEqual(await deletedIn({ ...fileAt('/'), target: { nodeGroup: 'cp', nodeId: 2 } }), []);
    await store().note(file, undefined, 'again');
    assert.deepEqual(await deletedIn(fileAt('/etc/nginx')), [[below.path, onNode]]);
  });

  it('can be found in the folder of their deleted file although many others were deleted since', async () => {
    const usual = new FileVersions(openJournal(folder, { now: () => (clock += 1_000) }).journal);
    await usual.note(file, 'one', 'two');
    await usual.noteGone(file, { before: 'two', isRead: true });
    for (let n = 0; n < 25; n += 1) {
      await usual.noteGone(fileAt(`/srv/${n}.txt`), { before: `${n}`.padEnd(100_000, 'x'), isRead: true });
    }
    assert.deepEqual(
      (await usual.deletedIn(fileAt('/etc'))).map(({ place }) => place.path),
      [file.path],
    );
    assert.ok((await usual.deletedIn(fileAt('/srv'))).length < 25, 'the oldest texts make room');
  });

  it('have the times of what happened to their files, however late it is noted', async () => {
    const renamed = fileAt('/etc/nginx/site.conf');
    const at = clock;
    await store().note(renamed, undefined, 'newer', { at: at + 5 });
    await store().note(file, undefined, 'one', { at: at + 1 });
    await store().noteFollowed(file, 'restart', at + 2);
    await store().noteGone(file, { movedTo: renamed }, at + 3);
    await store().noteGone(renamed, { before: undefined }, at + 4);
    const versions = await store().of(renamed);
    assert.deepEqual(
      versions.map(({ text, followed }) => [text, followed]),
      [
        ['newer', []],
        ['one', ['restart', 'delete']],
      ],
    );
    assert.deepEqual(await store().deletedIn(fileAt('/')), []);
  });

  it('of what was deleted and is there again are not those of a deleted file', async () => {
    const folder = fileAt('/etc/nginx');
    await store().note(file, 'one', 'two');
    const at = clock;
    await store().noteGone(folder, { before: undefined }, at);
    assert.equal((await store().deletedIn(folder)).length, 1);
    await store().noteReturned({ place: fileAt('/etc'), at });
    // Another deletion of it.
    await store().noteReturned({ place: folder, at: at + 1 });
    assert.equal((await store().deletedIn(folder)).length, 1);
    await store().noteReturned({ place: folder, at });
    assert.deepEqual(await store().deletedIn(folder), []);
    assert.deepEqual(
      (await store().of(file)).map(({ text, followed }) => [text, followed]),
      [
        ['two', []],
        ['one', []],
      ],
    );
  });

  it('of a deleted file are not added without consent, not even its last text', async () => {
    hasConsent = false;
    await store().noteGone(file, { before: 'text' });
    assert.deepEqual(await readdir(folder, { recursive: true }), []);
  });

  it('are gone even if they were being written when their account signed out', async () => {
    const one = store();
    const noted = [one.note(file, 'a', 'b'), one.noteFollowed(file, 'restart')];
    isForgotten = true;
    await Promise.all([...noted, one.journal.forgetAccount('a')]);
    assert.deepEqual(await readdir(folder, { recursive: true }), []);
  });

  it('are gone after their account signed out, and only those', async () => {
    await store().note(file, 'a', 'b');
    await store().note(fileAt('/x', { account: 'other' }), 'c', 'd');
    await store().journal.forgetAccount('a');
    assert.deepEqual([await texts(), await texts(fileAt('/x', { account: 'other' }))], [[], ['d', 'c']]);
    assert.deepEqual(await readdir(folder), ['other']);
  });
});
