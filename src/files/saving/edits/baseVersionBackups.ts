import { type FilePlace, keyOf } from '../../../containers/place';
import type { BaseVersion } from '../serverFiles';
import type { Entry } from '../../journal/entry';
import type { Backup, Backups } from '../backups';
import { BoundedMap } from '../../boundedMap';
import { entryOfText } from '../../text';

/**
 * VS Code stores an unsaved text a moment after the last change, so right after a merge, a new window could still get the
 * text before it. In milliseconds. Longer than VS Code takes even on a busy computer.
 */
const restoredAfter = 10_000;

interface Beginning {
  readonly place: FilePlace;
  readonly base: BaseVersion | Promise<BaseVersion>;
  readonly isDirty: boolean;
}

/** Stores the base versions of edits on disk, so that the edits can continue after their window closes. */
export class BaseVersionBackups {
  readonly reportedStats = new ReportedStats();

  constructor(
    private readonly deps: {
      readonly backups: Backups;
      /** Whether another open window owns the backup. */
      isHeldElsewhere(entry: Entry): Promise<boolean>;
    },
  ) {}

  /** Finds the base version of a text that VS Code restored, in the backup that another window made. */
  async recover(place: FilePlace): Promise<BaseVersion> {
    try {
      const found = await this.find(place);
      if (found === undefined) {
        return { kind: 'unknown' };
      }
      const { backup, isLeft } = found;
      if (backup.reportedStat !== undefined) {
        this.reportedStats.note(keyOf(place), backup.reportedStat);
      }
      if (isLeft) {
        await this.adopt(backup);
      } else {
        await this.deps.backups.keep({ place, base: backup.base, reportedStat: backup.reportedStat, text: undefined });
      }
      return backup.base;
    } catch (error) {
      // Without a base version, the edit can still be saved. It couldn't if it waited forever.
      this.deps.backups.journal.failed(error);
      return { kind: 'unknown' };
    }
  }

  keep(edit: Beginning): void {
    void this.keepWith(undefined, edit);
  }

  /**
   * Keeps the base version of a text that has just replaced another one, as a merge does, once VS Code has stored that text.
   * With this base version, a save of the other text would overwrite what was merged. The one before is at most a conflict.
   */
  keepLater(edit: Beginning): void {
    this.deps.backups.keepLater(edit.place, restoredAfter, () => this.keep(edit));
  }

  /** VS Code stores the text a moment after its last change. */
  changed({ place }: Beginning): void {
    this.deps.backups.waitAgain(place);
  }

  /** Keeps a text, too, that the edit just got from another backup, and VS Code hasn't stored yet. Returns whether it's kept. */
  async keepWith(text: string | undefined, edit: Beginning): Promise<boolean> {
    const { backups } = this.deps;
    const { place } = edit;
    try {
      const known = await edit.base;
      if (!edit.isDirty) {
        // It ended meanwhile, and its backup was discarded already.
        return false;
      }
      const reportedStat = this.reportedStats.find(keyOf(place));
      return (await backups.keep({ place, base: known, reportedStat, text })) === 'kept';
    } catch (error) {
      // A save of the edit also waits for the base version and gets the error.
      backups.journal.failed(error);
      return false;
    }
  }

  discard(place: FilePlace): void {
    void this.deps.backups.drop(place);
  }

  /** Returns the backup of a closed window, or else that of an open one, whose unsaved text VS Code also restores. */
  private async find(place: FilePlace): Promise<{ readonly backup: Backup; readonly isLeft: boolean } | undefined> {
    const all = (await this.deps.backups.find(place)).filter(({ entry }) => this.mayBeOfRestored(entry));
    for (const backup of all) {
      if (!(await this.deps.isHeldElsewhere(backup.entry))) {
        return { backup, isLeft: true };
      }
    }
    const shared = all.find(({ entry, text }) => text === undefined && Date.now() - entry.at >= restoredAfter);
    return shared && { backup: shared, isLeft: false };
  }

  /** VS Code restores each workspace's own text. The one of another workspace may be based on another version. */
  private mayBeOfRestored({ owner: { workspace } }: Entry): boolean {
    return workspace === undefined || workspace === this.deps.backups.journal.owner.workspace;
  }

  private async adopt(backup: Backup): Promise<void> {
    if (this.deps.backups.isOurs(backup.entry)) {
      return;
    }
    const { place, base, reportedStat, text, scope } = backup;
    if (base.kind === 'version' && base.approximate !== true && text !== undefined) {
      // The save that the other window had begun may have arrived.
      const { text: earlier } = base.version;
      const found = { kind: 'text', text: earlier, whole: true, entry: entryOfText(place, earlier) } as const;
      this.deps.backups.noteUnseen({ before: { node: place, found }, text });
    }
    const isKept = (await this.deps.backups.keep({ place, base, reportedStat, text, scope })) === 'kept';
    // This editor saves to one node, so keep offering a save to all nodes until the others have the text too.
    if (isKept && !(text !== undefined && scope === 'layer')) {
      await this.deps.backups.discard(backup.entry).catch((error: unknown) => this.deps.backups.journal.failed(error));
    }
  }
}

export interface ReportedStat {
  readonly mtime: number;
  readonly size: number;
}

interface Reported {
  readonly last: ReportedStat;
  /** The earliest reported time. VS Code never compares with an older one. */
  readonly earliest: number;
}

const maxKept = 5_000;

/**
 * VS Code has its own conflict check: a save compares the file's time and size with those reported before. It misses
 * edits of the same length, and it can't be told that the user chose to overwrite, so report an unchanged file during
 * an edit.
 */
class ReportedStats {
  private readonly reported = new BoundedMap<string, Reported>(maxKept);

  note(key: string, stat: ReportedStat): void {
    const before = this.reported.get(key);
    this.set(key, { last: stat, earliest: Math.min(stat.mtime, before?.earliest ?? stat.mtime) });
  }

  /** After a save, VS Code compares with later reports only. */
  replace(key: string, stat: ReportedStat): void {
    this.set(key, { last: stat, earliest: stat.mtime });
  }

  /** Returns the stat to report for a file being edited. If none is known, one that never looks newer. */
  statWhileEditing(key: string): ReportedStat {
    const reported = this.reported.get(key);
    return reported === undefined ? { mtime: 0, size: 0 } : { size: reported.last.size, mtime: reported.earliest };
  }

  find(key: string): ReportedStat | undefined {
    return this.reported.has(key) ? this.statWhileEditing(key) : undefined;
  }

  private set(key: string, reported: Reported): void {
    this.reported.set(key, reported);
  }
}
