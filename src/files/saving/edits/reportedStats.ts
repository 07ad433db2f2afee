import { setNewest } from '../../setNewest';

/** What VS Code was told of a file. */
export interface ReportedStat {
  readonly mtime: number;
  readonly size: number;
}

interface Told {
  readonly last: ReportedStat;
  /** The earliest time it was told: whatever VS Code goes by, this is not newer. */
  readonly earliest: number;
}

const mostKept = 5_000;

/**
 * VS Code has a conflict check of its own: it compares the time and size of a file at a save with what it was told before. It
 * misses edits of the same length and cannot be told that the person chose to overwrite, so it is shown a file that has not changed.
 */
export class ReportedStats {
  private readonly told = new Map<string, Told>();

  note(key: string, stat: ReportedStat): void {
    const before = this.told.get(key);
    this.set(key, { last: stat, earliest: Math.min(stat.mtime, before?.earliest ?? stat.mtime) });
  }

  /** From a save on, VS Code goes by what it is told afterwards. */
  replace(key: string, stat: ReportedStat): void {
    this.set(key, { last: stat, earliest: stat.mtime });
  }

  /** What to tell of a file that is being edited. Without any memory of it, something that is never newer. */
  frozen(key: string): ReportedStat {
    const told = this.told.get(key);
    return told === undefined ? { mtime: 0, size: 0 } : { size: told.last.size, mtime: told.earliest };
  }

  find(key: string): ReportedStat | undefined {
    return this.told.has(key) ? this.frozen(key) : undefined;
  }

  private set(key: string, told: Told): void {
    setNewest(this.told, key, told, mostKept);
  }
}
