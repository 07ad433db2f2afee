import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FilePlace } from '../../src/containers/place';
import { isUnfinished } from '../../src/files/journal/entry';
import type { Journal, Kept } from '../../src/files/journal/journal';
import { Backups } from '../../src/files/saving/backups';
import { type SaveJob, type Saves, FileQueue } from '../../src/files/saving/saves';
import type { SavedFiles } from '../../src/files/saving/saveFile';
import { WindowPresence } from '../../src/storage/windows';
import { type ConnectedLayer, startLayer } from '../scene/connectedScene';
import { closedWindow, fewVersions, openJournal } from '../unit/files/journal/journalSetUp';
import { createTestLocks, createTestRecovery, createTestSaves } from './createTestSaves';
import { type DiskCall, watchDisk } from './diskCalls';
import { assertNothingLost, makeOld } from './killedJournals';
import { randomText } from './randomText';
import { SeededRandom } from './seededRandom';
import type { SoakTest } from './soakTest';

/**
 * A window whose disk is full from some moment on, for a while: all saves reach the container, what was reported as kept is
 * there and is offered once, the full disk is said once, and no half of anything is left.
 */
export const fullDisks: SoakTest = {
  name: 'full-disks',
  concurrency: 8,
  timeLimit: 60_000,
  setUp: async () => {
    const layer = await startLayer();
    const folder = await mkdtemp(join(tmpdir(), 'gantry-full-'));
    return {
      runCase: (seed) => checkFullDisk(seed, layer, join(folder, String(seed))),
      dispose: async () => {
        await layer.scene.end();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  },
};

async function checkFullDisk(seed: number, layer: ConnectedLayer, folder: string): Promise<void> {
  const random = new SeededRandom(seed);
  const below = layer.below(`/srv/${seed}`);
  const earlier = await leaveText(below, folder);
  const window = new FullWindow(random, below, folder, earlier);
  const makeRoom = fillDisk(folder, seed);
  try {
    await window.work(10 + random.below(10));
    makeRoom();
    await window.workWithRoom();
  } finally {
    makeRoom();
    await window.close();
  }
  const texts = await assertOfferedOnce(window, below, folder);
  await assertNothingLost(join(folder, 'journal'), texts, `seed ${seed}`, {
    account: layer.scene.slug,
    areHalvesLeft: false,
  });
  const all = await readdir(folder, { recursive: true });
  assert.deepEqual(
    all.filter((name) => name.endsWith('.unfinished')),
    [],
  );
  await rm(folder, { recursive: true, force: true });
  await layer.remove(`/srv/${seed}`);
}

/** What a window kept that was closed two days ago. Returns the text that it didn't save. */
async function leaveText(layer: ConnectedLayer, folder: string): Promise<string> {
  const text = 'left by an earlier window';
  await layer.putLongAgo('/left', 'base');
  const { journal } = openJournal(join(folder, 'journal'), { presence: closedWindow('earlier'), limits: fewVersions });
  const place = layer.place('/left');
  await journal.append({ place, cause: 'save', state: 'pending', before: 'base', after: text, edit: editOf(place) });
  for (const after of ['one', 'two', 'three']) {
    await journal.append({ place: layer.place('/f'), cause: 'save', state: 'verified', after });
  }
  await makeOld(folder);
  return text;
}

const editOf = (place: FilePlace) => ({ base: { kind: 'version', place }, scope: 'place' }) as const;

/**
 * Lets calls below a folder fail that need space: some from a random one on, or all. Returns what makes room again, and stops
 * watching.
 */
function fillDisk(folder: string, seed: number): () => void {
  const random = new SeededRandom(-seed);
  const first = 1 + random.below(80);
  const last = first + random.pick([0, 1, 4, 20, Infinity]);
  let calls = 0;
  return watchDisk(folder, async (call) => {
    if (!needsSpace(call)) return call.perform();
    calls += 1;
    if (calls < first || calls > last) return call.perform();
    if (['appendFile', 'write', 'writeFile'].includes(call.name) && random.chance(0.5)) {
      const done = await call.performHalf();
      // This one says how much it wrote, and only the next one fails.
      if (call.name === 'write') return done;
    }
    throw Object.assign(new Error(`no space left on device, ${call.name} '${call.path}'`), { code: 'ENOSPC' });
  });
}

function needsSpace({ name, flags }: DiskCall): boolean {
  return (
    ['mkdir', 'appendFile', 'write', 'writeFile', 'rename'].includes(name) || (name === 'open' && /^[aw]/.test(flags))
  );
}

const steps = ['save', 'save', 'restore', 'keep', 'keep', 'note', 'settle', 'drop', 'tidy', 'offer'] as const;

/** A window, and what is expected of it. */
class FullWindow {
  private readonly presence: WindowPresence;
  private readonly journal: Journal;
  private readonly saves: Saves;
  private readonly queue: FileQueue;
  /** The texts that must be offered later, by the IDs of their entries. */
  readonly kept = new Map<string, string>();
  /** Those that may be: the entry couldn't be written or removed as a whole. */
  readonly uncertain = new Set<string>();
  /** The last version that was kept of each file. */
  readonly versions = new Map<string, string>();
  private readonly texts = new Map<string, string>();
  /** How often the window said that it can't write, since it last could. */
  private said = 0;
  private count = 0;

  constructor(
    private readonly random: SeededRandom,
    private readonly layer: ConnectedLayer,
    private readonly folder: string,
    readonly earlier: string,
  ) {
    this.presence = new WindowPresence(join(folder, 'windows'));
    const { journal, troubles } = this.openJournal(this.presence);
    this.journal = journal;
    this.observe(troubles);
    const { files } = layer.scene;
    const onDidVerify = (saved: SavedFiles) => this.noteSaved(saved);
    this.saves = createTestSaves(files, new Backups(journal, 'save'), layer.nodes, { onDidVerify });
    this.queue = new FileQueue(createTestLocks(folder, this.presence, () => undefined));
  }

  async work(count: number): Promise<void> {
    for (let n = 0; n < count; n += 1) {
      await this[this.random.pick(steps)]();
      // What the step has left to do in the background.
      await this.journal.unfinished();
    }
  }

  async workWithRoom(): Promise<void> {
    assert.equal(await this.note(), 'kept', 'it is as before once there is room');
    assert.equal(await this.keep(), 'kept');
    await this.save();
    await this.journal.unfinished();
  }

  close(): Promise<void> {
    return this.presence.dispose();
  }

  private openJournal(presence: WindowPresence) {
    return openJournal(join(this.folder, 'journal'), { presence, limits: fewVersions });
  }

  /** Checks what it says, and knows what it reports as kept. */
  private observe(troubles: readonly { readonly kind: string }[]): void {
    const append = this.journal.append.bind(this.journal);
    let seen = 0;
    const look = (isKept: boolean): void => {
      assert.deepEqual(
        troubles.slice(seen).filter(({ kind }) => kind !== 'notWritten'),
        [],
        'nothing is damaged',
      );
      this.said = troubles.length - seen + (isKept ? 0 : this.said);
      seen = troubles.length;
      assert.ok(this.said <= 1, 'a full disk is said once');
    };
    this.journal.append = async (entry) => {
      look(false);
      const kept = await append(entry);
      look(kept === 'kept');
      assert.ok(kept === 'kept' || this.said === 1, 'a full disk is said');
      if (kept === 'kept' && entry.state === 'verified') this.versions.set(entry.place.path, entry.after ?? '');
      return kept;
    };
  }

  private save(): Promise<void> {
    return this.saveAs({ keeping: { reportedStat: undefined } });
  }

  private restore(): Promise<void> {
    return this.saveAs({ keeping: 'withoutEditor', reason: { cause: 'restore' } });
  }

  private async saveAs(how: Pick<SaveJob, 'keeping' | 'reason'>): Promise<void> {
    const path = this.random.pick(['/f', '/g']);
    const place = this.layer.place(path);
    const before = this.texts.get(path) ?? 'base';
    if (!this.texts.has(path)) await this.layer.putLongAgo(path, before);
    const text = this.nextText();
    const base = { kind: 'version', version: { text: before, place } } as const;
    const job = { text, base, accepted: [], scope: 'place', ...how } as const;
    const { kind } = await this.queue.take([place], () => this.saves.save(place, job));
    assert.equal(kind, 'saved', 'a full disk blocks no save');
    assert.equal(await this.layer.text(path), text);
    this.texts.set(path, text);
  }

  /** As the history of versions does. */
  private async noteSaved({ nodes, before }: SavedFiles): Promise<void> {
    for (const [index, { node, found }] of nodes.entries()) {
      const earlier = before[index]?.found;
      if (found.kind === 'text' && earlier?.kind === 'text') {
        const texts = { before: earlier.text, after: found.text };
        await this.journal.append({ ...texts, place: node, cause: 'save', state: 'verified' });
      }
    }
  }

  /** Keeps a text of a file that isn't saved. */
  private async keep(): Promise<Kept> {
    const text = this.nextText();
    const id = `kept-${this.count}`;
    const place = this.layer.place(`/${id}`);
    await this.layer.putLongAgo(`/${id}`, 'base');
    const entry = { cause: 'save', state: 'pending', before: 'base', after: text, edit: editOf(place) } as const;
    const kept = await this.journal.append({ ...entry, id, place });
    if (kept === 'kept') {
      this.kept.set(id, text);
    } else {
      this.uncertain.add(text);
    }
    return kept;
  }

  private note(): Promise<Kept> {
    return this.journal.append({
      place: this.layer.place('/noted'),
      cause: 'save',
      state: 'verified',
      after: this.nextText(),
    });
  }

  private async settle(): Promise<void> {
    const [id] = this.randomKept();
    if (id !== undefined) {
      await this.journal.settle(this.layer.scene.slug, id, this.random.pick(['unknown', 'failed']));
    }
  }

  private async drop(): Promise<void> {
    const [id, text] = this.randomKept();
    if (id !== undefined && text !== undefined) {
      this.kept.delete(id);
      this.uncertain.add(text);
      await this.journal.drop(this.layer.scene.slug, id);
    }
  }

  private tidy(): Promise<void> {
    return this.journal.tidy();
  }

  /** Another window starts, and is closed before the person has looked at what it offers. */
  private async offer(): Promise<void> {
    const presence = new WindowPresence(join(this.folder, 'windows'));
    const { journal, troubles } = this.openJournal(presence);
    const locks = createTestLocks(this.folder, presence, () => undefined);
    const { files } = this.layer.scene;
    const backups = new Backups(journal, 'save');
    const { offered } = await createTestRecovery(files, backups, { presence, locks }, this.layer.nodes).toOffer();
    await presence.dispose();
    assert.deepEqual(
      offered.map(({ text }) => text),
      [this.earlier],
      'what a closed window left is offered',
    );
    assert.ok(troubles.length <= 1 && troubles.every(({ kind }) => kind === 'notWritten'), JSON.stringify(troubles));
  }

  private randomKept(): readonly [string, string] | readonly [] {
    const all = [...this.kept];
    return all[this.random.below(all.length)] ?? [];
  }

  private nextText(): string {
    this.count += 1;
    return `text ${this.count} ${randomText(this.random).repeat(this.random.pick([1, 1, 100]))}`;
  }
}

/** Returns the texts that must be offered. */
async function assertOfferedOnce(
  { kept, uncertain, versions, earlier }: FullWindow,
  layer: ConnectedLayer,
  folder: string,
): Promise<readonly string[]> {
  const presence = new WindowPresence(join(folder, 'windows'));
  const { journal, troubles } = openJournal(join(folder, 'journal'), { presence, limits: fewVersions });
  const locks = createTestLocks(folder, presence);
  const backups = new Backups(journal, 'save');
  const { offered } = await createTestRecovery(layer.scene.files, backups, { presence, locks }, layer.nodes).toOffer();
  await presence.dispose();
  const texts = [earlier, ...kept.values()];
  assert.deepEqual(
    offered.flatMap(({ text = '' }) => (uncertain.has(text) ? [] : [text])).sort(),
    [...texts].sort(),
    'what was kept is offered once',
  );
  assert.deepEqual(troubles, []);
  const finished = (await journal.entries()).filter((entry) => !isUnfinished(entry));
  for (const [path, text] of versions) {
    const ofFile = finished.filter(({ place }) => place.path === path);
    const found = await Promise.all(
      ofFile.map(async ({ place, after }) => after && journal.text(place.account, after)),
    );
    assert.ok(found.includes(text), `the last version of ${path} is there`);
  }
  return texts;
}
