import assert from 'node:assert/strict';
import type { Journal, JournalEntry } from '../localPlatform/journal';
import type { SetFault } from '../localPlatform/faults/faults';
import type { ConnectedLayer } from '../scene/connectedScene';
import { WindowPresence } from '../../src/storage/windows';
import type { KillOnCall } from './diskCalls';
import { removeFaults } from './randomFaults';
import type { SeededRandom } from './seededRandom';
import { startWindow } from './startWindow';
import type { WindowEvent, WindowTask } from './windowTask';

/** The calls by which a window stores or deletes a text on this machine's disk. */
const diskCalls = ['mkdir', 'writeFile', 'chmod', 'rename', 'rm'] as const;

interface KillOnDiskCall extends KillOnCall {
  readonly at: 'disk';
}

/** The window is killed when the nth request for one of its files arrives at the platform, or when the platform has handled it. */
interface KillOnRequest {
  readonly at: 'arrival' | 'response';
  readonly folder: string;
  readonly nth: number;
}

/** When a window is killed. A window that finishes earlier is killed then. */
type KillMoment = KillOnDiskCall | KillOnRequest | { readonly at: 'end' };

/** @param folders the folders of the saved files, one for each file */
export function randomKillMoment(random: SeededRandom, folders: readonly string[]): KillMoment {
  const at = random.pick<KillMoment['at']>([
    'arrival',
    'arrival',
    'arrival',
    'response',
    'response',
    'disk',
    'disk',
    'end',
  ]);
  switch (at) {
    case 'disk': {
      const call = random.pick(diskCalls);
      // A save calls most of them once for the lock of the file, too.
      const calls = folders.length * (call === 'chmod' || call === 'rename' ? 1 : 2);
      return { at, call, nth: 1 + random.below(calls), when: random.pick(['before', 'midway', 'after']) };
    }
    case 'end':
      return { at };
    default:
      // A save sends two requests before the write and two after it, on each of up to two nodes.
      return { at, folder: folders[random.below(folders.length)] ?? '', nth: 1 + random.below(random.pick([5, 9])) };
  }
}

/**
 * Lets a window do its work until this moment, and kills it. Returns what it reported until then, once all of its requests have
 * arrived.
 *
 * @param begin called when the window is about to begin. Adds faults, which last until the window has ended.
 */
export async function killWindow(
  moment: KillMoment,
  layer: ConnectedLayer,
  { program, ...task }: Omit<WindowTask, 'killOnDisk'> & { readonly program: string },
  begin: () => readonly SetFault[] | Promise<readonly SetFault[]>,
): Promise<readonly WindowEvent[]> {
  const { platform } = layer.scene;
  const window = startWindow(program, { ...task, killOnDisk: moment.at === 'disk' ? moment : undefined });
  try {
    const ready = await window.waitFor('ready');
    assert.ok(ready, 'the window is ready');
    platform.journal.reset();
    const faults = await begin();
    const killed = waitForMoment(moment, platform.journal).then(() => window.kill());
    window.begin();
    await Promise.race([killed, window.waitFor('done')]);
    window.kill();
    const end = await window.ended;
    assert.ok(process.platform === 'win32' || end === 'SIGKILL', `the window ended with ${end}`);
    removeFaults(faults);
    await platform.disconnected();
    assert.equal(
      await new WindowPresence(task.folder).isAlive(ready.owner),
      false,
      'other windows see that the killed window has ended',
    );
    return window.events;
  } finally {
    await window.dispose();
  }
}

/** Settles when the platform's journal shows that the moment has come. Never settles for moments that only the window can detect. */
async function waitForMoment(moment: KillMoment, journal: Journal): Promise<void> {
  switch (moment.at) {
    case 'arrival':
      await journal.nextArrival(isNth(moment));
      return;
    case 'response':
      await journal.next(isNth(moment));
      return;
    default:
      await new Promise(() => undefined);
  }
}

function isNth({ folder, nth }: KillOnRequest): (entry: JournalEntry) => boolean {
  let seen = 0;
  return ({ parameters }) => {
    const path = parameters['path'] ?? '';
    if (path === folder || path.startsWith(`${folder}/`)) {
      seen += 1;
    }
    return seen === nth;
  };
}
