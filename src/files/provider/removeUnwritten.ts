import { mayHaveHappened } from '../../platform/changeOnce';
import { isPlatformError } from '../../platform/errors';
import type { Containers } from '../../containers/containers';
import type { FilePlace } from '../../containers/place';

/**
 * Deletes the empty file that was created for a write that then failed, unless the write may still arrive. Call it only if the
 * platform confirmed that it created the file.
 */
export async function removeUnwritten(file: FilePlace, failure: unknown, containers: Containers): Promise<void> {
  if (mayHaveHappened(failure)) {
    return;
  }
  try {
    if (await containers.shows(file, undefined, (entry) => entry?.isDir === false && entry.length === 0)) {
      await containers.delete(file);
    }
  } catch (error) {
    // Report why the write failed, not this error.
    if (!isPlatformError(error)) {
      throw error;
    }
  }
}
