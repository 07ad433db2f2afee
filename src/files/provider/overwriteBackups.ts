import { randomUUID } from 'node:crypto';
import { type Disposable, EventEmitter } from 'vscode';
import { isPlatformError } from '../../platform/errors';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';
import { childOf, type FilePlace, keyOf, nameOf, parentOf } from '../../containers/place';
import type { Backup } from '../saving/backups';
import type { Backups } from '../saving/backups';
import { textFlawOf } from '../text';

/** What was at a place before VS Code deleted it. */
export type PreviousContent =
  | { readonly kind: 'text'; readonly text: string }
  /** It was moved to this name in the same folder. */
  | { readonly kind: 'aside'; readonly aside: FilePlace };

export interface FailedOverwrite {
  readonly place: FilePlace;
  readonly backup: PreviousContent;
  /** A window ended before it was replaced or deleted. */
  readonly isInterrupted: boolean;
}

export interface FailedRemoval {
  readonly place: FilePlace;
  /** What is left of it. */
  readonly left: FilePlace;
  readonly error: unknown;
}

export interface OverwriteBackupsDeps {
  readonly containers: Containers;
  readonly listings: Listings;
  /** Stores only these backups. Those of edits are in another folder. */
  readonly kept: Backups;
  notKept(error: unknown): void;
  /** How long after a delete VS Code may still begin to put something in its place, in milliseconds. */
  readonly lifetime: () => number;
}

interface Deleted {
  readonly place: FilePlace;
  readonly backup: PreviousContent;
  timer: NodeJS.Timeout | undefined;
  /** Changes under way that may be the second half of an overwrite. */
  underWay: number;
  state: 'waiting' | 'replaced' | 'failed';
  /** A folder has its name again, to be filled from elsewhere. */
  isRefilled: boolean;
}

/** A longer file is moved aside. */
const longestText = 5 * 1024 * 1024;

/**
 * When VS Code moves or copies something over a file or folder, it deletes the target first and never says that more is to follow.
 * So everything it deletes is kept for a few seconds: the text of a small file, anything else under another name.
 */
export class OverwriteBackups implements Disposable {
  private readonly deleted = new Map<string, Deleted>();
  /** Backups that are being deleted, by the keys of their names. */
  private readonly hidden = new Set<string>();
  private readonly removals = new Set<Promise<void>>();
  private readonly failedOverwrite = new EventEmitter<FailedOverwrite>();
  private readonly failedRemoval = new EventEmitter<FailedRemoval>();
  /** What was to replace the place didn't arrive. Its previous content is kept. */
  readonly onDidFailToOverwrite = this.failedOverwrite.event;
  /** What was deleted, as VS Code was told, couldn't be removed. */
  readonly onDidFailToRemove = this.failedRemoval.event;

  private readonly gone = new EventEmitter<FilePlace>();
  /** Nothing is kept of the place any more. */
  readonly onDidLetGo = this.gone.event;

  constructor(private readonly deps: OverwriteBackupsDeps) {}

  /** Whether it is only there until nothing can need it any more. Such names aren't shown. */
  isBackup(place: FilePlace): boolean {
    return this.hidden.has(keyOf(place));
  }

