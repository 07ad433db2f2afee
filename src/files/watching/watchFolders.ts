import type { Disposable } from 'vscode';
import type { FileEntry } from '../../platform/wire/fileEntry';
import { type FilePlace, keyOf } from '../../containers/place';
import { type Clock, realClock } from './clock';
import { type ListingDifference, listingDifferences, OwnChanges, OwnResults } from './listingDifferences';

export interface WatchIntervals {
  /** Milliseconds to the next look while something happens here. */
  readonly soonest: number;
  /** The longest between two looks. */
  readonly rarest: number;
  /** How long a folder stays of interest after someone listed it. */
  readonly memory: number;
}

const usualPaces: WatchIntervals = { soonest: 4_000, rarest: 120_000, memory: 300_000 };
/** A window that opens has enough to do. */
const patienceAtFirst = 3;
/** Each look without activity in between waits that much longer than the one before. */
const slowing = 1.6;
/** Looking at a folder must not take more than this share of the time. */
const share = 0.05;
/** Larger folders are not watched, and no more folders and entries than this are remembered. */
const mostInFolder = 10_000;
const mostEntries = 100_000;

export interface FolderWatcherDeps {
  /** Lists a folder anew. It asks nothing of the person, and comes by `noticing` on its way. */
  readonly look: (folder: FilePlace) => Promise<unknown>;
  /** Folders of what is visible in the window. */
  readonly visible: () => readonly FilePlace[];
  readonly announce: (folder: FilePlace, differences: readonly ListingDifference[]) => void;
}

interface Seen {
  readonly folder: FilePlace;
  entries: ReadonlyMap<string, FileEntry>;
  wantedAt: number;
  /** Not to be looked at again before. */
  notBefore: number;
  /** What Gantry changed since the last check. Any other difference was made by someone else. */
  readonly own: OwnResults;
}

/**
 * Finds what others change. The platform tells nobody, so folders that are visible or were listed lately are listed again: soon
 * after the person did something, more and more rarely after that, and never while the window is not looked at.
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

  constructor(
    private readonly watched: FolderWatcherDeps,
    private readonly paces: WatchIntervals = usualPaces,
    private readonly clock: Clock = realClock,
  ) {
    this.wait = paces.soonest * patienceAtFirst;
  }

  /** Every listing comes by here on its way to whoever asked for it. */
  async noticing(folder: FilePlace, asked: Promise<readonly FileEntry[]>): Promise<readonly FileEntry[]> {
    const key = keyOf(folder);
    const began = this.clock.now();
    const before = this.seen.get(key);
    if (before !== undefined && !this.looking.has(key)) {
      before.wantedAt = began;
    }
    const list = await asked;
    if (list.length <= mostInFolder) {
      this.remember(folder, new Map(list.map((entry) => [entry.name, entry])), began);
      this.forgetBeyondBound();
    } else {
      this.seen.delete(key);
    }
    return list;
  }

  /** A few entries of a folder were listed by name, for example to verify a save. Only those that Gantry is changing count. */
  noticeChecked(folder: FilePlace, entries: Iterable<FileEntry>): void {
    const own = this.seen.get(keyOf(folder))?.own;
    for (const entry of entries) {
      if (this.ownChanges.isUnderway(folder, entry.name)) {
        own?.verify(entry);
      }
    }
  }

  /** How many folders and entries are remembered. */
  get size(): number {
    return [...this.seen.values()].reduce((sum, seen) => sum + weightOf(seen), 0);
  }

  /** Whether a folder is being listed only to see what has changed: nobody waits for it. */
  isLookingAt(folder: FilePlace): boolean {
    return this.looking.has(keyOf(folder));
  }

  /** What was done from here is announced by whoever did it. */
  changedHere(folder: FilePlace, name: string, result: 'there' | 'gone'): void {
    const isUnderway = this.ownChanges.isUnderway(folder, name);
    this.seen.get(keyOf(folder))?.own.done(name, result, { isUnderway });
  }

  /** Whoever changes a place from here announces it: until then a listing that shows it is no news. */
  changing(place: FilePlace, done: Promise<unknown>): void {
    this.ownChanges.begin(place, done);
  }

  /** The person did something: the next look comes soon. */
  active(): void {
    this.wait = this.paces.soonest;
    this.schedule();
  }

  /** Typing goes on for hours: it keeps looks from becoming rare, and does not make them frequent. */
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

  /** One round: every folder of interest is listed once, the visible ones in any case. */
  async lookAround(): Promise<void> {
    const visible = new Map(this.watched.visible().map((folder) => [keyOf(folder), folder]));
    this.forgetOld(visible);
    const lately = [...this.seen.values()].map(({ folder }) => [keyOf(folder), folder] as const);
    const now = this.clock.now();
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
      // Whoever needs the folder is told why it cannot be listed. Looking at it again waits as long as looks ever do.
      const seen = this.seen.get(key);
      if (seen !== undefined) {
        seen.notBefore = this.clock.now() + this.paces.rarest;
      }
    } finally {
      this.looking.delete(key);
    }
  }

  private remember(folder: FilePlace, entries: ReadonlyMap<string, FileEntry>, began: number): void {
    const key = keyOf(folder);
    const now = this.clock.now();
    const notBefore = began + Math.max(this.paces.soonest, (now - began) / share);
    const seen = this.seen.get(key);
    if (seen !== undefined) {
      this.tell(seen, entries);
      seen.notBefore = notBefore;
      return;
    }
    this.seen.set(key, { folder, entries, wantedAt: began, notBefore, own: new OwnResults() });
  }

  /** Evicts the least recently used folders first. */
  private forgetBeyondBound(): void {
    let { size } = this;
    if (size <= mostEntries) {
      return;
    }
    for (const [key, seen] of [...this.seen].sort(([, a], [, b]) => a.wantedAt - b.wantedAt)) {
      if (size <= mostEntries) {
        break;
      }
      size -= weightOf(seen);
      this.seen.delete(key);
    }
  }

  private tell(seen: Seen, entries: ReadonlyMap<string, FileEntry>): void {
    const before = seen.own.apply(seen.entries, entries);
    const listed = this.ownChanges.setAside(seen.folder, before, entries);
    const news = listingDifferences(before, listed);
    seen.entries = listed;
    if (news.length > 0) {
      this.watched.announce(seen.folder, news);
    }
    // Last, because what was just announced comes back as a change like any other.
    seen.own.clear();
    this.noticeChecked(seen.folder, entries.values());
  }

  private forgetOld(visible: ReadonlyMap<string, FilePlace>): void {
    const oldest = this.clock.now() - this.paces.memory;
    for (const [key, { wantedAt }] of this.seen) {
      if (wantedAt < oldest && !visible.has(key)) {
        this.seen.delete(key);
      }
    }
  }

  /** A look that is to come sooner anyway stays. */
  private schedule(): void {
    const due = this.clock.now() + this.wait;
    if (!this.focused || (this.callOff !== undefined && this.dueAt <= due)) {
      return;
    }
    this.callOff?.();
    this.dueAt = due;
    this.callOff = this.clock.after(this.wait, () => void this.round());
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

/** An empty folder counts too. */
function weightOf({ entries }: Seen): number {
  return entries.size + 1;
}
