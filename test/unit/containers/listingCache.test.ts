import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { beforeEach, describe, it } from 'mocha';
import type { FileEntry } from '../../../src/platform/wire/fileEntry';
import { EntryLookups } from '../../../src/containers/listingCache';
import { fileAt, fileOnLayer } from '../../scene/fileAt';

const folder = (node?: number) => (node === undefined ? fileOnLayer('/srv') : fileAt('/srv', { node }));

/** A promise that the test settles. */
class Gate {
  open: () => void = () => undefined;
  readonly opened = new Promise<void>((resolve) => (this.open = resolve));
}

describe('looking entries up', () => {
  /** The entries of the folder, and those that each listing requested. */
  let names: string[];
  let sent: string[][];
  let answers: Gate[];
  let lookups: EntryLookups;
  const entry = (name: string): FileEntry => ({ name, absolutePath: `/srv/${name}`, isDir: false });
  const open = (patience?: number) =>
    new EntryLookups(async (_, wanted) => {
      sent.push([...wanted]);
      const found = new Map(names.map((name) => [name, entry(name)]));
      const answer = new Gate();
      answers.push(answer);
      await answer.opened;
      return found;
    }, patience);

  beforeEach(() => {
    [names, sent, answers] = [[], [], []];
    lookups = open();
  });

  it('lists immediately if no change is pending', async () => {
    const found = lookups.find(folder(), 'a');
    assert.deepEqual(sent, [['a']]);
    answers[0]?.open();
    assert.equal(await found, undefined);
  });

  it('verifies all concurrent writes with one listing, sent after the last of them', async () => {
    const writes = ['a', 'b', 'c'].map((name) => ({ name, gate: new Gate() }));
    const found = writes.map(async ({ name, gate }) => {
      await lookups.during(folder(), async () => {
        await gate.opened;
        names.push(name);
      });
      return lookups.find(folder(1), name);
    });
    for (const { gate } of writes) {
      assert.deepEqual(sent, []);
      gate.open();
      await nextTurn();
    }
    assert.deepEqual(sent, [['a', 'b', 'c']]);
    answers[0]?.open();
    assert.deepEqual(await Promise.all(found), ['a', 'b', 'c'].map(entry));
  });

  it('never uses a listing that was sent before the lookup', async () => {
    const early = lookups.find(folder(), 'a');
    names.push('a');
    const late = lookups.find(folder(), 'a');
    assert.equal(sent.length, 2);
    answers.forEach(({ open }) => open());
    assert.equal(await early, undefined);
    assert.deepEqual(await late, entry('a'));
  });

  it('shares the next listing if several are already running', async () => {
    const running = ['1', '2', '3', '4'].map((name) => lookups.find(folder(), name));
    const waiting = ['5', '6', '7'].map((name) => lookups.find(folder(), name));
    names.push('5', '6', '7');
    assert.equal(sent.length, 4);
    answers[0]?.open();
    await nextTurn();
    assert.deepEqual(sent.slice(4), [['5', '6', '7']]);
    answers.forEach(({ open }) => open());
    assert.deepEqual(await Promise.all(waiting), ['5', '6', '7'].map(entry));
    await Promise.all(running);
  });

  it('waits longer while writes keep ending, which a slow computer needs, and still has a limit', async () => {
    const patience = 200;
    lookups = open(patience);
    const stopping = new AbortController();
    let ended = 0;
    const begun = performance.now();
    const busy = (async () => {
      while (!stopping.signal.aborted) {
        await lookups.during(folder(), () => new Promise((resolve) => setTimeout(resolve, patience / 10)));
        ended += 1;
      }
    })();
    const found = lookups.find(folder(), 'a');
    while (sent.length === 0) await nextTurn();
    const waited = performance.now() - begun;
    stopping.abort();
    answers[0]?.open();
    await Promise.all([found, busy]);
    assert.ok(waited > patience * 1.5 && ended > 2, `${waited} ms, ${ended} writes`);
    assert.ok(waited < patience * 10, `${waited} ms`);
  });

  it("doesn't wait for a hanging write longer than its limit", async () => {
    lookups = open(1);
    const hanging = new Gate();
    const write = lookups.during(folder(), () => hanging.opened);
    const found = lookups.find(folder(), 'a');
    while (sent.length === 0) await nextTurn();
    answers[0]?.open();
    assert.equal(await found, undefined);
    hanging.open();
    await write;
  });

  it('keeps folders and nodes apart', async () => {
    const hanging = new Gate();
    const write = lookups.during({ ...folder(), path: '/etc' }, () => hanging.opened);
    const found = [lookups.find(folder(1), 'a'), lookups.find(folder(2), 'a')];
    assert.equal(sent.length, 2);
    answers.forEach(({ open }) => open());
    await Promise.all(found);
    hanging.open();
    await write;
  });
});
