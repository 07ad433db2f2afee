import { l10n } from 'vscode';
import type { Listing } from '../containers/listingCache';
import { type FilePlace, nameOf } from '../containers/place';
import { confirmChange } from '../containers/protectedPrompt';
import { mayNotBeListed } from '../files/text';
import { versionOf } from '../files/transfers/containerFolder';
import { type ListingDifference, listingDifferences } from '../files/watching/listingDifferences';
import { undefinedIf } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import { modalLines } from '../ui/modalLines';
import { withProgress } from '../ui/progress';
import type { FileTreeDeps } from './fileTreeDeps';

/** What this window last listed of a place: its entry, and the entries below a folder. */
interface Shown {
  readonly place: FilePlace;
  readonly entry: FileEntry | undefined;
  readonly below: Listing | undefined;
  /** How many changes this window had made. */
  readonly ownChanges: number;
}

export function shownAt(place: FilePlace, { listings, queue }: FileTreeDeps): Shown {
  return {
    ...{ place, entry: listings.lastListed(place), below: listings.lastListing(place) },
    ownChanges: queue.endedChanges(place),
  };
}

/** Asks again if something to delete was changed by others since it was listed, as far as listings show it. */
export async function confirmChanged(shown: readonly Shown[], deps: FileTreeDeps): Promise<boolean> {
  const { environments, queue } = deps;
  const found = await withProgress(l10n.t('Checking for changes'), () =>
    Promise.all(
      shown.map((one) =>
        // A running save comes first.
        queue.take([one.place], async () => ((await isChanged(one, deps)) ? [one.place] : [])),
      ),
    ),
  );
  const changed = found.flat();
  if (changed.length === 0) {
    return true;
  }
  const question =
    changed.length === 1
      ? l10n.t('“{0}” was changed in the meantime. Delete it anyway?', changed.map(nameOf).join())
      : l10n.t('{0} items were changed in the meantime. Delete them anyway?', changed.length);
  const paragraphs = [modalLines(changed.map(({ path }) => path))];
  return confirmChange(changed, environments, { question, paragraphs, button: l10n.t('Delete Anyway') });
}

async function isChanged(
  { place, entry, below, ownChanges }: Shown,
  { listings, queue }: FileTreeDeps,
): Promise<boolean> {
  if (queue.endedChanges(place) > ownChanges) {
    return false;
  }
  try {
    const [now, belowNow] = await Promise.all([
      entry && listings.lookUp(place),
      below && undefinedIf('notFound', listings.refresh(place)),
    ]);
    const isOther = now?.isDir === false && entry?.isDir === false && versionOf(now) !== versionOf(entry);
    return isOther || (belowNow !== undefined && listingDifferences(below ?? new Map(), belowNow).some(isGain));
  } catch (error) {
    if (mayNotBeListed(error)) {
      return false;
    }
    throw error;
  }
}

/** What others have deleted can't be lost anymore. */
function isGain({ kind }: ListingDifference): boolean {
  return kind !== 'deleted';
}
