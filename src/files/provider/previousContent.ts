import { randomUUID } from 'node:crypto';
import { mayHaveHappened } from '../../platform/lostReply';
import { isPlatformError, undefinedIf } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import {
  childOf,
  failedObjectAt,
  type FilePlace,
  isInSameNodes,
  isPathWithin,
  keyOf,
  nameOf,
  parentOrSelf,
} from '../../containers/place';
import { failed } from '../../platform/failureTexts';
import type { OpenEdits } from '../saving/edits/openEdits';
import type { Backup, Backups } from '../saving/backups';
import type { Moves } from './moves';
import { BoundedMap } from '../boundedMap';
import { textFlawOf } from '../text';

/** The content of a place before VS Code deleted it. A place may have had several. */
export type PreviousContent =
  | (Recorded & { readonly kind: 'text'; readonly text: string })
  /** It was renamed to this name. */
  | MovedContent;

interface Recorded {
  readonly id: string;
  /** Another window's record of it, if this window can't store its own. */
  readonly record?: Backup;
}

interface MovedContent extends Recorded {
  readonly kind: 'moved';
  readonly movedTo: FilePlace;
  /** Where it may be instead, in full or in part, because a rename out of a folder may have happened. */
  readonly others: MovedContent[];
}

/** Everything that may hold the content on the platform. */
export function movedContentsOf(content: PreviousContent): readonly MovedContent[] {
  return content.kind === 'moved' ? [content, ...content.others] : [];
}

export function isBelow(place: FilePlace, folder: FilePlace): boolean {
  return place.path !== folder.path && isPathWithin(place.path, folder.path) && isInSameNodes(place, folder);
}

export interface FailedRemoval {
  readonly place: FilePlace;
  /** The remaining content. */
  readonly left: FilePlace;
  readonly error: unknown;
}

export interface PreviousContentsDeps {
  readonly containers: Containers;
  readonly listings: Listings;
  readonly moves: Pick<Moves, 'rename'>;
  readonly edits: Pick<OpenEdits, 'isNewText'>;
  /** The stored backups of overwrites. Those of edits are in another folder. */
  readonly overwritten: Backups;
}

/** A longer file is renamed instead of read. */
const longestText = 5 * 1024 * 1024;

const maxRefused = 10;

/** Keeps what VS Code deletes: the text of a small file, anything else under another name. */
export class PreviousContents {
  /** Those under another name that only wait to be deleted, by the keys of their names. */
  private readonly hidden = new Set<string>();
  /** Texts that weren't deleted, because someone else wrote them. Trying again deletes them. */
  private readonly refused = new BoundedMap<string, string>(maxRefused);

  constructor(private readonly deps: PreviousContentsDeps) {}

  isHidden(place: FilePlace): boolean {
    return this.hidden.has(keyOf(place));
  }

  hide(content: PreviousContent): void {
    movedContentsOf(content).forEach(({ movedTo }) => this.hidden.add(keyOf(movedTo)));
  }

  show(content: PreviousContent): void {
    for (const { movedTo } of movedContentsOf(content)) {
      this.hidden.delete(keyOf(movedTo));
      this.deps.listings.forget(parentOrSelf(movedTo));
    }
  }

  /**
   * Deletes a place. Returns what was there, or undefined if it couldn't be kept. Rejects if it's a text from someone else
   * that this window hasn't read.
   */
  async takeAway(
    place: FilePlace,
    entry: FileEntry,
    remove: () => Promise<void>,
  ): Promise<PreviousContent | undefined> {
    const id = randomUUID();
    const text = await this.textOf(place, entry);
    const isShown = this.refused.get(keyOf(place)) === text;
    if (text !== undefined && !isShown && this.deps.edits.isNewText({ place, text })) {
      this.refused.set(keyOf(place), text);
      throw failed({
        kind: 'conflict',
        operation: 'Delete',
        target: place.path,
        object: failedObjectAt(place),
        obstacle: 'changedMeanwhile',
      });
    }
    // A file name is limited to 255 bytes.
    const name = `.${nameOf(place).slice(0, 50)}.${id.slice(0, 8)}~`;
    const content: PreviousContent =
      text === undefined
        ? { id, kind: 'moved', movedTo: childOf(parentOrSelf(place), name), others: [] }
        : { id, kind: 'text', text };
    try {
      await this.store(place, content);
      await (content.kind === 'text' ? remove() : this.deps.containers.rename(place, content.movedTo));
      return content;
    } catch (error) {
      if (mayHaveHappened(error)) {
        // The change may still arrive, and what is stored is then the only record of the content.
        throw error;
      }
      await this.deps.overwritten.drop(place, id);
      if (text !== undefined || !isPlatformError(error) || error.kind !== 'tokenLacksMethod') {
        throw error;
      }
      // If renaming isn't allowed, delete it directly.
      await remove();
      return undefined;
    }
  }

