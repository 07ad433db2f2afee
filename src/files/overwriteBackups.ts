import { randomUUID } from 'node:crypto';
import { type Disposable, EventEmitter } from 'vscode';
import { isPlatformError } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { Containers } from '../remote/containers';
import type { Listings } from '../remote/listings';
import { childOf, type FilePlace, keyOf, nameOf, parentOf } from '../remote/place';
import { renameOnce } from '../remote/renameOnce';
import type { KeptTexts } from './saving/keptTexts';
import { flawOf } from './text';

/** What was at a place before VS Code deleted it. */
export type Backup =
  | { readonly kind: 'text'; readonly text: string }
  /** It was moved to this name in the same folder. */
  | { readonly kind: 'aside'; readonly aside: FilePlace };

export interface FailedOverwrite {
  readonly place: FilePlace;
  readonly backup: Backup;
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
  readonly kept: Pick<KeptTexts, 'keep' | 'drop'>;
  notKept(error: unknown): void;
  /** How long after a delete VS Code may still begin to put something in its place, in milliseconds. */
  readonly lifetime: () => number;
}

interface Deleted {
  readonly place: FilePlace;
  readonly backup: Backup;
  timer: NodeJS.Timeout;
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
  private readonly removals = new Set<Promise<void>>();
  private readonly failedOverwrite = new EventEmitter<FailedOverwrite>();
  private readonly failedRemoval = new EventEmitter<FailedRemoval>();
  /** What was to replace the place didn't arrive. Its previous content is kept. */
  readonly onDidFailToOverwrite = this.failedOverwrite.event;
  /** What was deleted, as VS Code was told, couldn't be removed. */
  readonly onDidFailToRemove = this.failedRemoval.event;

  constructor(private readonly deps: OverwriteBackupsDeps) {}

  /** Whether it is only there until nothing can need it any more. Such names aren't shown. */
  isBackup(place: FilePlace): boolean {
    return [...this.deleted.values()].some(
      ({ backup }) => backup.kind === 'aside' && keyOf(backup.aside) === keyOf(place),
    );
  }

  /** Deletes, and keeps what was there for a while. */
  async delete(place: FilePlace, entry: FileEntry, remove: () => Promise<void>): Promise<void> {
    const text = await this.textOf(place, entry);
    if (text !== undefined) {
      await remove();
      this.remember(place, { kind: 'text', text });
      return;
    }
    const aside = childOf(parentOf(place) ?? place, `.${nameOf(place)}.${randomUUID().slice(0, 8)}~`);
    try {
      await renameOnce(place, aside, this.deps);
    } catch (error) {
      if (isPlatformError(error) && error.fateUnknown) {
        throw error;
      }
      // Who may not rename may still delete.
      await remove();
      return;
    }
    this.remember(place, { kind: 'aside', aside });
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
    clearTimeout(deleted.timer);
    if (deleted.backup.kind === 'text') {
      await this.keepOnDisk(deleted.place, deleted.backup.text);
    }
    try {
      const done = await act();
      if (isWhole) {
        this.end(deleted);
      } else {
        deleted.isRefilled = true;
        this.endLater(deleted);
      }
      return done;
    } catch (error) {
      this.deleted.delete(keyOf(deleted.place));
      this.failedOverwrite.fire({ place: deleted.place, backup: deleted.backup });
      throw error;
    }
  }

  /** The content was restored. */
  async letGo({ place, backup }: FailedOverwrite): Promise<void> {
    if (backup.kind === 'text') {
      await this.deps.kept.drop(place).catch((error: unknown) => this.deps.notKept(error));
    }
  }

  /** Removes every backup now: the window is about to close. */
  async settled(): Promise<void> {
    for (const deleted of [...this.deleted.values()]) {
      this.end(deleted);
    }
    await Promise.all(this.removals);
  }

  dispose(): void {
    this.failedOverwrite.dispose();
    this.failedRemoval.dispose();
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
      return flawOf(text, entry) === undefined ? text : undefined;
    } catch {
      // Why it can't be read doesn't matter to somebody who deletes it.
      return undefined;
    }
  }

  private remember(place: FilePlace, backup: Backup): void {
    const before = this.find(place);
    if (before !== undefined && keyOf(before.place) === keyOf(place)) {
      this.end(before);
    }
    const deleted = { place, backup, timer: setTimeout(() => undefined), isRefilled: false };
    this.deleted.set(keyOf(place), deleted);
    this.endLater(deleted);
  }

  private endLater(deleted: Deleted): void {
    clearTimeout(deleted.timer);
    deleted.timer = setTimeout(() => this.end(deleted), this.deps.lifetime());
  }

  /** Nothing can need it any more. */
  private end(deleted: Deleted): void {
    clearTimeout(deleted.timer);
    const removal = this.remove(deleted).finally(() => this.removals.delete(removal));
    this.removals.add(removal);
  }

  private async remove(deleted: Deleted): Promise<void> {
    const { place, backup } = deleted;
    const { containers, listings } = this.deps;
    if (backup.kind === 'text') {
      this.deleted.delete(keyOf(place));
      await this.letGo(deleted);
      return;
    }
    try {
      await containers.delete(backup.aside);
    } catch (error) {
      if (!isPlatformError(error) || error.kind !== 'notFound') {
        const left = await this.putBack(backup.aside, place);
        this.failedRemoval.fire({ place, left, error });
      }
    } finally {
      if (this.deleted.get(keyOf(place)) === deleted) {
        this.deleted.delete(keyOf(place));
      }
      listings.forget(parentOf(place) ?? place);
    }
  }

  /** Returns where it is then. */
  private async putBack(aside: FilePlace, place: FilePlace): Promise<FilePlace> {
    try {
      await renameOnce(aside, place, this.deps);
      return place;
    } catch {
      // Something else has its name by now, or the platform can't be reached.
      return aside;
    }
  }

  private find(place: FilePlace): Deleted | undefined {
    const key = keyOf(place);
    return [...this.deleted].find(([deleted]) => key === deleted || key.startsWith(`${deleted}/`))?.[1];
  }

  private async keepOnDisk(place: FilePlace, text: string): Promise<void> {
    try {
      await this.deps.kept.keep({ place, base: { kind: 'unknown' }, told: undefined, text });
    } catch (error) {
      this.deps.notKept(error);
    }
  }
}
