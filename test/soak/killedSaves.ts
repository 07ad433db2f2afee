import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Backup } from '../../src/files/saving/backups';
import type { SaveScope } from '../../src/files/saving/saves';
import { backupsIn, readBackups } from '../unit/files/journal/journalSetUp';
import { WindowPresence } from '../../src/storage/windows';
import { type ConnectedLayer, startLayer } from '../scene/connectedScene';
import { byPath } from './createTestSaves';
import { addRandomFaults } from './randomFaults';
import { randomText } from './randomText';
import { checkKilledJournal, checkKilledSignOut } from './killedJournals';
import { checkKilledRestore } from './killedRestores';
import { killWindow, randomKillMoment } from './killMoment';
import { SeededRandom } from './seededRandom';
import type { SoakTest } from './soakTest';
import { bundleWindow, startWindow } from './startWindow';
import { causesOf, type FileToSave, type Offer, type WindowTask } from './windowTask';

/**
 * Windows that are killed while they save: every file is unchanged or saved, or its new text is kept and offered, and so is
 * what a restore may have overwritten. Seeds take turns: one saves, one restores several files, one writes to the
 * journal and compacts it, and one signs out.
 */
export const killedSaves: SoakTest = {
  name: 'kills',
  concurrency: availableParallelism(),
  timeLimit: 120_000,
  setUp: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-killed-'));
    const window = await bundleWindow(folder, 'windowProcess');
    const journal = await bundleWindow(folder, 'journalWindow');
    const checks = [
      (seed: number, at: string) => checkKill(seed, window, at),
      (seed: number, at: string) => checkKilledRestore(seed, window, at),
      (seed: number, at: string) => checkKilledJournal(seed, journal, at),
      (seed: number, at: string) => checkKilledSignOut(seed, journal, at),
    ];
    return {
      runCase: async (seed) => {
        await checks[seed % checks.length]?.(seed, join(folder, String(seed)));
      },
      dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
    };
  },
};

interface KilledFile {
  readonly path: string;
  readonly scope: SaveScope;
  readonly by: FileToSave['by'];
  /** The nodes that the save writes to. */
  readonly nodes: readonly number[];
  readonly old: string;
  readonly text: string;
}

interface KillCase {
  readonly layer: ConnectedLayer;
  readonly files: readonly KilledFile[];
  /** The task of each window, without its role. */
  readonly task: Omit<WindowTask, 'role'>;
  readonly program: string;
}

/** Saves a few files in a process that is killed. Then a second process recovers the interrupted saves and saves all files. */
async function checkKill(seed: number, program: string, folder: string): Promise<void> {
  const random = new SeededRandom(seed);
  const layer = await startLayer({ nodes: 2 });
  try {
    const files = ['/srv/1', '/srv/2', '/srv/3'].slice(0, 1 + random.below(3)).map((at) => randomFile(random, at));
    for (const { path, old } of files) {
      await Promise.all([0, 1].map((node) => layer.putLongAgo(path, old, node)));
    }
    const task = {
      origin: layer.scene.platform.origin,
      token: layer.scene.token,
      folder,
      nodeIds: layer.nodes,
      files: files.map(({ path, text, scope, by }) => ({ place: layer.place(path), text, scope, by })),
    };
    const killCase = { layer, files, task, program };
    const killed = await killWhileSaving(random, killCase);
    const states = await assertNothingLost(killCase, killed);
    await assertRecovered(killCase, states);
  } finally {
    await layer.scene.end();
    await rm(folder, { recursive: true, force: true });
  }
}

function randomFile(random: SeededRandom, folder: string): KilledFile {
  const scope = random.chance(0.5) ? 'layer' : 'place';
  // A long text takes a while to send.
  const repeated = random.chance(0.1) ? 5_000 : 1;
  const [old, text] = [randomText(random), randomText(random).repeat(repeated)];
  const by = random.chance(0.4) ? 'restore' : 'editor';
  return { path: `${folder}/f`, scope, by, nodes: scope === 'layer' ? [0, 1] : [0], old, text };
}

interface KilledWindow {
  /** The paths of the files that it reported as saved. */
  readonly saved: ReadonlySet<string>;
  /** The paths of the files whose new text it had started to send. */
  readonly sent: ReadonlySet<string>;
}

