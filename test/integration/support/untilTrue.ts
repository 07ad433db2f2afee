import { setTimeout as pause } from 'node:timers/promises';
import { limit, TimeoutError } from '../../host/limits';

/** Waits for a state that no event reports. Pauses in between, because VS Code needs the processor to get there. */
export async function untilTrue(isSo: () => boolean, problem: () => string): Promise<void> {
  const deadline = Date.now() + limit(10_000);
  while (!isSo()) {
    if (Date.now() > deadline) throw new TimeoutError(problem());
    await pause(5);
  }
}
