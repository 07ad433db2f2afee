import { isAnswerLost } from '../../platform/changeOnce';
import { isCancelled, isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { FilePlace } from '../../containers/place';

/** Removes the empty file that was made for a text whose write then failed. One that may still be written stays. */
export async function removeUnwritten(file: FilePlace, failure: unknown, containers: Containers): Promise<void> {
  if (isAnswerLost(failure) || (isCancelled(failure) && failure.fateUnknown)) {
    return;
  }
  try {
    if (await containers.shows(file, undefined, (entry) => entry?.isDir === false && entry.length === 0)) {
      await containers.delete(file);
    }
  } catch (error) {
    // What is to be told is why the write failed.
    if (!isPlatformError(error)) {
      throw error;
    }
  }
}
