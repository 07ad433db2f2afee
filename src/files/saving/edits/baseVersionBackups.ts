import { type FilePlace, keyOf } from '../../../containers/place';
import type { BaseVersion } from '../serverFiles';
import type { Backup } from '../backups';
import type { Backups } from '../backups';
import type { ReportedStats } from './reportedStats';

export interface BaseVersionBackupsDeps {
  readonly kept: Backups;
  /** Whether another window holds the kept text and still lives. */
  isHeldElsewhere(kept: Backup): Promise<boolean>;
}

/** What an edit began with. */
export interface Beginning {
  readonly place: FilePlace;
  readonly base: BaseVersion | Promise<BaseVersion>;
}

/** Keeps on disk what edits began with, so that they can go on after their window has ended. */
export class BaseVersionBackups {
  constructor(private readonly deps: BaseVersionBackupsDeps) {}

  /** From what windows have kept that have ended. */
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
      // An edit can be saved also where nobody knows what it began with; one that waited for this for ever could not.
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
    // This editor saves to one node. A save to all nodes is offered until the others have the text, too.
    if (isKept && !(text !== undefined && reach === 'layer')) {
      await this.deps.kept.discard(kept).catch((error: unknown) => this.deps.kept.failed(error));
    }
  }
}
