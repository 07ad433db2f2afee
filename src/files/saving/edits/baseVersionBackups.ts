import { type FilePlace, keyOf } from '../../../containers/place';
import type { Base } from '../baseVersion';
import type { KeptText } from '../backup';
import type { KeptTexts } from '../backups';
import type { ToldStats } from './reportedStats';

export interface EditKeepingAround {
  readonly kept: KeptTexts;
  /** Whether another window holds the kept text and still lives. */
  isHeldElsewhere(kept: KeptText): Promise<boolean>;
  notKept(error: unknown): void;
}

/** What an edit began with. */
export interface Beginning {
  readonly place: FilePlace;
  readonly base: Base | Promise<Base>;
}

/** Keeps on disk what edits began with, so that they can go on after their window has ended. */
export class EditKeeping {
  constructor(private readonly around: EditKeepingAround) {}

  /** From what windows have kept that have ended. */
  async recover(place: FilePlace, told: ToldStats): Promise<Base> {
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
      this.around.notKept(error);
      return { kind: 'unknown' };
    }
  }

  keep({ place, base }: Beginning, told: ToldStats): void {
    const keep = async () => {
      const found = told.find(keyOf(place));
      await this.around.kept.keep({ place, base: await base, told: found, text: undefined });
    };
    keep().catch((error: unknown) => this.around.notKept(error));
  }

  letGo(place: FilePlace): void {
    this.around.kept.drop(place).catch((error: unknown) => this.around.notKept(error));
  }

  private async left(place: FilePlace): Promise<KeptText | undefined> {
    for (const kept of await this.around.kept.find(place)) {
      if (!(await this.around.isHeldElsewhere(kept))) {
        return kept;
      }
    }
    return undefined;
  }

  private async adopt(kept: KeptText): Promise<void> {
    if (this.around.kept.isOurs(kept)) {
      return;
    }
    try {
      const { place, base, told, text, reach } = kept;
      const isKept = (await this.around.kept.keep({ place, base, told, text, reach })) === 'kept';
      // This editor saves to one node. A save to all nodes is offered until the others have the text, too.
      if (isKept && !(text !== undefined && reach === 'layer')) {
        await this.around.kept.discard(kept);
      }
    } catch (error) {
      this.around.notKept(error);
    }
  }
}
