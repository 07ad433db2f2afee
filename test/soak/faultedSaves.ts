import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TextVersion, ServerVersion } from '../../src/files/saving/serverFiles';
import type { Backups } from '../../src/files/saving/backups';
import type { SaveJob, Saves, SaveScope } from '../../src/files/saving/saves';
import { backupsIn, readBackups } from '../unit/files/journal/journalSetUp';
import type { SaveOutcome } from '../../src/files/saving/saveFile';
import { WindowPresence } from '../../src/storage/windows';
import { isPlatformError } from '../../src/platform/errors';
import type { FilePlace } from '../../src/containers/place';
import type { JournalEntry } from '../localPlatform/journal';
import { Connection } from '../unit/files/connection';
import { type ConnectedLayer, startLayer } from '../scene/connectedScene';
import { addRandomFaults, deadlineWithFaults, removeFaults } from './randomFaults';
import { randomText } from './randomText';
import { SeededRandom } from './seededRandom';
import type { SoakTest } from './soakTest';
import { createTestSaves } from './createTestSaves';

/** Saves that hit faults: either the nodes hold exactly the new text, or the base version and the text are on disk. */
export const faultedSaves: SoakTest = {
  name: 'saves',
  concurrency: 16,
  timeLimit: 120_000,
  setUp: async () => {
    const layer = await startLayer({ nodes: 2 });
    const folder = await mkdtemp(join(tmpdir(), 'gantry-faulted-'));
    return {
      runCase: (seed) => checkSave(seed, layer, join(folder, String(seed))),
      dispose: async () => {
        await layer.scene.end();
        await rm(folder, { recursive: true, force: true, maxRetries: 5 });
      },
    };
  },
};

interface Edit {
  readonly layer: ConnectedLayer;
  readonly path: string;
  readonly scope: SaveScope;
  /** The nodes that the save writes to. */
  readonly nodes: readonly number[];
  readonly base: string;
  readonly text: string;
}

/** A new window for each seed, so that seeds don't affect each other. */
interface Window {
  readonly kept: Backups;
  readonly open: (place: FilePlace) => Promise<TextVersion>;
  /** Saves with a short deadline, for while faults are active. */
  readonly savesWithFaults: Saves;
  readonly saves: Saves;
  close(): Promise<void>;
}

/** Opens a file, sometimes changes it on the server, and saves it while faults are active. */
export async function checkSave(seed: number, layer: ConnectedLayer, folder: string): Promise<void> {
  const random = new SeededRandom(seed);
  const edit = randomEdit(random, layer, `/srv/${seed}/f`);
  const window = openWindow(layer, folder);
  try {
    await saveWithFaults(random, edit, window);
  } finally {
    await window.close();
    await Promise.all([0, 1].map((node) => layer.remove(`/srv/${seed}`, node)));
  }
}

function randomEdit(random: SeededRandom, layer: ConnectedLayer, path: string): Edit {
  const scope = random.chance(0.3) ? 'layer' : 'place';
  const base = randomText(random);
  const text = random.chance(0.05) ? base : randomText(random);
  return { layer, path, scope, nodes: scope === 'layer' ? [0, 1] : [0], base, text };
}