  /** Deletes, and keeps what was there for a while. */
  async delete(place: FilePlace, entry: FileEntry, remove: () => Promise<void>): Promise<void> {
    const text = await this.textOf(place, entry);
    if (text !== undefined) {
      await remove();
      this.remember(place, { kind: 'text', text });
      return;
    }
    // A name has at most 255 bytes.
    const name = `.${nameOf(place).slice(0, 50)}.${randomUUID().slice(0, 8)}~`;
    const aside = childOf(parentOf(place) ?? place, name);
    const backup: PreviousContent = { kind: 'aside', aside };
    try {
      await this.store(place, backup);
      await this.deps.containers.rename(place, aside);
    } catch (error) {
      if (isPlatformError(error) && error.fateUnknown) {
        // The change may still arrive, and the stored name is the only record of the backup.
        throw error;
      }
      await this.letGo({ place });
      if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod') {
        throw error;
      }
      // Without the right to rename, it's deleted directly.
      await remove();
      return;
    }
    this.remember(place, backup);
  }

  /**
   * Does what may be the second half of an overwrite. `part` of it, such as one file of a folder, leaves the backup in place;
   * `whole` ends it.
   */
  async during<T>(place: FilePlace, extent: 'whole' | 'part', act: () => Promise<T>): Promise<T> {
    const deleted = this.find(place);
    const isWhole = extent === 'whole' && deleted !== undefined && keyOf(place) === keyOf(deleted.place);
    if (deleted === undefined || (isWhole && deleted.isRefilled)) {
      return act();
    }
    deleted.underWay += 1;
    clearTimeout(deleted.timer);
    try {
      if (deleted.backup.kind === 'text') {
        await this.store(deleted.place, deleted.backup);
      }
      const done = await act();
      if (isWhole && deleted.state === 'waiting') {
        deleted.state = 'replaced';
      }
      deleted.isRefilled ||= !isWhole;
      return done;
    } catch (error) {
      this.fail(deleted);
      throw error;
    } finally {
      deleted.underWay -= 1;
      this.goOn(deleted);
    }
  }

  /** Offers what windows have left that ended in the middle. */
  async offerLeft(isHeldElsewhere: (kept: Backup) => Promise<boolean>): Promise<void> {
    const { kept } = this.deps;
    for (const one of await kept.list()) {
      if (kept.isOurs(one) || (await isHeldElsewhere(one))) {
        continue;
      }
      const { place, text, aside } = one;
      const backup: PreviousContent | undefined =
        aside !== undefined ? { kind: 'aside', aside } : text !== undefined ? { kind: 'text', text } : undefined;
      if (backup !== undefined) {
        await this.store(place, backup);
        this.failedOverwrite.fire({ place, backup, isInterrupted: true });
      }
      await kept.discard(one);
    }
  }

  /** Drops the stored backup, which was restored or is no longer needed. */
  async letGo({ place }: Pick<FailedOverwrite, 'place'>): Promise<void> {
    await this.deps.kept.drop(place).catch((error: unknown) => this.deps.notKept(error));
    this.gone.fire(place);
  }

  /** Removes every backup now, except those that a change under way may still need: the window is about to close. */
  async settled(): Promise<void> {
    for (const deleted of [...this.deleted.values()].filter(({ underWay }) => underWay === 0)) {
      this.end(deleted);
    }
    await Promise.all(this.removals);
  }

  dispose(): void {
    this.failedOverwrite.dispose();
    this.failedRemoval.dispose();
    this.gone.dispose();
  }

  /** Of one small regular file on one node, if the text is exactly what it holds. */
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
      // Why it can't be read doesn't matter to somebody who deletes it.
      return undefined;
    }
  }

  private remember(place: FilePlace, backup: PreviousContent): void {
    const before = this.deleted.get(keyOf(place));
    if (before !== undefined) {
      this.end(before);
    }
    if (backup.kind === 'aside') {
      this.hidden.add(keyOf(backup.aside));
    }
    const deleted: Deleted = {
      ...{ place, backup, timer: undefined, underWay: 0 },
      ...{ state: 'waiting', isRefilled: false },
    };
    this.deleted.set(keyOf(place), deleted);
    this.goOn(deleted);
  }

  private goOn(deleted: Deleted): void {
    if (deleted.underWay > 0 || this.deleted.get(keyOf(deleted.place)) !== deleted) {
      return;
    }
    if (deleted.state === 'replaced') {
      this.end(deleted);
    } else {
      clearTimeout(deleted.timer);
      deleted.timer = setTimeout(() => this.end(deleted), this.deps.lifetime());
    }
  }

  /** The previous content stays until the person decides. */
  private fail(deleted: Deleted): void {
    if (deleted.state === 'failed') {
      return;
    }
    deleted.state = 'failed';
    this.forget(deleted);
    if (deleted.backup.kind === 'aside') {
      this.hidden.delete(keyOf(deleted.backup.aside));
    }
    this.failedOverwrite.fire({ place: deleted.place, backup: deleted.backup, isInterrupted: false });
  }

  private forget(deleted: Deleted): void {
    if (this.deleted.get(keyOf(deleted.place)) === deleted) {
      this.deleted.delete(keyOf(deleted.place));
    }
  }

  /** Nothing can need it any more. */
  private end(deleted: Deleted): void {
    clearTimeout(deleted.timer);
    this.forget(deleted);
    const removal = this.remove(deleted).finally(() => this.removals.delete(removal));
    this.removals.add(removal);
  }

  private async remove({ place, backup }: Deleted): Promise<void> {
    if (backup.kind === 'aside') {
      await this.removeAside(place, backup.aside);
    }
    await this.letGo({ place });
  }

  private async removeAside(place: FilePlace, aside: FilePlace): Promise<void> {
    const { containers, listings } = this.deps;
    try {
      await containers.delete(aside);
    } catch (error) {
      this.hidden.delete(keyOf(aside));
      const left = await this.left(place, aside, error);
      if (left !== undefined) {
        this.failedRemoval.fire({ place, left, error });
      }
    } finally {
      this.hidden.delete(keyOf(aside));
      listings.forget(parentOf(place) ?? place);
    }
  }

  /** Returns where the rest of it is, if there is any. A delete whose answer was lost may still be under way: nothing is moved then. */
  private async left(place: FilePlace, aside: FilePlace, error: unknown): Promise<FilePlace | undefined> {
    const isCertain = isPlatformError(error) && !error.fateUnknown;
    try {
      if ((await this.deps.listings.lookUp(aside)) === undefined) {
        return undefined;
      }
      if (isCertain) {
        await this.deps.containers.rename(aside, place);
        return place;
      }
    } catch {
      // Something else has its name by now, or the platform can't be reached.
    }
    return aside;
  }

  private find(place: FilePlace): Deleted | undefined {
    const key = keyOf(place);
    return [...this.deleted].find(([deleted]) => key === deleted || key.startsWith(`${deleted}/`))?.[1];
  }

  /** So that a window that ends in the middle loses nothing. */
  private async store(place: FilePlace, backup: PreviousContent): Promise<void> {
    const content = backup.kind === 'text' ? { text: backup.text } : { text: undefined, aside: backup.aside };
    try {
      await this.deps.kept.keep({ place, base: { kind: 'unknown' }, told: undefined, ...content });
    } catch (error) {
      this.deps.notKept(error);
    }
  }
}
