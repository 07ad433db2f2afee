import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'mocha';
import { InterruptedSaves } from '../../../../src/files/saving/interruptedSaves';
import type { Presence } from '../../../../src/storage/windows';
import { backupsIn, closedWindow } from '../journal/journalSetUp';
import type { SaveScope } from '../../../../src/files/saving/saves';
import { WindowPresence } from '../../../../src/storage/windows';
import { keyOf } from '../../../../src/containers/place';
import { ConnectedScene } from '../../../scene/connectedScene';
import { onStage } from '../../../scene/onStage';

const path = '/srv/site.conf';

describe('an interrupted save', () => {
  const scene = onStage(new ConnectedScene());
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  let edited: string[];
  let signedIn: boolean;
  let clock: number;
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
    [edited, signedIn, clock] = [[], true, Date.now()];
    await cp.put(path, 'old\n');
    scene.platform.journal.reset();
  });

  const store = (presence: Presence) => backupsIn(scene.local(), presence, { now: () => clock });
  const recovery = () => {
    const backups = store(here);
    return new InterruptedSaves({
      backups,
      files: scene.files,
      isHeldElsewhere: async (text) => !backups.isOurs(text) && (await here.isAlive(text.entry.owner)),
      isBeingEdited: (place) => edited.includes(keyOf(place)),
      isSignedIn: () => signedIn,
      nodesOf: (place) => Promise.resolve(place.target.nodeId === undefined ? cp.everywhere(place.path) : [place]),
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

  it('is discarded silently if it did arrive', async () => {
    await left();
    await cp.put(path, 'mine\n');
    assert.deepEqual(await offered(), []);
    assert.deepEqual(await store(here).list(), []);
  });

  it("is offered even if the platform can't be reached", async () => {
    await left();
    scene.fail('*', { kind: 'gatewayError', status: 504 }, { times: 'always' });
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'unreachable' }]);
  });

  it("isn't offered while its window is still running", async () => {
    await left(living);
    assert.deepEqual(await offered(), []);
    assert.equal((await store(here).list()).length, 1);
    await living.dispose();
    assert.deepEqual(await offered(), [{ text: 'mine\n', now: 'asBefore' }]);
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
    assert.deepEqual(await store(here).list(), []);
    await left();
    clock += 31 * 24 * 60 * 60 * 1000;
    assert.equal((await offered()).length, 1);
    clock += 8 * 24 * 60 * 60 * 1000;
    assert.deepEqual(await offered(), []);
    assert.deepEqual(await store(here).list(), []);
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
    assert.deepEqual(await store(here).list(), []);
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

  it('is checked without changing anything', async () => {
    await left();
    await offered();
    assert.deepEqual([...scene.requests()].sort(), ['GetList', 'Read']);
  });
});
