import { isPlatformError, type PlatformErrorKind } from '../platform/errors';

/** So many failures in a row mean that nothing can be read anymore, and not that a few files can't. */
const most = new Map<PlatformErrorKind, number>([
  ['timeout', 3],
  ['unreachable', 3],
  ['protocol', 3],
  ['platform', 20],
]);

/** Tells failures of single files and folders from those that all others would share. */
export class FailureStreak {
  private length = 0;

  /** Something could be read. */
  broken(): void {
    this.length = 0;
  }

  /** Notes a failure, and returns whether there's no point in going on. */
  endsWith(error: unknown): boolean {
    if (!isPlatformError(error) || concernsAll.has(error.kind) || error.obstacle === 'notShared') {
      return true;
    }
    const limit = most.get(error.kind);
    // The server answers what is wrong with this one.
    this.length = limit === undefined ? 0 : this.length + 1;
    return limit !== undefined && this.length >= limit;
  }
}

const concernsAll: ReadonlySet<PlatformErrorKind> = new Set(['unauthenticated', 'tokenLacksMethod']);