async function killWhileSaving(random: SeededRandom, { layer, files, task, program }: KillCase): Promise<KilledWindow> {
  const { journal, faults } = layer.scene.platform;
  const folders = files.map(({ path }) => dirname(path));
  const failingNode = task.nodeIds[1] ?? 0;
  const addFaults = () =>
    files
      .filter(() => random.chance(0.5))
      .flatMap(({ path, text }) => addRandomFaults(random, faults, { path, text, failingNode }));
  const events = await killWindow(
    randomKillMoment(random, folders),
    layer,
    { ...task, program, role: 'save' },
    addFaults,
  );
  const saved = events.flatMap((event) => (event.kind === 'saved' && event.outcome === 'saved' ? [event.path] : []));
  const writes = journal.arrivals.filter(({ operation }) => operation === 'Write');
  return { saved: new Set(saved), sent: new Set(writes.map(({ parameters }) => parameters['path'] ?? '')) };
}

/** A file on the platform and on this machine's disk, after all requests have arrived. */
interface FileState {
  readonly file: KilledFile;
  readonly isSaved: boolean;
  readonly kept: Backup | undefined;
  readonly texts: readonly string[];
}

async function assertNothingLost(
  { layer, files, task }: KillCase,
  { saved, sent }: KilledWindow,
): Promise<readonly FileState[]> {
  const all = await readBackups(backupsIn(task.folder, new WindowPresence(task.folder)));
  return Promise.all(
    files.map(async (file) => {
      const texts = await Promise.all(file.nodes.map((node) => layer.text(file.path, node)));
      const found = all.filter(({ place }) => place.path === file.path);
      const state = { file, texts, kept: found[0], isSaved: texts.every((text) => text === file.text) };
      const shown = JSON.stringify({ ...state, saved: [...saved], sent: [...sent] });
      assert.ok(found.length <= 1, `the text is kept only once: ${shown}`);
      if (state.kept !== undefined) {
        const { text, base } = state.kept;
        assert.equal(text, file.text);
        assert.equal(base.kind === 'version' && base.version.text, file.old);
      }
      if (saved.has(file.path)) {
        assert.ok(state.isSaved, `a file that was reported as saved is saved: ${shown}`);
      }
      // A text that was sent stays kept even if it didn't arrive, because its window has ended. That of a restore that
      // certainly failed doesn't.
      const isOver = !sent.has(file.path) || file.by === 'restore';
      const isUnchanged = isOver && texts.every((text) => text === file.old);
      assert.ok(state.isSaved || state.kept !== undefined || isUnchanged, `nothing is lost: ${shown}`);
      return state;
    }),
  );
}

async function assertRecovered({ layer, files, task, program }: KillCase, states: readonly FileState[]): Promise<void> {
  const window = startWindow(program, { ...task, role: 'recover' });
  try {
    const recovered = await window.waitFor('recovered');
    const expected = states.filter(({ isSaved, kept }) => !isSaved && kept !== undefined).map(offerFor);
    assert.deepEqual(recovered && [...recovered.offered].sort(byPath), expected);
    assert.ok(await window.waitFor('done'), 'the window saved all files');
    assert.equal(await window.ended, 0);
    const outcomes = window.events.flatMap((event) => (event.kind === 'saved' ? [event.outcome] : []));
    assert.deepEqual(
      outcomes,
      files.map(() => 'saved'),
      causesOf(window.events) || undefined,
    );
  } finally {
    await window.dispose();
  }
  for (const { path, nodes, text } of files) {
    assert.deepEqual(
      await Promise.all(nodes.map((node) => layer.text(path, node))),
      nodes.map(() => text),
    );
  }
  assert.deepEqual(await backupsIn(task.folder, new WindowPresence(task.folder)).entries(), []);
}

function offerFor({ file, texts }: FileState): Offer {
  const lacking = texts.filter((text) => text !== file.text);
  const now = lacking.every((text) => text === file.old) ? 'asBefore' : 'changed';
  // What was there before is offered, too, if a restore has left something else.
  const earlier = file.by === 'restore' && now === 'changed' ? { earlier: file.old } : {};
  return { path: file.path, text: file.text, base: file.old, now, ...earlier };
}
