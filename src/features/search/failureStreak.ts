import { isPlatformError, type PlatformErrorKind } from '../../platform/errors';

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

const concernsAll: ReadonlySet<PlatformErrorKind> = new Set(['unauthenticated', 'tokenLacksMethod']);
const silent: ReadonlySet<PlatformErrorKind> = new Set(['timeout', 'unreachable', 'protocol']);

/** Whether the server didn't answer. */
export function isSilence(error: unknown): boolean {
  return isPlatformError(error) && silent.has(error.kind);
}
