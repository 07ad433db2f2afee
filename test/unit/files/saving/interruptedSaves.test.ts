import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { after, beforeEach, describe, it } from 'mocha';
import { InterruptedSaves } from '../../../../src/files/saving/interruptedSaves';
import type { Presence } from '../../../../src/storage/windows';
import { backupsIn, closedWindow } from '../journal/journalSetUp';
import type { SaveScope } from '../../../../src/files/saving/saves';
import { type NodeVersion, readNodeVersions } from '../../../../src/files/saving/serverFiles';
import { FileLocks, WindowPresence } from '../../../../src/storage/windows';
import { type FilePlace, keyOf } from '../../../../src/containers/place';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const path = '/srv/site.conf';

describe('an interrupted save', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  let edited: string[];
  let signedIn: boolean;
  let clock: number;
  let made: unknown[];
  const sockets = mkdtempSync(join(tmpdir(), 'gantry-windows-'));
  const here = new WindowPresence(sockets);
  const living = new WindowPresence(sockets);
  const ended = closedWindow('ended');

  after(async () => {
    await here.dispose();
    await living.dispose();
    await rm(sockets, { recursive: true });
  });

  beforeEach(async () => {
    [edited, signedIn, clock, made] = [[], true, Date.now(), []];
    await cp.put(path, 'old\n');
    scene.platform.journal.reset();
  });

  const store = (presence: Presence) => backupsIn(scene.local(), presence, { now: () => clock });
  const locksOf = (window: WindowPresence) =>
    new FileLocks({
      folder: join(sockets, 'locks'),
      presence: window,
      inUse: () => new Error('in use'),
      onDidFail: (error) => assert.ifError(error),
    });
  const recovery = (window = here) => {
    const backups = store(window);
    return new InterruptedSaves({
      backups,
      files: scene.files,
      isHeldElsewhere: async (entry) => !backups.isOurs(entry) && (await here.isAlive(entry.owner)),
      isOpen: (window) => here.isAlive(window),
      inTurn: (work) => locksOf(window).hold(['offering'], work),
      isBeingEdited: (place) => edited.includes(keyOf(place)),
      isSignedIn: () => signedIn,
      nodesOf: (place) => Promise.resolve(place.target.nodeId === undefined ? cp.everywhere(place.path) : [place]),
      onDidFindMade: async ({ nodes, before, reason }) => {
        const textOf = ({ found }: NodeVersion) => (found.kind === 'text' ? found.text : found.kind);
        made.push([before.map(textOf).join(), nodes.map(textOf).join(), reason?.cause]);
        await setImmediate();
        made.push((await backups.entries()).length);
      },
    });
  };

  /** Leaves what a window stores on disk when it starts a save. */
  async function left(by: Presence = ended, text: string | undefined = 'mine\n', scope?: SaveScope) {
    const place = cp.place(path);
    const version = { text: 'old\n', place };
    await store(by).keep({ place, base: { kind: 'version', version }, reportedStat: undefined, text, scope });
  }

  const offered = async () => (await recovery().unfinished()).map(({ text, now }) => ({ text, now }));

  it('is offered with the current state on the platform', async () => {
    await left();
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'asBefore' }]);
    await cp.put(path, 'theirs\n');
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'changed' }]);
  });

  it('is discarded silently if it did arrive, once it is noted', async () => {
    await left();
    await cp.put(path, 'mine\n');
    assert.deepEqual(await offered(), []);
    assert.deepEqual(made, [['old\n', 'mine\n', undefined], 1]);
    assert.deepEqual(await store(here).entries(), []);
  });

  it("is offered even if the platform can't be reached", async () => {
    await left();
    scene.fail('*', { kind: 'gatewayError', status: 504 }, { times: 'always' });
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'unreachable' }]);
  });

  it("isn't offered while its window is still running", async () => {
    await left(living);
    assert.deepEqual(await offered(), []);
    assert.deepEqual(
      await recovery().toOffer(),
      { offered: [], mayMoreFollow: true },
      'it may be the one that reloads',
    );
    assert.equal((await store(here).entries()).length, 1);
    await living.dispose();
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'asBefore' }]);
  });

  it('is offered in one of two windows that open at once, and in the next one after that is closed', async () => {
    const [one, other] = [new WindowPresence(sockets), new WindowPresence(sockets)];
    const offeredIn = async (window: WindowPresence) =>
      (await recovery(window).toOffer()).offered.map(({ text }) => text);
    try {
      await left();
      const both = await Promise.all([offeredIn(one), offeredIn(other)]);
      assert.deepEqual(both.flat(), ['mine\n']);
      assert.equal((await recovery(one).unfinished()).length, 1, 'a person who asks sees it in each window');
      assert.equal((await recovery(other).unfinished()).length, 1);
      const [offering, waiting] = both[0].length === 1 ? [one, other] : [other, one];
      assert.deepEqual(await offeredIn(offering), ['mine\n']);
      assert.deepEqual(await offeredIn(waiting), []);
      await offering.dispose();
      assert.deepEqual(await offeredIn(waiting), ['mine\n']);
    } finally {
      await one.dispose();
      await other.dispose();
    }
  });

  it("isn't offered if an editor contains it, nothing was being saved, or no account is signed in", async () => {
    await left();
    edited = [keyOf(cp.place(path))];
    assert.deepEqual(await offered(), []);
    [edited, signedIn] = [[], false];
    assert.deepEqual(await offered(), []);
    signedIn = true;
    await left(ended, undefined);
    await store(ended).keep({
      place: cp.place(path),
      base: { kind: 'unknown' },
      reportedStat: undefined,
      text: undefined,
    });
    assert.deepEqual(await offered(), []);
  });

  it('can be discarded by the user, and is discarded by age', async () => {
    await left();
    const [one] = await recovery().unfinished();
    assert.ok(one);
    await recovery().discard(one);
    assert.deepEqual(await store(here).entries(), []);
    await left();
    const replaced = {
      cause: 'replace',
      batch: 'all',
      place: cp.place(path),
      before: 'old\n',
      after: 'new\n',
    } as const;
    await store(ended).journal.append({ ...replaced, id: 'replace-1', state: 'unknown' });
    clock += 31 * 24 * 60 * 60 * 1000;
    assert.equal((await offered()).length, 1);
    assert.equal((await store(here).journal.unfinished()).length, 2);
    clock += 8 * 24 * 60 * 60 * 1000;
    assert.deepEqual(await offered(), []);
    assert.deepEqual(await store(here).journal.unfinished(), [], 'nothing else would end a replacement');
  });

  it('is offered for a layer until all nodes have the text, on the first node that is missing it', async () => {
    const onNode = async () =>
      (await recovery().unfinished()).map((one) => [one.place.target.nodeId, one.now, one.isMissingElsewhere]);
    const [first, second] = [0, 1].map((node) => cp.place(path, node).target.nodeId);
    await cp.put(path, 'old\n', 1);
    await left(ended, 'mine\n', 'layer');
    assert.deepEqual(await onNode(), [[first, 'asBefore', true]]);
    await cp.put(path, 'mine\n');
    assert.deepEqual(await onNode(), [[second, 'asBefore', false]]);
    edited = [keyOf(cp.place(path, 1))];
    assert.deepEqual(await onNode(), []);
    await cp.put(path, 'mine\n', 1);
    assert.deepEqual(await onNode(), []);
    assert.deepEqual(await store(here).entries(), []);
  });

  it('is compared with all nodes if the file was opened from the layer', async () => {
    const place = cp.onLayer(path);
    const version = { text: 'old\n', place };
    await store(ended).keep({ place, base: { kind: 'version', version }, reportedStat: undefined, text: 'mine\n' });
    await cp.put(path, 'mi', 1);
    const targets = async () =>
      (await recovery().unfinished()).map((one) => [one.place.target.nodeId, one.isMissingElsewhere]);
    assert.deepEqual(await targets(), [[undefined, false]]);
    await cp.put(path, 'mine\n');
    assert.deepEqual(await targets(), [[cp.place(path, 1).target.nodeId, false]]);
  });

  describe('of a change without an editor', () => {
    /** Leaves what a window stores on disk before it makes the change. */
    const leftChange = async (
      text: string | null | undefined,
      cause: 'save' | 'restore' | 'append' | 'replaceInFile' = 'restore',
      by: Presence = ended,
    ) => {
      const place = cp.place(path);
      return store(by).keepChanges([
        { place, cause, base: { kind: 'version', version: { text: 'old\n', place } }, text },
      ]);
    };
    const texts = async (window?: WindowPresence) =>
      (await recovery(window).unfinished()).map(({ text, earlier, now }) => [text, earlier, now]);
    const count = async () => (await store(here).entries()).length;

    it('offers the text before, too, if the container has neither, or only part of the new one', async () => {
      await leftChange('mine\n');
      assert.deepEqual(await texts(), [['mine\n', undefined, 'asBefore']]);
      for (const text of ['mi', '', 'theirs\n']) {
        await cp.put(path, text);
        assert.deepEqual(await texts(), [['mine\n', 'old\n', 'changed']], text);
      }
      await cp.remove(path);
      assert.deepEqual(await texts(), [['mine\n', 'old\n', 'changed']], 'it is gone');
      scene.fail('*', { kind: 'gatewayError', status: 504 }, { times: 'always' });
      assert.deepEqual(await texts(), [['mine\n', 'old\n', 'unreachable']]);
      assert.equal(await count(), 1);
      assert.deepEqual(made, []);
    });

    it('is told before it is dropped if it was made after all', async () => {
      for (const cause of ['restore', 'save'] as const) {
        made = [];
        await leftChange('mine\n', cause);
        await cp.put(path, 'mine\n');
        assert.deepEqual(await texts(), []);
        assert.deepEqual(made, [['old\n', 'mine\n', cause === 'restore' ? cause : undefined], 1]);
        assert.equal(await count(), 0);
      }
    });

    it('is offered in its own window once its result is not known, and not in others while it is open', async () => {
      const kept = await leftChange('mine\n', 'restore', here);
      assert.deepEqual(await texts(), []);
      await kept.end('unknown');
      await cp.put(path, 'mi');
      assert.deepEqual(await texts(), [['mine\n', 'old\n', 'changed']]);
      assert.deepEqual(await texts(living), []);
      await kept.end('over');
      assert.equal(await count(), 0);
    });

    it('offers the text of a file that was to be deleted only if it is another one now', async () => {
      await leftChange(null);
      assert.deepEqual(await texts(), []);
      assert.equal(await count(), 1, 'the deletion may still arrive');
      clock += 300_000;
      assert.deepEqual(await texts(), []);
      assert.equal(await count(), 0, 'it still has its text');
      await leftChange(null);
      await cp.put(path, 'theirs\n');
      assert.deepEqual(await texts(), [[undefined, 'old\n', 'changed']]);
      await cp.remove(path);
      assert.deepEqual(await texts(), []);
      assert.equal(await count(), 0, 'it was deleted');
      assert.deepEqual(made, []);
    });

    it('offers the text before a replacement that the platform made, and drops it if nothing changed', async () => {
      await leftChange(undefined, 'replaceInFile');
      await cp.put(path, 'new\n');
      assert.deepEqual(await texts(), [[undefined, 'old\n', 'changed']]);
      await cp.put(path, 'old\n');
      assert.deepEqual([await texts(), await count()], [[], 1], 'it may still arrive');
      clock += 300_000;
      assert.deepEqual([await texts(), await count()], [[], 0]);
    });

    it('hides nothing that a person typed in the same file', async () => {
      await left();
      clock += 1;
      await leftChange('changed\n', 'save');
      await cp.put(path, 'ch');
      assert.deepEqual(await texts(), [
        ['changed\n', 'old\n', 'changed'],
        ['mine\n', undefined, 'changed'],
      ]);
    });

    it('was made by an append only if the container has all of its lines', async () => {
      await leftChange('old\nok\n', 'append');
      await cp.put(path, 'old\nstatus ok\n');
      assert.deepEqual(await texts(), [['old\nok\n', undefined, 'asBefore']]);
      await cp.put(path, 'old\nstatus ok\nok\n');
      assert.deepEqual(await texts(), []);
    });

    /** What a save of this over that ends. */
    const endedBy = async (target: FilePlace, earlier: string, text: string) => {
      const nodes = target.target.nodeId === undefined ? cp.everywhere(path) : [target];
      const versions = async (content: string) => {
        await cp.putEverywhere(path, content);
        return readNodeVersions(scene.files, nodes);
      };
      const [before, after] = [await versions(earlier), await versions(text)];
      const { over, made: told } = await store(here).endedBy(target, { nodes: after, before }, text);
      const textOf = ({ found }: NodeVersion) => (found.kind === 'text' ? found.text : found.kind);
      return [over.length, ...told.flatMap((one) => [...one.before, ...one.nodes].map(textOf))];
    };

    it('is over once a person has saved over what it made, which is noted with the text before, or one of its texts', async () => {
      const place = cp.place(path);
      await leftChange('mine\n');
      assert.deepEqual(await endedBy(place, 'theirs\n', 'other\n'), [0]);
      assert.deepEqual(await endedBy(place, 'mine\n', 'other\n'), [1, 'old\n', 'mine\n']);
      for (const text of ['mine\n', 'old\n']) assert.deepEqual(await endedBy(place, 'theirs\n', text), [1]);
      await leftChange('mine\n', 'restore', here);
      assert.deepEqual(await endedBy(place, 'mine\n', 'other\n'), [1, 'old\n', 'mine\n'], 'not while it is made');
    });

    it('is not over if it is what an editor has', async () => {
      await left();
      assert.deepEqual(await endedBy(cp.place(path), 'mine\n', 'other\n'), [0]);
    });

    it('on a layer is over only once all of its nodes are saved, and that on a node then, too', async () => {
      const [layer, place] = [cp.onLayer(path), cp.place(path)];
      const version = { text: 'old\n', place };
      const change = { cause: 'restore', base: { kind: 'version', version }, text: 'mine\n' } as const;
      const kept = await store(ended).keepChanges([{ ...change, place: layer }]);
      for (const text of ['mine\n', 'other\n']) assert.deepEqual(await endedBy(place, 'mine\n', text), [0]);
      const both = ['old\n', 'old\n', 'mine\n', 'mine\n'];
      assert.deepEqual(await endedBy(layer, 'mine\n', 'other\n'), [1, ...both]);
      assert.deepEqual(await endedBy(layer, 'theirs\n', 'mine\n'), [1]);
      await kept.end('over');
      await store(ended).keepChanges([{ ...change, place }]);
      assert.deepEqual(await endedBy(layer, 'mine\n', 'other\n'), [1, 'old\n', 'mine\n']);
    });

    it('has lost nothing to an append if the container has all that was there, even if others appended, too', async () => {
      const added = 'old\nmine\n';
      await leftChange(added, 'append');
      await cp.put(path, 'old\ntheirs\n');
      assert.deepEqual(await texts(), [[added, undefined, 'asBefore']]);
      await cp.put(path, 'rotated\n');
      assert.deepEqual(await texts(), [[added, 'old\n', 'changed']]);
      await cp.put(path, 'old\ntheirs\nmine\n');
      assert.deepEqual(await texts(), []);
      assert.deepEqual([await count(), made], [0, []], 'no version has exactly this text');
      await leftChange(added, 'append');
      await cp.put(path, added);
      assert.deepEqual(await texts(), []);
      assert.deepEqual(made, [['old\n', added, 'append'], 1]);
    });

    it('is no base version of an edit, and stays when the edit of the same file is over', async () => {
      const place = cp.place(path);
      await leftChange('mine\n', 'save', here);
      assert.deepEqual(await store(living).find(place), []);
      await store(here).keep({ place, base: { kind: 'unknown' }, text: undefined });
      assert.equal((await store(living).find(place)).length, 1);
      await store(here).drop(place);
      assert.equal(await count(), 1);
    });
  });

  it('is checked without changing anything', async () => {
    await left();
    await offered();
    assert.deepEqual([...scene.requests()].sort(), ['GetList', 'Read']);
  });
});
