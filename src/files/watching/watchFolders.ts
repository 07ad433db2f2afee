import type { Disposable } from 'vscode';
import { systemTime, type TimeSource } from '../../async/waiting';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { type FilePlace, keyOf } from '../../containers/place';
import { type ListingDifference, listingDifferences, OwnChanges, OwnResults } from './listingDifferences';

interface WatchIntervals {
  /** The pause before the next check while the user is active, in milliseconds. */
  readonly soonest: number;
  /** The longest pause between two checks. */
  readonly rarest: number;
  /** How long a folder is checked after it was last listed. */
  readonly memory: number;
}

const usualPaces: WatchIntervals = { soonest: 4_000, rarest: 120_000, memory: 300_000 };
/** A window has enough to do at startup, so wait longer before the first check. */
const patienceAtFirst = 3;
/** Without activity, each pause is longer than the previous one by this factor. */
const slowing = 1.6;
/** Checking folders may take at most this share of the time. */
const share = 0.05;
/** Larger folders aren't watched. Also limits how many folders and entries are remembered. */
const maxInFolder = 10_000;
const maxEntries = 100_000;

interface Seen {
  readonly folder: FilePlace;
  entries: ReadonlyMap<string, FileEntry>;
  wantedAt: number;
  /** The earliest time of the next check. */
  notBefore: number;
  /** What Gantry changed since the last check. Any other difference was made by someone else. */
  readonly own: OwnResults;
  /** The turn of the newest listing or own change. A listing that was requested earlier shows what's no longer so. */
  latest: number;
}

/**
 * Detects changes made by others. The platform doesn't report any, so list visible and recently listed folders again:
 * soon after user activity, then less and less often, and never while the window doesn't have the focus.
 */
export class FolderWatcher implements Disposable {
  private readonly seen = new Map<string, Seen>();
  private readonly looking = new Set<string>();
  private readonly ownChanges = new OwnChanges();
  private callOff: (() => void) | undefined;
  private dueAt = 0;
  private wait: number;
  private focused = false;
  private hasLooked = false;
  /** Counts listings and own changes in the order of their requests. */
  private turns = 0;

  constructor(
    private readonly watched: {
      /** Lists a folder again without prompting the user. The listing passes through `onListing`. */
      readonly look: (folder: FilePlace) => Promise<unknown>;
      /** The folders visible in the window. */
      readonly visible: () => readonly FilePlace[];
      readonly announce: (folder: FilePlace, differences: readonly ListingDifference[]) => void;
    },
    private readonly paces: WatchIntervals = usualPaces,
    private readonly time: TimeSource = systemTime,
  ) {
    this.wait = paces.soonest * patienceAtFirst;
  }

  /**
   * Every listing passes through here on its way to the caller. A folder that was only searched isn't watched, because
   * a search lists more folders than can be checked, but the listing may show changes in one that is.
   */
  async onListing(
    folder: FilePlace,
    asked: Promise<readonly FileEntry[]>,
    use: 'shown' | 'searched' = 'shown',
  ): Promise<readonly FileEntry[]> {
    const key = keyOf(folder);
    const began = this.time.now();
    const turn = (this.turns += 1);
    const before = this.seen.get(key);
    if (before !== undefined && use === 'shown' && !this.looking.has(key)) {
      before.wantedAt = began;
    }
    const list = await asked;
    if (use === 'searched' && !this.seen.has(key)) {
      return list;
    }
    if (list.length <= maxInFolder) {
      this.remember(folder, new Map(list.map((entry) => [entry.name, entry])), { began, turn });
      this.forgetBeyondBound();
    } else {
      this.seen.delete(key);
    }
    return list;
  }

  /** Handles entries listed by name, for example to verify a save. Only those that Gantry is changing matter. */
  onEntriesListed(folder: FilePlace, entries: Iterable<FileEntry>): void {
    const own = this.seen.get(keyOf(folder))?.own;
    for (const entry of entries) {
      if (this.ownChanges.isUnderway(folder, entry.name)) {
        own?.verify(entry);
      }
    }
  }

  /** The number of remembered folders and entries. */
  get size(): number {
    return [...this.seen.values()].reduce((sum, seen) => sum + weightOf(seen), 0);
  }

  /** Whether a folder is being listed only to detect changes, so that no caller is waiting. */
  isLookingAt(folder: FilePlace): boolean {
    return this.looking.has(keyOf(folder));
  }

  /** Records a change made here. The code that made it announces it. */
  recordOwnChange(folder: FilePlace, name: string, result: 'there' | 'gone'): void {
    const isUnderway = this.ownChanges.isUnderway(folder, name);
    const seen = this.seen.get(keyOf(folder));
    if (seen !== undefined) {
      seen.own.done(name, result, { isUnderway });
      seen.latest = this.turns += 1;
    }
  }

