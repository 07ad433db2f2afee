import { type FilePlace, keyOf } from '../../../containers/place';
import type { BaseVersion } from '../serverFiles';
import type { Backup } from '../backups';
import type { Backups } from '../backups';
import type { ReportedStats } from './reportedStats';

export interface BaseVersionBackupsDeps {
  readonly kept: Backups;
  /** Whether another open window owns the backup. */
  isHeldElsewhere(kept: Backup): Promise<boolean>;
}

/** An edit and its base version. */
export interface Beginning {
  readonly place: FilePlace;
  readonly base: BaseVersion | Promise<BaseVersion>;
}

/** Stores the base versions of edits on disk, so that the edits can continue after their window closes. */
export class BaseVersionBackups {
  constructor(private readonly deps: BaseVersionBackupsDeps) {}

  /** Takes over the base version from a closed window. */
  async recover(place: FilePlace, told: ReportedStats): Promise<BaseVersion> {
    try {
      const kept = await this.left(place);
      if (kept === undefined) {
        return { kind: 'unknown' };
      }
      if (kept.told !== undefined) {
        told.note(keyOf(place), kept.told);
      }
      await this.adopt(kept);
      return kept.base;
    } catch (error) {
      // Without a base version, the edit can still be saved. It couldn't if it waited forever.
      this.deps.kept.failed(error);
      return { kind: 'unknown' };
    }
  }

  keep({ place, base }: Beginning, told: ReportedStats): void {
    const keep = async () => {
      await this.deps.kept.keep({ place, base: await base, told: told.find(keyOf(place)), text: undefined });
    };
    // Whoever saves the edit waits for what it began with, too, and gets the error.
    keep().catch((error: unknown) => this.deps.kept.failed(error));
  }

  letGo(place: FilePlace): void {
    void this.deps.kept.drop(place);
  }

  private async left(place: FilePlace): Promise<Backup | undefined> {
    for (const kept of await this.deps.kept.find(place)) {
      if (!(await this.deps.isHeldElsewhere(kept))) {
        return kept;
      }
    }
    return undefined;
  }

  private async adopt(kept: Backup): Promise<void> {
    if (this.deps.kept.isOurs(kept)) {
      return;
    }
    const { place, base, told, text, reach } = kept;
    const isKept = (await this.deps.kept.keep({ place, base, told, text, reach })) === 'kept';
    // This editor saves to one node, so keep offering a save to all nodes until the others have the text too.
    if (isKept && !(text !== undefined && reach === 'layer')) {
      await this.deps.kept.discard(kept).catch((error: unknown) => this.deps.kept.failed(error));
    }
  }
}
