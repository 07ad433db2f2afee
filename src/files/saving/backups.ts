import * as v from 'valibot';
import { type FilePlace, keyOf } from '../../containers/place';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import type { Presence, WindowOwner } from '../../storage/windowPresence';

const target = v.object({ nodeGroup: v.string(), nodeId: v.exactOptional(v.number()) });
const place = v.object({
  kind: v.literal('file'),
  account: v.string(),
  environment: v.string(),
  target,
  path: v.string(),
});
const version = v.object({ text: v.string(), place });

const keptText = v.object({
  form: v.literal(1),
  place,
  /** The window that edits the file. */
  owner: v.object({ window: v.string(), host: v.string() }),
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** When it was first found to have expired. */
  foundOldAt: v.optional(v.number()),
  base: v.variant('kind', [
    v.object({ kind: v.literal('version'), version, approximate: v.exactOptional(v.boolean()) }),
    v.object({ kind: v.literal('anything') }),
    v.object({ kind: v.literal('unknown') }),
  ]),
  /** What VS Code was last told of the file. */
  told: v.optional(v.object({ mtime: v.number(), size: v.number() })),
  /** What was to be saved, from the moment a save begins. */
  text: v.optional(v.string()),
  /** Where what was deleted here is now. */
  aside: v.exactOptional(place),
  /** Whether that save writes to one place or to the whole layer. */
  reach: v.optional(v.picklist(['place', 'layer'])),
});

/** An edit as it is kept on disk, to outlive the window it is made in. */
export type Backup = v.InferOutput<typeof keptText>;

/** What is kept of an edit; who keeps it and when is added. */
export type NewBackup = Omit<Backup, 'form' | 'owner' | 'at' | 'foundOldAt'>;

export interface BackupsOptions {
  now?(): number;
  /** Whether nothing of an account may be kept any more: it was signed out, and what was kept of it is gone. */
  isForgotten?(account: string): Promise<boolean>;
  /** A text couldn't be kept on this computer, or let go of. By default that rejects. */
  onDidFail?(error: unknown): void;
}

/** Edits kept on disk, in one folder for all windows: a file for each edited file and window. */
export class Backups {
  private readonly files: JsonFolder<Backup>;

  constructor(
    readonly folder: string,
    private readonly presence: Presence,
    private readonly options: BackupsOptions = {},
  ) {
    this.files = new JsonFolder(folder, keptText);
  }

  /** Whether this window keeps it. */
  isOurs({ owner }: Backup): boolean {
    return owner.window === this.presence.owner.window;
  }

  async keep(keeping: NewBackup): Promise<'kept' | 'forgotten' | 'failed'> {
    try {
      return await this.write(keeping);
    } catch (error) {
      this.failed(error);
      return 'failed';
    }
  }

  /** Lets go of what this window keeps of a file. */
  async drop(place: FilePlace): Promise<void> {
    try {
      await this.files.remove(this.ownKey(place));
    } catch (error) {
      this.failed(error);
    }
  }

  failed(error: unknown): void {
    if (this.options.onDidFail === undefined) {
      throw error;
    }
    this.options.onDidFail(error);
  }

  /** Lets go of it, whichever window kept it. */
  discard({ place, owner }: Backup): Promise<void> {
    return this.files.remove(keyFor(place, owner));
  }

  /** All that is kept, by every window, the newest first. What cannot be read as such is left alone. */
  async list(): Promise<readonly Backup[]> {
    return newestFirst(await this.files.list());
  }

  /** What is kept of one file, by every window, the newest first; what this window is about to keep is waited for. */
  find(place: FilePlace): Promise<readonly Backup[]> {
    const isOfFile = (key: string) => key.startsWith(beginningFor(place));
    return this.files.change(this.ownKey(place), async () =>
      newestFirst(await this.files.list(folderOf(place.account), isOfFile)),
    );
  }

  /**
   * Deletes an expired text only if it's still expired after another quarter of that time: the clock may have jumped,
   * and the text may not have been offered to the user yet.
   *
   * @param isHeld whether a window that's still open holds it
   */
  async discardOlderThan(milliseconds: number, isHeld: (kept: Backup) => Promise<boolean>): Promise<void> {
    const { now } = this;
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
    await this.files.removeUnfinished(oldest);
  }

  discardAccount(slug: string): Promise<void> {
    return this.files.removeAll(folderOf(slug));
  }

  private write(keeping: NewBackup): Promise<'kept' | 'forgotten'> {
    const { account } = keeping.place;
    return this.files.change(this.ownKey(keeping.place), async (file) => {
      if (await this.isForgotten(account)) {
        return 'forgotten';
      }
      await this.announced();
      const problem = await file
        .write({ ...keeping, form: 1, owner: { ...this.presence.owner }, at: this.now })
        .catch((error: unknown) => ({ error }));
      if (await this.isForgotten(account)) {
        // Signed out while it was written: whoever discarded the rest may have looked before this was there.
        await file.remove();
        return 'forgotten';
      }
      if (problem !== undefined) {
        throw problem.error;
      }
      return 'kept';
    });
  }

  private async isForgotten(account: string): Promise<boolean> {
    return (await this.options.isForgotten?.(account)) ?? false;
  }

  private get now(): number {
    return this.options.now?.() ?? Date.now();
  }

  private async announced(): Promise<void> {
    try {
      await this.presence.announce();
    } catch {
      // Other windows then take this one for ended, and offer what it keeps: better twice than not at all.
    }
  }

  private mark(kept: Backup, foundOldAt: number | undefined): Promise<void> {
    return this.files.change(keyFor(kept.place, kept.owner), async (file) => {
      // Another window may have released it in the meantime.
      if ((await file.read()) !== undefined) {
        await file.write({ ...kept, foundOldAt });
      }
    });
  }

  private ownKey(place: FilePlace): string {
    return keyFor(place, this.presence.owner);
  }
}

function newestFirst(kept: ReadonlyMap<string, Backup>): readonly Backup[] {
  return [...kept.values()].sort((one, other) => other.at - one.at);
}

/** An account's name comes from an address, which may hold anything. */
function folderOf(account: string): string {
  return digestOf(account);
}

function beginningFor(place: FilePlace): string {
  return `${folderOf(place.account)}/${digestOf(keyOf(place))}-`;
}

function keyFor(place: FilePlace, { window }: WindowOwner): string {
  return `${beginningFor(place)}${digestOf(window)}`;
}
