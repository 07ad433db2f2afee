import { setNewest } from '../../setNewest';

/** A file's stat as reported to VS Code. */
export interface ReportedStat {
  readonly mtime: number;
  readonly size: number;
}

interface Told {
  readonly last: ReportedStat;
  /** The earliest reported time. VS Code never compares with an older one. */
  readonly earliest: number;
}

const mostKept = 5_000;

/**
 * VS Code has its own conflict check: a save compares the file's time and size with those reported before. It misses
 * edits of the same length, and it can't be told that the user chose to overwrite, so report an unchanged file during
 * an edit.
 */
export class ReportedStats {
  private readonly told = new Map<string, Told>();

  note(key: string, stat: ReportedStat): void {
    const before = this.told.get(key);
    this.set(key, { last: stat, earliest: Math.min(stat.mtime, before?.earliest ?? stat.mtime) });
  }

  /** After a save, VS Code compares with later reports only. */
  replace(key: string, stat: ReportedStat): void {
    this.set(key, { last: stat, earliest: stat.mtime });
  }

  /** Returns the stat to report for a file being edited. If none is known, one that never looks newer. */
  statWhileEditing(key: string): ReportedStat {
    const told = this.told.get(key);
    return told === undefined ? { mtime: 0, size: 0 } : { size: told.last.size, mtime: told.earliest };
  }

  find(key: string): ReportedStat | undefined {
    return this.told.has(key) ? this.statWhileEditing(key) : undefined;
  }

  private set(key: string, told: Told): void {
    setNewest(this.told, key, told, mostKept);
  }
}
