import { setTimeout as pause } from 'node:timers/promises';
import { SeededRandom } from '../soak/seededRandom';
import { descendants } from './descendants';

/** The processes of a run that a busy machine lets wait, by their command lines. */
const kinds: readonly RegExp[] = [
  /--type=renderer/,
  /--type=extensionHost/,
  /code-server\/out\/node\/entry|out\/server-main/,
  /testWorker\.ts/,
];

/** In milliseconds. */
const shortest = 300;
const longest = 2_500;

/**
 * Stops random processes that this one started, one at a time and for a moment each, as a busy machine does. Goes on
 * until this process ends, or until it's told to. Doesn't work on Windows.
 */
export async function stallAtRandom(seed: number, end: AbortSignal): Promise<void> {
  console.log(`\nstalls with seed ${seed}`);
  const random = new SeededRandom(seed);
  const stopped = new Set<number>();
  const wake = (): void => stopped.forEach((pid) => signal(pid, 'SIGCONT'));
  process.once('exit', wake);
  end.addEventListener('abort', () => {
    wake();
    process.off('exit', wake);
  });
  for (;;) {
    await pause(500 + random.below(1_500), undefined, { ref: false });
    if (end.aborted) return;
    const all = descendants(process.pid);
    const [first, ...others] = kinds.flatMap((kind) => {
      const [one, ...rest] = all.filter(({ command }) => kind.test(command));
      return one === undefined ? [] : [[one, ...rest] as const];
    });
    if (first === undefined) continue;
    const { pid } = random.pick([...random.pick([first, ...others])]);
    stopped.add(pid);
    signal(pid, 'SIGSTOP');
    await pause(shortest + random.below(longest - shortest), undefined, { ref: false });
    signal(pid, 'SIGCONT');
    stopped.delete(pid);
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended since it was listed.
  }
}
