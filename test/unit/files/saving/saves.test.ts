import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { Backups } from '../../../../src/files/saving/backups';
import type { SaveScope } from '../../../../src/files/saving/saves';
import type { SavedFiles } from '../../../../src/files/saving/saveFile';
import type { NodeVersion, SavingFiles } from '../../../../src/files/saving/serverFiles';
import type { FilePlace } from '../../../../src/containers/place';
import { entryOfText } from '../../../../src/files/text';
import { PlatformError } from '../../../../src/platform/errors';
import { backupsIn, openJournal, readBackups } from '../journal/journalSetUp';
import { WindowPresence } from '../../../../src/storage/windows';
import { skipOn } from '../../../host/skipOn';
import { fileAt } from '../../../scene/fileAt';
import { createTestSaves } from '../../../soak/createTestSaves';

const place = (path: string, account = 'anna') => fileAt(path, { account, node: 7 });

const keeping = (path: string, text?: string, account?: string): Parameters<Backups['keep']>[0] => {
  const where = place(path, account);
  return {
    place: where,
    base: { kind: 'version', version: { text: 'base', place: where } },
    reportedStat: undefined,
    text,
  };
};

describe('backups', () => {
  let folder: string;
  let clock: number;
  const sockets = mkdtempSync(join(tmpdir(), 'gantry-windows-'));
  const windows = [new WindowPresence(sockets), new WindowPresence(sockets)] as const;
  const ended = () => Promise.resolve(false);
  const journal = () => join(folder, 'journal');
  let stores: Backups[];
  const store = (window = 0) => {
    const made = backupsIn(journal(), windows[window] ?? windows[0], { now: () => clock });
    stores.push(made);
    return made;
  };

  beforeEach(async () => {
    clock = 1_000;
    folder = await mkdtemp(join(tmpdir(), 'gantry-kept-'));
    stores = [];
  });

  afterEach(async () => {
    await Promise.all(stores.map((one) => one.settled()));
    await rm(folder, { recursive: true });
  });

  after(async () => {
    for (const window of windows) {
      await window.dispose();
    }
    await rm(sockets, { recursive: true });
  });

  const inFolder = async () => {
    const entries = await readdir(journal(), { recursive: true, withFileTypes: true });
    return entries.flatMap((entry) => (entry.isDirectory() ? [] : [join(entry.parentPath, entry.name)]));
  };

  it('contain base version and text, also for another window', async () => {
    const kept = { ...keeping('/a', 'new\r\n\uFEFF🏗'), reportedStat: { mtime: 5, size: 4 } };
    await store().keep(kept);
    const [found] = await readBackups(store(1));
    assert.ok(found);
    assert.deepEqual(
      { base: found.base, reportedStat: found.reportedStat, text: found.text, place: found.place },
      kept,
    );
    assert.ok(!store(1).isOurs(found.entry));
    assert.ok(store(0).isOurs(found.entry));
  });

  it("aren't kept for a forgotten account, even if it is forgotten during the write", async () => {
    const forgotten = new Set(['bert']);
    const answers: boolean[] = [];
    let signsOut = false;
    const texts = backupsIn(journal(), windows[0], {
      now: () => clock,
      isForgotten: (account) => {
        const isForgotten = forgotten.has(account);
        answers.push(isForgotten);
        if (signsOut) forgotten.add(account);
        return Promise.resolve(isForgotten);
      },
    });
    assert.equal(await texts.keep(keeping('/a', 'mine', 'bert')), 'notWanted');
    assert.deepEqual(await texts.entries(), []);
    assert.equal(await texts.keep(keeping('/a', 'mine', 'anna')), 'kept');
    assert.equal((await texts.entries()).length, 1);
    await texts.journal.forgetAccount('anna');
    signsOut = true;
    assert.equal(await texts.keep(keeping('/a', 'mine', 'anna')), 'notWanted');
    assert.deepEqual(answers.slice(-2), [false, true], 'asked before it is written, and once more when it was');
    assert.deepEqual(await inFolder(), []);
  });

  it('tell once that they cannot be kept or let go of, and never reject', async () => {
    await writeFile(journal(), '');
    const { journal: kept, troubles } = openJournal(journal(), { presence: windows[0] });
    const texts = new Backups(kept, 'save');
    assert.equal(await texts.keep(keeping('/a', 'mine')), 'failed');
    await texts.drop(place('/a'));
    assert.deepEqual(
      troubles.map(({ kind }) => kind),
      ['notWritten'],
    );
  });

  it('let a save be made that they can neither keep nor find', async () => {
    await writeFile(journal(), '');
    let text = 'base';
    const files: SavingFiles = {
      read: () => Promise.resolve(text),
      lookUp: () => Promise.resolve(entryOfText(place('/a'), text)),
      write: (_, written) => Promise.resolve(void (text = written)),
    };
    for (const how of [{ reportedStat: undefined }, 'withoutEditor'] as const) {
      const base = { kind: 'version', version: { text, place: place('/a') } } as const;
      const job = { text: `${text} and more`, base, accepted: [], scope: 'place', keeping: how } as const;
      const outcome = await createTestSaves(files, store(), [7]).save(place('/a'), job);
      assert.deepEqual([outcome.kind, outcome.isKept], ['saved', undefined]);
    }
  });

  it('are on disk before a save asks the server anything', async () => {
    const found: (readonly unknown[])[] = [];
    const ask = () => {
      found.push(readdirSync(folder, { recursive: true }));
      return Promise.reject(new Error('offline'));
    };
    const saves = createTestSaves({ read: ask, lookUp: ask, write: ask }, store(), [7]);
    const { base } = keeping('/a');
    const outcome = await saves.save(place('/a'), {
      text: 'mine',
      base,
      accepted: [],
      scope: 'place',
      keeping: { reportedStat: undefined },
    });
    assert.deepEqual([outcome.kind, outcome.isKept], ['failed', true]);
    assert.deepEqual(found[0], readdirSync(folder, { recursive: true }));
    assert.equal((await store().find(place('/a')))[0]?.text, 'mine');
  });

  describe('of a change without an editor', () => {
    const where = place('/a');
    const base = { kind: 'version', version: { text: 'old', place: where } } as const;
    const job = { text: 'mine', base, accepted: [], scope: 'place', keeping: 'withoutEditor' } as const;
    const lost = new PlatformError({ kind: 'timeout', operation: 'Write', message: 'lost', isOutcomeUnknown: true });
    /** Writes this to a file that had that, and then fails like this. */
    const restore = (
      now: string,
      written: string | undefined,
      failure: { readonly write?: Error; readonly read?: Error } = {},
      more: Parameters<typeof createTestSaves>[3] = {},
    ) => {
      let text = now;
      let isWritten = false;
      const look = <T>(found: T) =>
        isWritten && failure.read !== undefined ? Promise.reject(failure.read) : Promise.resolve(found);
      const files: SavingFiles = {
        read: () => look(text),
        lookUp: () => look(entryOfText(where, text)),
        write: () => {
          assert.ok(readdirSync(join(folder, 'journal/anna')).some((name) => name.endsWith('.entry')));
          isWritten = true;
          text = written ?? text;
          return failure.write === undefined ? Promise.resolve() : Promise.reject(failure.write);
        },
      };
      const backups = backupsIn(journal(), windows[0], { hasConsent: () => false });
      return createTestSaves(files, backups, [7], more).save(where, { ...job, reason: { cause: 'restore' } });
    };
    const left = async () =>
      (await readBackups(store())).map(({ base: found, text, entry: { cause, state } }) => [
        found.kind === 'version' && found.version.text,
        text,
        cause,
        state,
      ]);

    it('are on disk without consent until what the save found is noted', async () => {
      const atNote: unknown[] = [];
      const onDidVerify = async () => {
        await setImmediate();
        atNote.push(...(await left()));
      };
      const { kind } = await restore('old', 'mine', {}, { onDidVerify });
      assert.equal(kind, 'saved');
      assert.deepEqual(atNote, [['old', 'mine', 'restore', 'pending']]);
      assert.deepEqual(await left(), []);
    });

    it('are dropped if nothing was written, and nothing can arrive anymore', async () => {
      const refused = new PlatformError({ kind: 'forbidden', operation: 'Write', message: 'no', result: 1702 });
      const outcomes = [await restore('theirs', undefined), await restore('old', undefined, { write: refused })];
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['conflict', 'failed'],
      );
      assert.deepEqual(await left(), []);
    });

    it('stay if the write may have happened, or still may, each on its own', async () => {
      const outcomes = [
        await restore('old', undefined, { write: lost }),
        await restore('old', 'mi', { write: lost }),
        await restore('old', 'mine', { write: lost, read: lost }),
      ];
      assert.deepEqual(
        outcomes.map(({ kind }) => kind),
        ['failed', 'incomplete', 'unknown'],
      );
      assert.deepEqual(
        await left(),
        outcomes.map(() => ['old', 'mine', 'restore', 'unknown']),
      );
    });
  });

  describe('of an editor', () => {
    const where = place('/a');
    const base = { kind: 'version', version: { text: 'old', place: where } } as const;
    const certain = new PlatformError({ kind: 'forbidden', operation: 'Write', message: 'no', result: 1702 });
    const lost = new PlatformError({ kind: 'timeout', operation: 'Write', message: 'lost', isOutcomeUnknown: true });
    const found = (text: string) => ({ kind: 'text', text, whole: true, entry: entryOfText(where, text) }) as const;

    /** Saves to two nodes, and has what is told of it: the nodes, and their texts before and after. */
    const onTwoNodes = (noted?: Promise<unknown>) => {
      const texts = new Map([
        [7, 'old'],
        [8, 'old'],
      ]);
      const trouble: { write?: Error; isSilent?: boolean; refusing?: number } = {};
      const told: unknown[] = [];
      const read = ({ target: { nodeId = 0 } }: FilePlace) =>
        trouble.isSilent === true ? Promise.reject(lost) : Promise.resolve(texts.get(nodeId) ?? '');
      const files: SavingFiles = {
        read,
        lookUp: async (file) => entryOfText(file, await read(file)),
        write: ({ target: { nodeId } }, text) => {
          const reached = [7, 8].filter((node) => [undefined, node].includes(nodeId) && node !== trouble.refusing);
          reached.forEach((node) => texts.set(node, text));
          trouble.isSilent = trouble.write === lost;
          return trouble.write === undefined ? Promise.resolve() : Promise.reject(trouble.write);
        },
      };
      const textOf = (version: NodeVersion) => (version.found.kind === 'text' ? version.found.text : undefined);
      const onDidVerify = ({ nodes, before, isUnannounced }: SavedFiles) => {
        const changes = nodes.map((one, index) => [one.node.target.nodeId, before.map(textOf)[index], textOf(one)]);
        told.push([...changes.flat(), isUnannounced === true]);
        return noted ?? Promise.resolve();
      };
      const backups = store();
      const saves = createTestSaves(files, backups, [7, 8], { onDidVerify });
      const save = (text: string, accepted: readonly string[] = [], scope: SaveScope = 'place') =>
        saves.save(where, {
          text,
          base,
          accepted: accepted.map(found),
          scope,
          keeping: { reportedStat: undefined },
        });
      return { save, saves, backups, told, trouble, texts };
    };

    it('says what one node has, and had, if another one refuses the save, and says it once', async () => {
      const { save, told, trouble } = onTwoNodes();
      Object.assign(trouble, { write: certain, refusing: 8 });
      assert.equal((await save('mine', [], 'layer')).kind, 'incomplete');
      assert.deepEqual(told, [[7, 'old', 'mine', true]]);
      assert.equal((await save('mine', ['mine'], 'layer')).kind, 'incomplete');
      assert.equal(told.length, 1);
      Object.assign(trouble, { write: undefined, refusing: undefined });
      assert.equal((await save('mine', ['mine'], 'layer')).kind, 'saved');
      assert.deepEqual(told.slice(1), [[7, 'mine', 'mine', 8, 'old', 'mine', false]]);
    });

    it('says what a save without a reply made, with the text before it, once the next save finds it', async () => {
      for (const next of ['mine', 'mine, too']) {
        const { save, told, trouble } = onTwoNodes();
        trouble.write = lost;
        assert.equal((await save('mine')).kind, 'unknown');
        assert.deepEqual(told, []);
        Object.assign(trouble, { write: undefined, isSilent: false });
        assert.equal((await save(next, ['mine'])).kind, 'saved');
        assert.deepEqual(told, [
          [7, 'old', 'mine', true],
          [7, 'mine', next, false],
        ]);
        assert.equal((await save('more', [next])).kind, 'saved');
        assert.deepEqual(told.slice(2), [[7, next, 'more', false]]);
      }
    });

    it('says it also if only a check finds it, and with what the person agreed to overwrite', async () => {
      const { save, saves, told, trouble, texts } = onTwoNodes();
      texts.set(7, 'theirs');
      trouble.write = lost;
      assert.equal((await save('mine', ['theirs'])).kind, 'unknown');
      await saves.tellMade([{ node: where, found: found('theirs') }]);
      assert.deepEqual(told, []);
      await saves.tellMade([{ node: where, found: found('mine') }]);
      await saves.tellMade([{ node: where, found: found('mine') }]);
      assert.deepEqual(told, [[7, 'theirs', 'mine', true]]);
    });

    it('stay until what the save found is noted, for which the editor does not wait', async () => {
      let isNoted: () => void = () => assert.fail();
      const noted = new Promise<void>((resolve) => (isNoted = resolve));
      const { save, backups } = onTwoNodes(noted);
      assert.equal((await save('mine')).kind, 'saved');
      // VS Code calls the document clean, and then the person types again.
      const changes = [backups.drop(where), backups.keep({ place: where, base: { kind: 'unknown' }, text: undefined })];
      const left = async () =>
        (await readBackups(store())).map(({ base: kept, text }) => [
          kept.kind === 'version' ? kept.version.text : kept.kind,
          text,
        ]);
      await setImmediate();
      assert.deepEqual(await left(), [['old', 'mine']]);
      isNoted();
      await Promise.all(changes);
      assert.deepEqual(await left(), [['unknown', undefined]]);
    });
  });

  it('are readable only for the user', async function () {
    skipOn(this, 'win32');
    await store().keep(keeping('/a', 'secret'));
    assert.equal((await stat(journal())).mode & 0o777, 0o700);
    for (const file of await inFolder()) {
      assert.equal((await stat(file)).mode & 0o777, 0o600);
    }
  });

  it("replace this window's backup of the file, but not another window's", async () => {
    await store(0).keep(keeping('/a', 'one'));
    await store(0).keep(keeping('/a', 'two'));
    clock = 2_000;
    await store(1).keep(keeping('/a', 'other'));
    const found = await store().find(place('/a'));
    assert.deepEqual(
      found.map(({ text }) => text),
      ['other', 'two'],
    );
    await store(0).drop(place('/a'));
    assert.deepEqual(
      (await readBackups(store())).map(({ text }) => text),
      ['other'],
    );
  });

  it('are written in order, even if many are written at once', async () => {
    const texts = store();
    const work = Array.from({ length: 20 }, (_, n) => texts.keep(keeping('/a', `text ${n}`)));
    await Promise.all([...work, texts.keep(keeping('/b', 'b')), texts.drop(place('/b'))]);
    assert.deepEqual(
      (await readBackups(texts)).map(({ text }) => text),
      ['text 19'],
    );
  });

  it('are deleted by age and with their account', async () => {
    const texts = store();
    await texts.keep(keeping('/old'));
    clock = 5_000;
    await texts.keep(keeping('/new'));
    await texts.keep(keeping('/of-bert', 't', 'bert'));
    await store(1).discardOlderThan(1_000, ended);
    clock = 5_300;
    await store(1).discardOlderThan(1_000, ended);
    assert.equal((await texts.entries()).length, 2);
    await texts.journal.forgetAccount('bert');
    assert.deepEqual(
      (await texts.entries()).map((kept) => kept.place.path),
      ['/new'],
    );
  });

  it("aren't deleted by age while their window is running, even if the clock jumps", async () => {
    await store().keep(keeping('/mine'));
    clock = 1e12;
    await store().discardOlderThan(1_000, ended);
    await store(1).discardOlderThan(1_000, () => Promise.resolve(true));
    assert.equal((await store().entries()).length, 1);
  });

  it('survive clock jumps after their window closes, and are deleted if they stay expired', async () => {
    const month = 30 * 24 * 60 * 60 * 1000;
    const look = () => store(1).discardOlderThan(month, ended);
    const count = async () => (await store(1).entries()).length;
    clock = 1e12;
    await store().keep(keeping('/a', 'mine'));
    for (const jump of [40 * month, -40 * month, 2 * month, 0, 60_000]) {
      clock = 1e12 + jump;
      await look();
      assert.equal(await count(), 1, `after a jump of ${jump}`);
    }
    clock = 1e12 + 2 * month;
    await look();
    assert.equal((await readBackups(store(1)))[0]?.text, 'mine');
    clock += month / 4 + 1;
    await look();
    assert.equal(await count(), 0);
  });

  it('are deleted with their account even if they are incomplete or from another version', async () => {
    await store().keep(keeping('/a', 'secret', 'bert'));
    const [file = ''] = await inFolder();
    await writeFile(`${file}.unfinished`, 'secret');
    await writeFile(file, '{"form":2,"text":"secret"}');
    await store().journal.forgetAccount('bert');
    assert.deepEqual(await inFolder(), []);
  });

  it("ignore files that they can't read, and are empty in an empty folder", async () => {
    assert.deepEqual(await store().entries(), []);
    await store().keep(keeping('/a'));
    const other = join(journal(), 'anna', 'other.entry');
    await writeFile(other, '{"form":2}');
    await writeFile(join(journal(), 'anna', 'broken.entry'), '{"form":1,');
    assert.equal((await store().entries()).length, 1);
    assert.equal(await readFile(other, 'utf8'), '{"form":2}');
  });

  it('include no incomplete file after a crash', async () => {
    await store().keep(keeping('/a', 'whole'));
    const [file = ''] = await inFolder();
    const partial = `${file}.unfinished`;
    await writeFile(partial, '{"form":1,"pla');
    assert.deepEqual(
      (await readBackups(store())).map(({ text }) => text),
      ['whole'],
    );
    await store(1).journal.tidy();
    assert.ok((await inFolder()).includes(partial), 'it may still be written');
    await utimes(partial, 0, 0);
    await store(1).journal.tidy();
    assert.ok(!(await inFolder()).includes(partial));
  });

  it("are kept even if this window can't announce itself to other windows", async () => {
    const alone = { owner: windows[0].owner, announce: () => Promise.reject(new Error('no socket')) };
    await backupsIn(journal(), alone).keep(keeping('/a', 'mine'));
    assert.equal((await readBackups(store()))[0]?.text, 'mine');
  });

  it('are deleted by age while another window completes its backup', async () => {
    await store().keep(keeping('/a'));
    // A file that is listed but gone when it is read.
    await symlink('nowhere', join(journal(), 'anna', 'b.entry'));
    await symlink('nowhere', join(journal(), 'anna', 'b.entry.unfinished'));
    clock = 10_000;
    await store(1).discardOlderThan(5_000, ended);
    clock = 20_000;
    await store(1).discardOlderThan(5_000, ended);
    await store(1).journal.tidy();
    assert.deepEqual(await store().entries(), []);
  });
});

