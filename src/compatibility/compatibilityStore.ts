import * as v from 'valibot';
import { type Disposable, EventEmitter } from 'vscode';
import { KeyedQueue } from '../async/waiting';
import type { FilePlace } from '../containers/place';
import { JsonFolder, storedPlace } from '../storage/stores';
import type { Presence, WindowPresence } from '../storage/windows';
import { type FactName, factsSchema, unsafeFacts } from './facts';

const optionalNumber = v.optional(v.number());
const optionalText = v.optional(v.string());
/** One request of a check and how it was answered, without any value of either. */
const observation = v.object({
  /** The operation, and what was special about the request. */
  step: v.string(),
  /** The platform's code, 0 for success. Undefined if the response has none. */
  code: optionalNumber,
  status: optionalNumber,
  shape: optionalText,
  /** Why there is no response: the kind of error. */
  failure: optionalText,
});

/** A check of a platform, as stored with the account. Contains no values from the platform or the user. */
const checkSchema = v.object({
  /** Milliseconds since the epoch. */
  checkedAt: v.number(),
  facts: factsSchema,
  observations: v.array(observation),
  hasWritten: v.boolean(),
  /** Whether the part that writes ended early. */
  isIncomplete: v.boolean(),
  leftFolders: v.number(),
});
export type CheckResult = v.InferOutput<typeof checkSchema>;

/** Remembers scratch folders on this computer, because a window may close before they're removed. */
export interface ScratchRecord {
  /** Called before the first folder is created. */
  begin(folders: readonly FilePlace[]): Promise<void>;
  /** Called with those that couldn't be removed. */
  end(left: readonly FilePlace[]): Promise<void>;
}

const everything = '';

const scratchFolders = v.object({
  /** The window whose check runs. Undefined once it has ended without removing them all. */
  owner: v.optional(v.object({ window: v.string(), host: v.string() })),
  folders: v.array(storedPlace),
});
type ScratchFolders = v.InferOutput<typeof scratchFolders>;

/** Scratch folders of one check that may still exist. */
export interface LeftFolders {
  readonly key: string;
  readonly folders: readonly FilePlace[];
}

/**
 * The last check of each account's platform, with what only earlier ones found out, in a folder that all windows share.
 * Signing out removes it. A check that can't be read counts as none.
 */
export class CompatibilityStore implements Disposable {
  private readonly folder: JsonFolder<CheckResult>;
  private readonly scratch: JsonFolder<ScratchFolders>;
  private readonly known = new Map<string, CheckResult>();
  private readonly damaged = new Set<string>();
  private isFolderReadable = true;
  private readonly changed = new EventEmitter<string>();
  /** Fires with the slug of the account whose platform any window checked, or whose check it removed. */
  readonly onDidChange = this.changed.event;
  /** A read that began before a save must not replace what was saved. */
  private readonly queue = new KeyedQueue();
  private readonly watching: Pick<Disposable, 'dispose'>;
  /** Resolves once the stored checks are read: whether all could be. */
  readonly loaded: Promise<boolean>;

  /**
   * @param scratchPath the folder for the places of scratch folders
   * @param onDidFail gets the error if changes by other windows can't be watched
   */
  constructor(path: string, scratchPath: string, onDidFail: (error: unknown) => void) {
    this.folder = new JsonFolder(path, checkSchema, { isStrict: true });
    this.scratch = new JsonFolder(scratchPath, scratchFolders);
    this.loaded = this.read();
    this.watching = this.folder.watch(() => void this.read(), onDidFail);
  }

  /** Returns what is known so far, without waiting. */
  of(slug: string): CheckResult | undefined {
    return this.known.get(slug);
  }

  /** Whether a check may be stored that can't be read, so that nothing is switched off because of it. */
  isUnreadable(slug: string): boolean {
    return !this.known.has(slug) && (this.damaged.has(slug) || !this.isFolderReadable);
  }

  /** Returns the facts because of which something is switched off. */
  switchedOff(slug: string): readonly FactName[] {
    return unsafeFacts(this.of(slug)?.facts ?? {}).map(({ name }) => name);
  }

  /**
   * Returns what is stored then. What the check didn't find out stays as it was, because it only read, ended early, or
   * wrote on a single node. Otherwise, changes that aren't safe would be allowed again.
   */
  save(slug: string, check: CheckResult): Promise<CheckResult> {
    return this.queue.take(everything, async () => {
      const all = { ...check, facts: { ...this.of(slug)?.facts, ...check.facts } };
      await this.folder.write(slug, all);
      this.set(slug, all);
      return all;
    });
  }

  forget(slug: string): Promise<void> {
    return this.queue.take(everything, async () => {
      await this.folder.remove(slug);
      await this.scratch.removeAll(slug);
      this.set(slug, undefined);
    });
  }

  /** Records the scratch folders of a check that this window runs, until they're removed. */
  scratchRecord(slug: string, name: string, presence: Presence): ScratchRecord {
    const key = `${slug}/${name}`;
    return {
      begin: async (folders) => {
        await presence.announce();
        await this.scratch.write(key, { owner: presence.owner, folders: [...folders] });
      },
      end: (left) => this.setLeft(key, left),
    };
  }

  /** Whether a scratch folder of any account may still exist. */
  async mayHaveLeftFolders(): Promise<boolean> {
    return (await this.scratch.keys()).length > 0;
  }

  /** Returns the scratch folders that checks of an account left, except those of checks that still run in any window. */
  async leftFolders(slug: string, presence: Pick<WindowPresence, 'isAlive'>): Promise<readonly LeftFolders[]> {
    const found: LeftFolders[] = [];
    for (const [key, { owner, folders }] of await this.scratch.list(slug)) {
      if (owner === undefined || !(await presence.isAlive(owner))) {
        found.push({ key, folders });
      }
    }
    return found;
  }

  /** Keeps only those that still exist, for the next window or check. */
  setLeft(key: string, left: readonly FilePlace[]): Promise<void> {
    return left.length === 0 ? this.scratch.remove(key) : this.scratch.write(key, { folders: [...left] });
  }

  dispose(): void {
    this.changed.dispose();
    this.watching.dispose();
  }

  private read(): Promise<boolean> {
    return this.queue.take(everything, async () => {
      const slugs = await this.folder.keys().catch(() => undefined);
      this.isFolderReadable = slugs !== undefined;
      for (const slug of slugs ?? []) {
        const check = await this.folder.read(slug).catch(() => 'damaged' as const);
        if (check !== 'damaged') {
          this.set(slug, check);
        } else if (!this.known.has(slug)) {
          // A check that was read before it was damaged still counts.
          this.damaged.add(slug);
        }
      }
      const removed = slugs === undefined ? [] : [...this.known.keys()].filter((slug) => !slugs.includes(slug));
      for (const slug of removed) {
        this.set(slug, undefined);
      }
      return this.isFolderReadable && this.damaged.size === 0;
    });
  }

  private set(slug: string, check: CheckResult | undefined): void {
    this.damaged.delete(slug);
    if (JSON.stringify(this.known.get(slug)) === JSON.stringify(check)) {
      return;
    }
    if (check === undefined) {
      this.known.delete(slug);
    } else {
      this.known.set(slug, check);
    }
    this.changed.fire(slug);
  }
}
