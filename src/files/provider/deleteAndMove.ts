import { FileChangeType, FileSystemError, l10n, type Uri } from 'vscode';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { type FilePlace, isSameContainer, parentOrSelf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { CallOptions } from '../../platform/client';
import { isPlatformError, type Obstacle } from '../../platform/errors';
import { escapeLinks } from '../../ui/escapeMarkup';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { FileQueue } from '../saving/saves';
import { isNotAFolder } from './fileSystemErrors';
import type { HiddenFiles } from './hiddenFiles';
import type { ListedFolders } from './listedFolders';
import type { Moves } from './moves';
import type { OverwriteBackups } from './overwriteBackups';
import type { FileReader } from './readFile';
import { fileAt } from './statAndList';

/** Something was certainly deleted, with the text that it had if that's known, or got another name in the same container. */
export type Gone = { readonly before: string | undefined } | { readonly movedTo: FilePlace };

/** What to announce once something was deleted. Versions and the edits that a redeploy would discard follow by it. */
interface Deletion {
  readonly place: FilePlace;
  readonly type: FileChangeType.Deleted;
  readonly gone: Gone;
}

interface Changing {
  readonly containers: Containers;
  readonly hidden: HiddenFiles;
  readonly listed: ListedFolders;
  readonly listings: Listings;
  readonly edits: OpenEdits;
  readonly moves: Moves;
  readonly turns: FileQueue;
  readonly backups: OverwriteBackups;
  readonly reading: FileReader;
  /** The longest text of which a version is kept, in bytes; 0 if none is. */
  readonly longestVersionOf: (place: FilePlace) => number;
  readonly announce: {
    /** What the person has changed. */
    readonly altered: (change: Deletion | { readonly place: FilePlace; readonly type: FileChangeType.Created }) => void;
    /** The copy that a failed move has made. */
    readonly copyLeft: (copy: FilePlace) => void;
  };
}

/** Deletes, renames, and copies for the person. Whatever deletes something that may have versions goes through here. */
export function deletesAndMoves(changing: Changing) {
  const { containers, hidden, listings, moves, edits, reading, turns, announce, longestVersionOf } = changing;
  /** Reads a text file that is deleted, so that it can be restored, if the person agreed to keep versions. */
  const textToKeep = async (place: FilePlace): Promise<string | undefined> => {
    const longest = longestVersionOf(place);
    const entry = longest > 0 ? await listings.entry(place) : undefined;
    if (entry?.isDir !== false || (entry.length ?? Infinity) > longest) {
      return undefined;
    }
    const { text } = await reading.read(place);
    return text.includes('\0') ? undefined : text;
  };
  const deleting = async (
    place: FilePlace,
    act: () => Promise<void>,
    { keepsText }: { readonly keepsText: boolean },
  ): Promise<Deletion> => {
    // What can't be read is deleted without a version, as it was asked for.
    const kept = keepsText ? await textToKeep(place).catch(() => undefined) : undefined;
    const before = kept ?? (await edits.textOf(place));
    await act();
    return { place, type: FileChangeType.Deleted, gone: { before } };
  };
  return {
    /**
     * Deletes without VS Code. The caller has the file's turn, and announces what is returned.
     * @param options.keepsText the text isn't elsewhere
     */
    deleteInTurn: (
      place: FilePlace,
      { keepsText = false, ...options }: CallOptions & { readonly keepsText?: boolean } = {},
    ): Promise<Deletion> => deleting(place, () => containers.delete(place, options), { keepsText }),
    delete: async (uri: Uri, { recursive }: { readonly recursive: boolean }): Promise<void> => {
      await hidden.ensureNoneIn(uri);
      const place = fileAt(uri);
      const act = () => remove(place, { recursive }, changing);
      const deletion = await turns.take([place], () => deleting(place, act, { keepsText: true }));
      edits.forgetTexts(place);
      announce.altered(deletion);
    },
    /** Never overwrites: VS Code has already deleted the target, so a file there is from someone else. */
    rename: async (source: Uri, target: Uri): Promise<void> => {
      await hidden.ensureNoneIn(source);
      await transport(source, target, 'Rename', changing, async (from, to) => {
        await moves.rename(from, to);
        edits.renamed(from, to);
        const gone = isSameContainer(from, to) ? { movedTo: to } : { before: undefined };
        announce.altered({ place: from, type: FileChangeType.Deleted, gone });
      });
    },
    copy: (source: Uri, target: Uri): Promise<void> => {
      hidden.ensureShown(source);
      return transport(source, target, 'Copy', changing, (from, to) => moves.copy(from, to));
    },
  };
}

async function remove(
  place: FilePlace,
  { recursive }: { readonly recursive: boolean },
  { containers, listings, listed, backups }: Changing,
): Promise<void> {
  if (place.path === '/') {
    throw FileSystemError.NoPermissions(l10n.t("Couldn't delete /: it's the container's root folder."));
  }
  // The cache may be old, so check again before reporting something as missing or empty.
  const entry = (await listings.entry(place)) ?? (await listings.lookUp(place));
  if (entry === undefined) {
    throw FileSystemError.FileNotFound(uriOf(place));
  }
  if (entry.isDir && !recursive && !(await listed.isEmpty(place))) {
    throw new FileSystemError(escapeLinks(l10n.t("{0} isn't empty.", place.path)));
  }
  if (entry.isDir && recursive) {
    await listed.ensureCopied(place);
  }
  // VS Code always deletes what it overwrites recursively.
  const act = () => containers.delete(place);
  await (recursive ? backups.delete(place, entry, act) : act());
}

async function transport(
  source: Uri,
  target: Uri,
  operation: 'Rename' | 'Copy',
  { hidden, backups, turns, listings, announce }: Changing,
  work: (from: FilePlace, to: FilePlace) => Promise<void>,
): Promise<void> {
  await hidden.make(target, async () => {
    const [from, to] = [fileAt(source), fileAt(target)];
    const act = async () => {
      await backups.takeOut(from, operation);
      await work(from, to);
    };
    try {
      await backups.during(to, 'whole', () => turns.take([from, to], act));
    } catch (error) {
      // After a partial failure, the cached listings are out of date.
      listings.forget(parentOrSelf(from));
      listings.forget(parentOrSelf(to));
      if (isPlatformError(error) && copyLeft.some((obstacle) => obstacle === error.obstacle)) {
        announce.copyLeft(to);
      }
      if (isPlatformError(error) && error.kind === 'exists') {
        throw FileSystemError.FileExists(target);
      }
      // Only a lookup explains why the move failed.
      const isBelowAFile = () => listings.lookUp(from).then(() => false, isNotAFolder);
      throw isNotAFolder(error) && (await isBelowAFile()) ? FileSystemError.FileNotFound(source) : error;
    }
    announce.altered({ place: to, type: FileChangeType.Created });
  });
}

/** With these, a failed move has made the copy. */
const copyLeft = [
  'copyDiffers',
  'copyUnproven',
  'originalKept',
  'originalUncertain',
] as const satisfies readonly Obstacle[];