  /** Suppresses news about a place until the code that changes it has announced the change. */
  changing(place: FilePlace, done: Promise<unknown>): void {
    this.ownChanges.begin(place, done);
  }

  /** Checks soon after user activity. */
  active(): void {
    this.wait = this.paces.soonest;
    this.schedule();
  }

  /** Keeps checks from becoming rare while the user types, but not as frequent as after other activity. */
  typing(): void {
    this.wait = Math.min(this.wait, this.paces.soonest * 5);
  }

  focus(focused: boolean): void {
    const returned = focused && !this.focused && this.hasLooked;
    this.focused = focused;
    if (returned) {
      this.active();
    } else if (focused) {
      this.schedule();
    } else {
      this.stop();
    }
  }

  /** Lists each relevant folder once, and visible ones in any case. */
  async lookAround(): Promise<void> {
    const visible = new Map(this.watched.visible().map((folder) => [keyOf(folder), folder]));
    this.forgetOld(visible);
    const lately = [...this.seen.values()].map(({ folder }) => [keyOf(folder), folder] as const);
    const now = this.time.now();
    const due = [...new Map([...lately, ...visible])].filter(([key]) => (this.seen.get(key)?.notBefore ?? 0) <= now);
    await Promise.all(due.map(([key, folder]) => this.lookAt(key, folder)));
  }

  dispose(): void {
    this.focused = false;
    this.stop();
  }

  private async lookAt(key: string, folder: FilePlace): Promise<void> {
    this.looking.add(key);
    try {
      await this.watched.look(folder);
    } catch {
      // Any code that needs the folder gets the error. Watching waits as long as possible before trying again.
      const seen = this.seen.get(key);
      if (seen !== undefined) {
        seen.notBefore = this.time.now() + this.paces.rarest;
      }
    } finally {
      this.looking.delete(key);
    }
  }

  private remember(
    folder: FilePlace,
    entries: ReadonlyMap<string, FileEntry>,
    { began, turn }: { readonly began: number; readonly turn: number },
  ): void {
    const key = keyOf(folder);
    const now = this.time.now();
    const notBefore = began + Math.max(this.paces.soonest, (now - began) / share);
    const seen = this.seen.get(key);
    if (seen === undefined) {
      this.seen.set(key, { folder, entries, wantedAt: began, notBefore, own: new OwnResults(), latest: turn });
    } else if (turn > seen.latest) {
      seen.latest = turn;
      this.tell(seen, entries);
      seen.notBefore = notBefore;
    }
  }

  /** Evicts the least recently used folders first. */
  private forgetBeyondBound(): void {
    let { size } = this;
    if (size <= maxEntries) {
      return;
    }
    for (const [key, seen] of [...this.seen].sort(([, a], [, b]) => a.wantedAt - b.wantedAt)) {
      if (size <= maxEntries) {
        break;
      }
      size -= weightOf(seen);
      this.seen.delete(key);
    }
  }

  private tell(seen: Seen, entries: ReadonlyMap<string, FileEntry>): void {
    const before = seen.own.apply(seen.entries, entries);
    const listed = this.ownChanges.withoutPendingChanges(seen.folder, before, entries);
    const news = listingDifferences(before, listed);
    seen.entries = listed;
    if (news.length > 0) {
      this.watched.announce(seen.folder, news);
    }
    // Do this last, because the announcement comes back as a change.
    seen.own.clear();
    this.onEntriesListed(seen.folder, entries.values());
  }

  private forgetOld(visible: ReadonlyMap<string, FilePlace>): void {
    const oldest = this.time.now() - this.paces.memory;
    for (const [key, { wantedAt }] of this.seen) {
      if (wantedAt < oldest && !visible.has(key)) {
        this.seen.delete(key);
      }
    }
  }

  /** Keeps an earlier check that is already scheduled. */
  private schedule(): void {
    const due = this.time.now() + this.wait;
    if (!this.focused || (this.callOff !== undefined && this.dueAt <= due)) {
      return;
    }
    this.callOff?.();
    this.dueAt = due;
    this.callOff = this.time.after(this.wait, () => void this.round());
  }

  private async round(): Promise<void> {
    this.callOff = undefined;
    this.hasLooked = true;
    this.wait = Math.min(this.wait * slowing, this.paces.rarest);
    await this.lookAround();
    this.schedule();
  }

  private stop(): void {
    this.callOff?.();
    this.callOff = undefined;
  }
}

/** Empty folders count too. */
function weightOf({ entries }: Seen): number {
  return entries.size + 1;
}