describe('the presence of a window', () => {
  let folder: string;
  let here: WindowPresence;
  let other: WindowPresence;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-presence-'));
    [here, other] = [new WindowPresence(folder), new WindowPresence(folder)];
  });
  afterEach(async () => {
    await Promise.all([here.dispose(), other.dispose()]);
    await rm(folder, { recursive: true });
  });

  it('is visible to another window until it ends', async () => {
    await other.announce();
    assert.equal(await here.isAlive(here.owner), true);
    assert.equal(await here.isAlive(other.owner), true);
    await other.dispose();
    assert.equal(await here.isAlive(other.owner), false);
  });

  it("isn't visible for a crashed window, and is assumed on another computer", async () => {
    assert.equal(await here.isAlive({ ...here.owner, window: 'crashed' }), false);
    assert.equal(await here.isAlive({ window: 'crashed', host: 'elsewhere' }), true);
  });

  it('is detected by a window with a different TMPDIR', async () => {
    const usual = process.env['TMPDIR'];
    process.env['TMPDIR'] = folder;
    try {
      await other.announce();
    } finally {
      if (usual === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = usual;
    }
    assert.equal(await here.isAlive(other.owner), true);
  });

  it('is detected if the folder path is too long for a socket, or the folder supports no sockets', async () => {
    const long = join(folder, ...Array.from({ length: 5 }, () => 'a-folder-of-some-length'));
    await writeFile(join(folder, 'file'), '');
    for (const where of [long, join(folder, 'file', 'below')]) {
      const [first, second] = [new WindowPresence(where), new WindowPresence(where)];
      await first.announce();
      assert.equal(await second.isAlive(first.owner), true);
      await first.dispose();
      assert.equal(await second.isAlive(first.owner), false);
    }
  });

  it('leaves no socket behind, not even after a crash once another window has checked', async () => {
    await other.announce();
    const script = `require('net').createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`;
    if (process.platform !== 'win32') {
      const [socket = ''] = await readdir(folder);
      await other.dispose();
      assert.deepEqual(await readdir(folder), []);
      spawnSync(process.execPath, ['-e', script, join(folder, socket)]);
      assert.deepEqual(await readdir(folder), [socket]);
    }
    await other.dispose();
    assert.equal(await here.isAlive(other.owner), false);
    assert.deepEqual(await readdir(folder), []);
  });
});
