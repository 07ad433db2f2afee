import assert from 'node:assert/strict';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import promises, {
  appendFile,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  truncate,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { isUnfinished, lineOf } from '../../../../src/files/journal/entry';
import { Texts } from '../../../../src/files/journal/journalFiles';
import { scratchFolder } from '../../../host/folders';
import { limit } from '../../../host/limits';
import { isNightly } from '../../../host/nightly';
import { limitsOf, openJournal, textsAfter } from './journalSetUp';
import { fileAt } from '../../../scene/fileAt';

const day = 86_400_000;
const save = { cause: 'save', state: 'verified' } as const;

const savesADay = isNightly() ? 500 : 15;

describe('the journal of texts', () => {
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder('journal');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const place = fileAt('/etc/nginx/nginx.conf');
  const filesIn = (under = folder) =>
    readdirSync(under, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  const bytesOnDisk = (under = folder) => filesIn(under).reduce((sum, file) => sum + readFileSync(file).length, 0);
  const logs = () => filesIn().filter((file) => file.endsWith('.log'));
  /** Appends texts one after the other. */
  const keep = async (...texts: readonly string[]) => {
    const { journal } = openJournal(folder);
    for (const after of texts) assert.equal(await journal.append({ ...save, place, after }), 'kept');
    return journal;
  };

  it('has what each window noted, with exact texts, and with files that were not there', async () => {
    const odd = '\uFEFFa\r\nb\rc\n\u{1F600}\0\uD800';
    const [one, other] = [openJournal(folder).journal, openJournal(folder).journal];
    await one.append({ ...save, place, before: null, after: odd, batch: 'all' });
    await other.append({ cause: 'save', state: 'unknown', place, before: odd, after: '' });
    const entries = await openJournal(folder).journal.entries('a');
    assert.deepEqual(
      entries.map(({ batch, state, before }) => [batch, state, before === null]),
      [
        ['all', 'verified', true],
        [undefined, 'unknown', false],
      ],
    );
    assert.notEqual(entries[0]?.owner.window, entries[1]?.owner.window);
    assert.deepEqual(await textsAfter(one), [odd, '']);
    assert.deepEqual(await openJournal(folder).journal.entries('b'), []);
  });

  it('stores a text once, however often it is noted', async () => {
    const journal = await keep('one', 'two', 'one', 'two', 'one');
    assert.equal((await journal.entries('a')).length, 5);
    assert.equal((await readdir(join(folder, 'a', 'texts'))).length, 2);
  });

  it('reads no text until it is asked for', async () => {
    const journal = await keep('one', 'two');
    const { readFile: read } = promises;
    const paths: unknown[] = [];
    Object.assign(promises, {
      readFile: (...parameters: Parameters<typeof read>) => {
        paths.push(parameters[0]);
        return read(...parameters);
      },
    });
    syncBuiltinESMExports();
    try {
      const next = openJournal(folder).journal;
      await next.tidy();
      assert.equal((await next.entries('a')).length, 2);
    } finally {
      Object.assign(promises, { readFile: read });
      syncBuiltinESMExports();
    }
    assert.ok(paths.length > 0);
    assert.deepEqual(
      paths.filter((path) => String(path).includes('texts')),
      [],
    );
    assert.deepEqual(await textsAfter(journal), ['one', 'two']);
  });

  it('keeps what exists only for versions if the person agreed, and nothing else', async () => {
    let hasConsent = false;
    const { journal } = openJournal(folder, { hasConsent: () => hasConsent });
    assert.equal(await journal.append({ ...save, place, before: 'one', after: 'two' }), 'notWanted');
    assert.equal(await journal.append({ cause: 'restart', state: 'verified', place }), 'notWanted');
    assert.equal(await journal.append({ cause: 'restart', state: 'failed', place }), 'notWanted');
    assert.deepEqual(filesIn(), []);
    assert.equal(await journal.append({ cause: 'save', state: 'pending', place, after: 'only copy' }), 'kept');
    hasConsent = true;
    assert.equal(await journal.append({ ...save, place, before: 'one', after: 'two' }), 'kept');
  });

  it('loses at most one record or text if any one byte is damaged, and says so', async () => {
    const { journal } = openJournal(folder);
    await keep('first', 'second');
    for (const n of [1, 2, 3]) {
      await journal.append({ ...save, place, before: `before ${n}\n`, after: `after \0 ${n} \u00e4` });
    }
    await journal.append({ place, cause: 'restart', state: 'failed' });
    await journal.append({ ...save, state: 'pending', place, before: 'base', after: 'only copy' });
    const all = await readAll(folder);
    assert.equal(all.texts.length, 10);
    const past = new Date(Date.now() - 60_000);
    for (const file of filesIn()) {
      const bytes = readFileSync(file);
      for (const index of bytes.keys()) {
        const byte = bytes[index] ?? 0;
        // At night, each byte is damaged in each way.
        const ways = [byte ^ 1, 10, 0xff].filter((one, n) => one !== byte && (isNightly() || index % 3 === n));
        for (const changed of new Set(ways)) {
          const damaged = Buffer.from(bytes);
          damaged[index] = changed;
          writeFileSync(file, damaged);
          // Half a record may be one that is being written right now.
          utimesSync(file, past, past);
          const { entries, texts, damages } = await readAll(folder);
          const lost = all.entries - entries;
          // A record has at most two texts.
          const most = lost > 0 ? 2 : 1;
          const where = `byte ${index} of ${file} is ${changed}`;
          assert.ok(lost <= 1 && texts.length >= all.texts.length - most, where);
          assert.ok(texts.length === all.texts.length || damages > 0, `${where}, and nothing is said`);
          assert.ok(lost === 0 || damages > 0, `${where}, and nothing is said`);
          assert.ok(
            texts.every((text) => all.texts.includes(text)),
            `${where}, and a wrong text is returned`,
          );
        }
      }
      writeFileSync(file, bytes);
    }
  }).timeout(limit(60_000));

  it('says once what is damaged, keeps the rest, and stores a damaged text again with its next entry', async () => {
    await keep('one', 'two', 'three');
    const [log] = logs();
    assert.ok(log !== undefined);
    const lines = (await readFile(log, 'utf8')).split('\n');
    await writeFile(log, lines.map((line, n) => (n === 3 ? line.replace('"save"', '"same"') : line)).join('\n'));
    const texts = join(folder, 'a', 'texts');
    for (const name of await readdir(texts)) {
      if ((await readFile(join(texts, name), 'utf8')) === '"three"') await writeFile(join(texts, name), '"thief"');
    }
    const { journal, troubles } = openJournal(folder);
    for (let n = 0; n < 3; n += 1) assert.deepEqual(await textsAfter(journal), ['one', undefined]);
    assert.deepEqual(troubles, [{ kind: 'damaged' }, { kind: 'damaged' }]);
    await journal.append({ ...save, place, after: 'three' });
    assert.deepEqual(await textsAfter(journal), ['one', 'three', 'three']);
    const old = new Date(Date.now() - 2 * day);
    await utimes(log, old, old);
    await journal.tidy();
    const next = openJournal(folder);
    assert.deepEqual(await textsAfter(next.journal), ['one', 'three', 'three']);
    assert.deepEqual(next.troubles, []);
  });

  it('loses nothing else to half a record at the end, which is not damaged while it is being written', async () => {
    await keep('one', 'two', 'three');
    const [log] = logs();
    assert.ok(log !== undefined);
    const { size } = await stat(log);
    await truncate(log, size - 100);
    const { journal, troubles } = openJournal(folder);
    assert.deepEqual(await textsAfter(journal), ['one', 'two']);
    assert.deepEqual(troubles, []);
    await journal.append({ ...save, place, after: 'four' });
    const old = new Date(Date.now() - 60_000);
    await utimes(log, old, old);
    assert.deepEqual(await textsAfter(journal), ['one', 'two', 'four']);
    assert.deepEqual(troubles, [{ kind: 'damaged' }]);
  });

  describe('on a full disk', () => {
    const { open, writeFile: write } = promises;
    const full = () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' }));
    let isFull: 'no' | 'texts' | 'logs' | 'all';
    beforeEach(() => {
      isFull = 'no';
      const openUntilFull = async (...parameters: Parameters<typeof open>) => {
        const file = await open(...parameters);
        const append = file.appendFile.bind(file);
        const appendHalf = async (text: string) => {
          if (isFull !== 'logs' && isFull !== 'all') return append(text);
          await append(text.slice(0, text.length / 2));
          return full();
        };
        return Object.assign(file, { appendFile: appendHalf });
      };
      const writeUntilFull = (...parameters: Parameters<typeof write>) =>
        isFull === 'texts' || isFull === 'all' ? full() : write(...parameters);
      Object.assign(promises, { open: openUntilFull, writeFile: writeUntilFull });
      syncBuiltinESMExports();
    });
    afterEach(() => {
      Object.assign(promises, { open, writeFile: write });
      syncBuiltinESMExports();
    });

    for (const what of ['texts', 'logs', 'all'] as const) {
      it(`says once that ${what === 'all' ? 'nothing' : `no ${what}`} can be written, and has all that was written`, async () => {
        const { journal, troubles } = openJournal(folder);
        await journal.append({ ...save, place, after: 'before' });
        isFull = what;
        for (const after of ['one', 'two', 'three']) {
          assert.equal(await journal.append({ ...save, place, after }), 'failed');
          // As after each save. Nothing has to be written for that.
          await journal.drop(place.account, 'not kept');
          await journal.settle(place.account, 'not kept', 'verified');
        }
        assert.deepEqual(
          troubles.map(({ kind }) => kind),
          ['notWritten'],
        );
        isFull = 'no';
        assert.equal(await journal.append({ ...save, place, after: 'later' }), 'kept');
        for (const reader of [journal, openJournal(folder).journal]) {
          assert.deepEqual(await textsAfter(reader), ['before', 'later']);
        }
        isFull = what;
        await journal.append({ ...save, place, after: 'again' });
        assert.deepEqual(
          troubles.map(({ kind }) => kind),
          ['notWritten', 'notWritten'],
        );
      });
    }

    it('has an unfinished entry as it was if nothing more can be noted about it', async () => {
      const { journal, troubles } = openJournal(folder);
      await journal.append({ ...save, state: 'pending', place, after: 'only copy' });
      const entries = await journal.unfinished();
      isFull = 'logs';
      for (const entry of entries) await journal.noteMore(entry, { foundOldAt: 5 });
      isFull = 'no';
      assert.deepEqual(
        troubles.map(({ kind }) => kind),
        ['notWritten'],
      );
      const past = new Date(Date.now() - 60_000);
      for (const file of filesIn()) await utimes(file, past, past);
      const next = openJournal(folder);
      assert.deepEqual(await next.journal.unfinished(), entries);
      assert.deepEqual(next.troubles, []);
    });
  });

  it('keeps unfinished texts beyond all limits, which do not count, and says if they take all the space', async () => {
    let clock = Date.now();
    const limits = limitsOf({ most: 3, age: day, all: 30_000 });
    const { journal, troubles } = openJournal(folder, { limits, now: () => (clock += 1_000) });
    const text = 'x'.repeat(1_000);
    for (let n = 0; n < 10; n += 1) {
      for (const state of ['pending', 'failed', 'unknown'] as const) {
        await journal.append({ place, cause: 'save', state, after: `${state} ${n} ${n < 5 ? text : ''}` });
      }
      await journal.append({ ...save, place, after: `version ${n}` });
    }
    clock += 2 * day;
    await journal.tidy();
    assert.deepEqual(troubles, []);
    assert.deepEqual(
      (await journal.entries('a')).filter((entry) => !isUnfinished(entry)),
      [],
    );
    await journal.append({ ...save, place, after: 'version' });
    const texts = await textsAfter(journal);
    assert.equal(texts.length, 31);
    assert.ok(texts.every((one) => one !== undefined));
    for (let n = 0; n < 20; n += 1) {
      await journal.append({ place, cause: 'save', state: 'pending', after: `more ${n} ${text}` });
    }
    assert.deepEqual(troubles, [{ kind: 'full', bytes: 30_000 }]);
    assert.equal((await journal.entries('a')).length, 51);
  });

  it('removes the oldest versions of all accounts first if together they take all the space', async () => {
    let clock = Date.now();
    const { journal } = openJournal(folder, { limits: limitsOf({ all: 70_000 }), now: () => (clock += 1_000) });
    for (let n = 0; n < 100; n += 1) {
      const path = `/etc/${n}.conf`;
      await journal.append({
        ...save,
        place: fileAt(path, { account: n % 2 === 0 ? 'a' : 'b' }),
        after: `${n} `.repeat(200),
      });
      await journal.append({ cause: 'redeploy', state: 'verified', place: fileAt('/') });
      assert.ok(bytesOnDisk() < 77_000, `${bytesOnDisk()} bytes`);
    }
    const kept = (await journal.entries('a')).filter(({ cause }) => cause === 'save');
    const other = await journal.entries('b');
    assert.ok(Math.abs(kept.length - other.length) <= 1 && kept.length > 10, `${kept.length} and ${other.length}`);
    assert.equal(kept.at(-1)?.place.path, '/etc/98.conf');
  });

  describe(`with ${savesADay} saves a day`, () => {
    // In parts, so that a run that takes long says where it is.
    const daysAtOnce = 6;
    let clock = Date.now();
    let days: string;
    before(() => {
      days = scratchFolder('journal-days');
    });
    after(() => rm(days, { recursive: true, force: true }));
    const limits = limitsOf({ bytes: savesADay * 4_000 });
    /** A window each day, as a rule. */
    const next = () => openJournal(days, { limits, now: () => clock }).journal;
    const logsOfDays = () => filesIn(days).filter((file) => file.endsWith('.log'));

    for (let first = 1; first <= 60; first += daysAtOnce) {
      it(`stays within its bound from day ${first} to ${first + daysAtOnce - 1}`, async () => {
        for (let today = first; today < first + daysAtOnce; today += 1) {
          const journal = next();
          await journal.tidy();
          for (let n = 0; n < savesADay; n += 1) {
            clock += day / savesADay;
            const text = `${today} ${n}\n${'worker_processes 4;\n'.repeat((n * 7) % 200)}`;
            await journal.append({ ...save, place: fileAt(`/etc/${n % 23}.conf`), after: text });
          }
          assert.ok(bytesOnDisk(days) < savesADay * 4_600, `${bytesOnDisk(days)} bytes on day ${today}`);
          // Without a new window, logs stay until they are idle.
          const old = new Date(Date.now() - 2 * day);
          for (const log of logsOfDays()) await utimes(log, old, old);
        }
      }).timeout(limit(60_000));
    }

    it('has the saves of 30 days in the end', async () => {
      const journal = next();
      const entries = await journal.entries('a');
      assert.ok(entries.every(({ at }) => clock - at <= 30 * day));
      assert.ok(logsOfDays().length <= 2, `${logsOfDays().length} logs`);
      const texts = await textsAfter(journal);
      assert.ok(texts.length > savesADay && texts.every((text) => text !== undefined), `${texts.length} texts`);
    });
  });

  it('has what another window drops, moves, or adds to its log when that was just moved', async () => {
    let clock = Date.now();
    const options = { limits: limitsOf({ most: 3 }), now: () => (clock += 1_000) };
    const [one, other] = [openJournal(folder, options).journal, openJournal(folder, options).journal];
    for (const after of ['1', '2', '3', '4']) await one.append({ ...save, place, after });
    const old = new Date(Date.now() - 2 * day);
    for (const log of logs()) await utimes(log, old, old);
    // Moves what the first window has, which is still open.
    await other.tidy();
    assert.equal(logs().length, 1);
    await one.append({ ...save, place, after: '5' });
    for (const journal of [one, other]) assert.deepEqual(await textsAfter(journal), ['3', '4', '5']);
    for (const after of ['6', '7']) await other.append({ ...save, place, after });
    await other.tidy();
    await one.tidy();
    await other.tidy();
    for (const journal of [one, other]) assert.deepEqual(await textsAfter(journal), ['5', '6', '7']);
    const lines = (await Promise.all(logs().map((log) => readFile(log, 'utf8')))).join('').split('\n');
    assert.equal(lines.filter((line) => line !== '').length, 3, 'nothing is left of the others');
  });

  /** Calls back once, right before or after the call of a function that works on a path like this. */
  const around = async (
    name: 'open' | 'rename',
    path: RegExp,
    { before: first, after: then }: Partial<Record<'before' | 'after', () => Promise<unknown>>>,
    work: () => Promise<unknown>,
  ) => {
    const original = promises[name] as (...parameters: unknown[]) => Promise<unknown>;
    let isDone = false;
    const called = async (...parameters: unknown[]) => {
      const isNow = !isDone && path.test(String(parameters[0]));
      isDone ||= isNow;
      if (isNow) await first?.();
      const result = await original(...parameters);
      if (isNow) await then?.();
      return result;
    };
    Object.assign(promises, { [name]: called });
    syncBuiltinESMExports();
    try {
      await work();
    } finally {
      Object.assign(promises, { [name]: original });
      syncBuiltinESMExports();
    }
    assert.ok(isDone);
  };

  it('keeps what is being noted while another window moves the log and removes the text, which has no record yet', async () => {
    const [one, other] = [openJournal(folder).journal, openJournal(folder).journal];
    await one.append({ ...save, place, after: '1' });
    const old = new Date(Date.now() - 2 * day);
    for (const log of logs()) await utimes(log, old, old);
    await around('open', /\.log$/, { after: () => other.tidy() }, () => one.append({ ...save, place, after: '2' }));
    for (const journal of [one, openJournal(folder).journal]) assert.deepEqual(await textsAfter(journal), ['1', '2']);
  });

  for (const when of ['before', 'after'] as const) {
    it(`keeps a text that is noted right ${when} another window puts it aside`, async () => {
      const [one, other] = [openJournal(folder).journal, openJournal(folder).journal];
      await new Texts(join(folder, 'a', 'texts')).store('again', { flush: false });
      const note = () => one.append({ ...save, place, after: 'again' });
      await around('rename', /texts.\w+$/, { [when]: note }, () => other.tidy());
      assert.deepEqual(await textsAfter(openJournal(folder).journal), ['again']);
      assert.equal((await readdir(join(folder, 'a', 'texts'))).length, 1);
    });
  }

  it('keeps an unfinished text that is there and is put aside before it is flushed', async () => {
    const [one, other] = [openJournal(folder), openJournal(folder).journal];
    await new Texts(join(folder, 'a', 'texts')).store('again', { flush: false });
    const note = () => one.journal.append({ place, cause: 'save', state: 'pending', after: 'again' });
    await around('open', /texts.\w+$/, { before: () => other.tidy() }, async () => assert.equal(await note(), 'kept'));
    assert.deepEqual(one.troubles, []);
    assert.deepEqual(await textsAfter(openJournal(folder).journal), ['again']);
  });

  it('finds a text that is put aside, also by a window that was closed then', async () => {
    const journal = await keep('one');
    const [name = ''] = await readdir(join(folder, 'a', 'texts'));
    const text = join(folder, 'a', 'texts', name);
    await rename(text, `${text}-aside`);
    assert.deepEqual(await textsAfter(journal), ['one']);
    await journal.tidy();
    assert.deepEqual(await readdir(join(folder, 'a', 'texts')), [name]);
  });

  const replaced = (id: string, text = id) =>
    ({ id, cause: 'replace', state: 'pending', batch: 'b', place, before: text, after: `${text}!` }) as const;
  const entryFile = () => filesIn().find((file) => file.endsWith('.entry')) ?? assert.fail('no entry');
  /** Runs work while a function of the file system is another one. */
  const instead = async (
    name: 'rm' | 'writeFile',
    call: (...all: never[]) => Promise<unknown>,
    work: () => unknown,
  ) => {
    const usual = promises[name];
    Object.assign(promises, { [name]: call });
    syncBuiltinESMExports();
    try {
      await work();
    } finally {
      Object.assign(promises, { [name]: usual });
      syncBuiltinESMExports();
    }
  };
  const no = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }));

  describe('with replacements', () => {
    let clock = Date.now();
    const tick = () => (clock += 1_000);
    const of = (batch: string, file: number, state: 'pending' | 'verified' | 'failed' | 'unknown', text = batch) =>
      ({ ...replaced(`${batch} ${file}`, `${text} ${file}`), batch, state, place: fileAt(`/srv/${file}`) }) as const;
    const batchesOf = async ({ journal }: ReturnType<typeof openJournal>) => [
      ...new Set((await journal.entries('a')).map(({ batch }) => batch)),
    ];
    const numbers = (count: number, first = 1) => Array.from({ length: count }, (_, n) => `batch ${first + n}`);

    it('has the last ten of an account as a whole, and others that are unfinished in part, however old', async () => {
      const window = openJournal(folder, { now: tick });
      const { journal } = window;
      for (const state of ['pending', 'failed', 'unknown'] as const) {
        await journal.append(of(state, 1, 'verified'));
        await journal.append(of(state, 2, state));
      }
      await journal.append({ ...of('other account', 1, 'verified'), place: fileAt('/srv/1', { account: 'b' }) });
      for (const batch of numbers(13)) {
        for (const file of [1, 2]) await journal.append(of(batch, file, 'verified'));
      }
      const unfinished = ['pending', 'failed', 'unknown'];
      assert.deepEqual(await batchesOf(window), [...unfinished, ...numbers(10, 4)]);
      assert.equal((await journal.entries('a')).length, 2 * 13);
      assert.equal((await journal.entries('b')).length, 1);
      const left = filesIn()
        .map((file) => readFileSync(file, 'utf8'))
        .join('\n');
      assert.ok(!left.includes('batch 3 ') && left.includes('batch 4 '), 'what is not shown is not on the disk');
      clock += 31 * day;
      await journal.tidy();
      assert.deepEqual(await batchesOf(window), unfinished);
      assert.ok((await textsAfter(journal)).every((text) => text !== undefined));
    });

    it('keeps at most 40 MB of an account, and removes none in part', async () => {
      const window = openJournal(folder, { now: tick });
      const long = 'x'.repeat(3_000_000);
      for (const batch of numbers(4)) {
        for (const file of [1, 2]) await window.journal.append(of(batch, file, 'verified', batch + long));
      }
      // Each takes 12 MB: its texts before and after.
      assert.deepEqual(await batchesOf(window), numbers(3, 2));
      await window.journal.tidy();
      assert.ok(bytesOnDisk() < 40_000_000, `${bytesOnDisk()} bytes`);
    }).timeout(limit(60_000));

    it('has the last one however much it is, so that it can be undone, and that pushes out no version', async () => {
      const window = openJournal(folder, { now: tick, limits: limitsOf({ all: 30_000 }) });
      await window.journal.append({ ...save, place, after: 'version' });
      for (const file of [1, 2, 3, 4]) await window.journal.append(of('last', file, 'verified', 'x'.repeat(6_000)));
      assert.equal((await window.journal.entries('a')).length, 5);
      await window.journal.append(of('next', 1, 'verified'));
      assert.deepEqual(await batchesOf(window), ['next']);
    });

    it('counts them if all texts take too much space', async () => {
      const window = openJournal(folder, { now: tick, limits: limitsOf({ all: 30_000 }) });
      await window.journal.append({ ...save, place, after: 'version' });
      for (const batch of numbers(4)) await window.journal.append(of(batch, 1, 'verified', batch + 'x'.repeat(6_000)));
      assert.deepEqual(await batchesOf(window), numbers(3, 2));
    });

    it('keeps them rather than newer versions if all texts take too much space', async () => {
      const { journal } = openJournal(folder, { now: tick, limits: limitsOf({ all: 30_000 }) });
      for (const batch of numbers(2)) await journal.append(of(batch, 1, 'verified', batch + 'x'.repeat(6_000)));
      for (const n of [1, 2, 3]) {
        for (const account of ['a', 'b']) {
          const file = fileAt(`/etc/${n}.conf`, { account });
          await journal.append({ ...save, place: file, after: `${n} ${'x'.repeat(6_000)}` });
        }
      }
      await journal.tidy();
      const left = (await journal.entries()).map(({ cause, place: file }) => `${cause} ${file.account}${file.path}`);
      assert.deepEqual(left, ['replace a/srv/1', 'replace a/srv/1', 'save a/etc/3.conf', 'save b/etc/3.conf']);
    });
  });

  it('keeps what a replacement or a restore finds in a file with secrets in memory, also in a folder of keys, or in a copy', async () => {
    const { journal } = openJournal(folder, { hasConsent: () => false });
    const paths = ['/root/.ssh/config', '/etc/shadow', '/run/secrets/database', '/srv/.env~', '/srv/tls.key.bak'];
    for (const [index, path] of paths.entries()) {
      await journal.append({ ...replaced(`${index}`, 'PASSWORD'), place: fileAt(path) });
      const texts = { before: 'PASSWORD', after: 'another PASSWORD' };
      await journal.append({ ...texts, cause: 'restore', state: 'pending', place: fileAt(path) });
    }
    assert.equal((await journal.unfinished()).length, 2 * paths.length);
    const entries = await journal.entries();
    assert.deepEqual(
      await Promise.all(entries.map(({ before }) => journal.text('a', before ?? assert.fail()))),
      entries.map(() => 'PASSWORD'),
    );
    assert.deepEqual(
      filesIn().filter((file) => readFileSync(file, 'utf8').includes('PASSWORD')),
      [],
    );
  });

  it('does not bring back an unfinished entry that another window drops while this one finds it old', async () => {
    const { journal } = openJournal(folder);
    await journal.append({ ...save, state: 'pending', place, before: 'one', after: 'two' });
    const [entry = assert.fail()] = await journal.unfinished();
    await journal.noteMore(entry, { foundOldAt: 5 });
    assert.deepEqual(await openJournal(folder).journal.unfinished(), [{ ...entry, foundOldAt: 5 }]);
    const { open, stat } = promises;
    let isRemoved = false;
    const thenRemoved =
      <P extends readonly unknown[], R>(original: (...parameters: P) => Promise<R>) =>
      async (...parameters: P): Promise<R> => {
        const found = await original(...parameters);
        if (!isRemoved && String(parameters[0]).endsWith('.entry')) {
          isRemoved = true;
          await rm(String(parameters[0]));
        }
        return found;
      };
    Object.assign(promises, { open: thenRemoved(open), stat: thenRemoved(stat) });
    syncBuiltinESMExports();
    try {
      await journal.noteMore(entry, { foundOldAt: 6 });
    } finally {
      Object.assign(promises, { open, stat });
      syncBuiltinESMExports();
    }
    assert.ok(isRemoved);
    assert.deepEqual(await openJournal(folder).journal.unfinished(), []);
    await journal.noteMore(entry, { foundOldAt: 7 });
    assert.deepEqual(await openJournal(folder).journal.unfinished(), []);
  });

  it('has what two windows note about an unfinished entry at once', async () => {
    const [{ journal }, other] = [openJournal(folder), openJournal(folder).journal];
    await journal.append({ ...save, state: 'pending', place, after: 'only copy' });
    const [entry = assert.fail()] = await journal.unfinished();
    const offeredBy = { window: 'x'.repeat(200), host: 'here' };
    const { open } = promises;
    let isNoted = false;
    const openAndNote = async (...parameters: Parameters<typeof open>) => {
      const file = await open(...parameters);
      const statFile = file.stat.bind(file);
      const thenNoted = async () => {
        const found = await statFile();
        if (!isNoted) {
          isNoted = true;
          await other.noteMore(entry, { offeredBy });
        }
        return found;
      };
      return Object.assign(file, { stat: thenNoted });
    };
    Object.assign(promises, { open: openAndNote });
    syncBuiltinESMExports();
    try {
      await journal.noteMore(entry, { foundOldAt: 5 });
    } finally {
      Object.assign(promises, { open });
      syncBuiltinESMExports();
    }
    assert.ok(isNoted);
    const lines = (await readFile(entryFile(), 'utf8')).split('\n').filter((line) => line !== '');
    assert.equal(lines.length, 3);
    const next = openJournal(folder);
    assert.deepEqual(await next.journal.unfinished(), [{ ...entry, foundOldAt: 5 }]);
    assert.deepEqual(next.troubles, []);
  });

  it('has an entry once that a window settled when it was closed, and drops it', async () => {
    const { journal } = openJournal(folder);
    await journal.append(replaced('x'));
    await instead('rm', no('EBUSY'), () => journal.settle('a', 'x', 'verified'));
    const next = openJournal(folder).journal;
    assert.deepEqual(
      (await next.entries('a')).map(({ state }) => state),
      ['verified'],
    );
    await next.drop('a', 'x');
    assert.deepEqual(await next.entries('a'), []);
    assert.equal(filesIn().filter((file) => file.includes('texts')).length, 0);
  });

  it('removes no replacement for its size or number, because undoing it needs all texts', async () => {
    const { journal } = openJournal(folder, { limits: limitsOf({ all: 10_000 }) });
    for (let n = 0; n < 20; n += 1) {
      await journal.append(replaced(`x${n}`, `${n} ${'x'.repeat(1_000)}`));
      await journal.settle('a', `x${n}`, 'verified');
    }
    await journal.tidy();
    assert.equal((await journal.entries('a')).length, 20);
  });

  it('keeps records of another version of Gantry, and their texts', async () => {
    const { journal } = openJournal(folder);
    await keep('one');
    await journal.append({ cause: 'save', state: 'pending', place, after: 'only copy' });
    const [log = ''] = logs();
    for (const file of [log, entryFile()]) {
      const lines = (await readFile(file, 'utf8')).trim().split('\n');
      const parsed = lines.map((line) => ({ ...(JSON.parse(line.slice(25)) as object), cause: 'merge' }));
      await writeFile(file, parsed.map((one) => lineOf(one as never)).join(''));
    }
    const past = new Date(Date.now() - 2 * day);
    await utimes(log, past, past);
    const next = openJournal(folder);
    assert.equal(await next.journal.append({ ...save, place, after: 'two' }), 'kept');
    await next.journal.tidy();
    assert.deepEqual(next.troubles, []);
    const all = (await Promise.all(filesIn().map((file) => readFile(file, 'utf8')))).join('\n');
    assert.equal(all.split('"cause":"merge"').length, 3);
    assert.ok(all.includes('"one"') && all.includes('"only copy"'));
  });

  it('lets go of an unfinished entry that is damaged, and of its text, after a day', async () => {
    const { journal } = openJournal(folder);
    await journal.append({ cause: 'save', state: 'pending', place, after: 'only copy' });
    const path = entryFile();
    await writeFile(path, (await readFile(path, 'utf8')).replace('"save"', '"sav_"'));
    const looked = async (age: number) => {
      const past = new Date(Date.now() - age);
      await utimes(path, past, past);
      const next = openJournal(folder);
      await next.journal.tidy();
      return next.troubles.map(({ kind }) => kind);
    };
    assert.deepEqual(await looked(60_000), ['damaged']);
    assert.equal(filesIn().length, 2);
    assert.deepEqual(await looked(2 * day), ['damaged']);
    await openJournal(folder).journal.tidy();
    assert.deepEqual(filesIn(), []);
  });

  it('leaves no text behind whose entry could not be written', async () => {
    const { journal } = openJournal(folder);
    const { writeFile: write } = promises;
    const full = (...all: Parameters<typeof write>) =>
      typeof all[0] === 'string' && all[0].includes('.entry') ? no('ENOSPC')() : write(...all);
    await instead('writeFile', full as never, async () => {
      const entry = { cause: 'save', state: 'pending', place, after: 'PASSWORD=tea' } as const;
      assert.equal(await journal.append(entry), 'failed');
    });
    assert.deepEqual(filesIn(), []);
  });

  it('leaves nothing of what is being noted when its account signs out, not even its name in a log', async () => {
    let asked = 0;
    // It signs out between the two questions.
    const { journal } = openJournal(folder, { isForgotten: () => Promise.resolve((asked += 1) > 1) });
    assert.equal(await journal.append({ ...save, place, after: 'mine' }), 'notWanted');
    assert.deepEqual(filesIn(), []);
  });

  it('ignores other files in its folder', async () => {
    const journal = await keep('one');
    await writeFile(join(folder, '.DS_Store'), '');
    await appendFile(join(folder, 'a', 'notes.txt'), 'x');
    assert.deepEqual(await textsAfter(journal), ['one']);
    await journal.append({ ...save, place, after: 'two' });
    await journal.tidy();
    assert.deepEqual(await textsAfter(journal), ['one', 'two']);
  });
});

/** All that a new window reads, and how often it says that something is damaged. */
async function readAll(folder: string) {
  const { journal, troubles } = openJournal(folder);
  const entries = await journal.entries('a');
  const read: string[] = [];
  for (const { before, after } of entries) {
    for (const side of [before, after]) {
      const text = side && (await journal.text('a', side));
      if (typeof text === 'string') read.push(text);
    }
  }
  return { entries: entries.length, texts: read, damages: troubles.length };
}
