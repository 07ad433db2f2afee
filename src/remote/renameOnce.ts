import { isPlatformError } from '../platform/errors';
import type { Containers } from './containers';
import type { Listings } from './listings';
import type { FilePlace } from './place';

/** Renames within one container. If the answer is lost, two lookups tell whether it happened; it is never sent twice. */
export async function renameOnce(
  from: FilePlace,
  to: FilePlace,
  { containers, listings }: { readonly containers: Containers; readonly listings: Listings },
): Promise<void> {
  try {
    await containers.rename(from, to);
  } catch (error) {
    if (!isPlatformError(error) || !error.fateUnknown) {
      throw error;
    }
    const [source, target] = await Promise.all([listings.lookUp(from), listings.lookUp(to)]);
    if (source !== undefined || target === undefined) {
      throw error;
    }
  }
}
