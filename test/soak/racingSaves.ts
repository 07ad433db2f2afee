import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ConnectedScene, startLayer } from '../scene/connectedScene';
import { randomText } from './randomText';
import { SeededRandom } from './seededRandom';
import type { SoakTest } from './soakTest';
import { bundleWindow, startWindow, type WindowHandle } from './startWindow';
import { causesOf } from './windowTask';

/** How many files one seed saves. */
export const filesPerRace = 30;

/** Two windows on one computer save the same files at the same time: only one save of each file succeeds, and its text is kept. */
export const racingSaves: SoakTest = {
  name: 'races',
  concurrency: 1,
  timeLimit: 120_000,
  setUp: async () => {
    const folder = await mkdtemp(join(tmpdir(), 'gantry-races-'));
    const program = await bundleWindow(folder);
    return {
      runCase: (seed) => checkRace(seed, program, join(folder, String(seed))),
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
    const texts = [0, 1].map((window) => paths.map(() => `window ${window}\n${randomText(random)}`));
    const task = {
      origin: scene.platform.origin,
      token: scene.token,
      folder,
      role: 'save' as const,
      nodeIds: cp.nodes,
    };
    for (const textsOfWindow of texts) {
      const files = paths.map((path, index) => ({
        place: cp.place(path),
        scope: 'place' as const,
        by: 'editor' as const,
        text: textsOfWindow[index] ?? '',
      }));
      windows.push(startWindow(program, { ...task, files }));
    }
    await Promise.all(windows.map((window) => window.waitFor('ready')));
    addJitter(random, scene, paths);
    windows.forEach((window) => window.startSaving());
    await Promise.all(windows.map((window) => window.waitFor('done')));
    for (const [index, path] of paths.entries()) {
      const outcomes = windows.map((window) => outcomeOf(window, path));
      const causes = windows.map(({ events }) => causesOf(events, path));
      const shown = `${path}: ${outcomes.join(', ')}${causes.join('')}`;
      const winner = outcomes.indexOf('saved');
      assert.deepEqual([...outcomes].sort(), ['conflict', 'saved'], shown);
      assert.equal(await cp.text(path), texts[winner]?.[index], shown);
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