  /**
   * Moves what was renamed out of a folder, from each name in it that it may have. Until that has worked, the next window
   * finds all the names on disk.
   */
  async takeOut(place: FilePlace, content: PreviousContent, folder: FilePlace): Promise<PreviousContent> {
    const all = movedContentsOf(content);
    const sources = all.filter(({ movedTo }) => isBelow(movedTo, folder));
    const [first] = sources;
    if (content.kind !== 'moved' || first === undefined) {
      return content;
    }
    const { overwritten, moves } = this.deps;
    const { path } = childOf(parentOrSelf(folder), nameOf(first.movedTo));
    const earlier = all.find((one) => one.movedTo.path === path);
    const moved = earlier ?? { ...content, id: randomUUID(), movedTo: { ...first.movedTo, path } };
    const stored = await this.store(place, moved);
    this.hide(moved);
    for (const source of sources) {
      try {
        if (sources.length === 1 || !(await this.isGone(source))) {
          await moves.rename(source.movedTo, moved.movedTo);
        }
      } catch (error) {
        if (!(await this.wasGone(source, error))) {
          if (earlier === undefined) {
            await this.noteUnlessGone(place, content, moved, error);
          }
          throw error;
        }
      }
    }
    const left = { ...moved, others: all.filter((one) => one !== moved && !sources.includes(one)) };
    this.show(content);
    this.hide(left);
    if (stored === 'failed') {
      // The disk is full. The record of the old name is better than none.
      return { ...left, id: first.id };
    }
    for (const { id } of sources) {
      await overwritten.drop(place, id);
    }
    return left;
  }

  /** Stores the backup on disk, so that nothing is lost if the window closes halfway. */
  store(place: FilePlace, content: PreviousContent): ReturnType<Backups['keep']> {
    const stored = content.kind === 'text' ? { text: content.text } : { text: undefined, movedTo: content.movedTo };
    return this.deps.overwritten.keep({
      place,
      id: content.id,
      base: { kind: 'unknown' },
      reportedStat: undefined,
      ...stored,
    });
  }

  /**
   * Deletes what was moved aside.
   *
   * @param unproven what's reported as left if the platform doesn't say whether it exists
   */
  async remove(place: FilePlace, movedTo: FilePlace, unproven?: FilePlace): Promise<FailedRemoval | undefined> {
    const { containers, listings } = this.deps;
    try {
      await containers.delete(movedTo);
      return undefined;
    } catch (error) {
      // A lookup doesn't find it either while it's hidden.
      this.hidden.delete(keyOf(movedTo));
      const left = await this.left(place, movedTo, error, unproven);
      return left && { place, left, error };
    } finally {
      this.hidden.delete(keyOf(movedTo));
      // After `takeOut`, these are two folders.
      [place, movedTo].forEach((one) => listings.forget(parentOrSelf(one)));
    }
  }

  /**
   * Whether a move failed because the content was moved before, or because someone else has deleted it, which doesn't concern
   * the folder around it. On a layer, another node may still have it.
   */
  private async wasGone(content: MovedContent, error: unknown): Promise<boolean> {
    return isPlatformError(error) && error.kind === 'notFound' && (await this.isGone(content));
  }

  private async isGone({ movedTo }: MovedContent): Promise<boolean> {
    const { containers } = this.deps;
    const shown = containers.shows(movedTo, undefined, (entry) => entry === undefined);
    return (await undefinedIf('any', shown)) === true;
  }

  /** After a failed move, the content may have both names. */
  private async noteUnlessGone(
    place: FilePlace,
    content: MovedContent,
    moved: MovedContent,
    error: unknown,
  ): Promise<void> {
    if (mayHaveHappened(error) || !(await this.isGone(moved))) {
      content.others.push(moved);
    } else {
      this.hidden.delete(keyOf(moved.movedTo));
      await this.deps.overwritten.drop(place, moved.id);
    }
  }

  /** Returns the text of a small regular file on one node, if it's exactly the file's content. */
  private async textOf(place: FilePlace, entry: FileEntry): Promise<string | undefined> {
    const { isDir, fileType = 'regular file', length } = entry;
    const isSmall = length !== undefined && length <= longestText;
    if (isDir || fileType !== 'regular file' || !isSmall || place.target.nodeId === undefined) {
      return undefined;
    }
    try {
      const text = await this.deps.containers.read(place);
      return textFlawOf(text, entry) === undefined ? text : undefined;
    } catch {
      // It's being deleted, so it doesn't matter why it can't be read.
      return undefined;
    }
  }

  /** Returns the remaining content's place, if any. Doesn't move it while the delete may still be running. */
  private async left(
    place: FilePlace,
    movedTo: FilePlace,
    error: unknown,
    unproven: FilePlace | undefined,
  ): Promise<FilePlace | undefined> {
    const { containers, listings } = this.deps;
    const isCertain = isPlatformError(error) && !error.isOutcomeUnknown;
    let left = unproven;
    try {
      if ((await listings.lookUp(movedTo)) === undefined) {
        return undefined;
      }
      left = movedTo;
      // Some platforms replace the target of a rename.
      if (isCertain && (await containers.shows(place, undefined, (entry) => entry === undefined))) {
        await containers.rename(movedTo, place);
        return place;
      }
    } catch {
      // The platform can't be reached, or another file got this name just now.
    }
    return left;
  }
}
