import { walk } from '../../async/taskPool';
import { looksLikeLoop } from '../../containers/linkLoops';
import type { Listing } from '../../containers/listingCache';
import { childOf, type FilePlace } from '../../containers/place';
import type { FileEntry } from '../../platform/wire/fileEntry';
import type { PathFilter } from '../../containers/pathFilter';
import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';
import { pause, steadyTime, type TimeSource } from '../../async/waiting';

/** How many folders are listed at a time. */
export const foldersAtOnce = 4;

interface FolderWalkDeps {
  /** Lists a folder when it's its turn. */
  readonly list: (folder: FilePlace) => Promise<Listing>;
  readonly filter: PathFilter;
  readonly signal: AbortSignal;
  readonly onFile: (file: FilePlace, entry: FileEntry) => void;
  /** Gets each excluded file and folder, and each link. */
  readonly onSkipped: (skipped: {
    readonly place: FilePlace;
    readonly isFolder: boolean;
    readonly reason: 'excluded' | 'link';
  }) => void;
  /** Gets each folder that couldn't be listed. If it throws, the walk ends. */
  readonly onFailure: (folder: FilePlace, error: unknown) => void;
}

/** A folder to enter, with the listings of those above it that were entered before. */
interface Step {
  readonly folder: FilePlace;
  readonly above: readonly Listing[];
}

/** Finds the files below a folder, those near to it first. Links aren't followed as far as they can be told. */
export async function walkFolder(root: FilePlace, deps: FolderWalkDeps): Promise<void> {
  await walk<Step>([{ folder: root, above: [] }], {
    enter: (step) => enter(step, deps),
    atOnce: foldersAtOnce,
    signal: deps.signal,
    onFailure: ({ folder }, error) => deps.onFailure(folder, error),
  });
}

/** Returns the folders in it to enter next. */
async function enter({ folder, above }: Step, deps: FolderWalkDeps): Promise<readonly Step[]> {
  const { filter, signal, onFile, onSkipped } = deps;
  const listing = await deps.list(folder);
  if (signal.aborted) {
    return [];
  }
  if (above.some((one) => looksLikeLoop(one, listing))) {
    onSkipped({ place: folder, isFolder: true, reason: 'link' });
    return [];
  }
  const below: Step[] = [];
  for (const entry of inOrder(listing)) {
    const place = childOf(folder, entry.name);
    const isLink = entry.fileType === 'symbolic link';
    const isFolder = entry.isDir && !isLink;
    if (!(entry.isDir ? filter.mayContain(place.path) : filter.isIncluded(place.path))) {
      continue;
    }
    if (filter.isExcluded(place.path)) {
      onSkipped({ place, isFolder, reason: 'excluded' });
    } else if (isLink) {
      onSkipped({ place, isFolder: entry.isDir, reason: 'link' });
    } else if (isFolder) {
      below.push({ folder: place, above: [...above, listing] });
    } else {
      onFile(place, entry);
    }
  }
  return below;
}

function inOrder(listing: Listing): readonly FileEntry[] {
  return [...listing.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** So many failures in a row mean that nothing can be read anymore, and not that a few files can't. */
const [maxSilences, maxFailures] = [3, 20];

/** Tells failures of single files and folders from those that all others would share. */
export class FailureStreak {
  /** How many requests in a row got no response. */
  private silences = 0;
  /** How many got none, or only an unspecific error. */
  private failures = 0;

  /** Something could be read. */
  broken(): void {
    this.silences = 0;
    this.failures = 0;
  }

  /** Notes a failure, and returns whether there's no point in going on. */
  endsWith(error: unknown): boolean {
    if (!isPlatformError(error) || concernsAll.has(error.kind) || error.obstacle === 'notShared') {
      return true;
    }
    if (isSilence(error)) {
      this.silences += 1;
      this.failures += 1;
    } else if (error.kind === 'platform') {
      this.silences = 0;
      this.failures += 1;
    } else {
      // The server answers what is wrong with this one.
      this.broken();
    }
    return this.silences >= maxSilences || this.failures >= maxFailures;
  }
}

const concernsAll: ReadonlySet<PlatformErrorKind> = new Set(['unauthenticated', 'tokenLacksMethod', 'notRunning']);
const silent: ReadonlySet<PlatformErrorKind> = new Set(['timeout', 'unreachable', 'protocol']);

/** Whether the server didn't answer. */
export function isSilence(error: unknown): boolean {
  return isPlatformError(error) && silent.has(error.kind);
}

/** Spreads requests over time, so that a long search leaves a production server free to serve users. */
export class RequestPace {
  /** When the next request may be sent, in milliseconds. */
  private next = Number.NEGATIVE_INFINITY;

  /**
   * @param perSecond the most requests in a second
   * @param atOnce how many may be sent at once after a pause
   */
  constructor(
    private readonly perSecond: () => number,
    private readonly atOnce: number,
    private readonly time: TimeSource = steadyTime,
  ) {}

  /** Waits for the next request's turn. Ends at once if the signal is aborted. */
  async turn(signal: AbortSignal): Promise<void> {
    if (signal.aborted) {
      return;
    }
    const perSecond = this.perSecond();
    const interval = 1_000 / perSecond;
    const now = this.time.now();
    const at = Math.max(this.next, now - (Math.min(this.atOnce, perSecond) - 1) * interval);
    this.next = at + interval;
    if (at > now) {
      await pause(Math.ceil(at - now), signal, this.time);
    }
  }
}
