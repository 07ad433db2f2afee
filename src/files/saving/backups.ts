import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type FilePlace, keyOf } from '../../containers/place';
import { namesIn, readIfThere, unfinishedEnd, unlessMissing, writePrivateFile } from '../../storage/privateFiles';
import type { WindowOwner, Presence } from '../../storage/windowPresence';
import { type Backup, parseBackup } from './backup';
import { KeyedQueue } from '../../async/keyedQueue';

/** What is kept of an edit; who keeps it and when is added. */
export type NewBackup = Omit<Backup, 'form' | 'owner' | 'at' | 'foundOldAt'>;

/** Edits kept on disk, in one folder for all windows: a file for each edited file and window. */
export class Backups {
  private readonly turns = new KeyedQueue();

  /** @param isForgotten whether nothing of an account may be kept any more: it was signed out, and what was kept of it is gone */
  constructor(
    readonly folder: string,
    private readonly presence: Presence,
    private readonly now: () => number = Date.now,
    private readonly isForgotten: (account: string) => Promise<boolean> = () => Promise.resolve(false),
  ) {}

  /** Whether this window keeps it. */
  isOurs({ owner }: Backup): boolean {
    return owner.window === this.presence.owner.window;
  }

  keep(keeping: NewBackup): Promise<'kept' | 'forgotten'> {
    const { account } = keeping.place;
    const file = this.fileOf(keeping.place, this.presence.owner);
    return this.turns.take(file, async () => {
      if (await this.isForgotten(account)) {
        return 'forgotten';
      }
      const kept: Backup = { ...keeping, form: 1, owner: { ...this.presence.owner }, at: this.now() };
      await this.announced();
      await writePrivateFile(file, JSON.stringify(kept));
      if (await this.isForgotten(account)) {
        // Signed out while it was written: whoever discarded the rest may have looked before this was there.
        await rm(file, { force: true });
        return 'forgotten';
      }
      return 'kept';
    });
  }

  /** Lets go of what this window keeps of a file. */
  drop(place: FilePlace): Promise<void> {
    return this.remove(this.fileOf(place, this.presence.owner));
  }

  /** Lets go of it, whichever window kept it. */
  discard({ place, owner }: Backup): Promise<void> {
    return this.remove(this.fileOf(place, owner));
  }

  /** All that is kept, by every window, the newest first. What cannot be read as such is left alone. */
  list(): Promise<readonly Backup[]> {
    return this.readAll(() => true);
  }

  /** What is kept of one file, by every window, the newest first; what this window is about to keep is waited for. */
  find(place: FilePlace): Promise<readonly Backup[]> {
    const beginning = `${beginningOf(place.account)}${digestOf(keyOf(place))}-`;
    const own = this.fileOf(place, this.presence.owner);
    return this.turns.take(own, () => this.readAll((name) => name.startsWith(beginning)));
  }

  /**
   * Deletes an expired text only if it's still expired after another quarter of that time: the clock may have jumped,
   * and the text may not have been offered to the user yet.
   *
   * @param isHeld whether a window that's still open holds it
   */
  async discardOlderThan(milliseconds: number, isHeld: (kept: Backup) => Promise<boolean>): Promise<void> {
    const now = this.now();
    const oldest = now - milliseconds;
    for (const kept of await this.list()) {
      const { at, foundOldAt } = kept;
      if (this.isOurs(kept) || (at >= oldest && foundOldAt === undefined) || (await isHeld(kept))) {
        continue;
      }
      if (at >= oldest) {
        await this.mark(kept, undefined);
      } else if (foundOldAt === undefined || foundOldAt > now) {
        await this.mark(kept, now);
      } else if (foundOldAt < now - milliseconds / 4) {
        await this.discard(kept);
      }
    }
    // What a crash left half written is no text of anybody's.
    for (const name of (await this.names()).filter((one) => one.endsWith(unfinishedEnd))) {
      const file = join(this.folder, name);
      if (((await this.changedAt(file)) ?? oldest) < oldest) {
        await rm(file, { force: true });
      }
    }
  }

  async discardAccount(slug: string): Promise<void> {
    // Also what is half written, or written by another version.
    const names = (await this.names()).filter((name) => name.startsWith(beginningOf(slug)));
    await Promise.all(names.map((name) => this.remove(join(this.folder, name))));
  }

  private async announced(): Promise<void> {
    try {
      await this.presence.announce();
    } catch {
      // Other windows then take this one for ended, and offer what it keeps: better twice than not at all.
    }
  }

  private async readAll(isWanted: (name: string) => boolean): Promise<readonly Backup[]> {
    const names = (await this.names()).filter((name) => name.endsWith('.json') && isWanted(name));
    const all = await Promise.all(names.map((name) => this.read(join(this.folder, name))));
    return all.filter((kept) => kept !== undefined).sort((a, b) => b.at - a.at);
  }

  private mark(kept: Backup, foundOldAt: number | undefined): Promise<void> {
    const file = this.fileOf(kept.place, kept.owner);
    return this.turns.take(file, async () => {
      // Another window may have released it in the meantime.
      if ((await readIfThere(file)) !== undefined) {
        await writePrivateFile(file, JSON.stringify({ ...kept, foundOldAt }));
      }
    });
  }

  private remove(file: string): Promise<void> {
    return this.turns.take(file, () => rm(file, { force: true }));
  }

  private names(): Promise<readonly string[]> {
    return namesIn(this.folder);
  }

  private async read(file: string): Promise<Backup | undefined> {
    const text = await readIfThere(file);
    return text === undefined ? undefined : parseBackup(text);
  }

  /** `undefined` where another window has finished it meanwhile. */
  private async changedAt(file: string): Promise<number | undefined> {
    return (await unlessMissing(stat(file)))?.mtimeMs;
  }

  private fileOf(place: FilePlace, { window }: WindowOwner): string {
    const name = `${beginningOf(place.account)}${digestOf(keyOf(place))}-${digestOf(window)}.json`;
    return join(this.folder, name);
  }
}

/** Every file kept of an account has a name that begins so. */
function beginningOf(account: string): string {
  return `${digestOf(account)}-`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 24);
}
