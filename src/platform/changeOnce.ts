import { Cancelled, isCancelled, isPlatformError } from './errors';
import type { PlatformError } from './errors';

/**
 * Sends a change once, and never again. If its answer is lost, `hasHappened` looks whether it took place. If that can't
 * be seen, the change fails as its answer did.
 */
export async function changeOnce(send: () => Promise<unknown>, hasHappened: () => Promise<boolean>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isAnswerLost(error) || !(await isSeen(error, hasHappened))) throw error;
  }
}

/** Whether a change that failed may have taken place. */
export function isAnswerLost(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.fateUnknown;
}

async function isSeen({ operation }: PlatformError, hasHappened: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hasHappened();
  } catch (error) {
    // The person stopped waiting: what is still open is the change, not the look.
    if (isCancelled(error)) throw new Cancelled(operation, { fateUnknown: true });
    // The lost answer matters more than why nobody could look.
    if (isPlatformError(error)) return false;
    throw error;
  }
}
