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
import { textFlawOf } from '../text';
import { isNotAFolder } from './fileSystemErrors';
import type { HiddenFiles } from './hiddenFiles';
import type { ListedFolders } from './listedFolders';
import type { Moves } from './moves';
import type { OverwriteBackups } from './overwriteBackups';
import { fileAt } from './statAndList';

/**
 * Something was certainly deleted, with the text that it had if that's known, or got another name in the same container.
 * `isRead`: the text was read for the history of versions.
 */
export type Gone = { readonly before: string | undefined; readonly isRead?: true } | { readonly movedTo: FilePlace };

/** What to announce once something was deleted. Versions and the edits that a redeploy would discard follow by it. */
interface Deletion {
  readonly place: FilePlace;
  readonly type: FileChangeType.Deleted;
  readonly gone: Gone;
}

interface ChangeNeeds {
  readonly containers: Containers;
  readonly hidden: HiddenFiles;
  readonly listed: ListedFolders;
  readonly listings: Listings;
  readonly edits: OpenEdits;
  readonly moves: Moves;
  readonly queue: FileQueue;
  readonly backups: OverwriteBackups;
  /** How long the text of a deleted file may be that is kept, in bytes; 0 if none is. */
  readonly longestDeletedText: (place: FilePlace) => number;
  readonly announce: {
    /** What the person has changed. */
    readonly altered: (change: Deletion | { readonly place: FilePlace; readonly type: FileChangeType.Created }) => void;
    /** The copy that a failed move has made. */
    readonly copyLeft: (copy: FilePlace) => void;
  };
}

/** Deletes, renames, and copies for the person. Whatever deletes something that may have versions goes through here. */
export function deletesAndMoves(needs: ChangeNeeds) {
  const { containers, hidden, moves, edits, queue, announce, longestDeletedText } = needs;
  /** Reads a text right before its file is deleted, if it's exactly the file. */
  const textToKeep = async (place: FilePlace, { signal }: CallOptions): Promise<string | undefined> => {
    const longest = longestDeletedText(place);
    const entry = longest > 0 ? await containers.entry(place, { signal }) : undefined;
    if (entry?.isDir !== false || (entry.length ?? Infinity) > longest) {
      return undefined;
    }
    const text = await containers.read(place, { signal });
    return textFlawOf(text, entry) === undefined ? text : undefined;
  };
  const deletion = async (place: FilePlace, act: () => Promise<void>): Promise<Deletion> => {
    const before = await edits.textOf(place);
    await act();
    return { place, type: FileChangeType.Deleted, gone: { before } };
  };
  return {
    /**
     * Deletes without VS Code. The caller has the file's turn, and announces what is returned.
     * @param options.keepsText keeps the text of a file for its versions, if the person agreed to that
     */
    deleteInTurn: async (
      place: FilePlace,
      { keepsText = false, ...options }: CallOptions & { readonly keepsText?: boolean } = {},
    ): Promise<Deletion> => {
      // What can't be read is deleted without a version, as it was asked for.
      const read = keepsText ? await textToKeep(place, options).catch(() => undefined) : undefined;
      const deleted = await deletion(place, () => containers.delete(place, options));
      return read === undefined ? deleted : { ...deleted, gone: { before: read, isRead: true } };
    },
    delete: async (uri: Uri, { recursive }: { readonly recursive: boolean }): Promise<void> => {
      await hidden.ensureNoneIn(uri);
      const place = fileAt(uri);
      const deleted = await queue.take([place], () => deletion(place, () => remove(place, { recursive }, needs)));
      edits.forgetTexts(place);
      announce.altered(deleted);
    },
    /** Never overwrites: VS Code has already deleted the target, so a file there is from someone else. */
    rename: async (source: Uri, target: Uri): Promise<void> => {
      await hidden.ensureNoneIn(source);
      await transport(source, target, 'Rename', needs, async (from, to) => {
        await moves.rename(from, to);
        edits.renamed(from, to);
        const gone = isSameContainer(from, to) ? { movedTo: to } : { before: undefined };
        announce.altered({ place: from, type: FileChangeType.Deleted, gone });
      });
    },
    copy: (source: Uri, target: Uri): Promise<void> => {
      hidden.ensureShown(source);
      return transport(source, target, 'Copy', needs, (from, to) => moves.copy(from, to));
    },
  };
}

async function remove(
  place: FilePlace,
  { recursive }: { readonly recursive: boolean },
  { containers, listings, listed, backups }: ChangeNeeds,
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
  { hidden, backups, queue, listings, announce }: ChangeNeeds,
  work: (from: FilePlace, to: FilePlace) => Promise<void>,
): Promise<void> {
  await hidden.create(target, async () => {
    const [from, to] = [fileAt(source), fileAt(target)];
    const act = async () => {
      await backups.takeOut(from, operation);
      await work(from, to);
    };
    try {
      await backups.during(to, 'whole', () => queue.take([from, to], act));
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
