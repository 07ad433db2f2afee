import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { Marks } from '../../../../src/files/journal/marks';
import { digestOfText } from '../../../../src/files/journal/journalFiles';
import { scratchFolder } from '../../../host/folders';
import { openJournal } from './journalSetUp';
import { fileAt } from '../../../scene/fileAt';

describe('marks in the journal', () => {
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder('marks');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const place = fileAt('/var/www/index.php');
  const before = { digest: digestOfText('old'), bytes: 0 };
  const marksOf = (options: Parameters<typeof openJournal>[1] = {}) =>
    new Marks(openJournal(folder, options).journal, 'edited');
  const files = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name));

  it('are known to all windows, without consent, one for each ID, and hold no text', async () => {
    const marks = marksOf({ hasConsent: () => false });
    await marks.write({ id: 'one', place, before });
    await marks.write({ id: 'one', place: fileAt('/other'), before });
    await marks.write({ id: 'two', place });
    const { marks: found } = await marksOf().of('a');
    assert.deepEqual(found.map((mark) => mark.place.path).sort(), ['/other', '/var/www/index.php']);
    assert.equal((await marksOf().find('a', 'one'))?.place.path, '/other');
    assert.deepEqual(
      files().map((file) => file.endsWith('.mark')),
      [true, true],
    );
    await marksOf().remove('a', 'one');
    assert.equal(await marks.find('a', 'one'), undefined);
    assert.deepEqual(await marks.of('b'), { marks: [], unreadable: 0 });
  });

  it('lead to a text that a version of the file has', async () => {
    const { journal } = openJournal(folder);
    await marksOf().write({ id: 'one', place, before });
    assert.equal(await journal.text('a', before), undefined);
    await journal.append({ cause: 'save', state: 'verified', place, before: 'old', after: 'new' });
    assert.equal(await journal.text('a', before), 'old');
  });

  it('are no unfinished texts, keep no text, and survive when the journal is tidied, however old they are', async () => {
    const { journal, troubles } = openJournal(folder, { now: () => Date.now() - 400 * 86_400_000 });
    await new Marks(journal, 'edited').write({ id: 'one', place, before });
    const [mark = ''] = files();
    const damaged = join(folder, 'a', 'edited-damaged.mark');
    writeFileSync(damaged, '{');
    const longAgo = new Date(Date.now() - 400 * 86_400_000);
    [mark, damaged].forEach((file) => utimesSync(file, longAgo, longAgo));
    const later = openJournal(folder);
    assert.deepEqual(await later.journal.unfinished(), []);
    assert.deepEqual(await later.journal.entries(), []);
    await later.journal.append({ cause: 'save', state: 'verified', place, before: 'old', after: 'new' });
    const [entry] = await later.journal.entries();
    await later.journal.drop('a', entry?.id ?? assert.fail());
    await later.journal.tidy();
    assert.equal(await later.journal.text('a', before), undefined);
    assert.deepEqual(
      files().filter((file) => file.endsWith('.mark')),
      [damaged, mark].sort(),
    );
    assert.deepEqual([...troubles, ...later.troubles], []);
  });

  it('are never taken for none if any one byte is damaged, which hides no other, and is said once', async () => {
    await marksOf().write({ id: 'one', place, before, deployed: { what: 'changed', at: 1, lastAt: 2 } });
    const [file = ''] = files();
    await marksOf().write({ id: 'two', place: fileAt('/var/www/other.php') });
    const whole = readFileSync(file);
    const all = await marksOf().of('a');
    assert.deepEqual([all.marks.length, all.unreadable], [2, 0]);
    const others = { marks: all.marks.filter(({ id }) => id === 'two'), unreadable: 1 };
    for (const index of whole.keys()) {
      const bytes = Buffer.from(whole);
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      writeFileSync(file, bytes);
      const { journal, troubles } = openJournal(folder);
      const marks = new Marks(journal, 'edited');
      const found = [await marks.of('a'), await marks.of('a')];
      // Line breaks, and the space after the checksum, say nothing.
      const isWhole = isDeepStrictEqual(found, [all, all]);
      assert.ok(isWhole || isDeepStrictEqual(found, [others, others]), `byte ${index}`);
      assert.deepEqual(troubles, isWhole ? [] : [{ kind: 'damaged' }], `byte ${index}`);
    }
    await marksOf().write({ id: 'one', place, before });
    assert.equal((await marksOf().of('a')).marks.length, 2, 'the next mark replaces it');
  });

  it("count as unreadable, and not as damaged, if the file system doesn't return them", async () => {
    await marksOf().write({ id: 'one', place });
    const [file = ''] = files();
    await rm(file);
    await mkdir(file);
    const { journal, troubles } = openJournal(folder);
    assert.deepEqual(await new Marks(journal, 'edited').of('a'), { marks: [], unreadable: 1 });
    assert.deepEqual(troubles, []);
    await rm(join(folder, 'a'), { recursive: true });
    writeFileSync(join(folder, 'a'), '');
    await assert.rejects(new Marks(journal, 'edited').of('a'));
  });

  it('leave nothing behind when the account signs out meanwhile', async () => {
    let asked = 0;
    const isForgotten = () => Promise.resolve(++asked > 1);
    await marksOf({ isForgotten }).write({ id: 'one', place });
    assert.deepEqual(files(), []);
    await marksOf({ isForgotten }).write({ id: 'one', place });
    assert.deepEqual(files(), []);
  });
});
