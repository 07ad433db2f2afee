import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type CheckResult, CompatibilityStore } from '../../../src/compatibility/compatibilityStore';
import { WindowPresence } from '../../../src/storage/windows';
import { scratchFolder } from '../../host/folders';
import { nextEvent, until } from '../support/event';

const check: CheckResult = {
  checkedAt: 1,
  facts: { renameOnto: 'overwrites' },
  observations: [],
  hasWritten: true,
  isIncomplete: false,
  leftFolders: 0,
};

describe('the stored checks of platforms', () => {
  let folder: string;
  let stores: CompatibilityStore[];
  const failures: unknown[] = [];

  beforeEach(() => {
    [folder, stores] = [join(scratchFolder('checks'), 'compatibility'), []];
  });
  afterEach(() => {
    for (const store of stores) store.dispose();
    assert.deepEqual(failures.splice(0), []);
  });

  const open = async () => {
    const store = new CompatibilityStore(folder, `${folder}-scratch`, (error) => failures.push(error));
    stores.push(store);
    await store.loaded;
    return store;
  };

  it('reach the other open windows at once: a check, the next one, and that it is forgotten', async () => {
    const [mine, other] = [await open(), await open()];
    for (const next of [check, { ...check, checkedAt: 2, facts: { renameOnto: 'refused' } } as const]) {
      const learned = nextEvent(other.onDidChange);
      await mine.save('anna', next);
      assert.equal(await learned, 'anna');
      assert.deepEqual(other.of('anna'), next);
    }
    const learned = nextEvent(other.onDidChange);
    await mine.forget('anna');
    assert.equal(await learned, 'anna');
    assert.equal(other.of('anna'), undefined);
  });

  it('keep what a later check does not find out, in every window', async () => {
    const [mine, other] = [await open(), await open()];
    const read: CheckResult = { ...check, checkedAt: 2, facts: { lengths: 'bytes' }, hasWritten: false };
    await mine.save('anna', { ...check, facts: { renameOnto: 'overwrites', deleting: 'nothing', lengths: 'other' } });
    const both = { ...read, facts: { renameOnto: 'overwrites', deleting: 'nothing', lengths: 'bytes' } };
    assert.deepEqual(await mine.save('anna', read), both);
    assert.deepEqual(mine.of('anna'), both);
    await until(other.onDidChange, () => other.of('anna')?.checkedAt === 2);
    assert.deepEqual(other.of('anna'), both);
    assert.deepEqual(await mine.save('anna', { ...read, isIncomplete: true, hasWritten: true, facts: {} }), {
      ...both,
      isIncomplete: true,
      hasWritten: true,
    });
    const written = await mine.save('anna', { ...check, checkedAt: 3, facts: { renameOnto: 'refused' } });
    assert.deepEqual(written.facts, { ...both.facts, renameOnto: 'refused' });
    await mine.forget('anna');
    await mine.save('anna', read);
    assert.deepEqual((await open()).of('anna'), read);
  });

  it('count as unchecked if one is damaged, until the platform is checked again', async () => {
    const before = await open();
    await before.save('anna', check);
    await before.save('bert', check);
    await writeFile(join(folder, 'anna.json'), '{');
    const after = await open();
    assert.deepEqual([after.of('anna'), after.of('bert')], [undefined, check]);
    assert.deepEqual([after.isUnreadable('anna'), after.isUnreadable('bert')], [true, false]);
    await after.save('anna', check);
    assert.deepEqual([after.of('anna'), after.isUnreadable('anna')], [check, false]);
    assert.deepEqual((await open()).of('anna'), check);
  });

  it('stay known in a window that read them before one was damaged', async () => {
    const mine = await open();
    await mine.save('anna', check);
    await writeFile(join(folder, 'anna.json'), '{');
    const learned = nextEvent(mine.onDidChange);
    await (await open()).save('bert', check);
    assert.equal(await learned, 'bert');
    assert.deepEqual([mine.of('anna'), mine.isUnreadable('anna')], [check, false]);
  });

  it('name the scratch folders of a check to no window while that of the check is open, and then to each', async () => {
    const [mine, other] = [await open(), await open()];
    const windows = scratchFolder('windows');
    const [owner, looking] = [new WindowPresence(windows), new WindowPresence(windows)];
    const target = { nodeGroup: 'cp', nodeId: 7 };
    const left = {
      kind: 'file',
      account: 'anna',
      environment: 'shop',
      target,
      path: '/srv/gantry-check-0123abcd',
    } as const;
    const record = mine.scratchRecord('anna', 'gantry-check-0123abcd', owner);
    await record.begin([left]);
    assert.deepEqual(await other.leftFolders('anna', looking), []);
    await owner.dispose();
    const [{ folders } = { folders: [] }] = await other.leftFolders('anna', looking);
    assert.deepEqual(folders, [left]);
    assert.deepEqual(await other.leftFolders('bert', looking), []);
    // A check that ended without removing it.
    await record.end([left]);
    assert.equal((await mine.leftFolders('anna', owner)).length, 1);
    await record.end([]);
    assert.equal(await other.mayHaveLeftFolders(), false);
    await record.begin([left]);
    await mine.forget('anna');
    assert.equal(await other.mayHaveLeftFolders(), false);
    await Promise.all([owner.dispose(), looking.dispose()]);
  });
});
