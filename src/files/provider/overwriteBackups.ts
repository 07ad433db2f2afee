import { randomUUID } from 'node:crypto';
import { type Disposable, EventEmitter } from 'vscode';
import { onPlatformError } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { failedObjectAt, type FilePlace, isPathWithin, keyOf, nameOf, parentOf } from '../../containers/place';
import type { Entry } from '../journal/entry';
import type { Backup } from '../saving/backups';
import { untilReloaded } from '../../storage/windows';
import {
  movedContentsOf,
  type FailedRemoval,
  isBelow,
  type PreviousContent,
  PreviousContents,
  type PreviousContentsDeps,
} from './previousContent';

export interface FailedOverwrite {
  readonly place: FilePlace;
  readonly backup: PreviousContent;
  /** The window closed before the overwrite or delete was complete. */
  readonly isInterrupted: boolean;
}

interface OverwriteBackupsDeps extends PreviousContentsDeps {
  /** How long after a delete VS Code may start to replace the place, in milliseconds. */
  readonly lifetime: () => number;
}

interface Deleted {
  readonly place: FilePlace;
  backup: PreviousContent;
  timer: NodeJS.Timeout | undefined;
  /** The number of running changes that may complete an overwrite. */
  underWay: number;
  state: 'waiting' | 'replaced' | 'failed';
  /** The folder was created again and is being filled. */
  isRefilled: boolean;
  /** What was renamed is getting another name. */
  isOnTheWay: boolean;
}

/**
 * When VS Code moves or copies something over a file or folder, it deletes the target first and never says that more is to follow.
 * So everything it deletes is kept for a few seconds.
 */
export class OverwriteBackups implements Disposable {
  private readonly deleted = new Map<string, Deleted>();
  private readonly contents: PreviousContents;
  private readonly removals = new Map<Deleted, Promise<void>>();
  /** What was offered and is still on disk, because this computer's disk is full. */
  private readonly offeredHere = new Set<string>();
  private readonly failedOverwrite = new EventEmitter<FailedOverwrite>();
  private readonly failedRemoval = new EventEmitter<FailedRemoval>();
  /** Fires when an overwrite fails. The previous content is kept. */
  readonly onDidFailToOverwrite = this.failedOverwrite.event;
  /** Fires when something that VS Code was told is deleted couldn't be removed. */
  readonly onDidFailToRemove = this.failedRemoval.event;

  private readonly returned = new EventEmitter<FilePlace>();
  /** Fires when something that was deleted is where it was again. */
  readonly onDidReturn = this.returned.event;

  private readonly gone = new EventEmitter<FilePlace>();
  /** Fires when a content of the place isn't kept anymore. */
  readonly onDidLetGo = this.gone.event;

  constructor(private readonly deps: OverwriteBackupsDeps) {
    this.contents = new PreviousContents(deps);
  }

  /** Whether the name is a temporary backup. Such names aren't shown. */
  isBackup(place: FilePlace): boolean {
    return this.contents.isHidden(place);
  }

  /** Deletes, but keeps the previous content for a while. */
  async delete(place: FilePlace, entry: FileEntry, remove: () => Promise<void>): Promise<void> {
    const before = this.deleted.get(keyOf(place));
    if (before !== undefined) {
      this.end(before);
    }
    const backup = await this.contents.takeAway(place, entry, remove);
    if (backup === undefined) {
      this.gone.fire(place);
    } else {
      this.remember(place, backup);
    }
  }

  /**
   * Runs a change that may complete an overwrite. `part`, such as one file of a folder, keeps the backup; `whole` ends
   * it.
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

  /** Offers what windows that closed during an overwrite have left, in turn with other windows that begin. */
  async offerAllLeft({
    offering,
    isForOthers,
  }: {
    readonly offering: (what: 'overwrites', work: () => Promise<void>) => Promise<unknown>;
    readonly isForOthers: (entry: Entry) => Promise<boolean>;
  }): Promise<void> {
    const isAnyLeft = async () => (await this.deps.overwritten.entries()).length > 0;
    const offer = () => offering('overwrites', () => this.offerLeft(isForOthers));
    // Most windows find nothing, and needn't wait for others.
    if (await isAnyLeft()) {
      await offer();
    }
    if (await isAnyLeft()) {
      await untilReloaded();
      await offer();
    }
  }

  /**
   * Offers the backups of windows that closed during an overwrite.
   * @param isHeld whether a window that's still open holds it, or it isn't to be offered in this one
   */
  async offerLeft(isHeld: (entry: Entry) => Promise<boolean>): Promise<void> {
    const { overwritten } = this.deps;
    const offered = new Map<string, FailedOverwrite>();
    try {
      for (const entry of await overwritten.entries()) {
        if (overwritten.isOurs(entry) || this.offeredHere.has(entry.id) || (await isHeld(entry))) {
          continue;
        }
        const one = await overwritten.read(entry);
        const { place, movedTo } = one;
        const backup = contentIn(one);
        // An item that was being taken out of a folder has two records, with the same name in two folders. So does a text that
        // a window was taking over when it was closed.
        const key = movedTo === undefined ? `${keyOf(place)} ${entry.after?.digest}` : nameOf(movedTo);
        const first = offered.get(key)?.backup;
        let isStored = true;
        if (backup !== undefined && first?.kind !== 'text') {
          isStored = (await this.contents.store(place, backup)) !== 'failed';
          const found = isStored ? backup : { ...backup, record: one };
          if (first?.kind === 'moved' && found.kind === 'moved') {
            first.others.push(found);
          } else {
            offered.set(key, { place, backup: found, isInterrupted: true });
          }
        }
        if (isStored) {
          await overwritten.discard(entry);
        } else {
          this.offeredHere.add(entry.id);
        }
      }
    } finally {
      offered.forEach((failed) => this.failedOverwrite.fire(failed));
    }
  }

