import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WindowPresence } from '../../src/storage/windows';
import { type ConnectedScene, startLayer } from '../scene/connectedScene';
import { backupsIn, readBackups } from '../unit/files/journal/journalSetUp';
import { offersOfTwoWindows } from './createTestSaves';
import { checkJournalRace } from './killedJournals';
import { randomText } from './randomText';
import { SeededRandom } from './seededRandom';
import type { SoakTest } from './soakTest';
import { bundleWindow, startWindow, type WindowHandle } from './startWindow';
import { causesOf, type FileToSave } from './windowTask';

/** How many files one seed saves. */
const filesPerRace = 30;

/**
 * Two or three windows on one computer save and restore the same files at the same time: only one save of each file succeeds,
 * and the texts of the others are kept, and offered once. In every third race, windows write to the journal and tidy it up.
 */
export const racingSaves: SoakTest = {
  name: 'races',
  concurrency: 1,
  timeLimit: 120_000,
  setUp: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-races-'));
    const window = await bundleWindow(folder, 'windowProcess');
    const journal = await bundleWindow(folder, 'journalWindow');
    return {
      runCase: (seed) => {
        const at = join(folder, String(seed));
        return seed % 3 === 0 ? checkJournalRace(seed, journal, at) : checkRace(seed, window, at);
      },
      dispose: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }),
    };
  },
};

async function checkRace(seed: number, program: string, folder: string): Promise<void> {
  const random = new SeededRandom(seed);
  const cp = await startLayer({ nodes: 2 });
  const { scene } = cp;
  const paths = Array.from({ length: filesPerRace }, (_, index) => `/srv/${index}/f`);
  const windows: WindowHandle[] = [];
  try {
    await Promise.all(paths.map((path) => cp.putLongAgo(path, 'base\n')));
    const task = {
      origin: scene.platform.origin,
      token: scene.token,
      folder,
      role: 'save' as const,
      nodeIds: cp.nodes,
      // So many saves at once take a while.
      deadline: 60_000,
    };
    const savesOf = (window: number) =>
      paths.map((path): FileToSave => ({
        place: cp.place(path),
        scope: 'place',
        by: random.chance(0.3) ? 'restore' : 'editor',
        text: `window ${window}\n${randomText(random)}`,
      }));
    const saves = Array.from({ length: 2 + (seed % 2) }, (_, window) => savesOf(window));
    windows.push(...saves.map((files) => startWindow(program, { ...task, files })));
    await Promise.all(windows.map((window) => window.waitFor('ready')));
    addJitter(random, scene, paths);
    windows.forEach((window) => window.begin());
    await Promise.all(windows.map((window) => window.waitFor('done')));
    await Promise.all(windows.map((window) => window.dispose()));
    const backups = await readBackups(backupsIn(folder, new WindowPresence(folder)));
    const offers = await offersOfTwoWindows(folder, cp);
    for (const [index, path] of paths.entries()) {
      const outcomes = windows.map((window) => outcomeOf(window, path));
      const causes = windows.map(({ events }) => causesOf(events, path));
      const shown = `${path}: ${outcomes.join(', ')}${causes.join('')}`;
      const winner = outcomes.indexOf('saved');
      const others = saves.filter((_, window) => window !== winner).flatMap((files) => files[index] ?? []);
      assert.deepEqual([...outcomes].sort(), [...others.map(() => 'conflict'), 'saved'], shown);
      assert.equal(await cp.text(path), saves[winner]?.[index]?.text, shown);
      // An earlier version that isn't restored is still where it was.
      const left = others.flatMap(({ by, text }) => (by === 'editor' ? [text] : [])).sort();
      const ofFile = backups.filter(({ place }) => place.path === path);
      assert.deepEqual(ofFile.map(({ text }) => text).sort(), left, `what wasn't saved is kept: ${shown}`);
      const offered = offers.filter((offer) => offer.path === path).map(({ text = '' }) => text);
      assert.equal(offered.length, Math.min(left.length, 1), `the last one is offered once: ${shown}`);
      assert.ok(
        offered.every((text) => left.includes(text)),
        shown,
      );
    }
  } finally {
    await Promise.all(windows.map((window) => window.dispose()));
    await scene.end();
    await rm(folder, { recursive: true, force: true });
  }
}

function outcomeOf({ events }: WindowHandle, path: string): string | undefined {
  return events.flatMap((event) => (event.kind === 'saved' && event.path === path ? [event.outcome] : []))[0];
}

/** Delays some of the requests for each file. */
function addJitter(random: SeededRandom, { platform }: ConnectedScene, paths: readonly string[]): void {
  for (const path of paths) {
    for (const operation of ['Read', 'Write'] as const) {
      for (const nth of [1, 2]) {
        const when = random.pick<'before' | 'after'>(['before', 'after']);
        const fault = { kind: 'delay' as const, milliseconds: random.below(20), when };
        platform.faults.add({ operation, parameters: { path }, nth, fault });
      }
    }
  }
}
