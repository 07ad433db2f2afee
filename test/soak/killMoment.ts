import type { Journal, JournalEntry } from '../localPlatform/journal';
import type { SeededRandom } from './seededRandom';

/** The calls by which a window stores or deletes a text on this machine's disk. */
const diskCalls = ['mkdir', 'writeFile', 'chmod', 'rename', 'rm'] as const;

/** The window kills itself at its nth call of this name. With `midway`, it writes half of the file first. */
export interface KillOnDiskCall {
  readonly at: 'disk';
  readonly call: (typeof diskCalls)[number];
  readonly nth: number;
  readonly when: 'before' | 'midway' | 'after';
}

/** The window is killed when the nth request for one of its files arrives at the platform, or when the platform has handled it. */
interface KillOnRequest {
  readonly at: 'arrival' | 'response';
  readonly folder: string;
  readonly nth: number;
}

/** When a window is killed. A window that finishes earlier is killed then. */
export type KillMoment = KillOnDiskCall | KillOnRequest | { readonly at: 'end' };

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

/** Settles when the platform's journal shows that the moment has come. Never settles for moments that only the window can detect. */
export async function waitForMoment(moment: KillMoment, journal: Journal): Promise<void> {
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