  /** Drops a backup that was restored or is no longer needed. */
  async letGo({ place, backup }: Omit<FailedOverwrite, 'isInterrupted'>): Promise<void> {
    const { overwritten } = this.deps;
    for (const { id, record } of new Set([backup, ...movedContentsOf(backup)])) {
      await (record === undefined ? overwritten.drop(place, id) : overwritten.discard(record.entry));
    }
    this.gone.fire(place);
  }

  /** Tells that what an overwrite had deleted was restored. */
  noteReturned(place: FilePlace): void {
    this.returned.fire(place);
  }

  /** Removes all backups before the window closes, except those that a running change may still need. */
  async settled(): Promise<void> {
    for (const deleted of [...this.deleted.values()].filter(({ underWay }) => underWay === 0)) {
      this.end(deleted);
    }
    await Promise.all(this.removals.values());
  }

  /**
   * Takes what was deleted in a folder out of it, because a move or copy of the folder would take it along for good. Ends
   * nothing early: VS Code may be about to replace it. Waits only for removals that have begun. These wait only for the
   * platform, never for a change or for their turn, so moves can't wait for each other.
   */
  async takeOut(folder: FilePlace, operation: 'Rename' | 'Copy'): Promise<void> {
    if (parentOf(folder) === undefined) {
      return;
    }
    const isIn = ({ backup }: Deleted) => movedContentsOf(backup).some(({ movedTo }) => isBelow(movedTo, folder));
    const outcomes = await Promise.allSettled([
      ...[...this.removals].flatMap(([deleted, removal]) => (isIn(deleted) ? [removal] : [])),
      ...[...this.deleted.values()].filter(isIn).map((deleted) => this.takeOutOne(deleted, folder)),
    ]);
    const rejected = outcomes.find((outcome) => outcome.status === 'rejected');
    if (rejected !== undefined) {
      onPlatformError((cause) => {
        // Nothing of the move or copy was sent, and the user has never seen the name that failed.
        const failure = { kind: 'platform', operation, target: folder.path, object: failedObjectAt(folder) } as const;
        throw failed({ ...failure, obstacle: 'beingDeleted', cause });
      })(rejected.reason);
    }
  }

  dispose(): void {
    this.failedOverwrite.dispose();
    this.failedRemoval.dispose();
    this.returned.dispose();
    this.gone.dispose();
  }

  private remember(place: FilePlace, backup: PreviousContent): void {
    this.contents.hide(backup);
    const deleted: Deleted = {
      place,
      backup,
      timer: undefined,
      underWay: 0,
      state: 'waiting',
      isRefilled: false,
      isOnTheWay: false,
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

  /** Keeps the previous content until the user decides. */
  private fail(deleted: Deleted): void {
    if (deleted.state === 'failed') {
      return;
    }
    deleted.state = 'failed';
    this.forget(deleted);
    if (!deleted.isOnTheWay) {
      this.tellFailed(deleted);
    }
  }

  private tellFailed({ place, backup }: Deleted): void {
    this.contents.show(backup);
    this.failedOverwrite.fire({ place, backup, isInterrupted: false });
  }

  private async takeOutOne(deleted: Deleted, folder: FilePlace): Promise<void> {
    clearTimeout(deleted.timer);
    deleted.underWay += 1;
    deleted.isOnTheWay = true;
    try {
      deleted.backup = await this.contents.takeOut(deleted.place, deleted.backup, folder);
    } finally {
      deleted.isOnTheWay = false;
      deleted.underWay -= 1;
      if (deleted.state === 'failed') {
        this.tellFailed(deleted);
      }
      this.goOn(deleted);
    }
  }

  private forget(deleted: Deleted): void {
    if (this.deleted.get(keyOf(deleted.place)) === deleted) {
      this.deleted.delete(keyOf(deleted.place));
    }
  }

  /** Removes a backup that is no longer needed. */
  private end(deleted: Deleted): void {
    clearTimeout(deleted.timer);
    this.forget(deleted);
    this.removals.set(
      deleted,
      this.remove(deleted).finally(() => this.removals.delete(deleted)),
    );
  }

  private async remove({ place, backup }: Deleted): Promise<void> {
    let isShown = false;
    for (const { movedTo } of movedContentsOf(backup)) {
      // It may have had only one of the names.
      const failed = await this.contents.remove(place, movedTo, isShown ? undefined : movedTo);
      if (failed !== undefined) {
        isShown = true;
        this.failedRemoval.fire(failed);
        if (keyOf(failed.left) === keyOf(place)) {
          this.returned.fire(place);
        }
      }
    }
    await this.letGo({ place, backup });
  }

  private find(place: FilePlace): Deleted | undefined {
    const key = keyOf(place);
    return [...this.deleted].find(([deleted]) => isPathWithin(key, deleted))?.[1];
  }
}

/** What a stored record says that the place had. The content gets an ID of this window. */
function contentIn({ text, movedTo }: Backup): PreviousContent | undefined {
  const id = randomUUID();
  if (movedTo !== undefined) {
    return { id, kind: 'moved', movedTo, others: [] };
  }
  return text === undefined ? undefined : { id, kind: 'text', text };
}
