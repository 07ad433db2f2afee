import { Disposable, l10n } from 'vscode';
import type { Listing } from '../../containers/listingCache';
import type { Listings } from '../../containers/listings';
import { childOf, type FilePlace, isInSameNodes, isPathWithin, nameOf } from '../../containers/place';
import { confirmChange } from '../../ui/commands/protectedPrompt';
import { mayNotBeListed } from '../../files/text';
import { listingDifferences } from '../../files/watching/listingDifferences';
import { isPlatformError, type PlatformError, undefinedIf } from '../../platform/errors';
import { type FileEntry, isSameEntry } from '../../platform/wire/fileEntry';
import { reasonText } from '../../ui/failureMessages';
import { modalLines } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import type { Services } from '../../services';

/** What this window last listed of a place: its entry, and the entries below a folder. */
interface Shown {
  readonly place: FilePlace;
  readonly entry: FileEntry | undefined;
  readonly below: Listing | undefined;
}

/** A place that was changed, or the error for which that isn't known. */
interface Doubt {
  readonly place: FilePlace;
  readonly error: PlatformError | undefined;
}

/** Remembers what this window last listed of places to delete, and what it changes itself until the question is answered. */
export function rememberShown(places: readonly FilePlace[], services: Services) {
  const { listings, fileSystem } = services;
  const shown = places.map((place): Shown => {
    const [entry, below] = [listings.lastListed(place), listings.lastListing(place)];
    return { place, entry, below };
  });
  const own: FilePlace[] = [];
  const noting = Disposable.from(
    fileSystem.onDidSave(({ place }) => own.push(place)),
    fileSystem.onDidAlter((altered) => own.push(...altered.map(({ place }) => place))),
  );
  return {
    confirmChanged: () => confirmChanged(shown, own, services),
    dispose: () => {
      noting.dispose();
    },
  };
}

/**
 * Asks again if something to delete was changed by others since it was listed, as far as listings show it, or if it
 * can't be listed anymore.
 */
async function confirmChanged(
  shown: readonly Shown[],
  own: readonly FilePlace[],
  { environments, listings, queue }: Services,
): Promise<boolean> {
  const places = shown.map(({ place }) => place);
  const doubts = await withProgress(l10n.t('Checking for changes'), () =>
    // A running save comes first.
    queue.take(places, async () => Promise.all(shown.map((one) => doubtAbout(one, own, listings)))),
  );
  const changed = doubts.flatMap((doubt) => (doubt !== undefined && doubt.error === undefined ? [doubt.place] : []));
  const unchecked = doubts.flatMap((doubt) => (doubt?.error === undefined ? [] : [doubt]));
  if (changed.length + unchecked.length === 0) {
    return true;
  }
  return confirmChange([...changed, ...unchecked.map(({ place }) => place)], environments, {
    question: changed.length === 0 ? uncheckedText(unchecked) : changedText(changed),
    paragraphs: [
      changed.length === 0 ? undefined : modalLines(changed.map(({ path }) => path)),
      changed.length === 0 || unchecked.length === 0 ? undefined : uncheckedText(unchecked),
      unchecked.length === 0 ? undefined : modalLines(unchecked.map(({ place }) => place.path)),
    ],
    button: l10n.t('Delete Anyway'),
  });
}

async function doubtAbout(shown: Shown, own: readonly FilePlace[], listings: Listings): Promise<Doubt | undefined> {
  const { place } = shown;
  try {
    return (await isChanged(shown, own, listings)) ? { place, error: undefined } : undefined;
  } catch (error) {
    if (!isPlatformError(error)) {
      throw error;
    }
    return mayNotBeListed(error) ? undefined : { place, error };
  }
}

/**
 * Whether others have changed the place.
 * @param own what this window has changed
 */
async function isChanged(
  { place, entry, below }: Shown,
  own: readonly FilePlace[],
  listings: Listings,
): Promise<boolean> {
  const [now, belowNow] = await Promise.all([
    entry && listings.lookUp(place),
    below && undefinedIf('notFound', listings.refresh(place)),
  ]);
  const isOther = now !== undefined && entry !== undefined && (now.isDir ? !entry.isDir : !isSameEntry(now, entry));
  // What others have deleted can't be lost anymore.
  const gains = listingDifferences(below ?? new Map(), belowNow ?? new Map()).filter(({ kind }) => kind !== 'deleted');
  // Something in it, or a folder that contains it, counts, too.
  const isOwn = (one: FilePlace) =>
    own.some(
      (changed) =>
        isInSameNodes(changed, one) && (isPathWithin(changed.path, one.path) || isPathWithin(one.path, changed.path)),
    );
  return (isOther && !isOwn(place)) || gains.some(({ name }) => !isOwn(childOf(place, name)));
}

function changedText(places: readonly FilePlace[]): string {
  return places.length === 1
    ? l10n.t('“{0}” was changed in the meantime. Delete it anyway?', places.map(nameOf).join())
    : l10n.t('{0} items were changed in the meantime. Delete them anyway?', places.length);
}

function uncheckedText(doubts: readonly Doubt[]): string {
  const reasons = [...new Set(doubts.map(({ error }) => reasonText(error)))].join(' · ');
  return doubts.length === 1
    ? l10n.t("Couldn't check whether “{0}” changed: {1}.", doubts.map(({ place }) => nameOf(place)).join(), reasons)
    : l10n.t("Couldn't check whether {0} items changed: {1}.", doubts.length, reasons);
}
