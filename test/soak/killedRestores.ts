import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Backup } from '../../src/files/saving/backups';
import { WindowPresence } from '../../src/storage/windows';
import type { SetFault } from '../localPlatform/faults/faults';
import { type ConnectedLayer, startLayer } from '../scene/connectedScene';
import { backupsIn, readBackups } from '../unit/files/journal/journalSetUp';
import { offersOfTwoWindows } from './createTestSaves';
import { killWindow, randomKillMoment } from './killMoment';
import { addRandomFaults } from './randomFaults';
import { randomText } from './randomText';
import { SeededRandom } from './seededRandom';
import type { Offer } from './windowTask';

/** A file, what it has, and what it gets back. `undefined`: it isn't there. */
interface RestoredFile {
  readonly path: string;
  readonly now: string | undefined;
  readonly earlier: string | undefined;
}

/** What someone else makes of one of the files: before all are checked, or between that and the turn of this one. */
interface OtherChange {
  readonly file: RestoredFile;
  readonly text: string;
  readonly when: 'before' | 'between';
}

/**
 * Kills a window while it restores files together: each is as it was, restored, or offered, and only once. No change of
 * someone else is overwritten, and no file is touched before those in front of it have their earlier texts.
 */
export async function checkKilledRestore(seed: number, program: string, folder: string): Promise<void> {
  const random = new SeededRandom(seed);
  const layer = await startLayer();
  try {
    const files = ['/srv/1', '/srv/2', '/srv/3'].slice(0, 1 + random.below(3)).map((at) => randomFile(random, at));
    for (const { path, now } of files) {
      await (now === undefined ? layer.makeFolder(dirname(path)) : layer.putLongAgo(path, now));
    }
    const other = randomChange(random, files);
    const restored = await killWhileRestoring(random, layer, { files, other, program, folder });
    const kept = await readBackups(backupsIn(folder, new WindowPresence(folder)));
    const offers: Offer[] = [];
    for (const file of files) {
      const found = layer.exists(file.path) ? await layer.text(file.path) : undefined;
      const ofFile = kept.filter(({ place }) => place.path === file.path);
      const shown = JSON.stringify({ file, found, other, ofFile, restored });
      const isSent = layer.scene.platform.journal.arrivals.some(
        ({ operation, parameters }) => changes.has(operation) && parameters['path'] === file.path,
      );
      assert.ok(ofFile.length <= 1, `its texts are kept once: ${shown}`);
      const [backup] = ofFile;
      assertKept(file, backup);
      if (other?.file === file) {
        assert.equal(found, other.text, `what someone else wrote stays: ${shown}`);
      } else if (restored.includes(file.path)) {
        assert.equal(found, file.earlier, `a file that was reported as restored is restored: ${shown}`);
      } else {
        const isNew = file.now === undefined && (found === undefined || found === '');
        const isWhole = found === file.earlier || found === file.now || isNew;
        assert.ok(isWhole || backup !== undefined, `nothing is lost: ${shown}`);
        assert.ok(isSent || found === file.now, `only what it sends changes files: ${shown}`);
      }
      offers.push(...(backup === undefined ? [] : offerFor(file, found)));
    }
    assertInOrder(files, layer);
    assert.deepEqual(await offersOfTwoWindows(folder, layer), offers);
  } finally {
    await layer.scene.end();
    await rm(folder, { recursive: true, force: true });
  }
}

const changes: ReadonlySet<string> = new Set(['Create', 'Write', 'Delete']);

function randomFile(random: SeededRandom, folder: string): RestoredFile {
  const file = { path: `${folder}/f`, now: `now ${randomText(random)}`, earlier: `earlier ${randomText(random)}` };
  const left = random.pick([{}, {}, {}, { now: undefined }, { earlier: undefined }]);
  return { ...file, ...left };
}

function randomChange(random: SeededRandom, files: readonly RestoredFile[]): OtherChange | undefined {
  const index = random.below(files.length);
  const file = files[index];
  if (file === undefined || !random.chance(0.5)) {
    return undefined;
  }
  const when = index > 0 && random.chance(0.7) ? 'between' : 'before';
  return { file, text: `theirs ${randomText(random)}`, when };
}

interface RestoreCase {
  readonly files: readonly RestoredFile[];
  readonly other: OtherChange | undefined;
  readonly program: string;
  readonly folder: string;
}

/** Returns the paths that the window reported as restored. */
async function killWhileRestoring(
  random: SeededRandom,
  layer: ConnectedLayer,
  { files, other, program, folder }: RestoreCase,
): Promise<readonly string[]> {
  const { scene } = layer;
  const folders = files.map(({ path }) => dirname(path));
  const task = {
    role: 'restore' as const,
    origin: scene.platform.origin,
    token: scene.token,
    folder,
    nodeIds: layer.nodes,
    files: [],
    restorations: files.map(({ path, now, earlier }) => ({ place: layer.place(path), ...sidesOf(now, earlier) })),
    program,
  };
  const change = async (): Promise<void> => {
    if (other !== undefined) await layer.put(other.file.path, other.text);
  };
  const first = other?.when === 'between' ? files[0] : undefined;
  const held = first && holdChange(first, layer);
  const between = held?.reached.then(change).then(() => held.release());
  const events = await killWindow(randomKillMoment(random, folders), layer, task, async () => {
    if (other?.when === 'before') await change();
    const faulty = files.filter((file) => file !== first && random.chance(0.3));
    const failingNode = layer.nodeId();
    const added = faulty.map(({ path, earlier: text = '' }) =>
      addRandomFaults(random, scene.platform.faults, { path, text, failingNode }),
    );
    return [...added.flat(), ...(held ? [held] : [])];
  });
  if (held !== undefined) {
    // The window may have been killed before.
    await (held.hits > 0 ? between : change());
  }
  return events.flatMap((event) => (event.kind === 'saved' && event.outcome === 'saved' ? [event.path] : []));
}

/** Lets the change of a file wait until it's released. */
function holdChange({ path, now, earlier }: RestoredFile, { scene }: ConnectedLayer): SetFault {
  const operation = now === undefined ? 'Create' : earlier === undefined ? 'Delete' : 'Write';
  return scene.hang(operation, { parameters: { path } });
}

function sidesOf(now: string | undefined, earlier: string | undefined) {
  return now === undefined ? { now, earlier: earlier ?? '' } : { now, earlier };
}

function assertKept({ now = '', earlier }: RestoredFile, backup: Backup | undefined): void {
  if (backup !== undefined) {
    assert.equal(backup.text, earlier);
    assert.equal(backup.base.kind === 'version' && backup.base.version.text, now);
  }
}

/** What is offered of a file whose texts are kept. */
function offerFor({ path, now: base = '', earlier: text }: RestoredFile, found: string | undefined): readonly Offer[] {
  const isChanged = found !== base;
  if (found === text || (text === undefined && !isChanged)) {
    // It was made, or it was to be deleted and still is what it was.
    return [];
  }
  return isChanged ? [{ path, text, base, now: 'changed', earlier: base }] : [{ path, text, base, now: 'asBefore' }];
}

function assertInOrder(files: readonly RestoredFile[], { scene }: ConnectedLayer): void {
  const { arrivals } = scene.platform.journal;
  const changed = arrivals.flatMap(({ operation, parameters: { path } }) => (changes.has(operation) ? [path] : []));
  const paths = files.map(({ path }) => path);
  const order = changed.map((path) => paths.indexOf(path ?? ''));
  assert.deepEqual(order, [...order].sort(), 'files are restored one after the other');
}