function openWindow({ scene: { platform, token }, nodes: nodeIds }: ConnectedLayer, folder: string): Window {
  const { origin } = platform;
  const presence = new WindowPresence(folder);
  const kept = backupsIn(folder, presence);
  const withFaults = new Connection({ origin, token, deadline: deadlineWithFaults });
  const connection = new Connection({ origin, token });
  return {
    kept,
    open: (place) => connection.open(place),
    savesWithFaults: createTestSaves(withFaults.files, kept, nodeIds),
    saves: createTestSaves(connection.files, kept, nodeIds),
    close: async () => {
      await Promise.all([withFaults.close(), connection.close(), presence.dispose()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function saveWithFaults(random: SeededRandom, edit: Edit, window: Window): Promise<void> {
  const { layer, path, base, text } = edit;
  await Promise.all([0, 1].map((node) => layer.putLongAgo(path, base, node)));
  const place = layer.place(path);
  const version = await window.open(place);
  const jobWith = (accepted: readonly ServerVersion[]): SaveJob => ({
    text,
    accepted,
    scope: edit.scope,
    keeping: { reportedStat: undefined },
    base: { kind: 'version', version },
  });
  const changed = await changeOnServer(random, edit);
  const before = await textsOf(edit);
  const outcome = await withRandomFaults(random, edit, () => window.savesWithFaults.save(place, jobWith([])));
  const after = await textsOf(edit);

  if (outcome.kind === 'saved') {
    assert.deepEqual(textsOnNodes(edit, after), textsOnNodes(edit, [text, text]));
  }
  if (outcome.kind === 'conflict' || outcome.kind === 'failed') {
    assertUntouched(outcome, edit, { before, after });
  }
  if (changed !== undefined && changed.text !== text) {
    // Whatever fails, the save never overwrites another person's change unseen.
    assert.equal(after[changed.node], changed.text);
    assert.notEqual(outcome.kind, 'saved');
  }
  await assertKept(outcome, edit, window.kept);
  if (outcome.kind !== 'saved') {
    await saveAgainAccepting(outcome, edit, (accepted) => window.saves.save(place, jobWith(accepted)));
    assert.deepEqual(await window.kept.entries(), []);
  }
}

/** Does the work with random faults, then removes them and waits for the pending requests. */
async function withRandomFaults<T>(random: SeededRandom, edit: Edit, work: () => Promise<T>): Promise<T> {
  const { layer, path, text } = edit;
  const last = layer.scene.platform.journal.arrivals.at(-1)?.id ?? 0;
  const failingNode = layer.place(path, 1).target.nodeId ?? 0;
  const faults = addRandomFaults(random, layer.scene.platform.faults, { path, text, failingNode });
  try {
    return await work();
  } finally {
    removeFaults(faults);
    await allArrived(edit, last);
  }
}

function assertUntouched(
  outcome: SaveOutcome,
  edit: Edit,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): void {
  // A write that was still pending when the save checked the file may have arrived later.
  const mayArriveLate = outcome.kind === 'failed' && isPlatformError(outcome.cause) && outcome.cause.kind === 'timeout';
  if (!mayArriveLate) {
    assert.deepEqual(textsOnNodes(edit, after), textsOnNodes(edit, before), JSON.stringify({ before, after, outcome }));
  }
}

async function assertKept(outcome: SaveOutcome, { base, text }: Edit, texts: Backups): Promise<void> {
  const [kept, ...more] = await readBackups(texts);
  assert.equal(more.length, 0);
  if (outcome.kind === 'saved') {
    assert.equal(kept, undefined);
  } else {
    assert.equal(kept?.text, text);
    assert.equal(kept.base.kind === 'version' && kept.base.version.text, base);
  }
}

/** Saves again without faults and overwrites the conflicting version. */
async function saveAgainAccepting(
  first: SaveOutcome,
  edit: Edit,
  save: (accepted: readonly ServerVersion[]) => ReturnType<Saves['save']>,
): Promise<void> {
  const second = await save(foundIn(first));
  const last = second.kind === 'conflict' ? await save(foundIn(second)) : second;
  assert.equal(last.kind, 'saved', JSON.stringify({ first, second, last }));
  assert.deepEqual(textsOnNodes(edit, await textsOf(edit)), textsOnNodes(edit, [edit.text, edit.text]));
}

async function changeOnServer(
  random: SeededRandom,
  { layer, path, base, nodes }: Edit,
): Promise<{ readonly node: number; readonly text: string } | undefined> {
  if (!random.chance(0.25)) {
    return undefined;
  }
  const node = nodes[random.below(nodes.length)] ?? 0;
  const sameLength = base.replace(/a/, 'A');
  const text = random.chance(0.5) && sameLength !== base ? sameLength : `${base}theirs`;
  await layer.put(path, text, node);
  return { node, text };
}

/** Waits until the platform has handled every request for the file after this one, even those that the save gave up on. */
async function allArrived({ layer, path }: Edit, last: number): Promise<void> {
  const { journal } = layer.scene.platform;
  const isForFile = ({ id, parameters }: JournalEntry) => id > last && parameters['path'] === path;
  while (journal.arrivals.filter(isForFile).length > journal.entries.filter(isForFile).length) {
    await journal.next(isForFile);
  }
}

const foundIn = (outcome: SaveOutcome): readonly ServerVersion[] =>
  'nodes' in outcome ? outcome.nodes.map(({ found }) => found) : [];
const textsOf = ({ layer, path }: Edit) => Promise.all([layer.text(path, 0), layer.text(path, 1)]);
const textsOnNodes = ({ nodes }: Edit, texts: readonly string[]) => nodes.map((node) => texts[node]);
