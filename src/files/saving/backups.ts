import * as v from 'valibot';
import { type FilePlace, keyOf } from '../../containers/place';
import { digestOf, JsonFolder, storedPlace } from '../../storage/jsonFolder';
import type { Presence, WindowOwner } from '../../storage/windowPresence';

const version = v.object({ text: v.string(), place: storedPlace });

const keptText = v.object({
  form: v.literal(1),
  place: storedPlace,
  /** Distinguishes backups of the same place and window, if there may be several. */
  id: v.exactOptional(v.string()),
  owner: v.object({ window: v.string(), host: v.string() }),
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** When it was first found to be expired. */
  foundOldAt: v.optional(v.number()),
  base: v.variant('kind', [
    v.object({ kind: v.literal('version'), version, approximate: v.exactOptional(v.boolean()) }),
    v.object({ kind: v.literal('anything') }),
    v.object({ kind: v.literal('unknown') }),
  ]),
  /** The file's last stat reported to VS Code. */
  reportedStat: v.optional(v.object({ mtime: v.number(), size: v.number() })),
  /** The text to save, once a save has started. */
  text: v.optional(v.string()),
  /** The backup's current place, for something deleted here. */
  movedTo: v.exactOptional(storedPlace),
  /** Whether the save targets one place or the whole layer. */
  scope: v.optional(v.picklist(['place', 'layer'])),
});

/** An edit stored on disk, so that it survives its window. */
export type Backup = v.InferOutput<typeof keptText>;

/** The data of an edit to store. Owner and time are added. */
type NewBackup = Omit<Backup, 'form' | 'owner' | 'at' | 'foundOldAt'>;

interface BackupsOptions {
  now?(): number;
  /** Whether the account was signed out, so that nothing of it may be stored anymore. */
  isForgotten?(account: string): Promise<boolean>;
  /** Called if a text can't be stored or deleted. Without it, the call rejects. */
  onDidFail?(error: unknown): void;
}

/** Stores edits on disk, in one folder for all windows, with one file per edited file and window, or per ID. */
export class Backups {
  private readonly files: JsonFolder<Backup>;

  constructor(
    readonly folder: string,
    private readonly presence: Presence,
    private readonly options: BackupsOptions = {},
  ) {
    this.files = new JsonFolder(folder, keptText);
  }

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

  /** Deletes this window's backup of a file. */
  drop(place: FilePlace, id?: string): Promise<void> {
    return this.files.remove(this.ownKey({ place, id })).catch((error: unknown) => this.failed(error));
  }

  failed(error: unknown): void {
    if (this.options.onDidFail === undefined) {
      throw error;
    }
    this.options.onDidFail(error);
  }

  /** Deletes a backup, whichever window owns it. */
  discard(kept: Backup): Promise<void> {
    return this.files.remove(keyFor(kept));
  }

  /** Returns the backups of all windows, newest first. Ignores unreadable ones. */
  async list(): Promise<readonly Backup[]> {
    return newestFirst(await this.files.list());
  }

  /** Returns all windows' backups of a file, newest first. Waits for pending writes of this window. */
  find(place: FilePlace): Promise<readonly Backup[]> {
    const isOfFile = (key: string) => key.startsWith(beginningFor(place));
    return this.files.change(this.ownKey({ place }), async () =>
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
    // Remove files that a crash left incomplete.
    await this.files.removeUnfinished(oldest);
  }

  discardAccount(slug: string): Promise<void> {
    return this.files.removeAll(folderOf(slug));
  }

  private write(keeping: NewBackup): Promise<'kept' | 'forgotten'> {
    const { account } = keeping.place;
    return this.files.change(this.ownKey(keeping), async (file) => {
      if (await this.isForgotten(account)) {
        return 'forgotten';
      }
      // If that fails, other windows consider this one closed and offer its backups, which is better than losing them.
      await this.presence.announce().catch(() => undefined);
      const problem = await file
        .write({ ...keeping, form: 1, owner: { ...this.presence.owner }, at: this.now })
        .catch((error: unknown) => ({ error }));
      if (await this.isForgotten(account)) {
        // Signed out during the write, and the cleanup may have run before this file existed.
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

  private mark(kept: Backup, foundOldAt: number | undefined): Promise<void> {
    return this.files.change(keyFor(kept), async (file) => {
      // Another window may have deleted it in the meantime.
      if ((await file.read()) !== undefined) {
        await file.write({ ...kept, foundOldAt });
      }
    });
  }

  private ownKey({ place, id }: KeyParts): string {
    return keyFor({ place, id, owner: this.presence.owner });
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

interface KeyParts {
  readonly place: FilePlace;
  readonly id?: string | undefined;
}

function keyFor({ place, id = '', owner: { window } }: KeyParts & { readonly owner: WindowOwner }): string {
  return `${beginningFor(place)}${digestOf(window + id)}`;
}
