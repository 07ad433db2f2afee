import { Canceled, isCanceled, isPlatformError, type PlatformError } from './errors';

/**
 * Sends a change only once. If the response is lost, `hasHappened` checks whether the change was made. If the check
 * fails or finds nothing, the change fails with the original error.
 */
export async function changeOnce(send: () => Promise<unknown>, hasHappened: () => Promise<boolean>): Promise<void> {
  try {
    await send();
  } catch (error) {
    if (!isPlatformError(error) || !error.isOutcomeUnknown || !(await isSeen(error, hasHappened))) throw error;
  }
}

/** Whether a change that failed or was canceled may still have been made, now or later. */
export function mayHaveHappened(error: unknown): boolean {
  return (isPlatformError(error) || isCanceled(error)) && error.isOutcomeUnknown;
}

async function isSeen({ operation }: PlatformError, hasHappened: () => Promise<boolean>): Promise<boolean> {
  try {
    return await hasHappened();
  } catch (error) {
    // The user stopped waiting. The change is uncertain, not the check.
    if (isCanceled(error)) throw new Canceled(operation, { isOutcomeUnknown: true });
    // The lost response matters more than the error of the check.
    if (isPlatformError(error)) return false;
    throw error;
  }
}
