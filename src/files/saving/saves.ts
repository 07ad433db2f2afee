import { type FilePlace, keyOf } from '../../remote/place';
import type { Found, SavingFiles } from './found';
import type { Base } from './base';
import type { KeptText } from './keptText';
import { keptBase } from './keptText';
import type { KeptTexts } from './keptTexts';
import { saveFile, type SaveLimits, usualSaveLimits } from './saveFile';
import type { SaveOutcome } from './saveOutcome';
import { Turns } from './turns';

/** `place`: what the place itself names. `layer`: every node of its layer. */
export type Reach = 'place' | 'layer';

/** What there is to save when its turn has come. */
export interface SaveJob {
  readonly text: string;
  readonly base: Base;
  readonly accepted: readonly Found[];
  readonly reach: Reach;
  /** Kept on disk until the save is verified. Left out for texts that whoever writes them has anyway. */
  readonly keeping?: { readonly told: KeptText['told'] };
}

export interface SavesAround {
  readonly files: SavingFiles;
  readonly kept: KeptTexts;
  /** The same file on each node that a write to the place reaches. */
  nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
  /** A text could not be kept on this machine's disk. It is saved all the same: that is the safest place it can get to. */
  notKept(error: unknown): void;
}

/** Every save of every file: those of one file one after the other, each with its text on disk until it is verified. */
export class Saves {
  private readonly turns = new Turns();

  constructor(
    private readonly around: SavesAround,
    private readonly limits: SaveLimits = usualSaveLimits,
  ) {}

  /** @param jobOf is asked when the turn has come: a save before this one may have changed what there is to save */
  save(
    place: FilePlace,
    jobOf: () => Promise<SaveJob>,
  ): Promise<{ readonly job: SaveJob; readonly outcome: SaveOutcome }> {
    return this.turns.take(fileKey(place), async () => {
      const job = await jobOf();
      if (job.keeping !== undefined) {
        await this.keep(place, job, job.keeping);
      }
      const outcome = await this.perform(place, job);
      if (outcome.kind === 'saved' && job.keeping !== undefined) {
        await this.letGo(place);
      }
      return { job, outcome };
    });
  }

  private async perform(place: FilePlace, { text, base, accepted, reach }: SaveJob): Promise<SaveOutcome> {
    const target = reach === 'layer' ? wholeLayer(place) : place;
    try {
      const nodes = await this.around.nodesOf(target);
      return await saveFile({ target, nodes, text, base, accepted }, this.around.files, this.limits);
    } catch (error) {
      // Only the nodes could not be found out: nothing was sent.
      return { kind: 'failed', cause: error };
    }
  }

  private async keep(
    place: FilePlace,
    { text, base, reach }: SaveJob,
    { told }: { told: KeptText['told'] },
  ): Promise<void> {
    try {
      await this.around.kept.keep({ place, base: keptBase(base), told, text, reach });
    } catch (error) {
      this.around.notKept(error);
    }
  }

  private async letGo(place: FilePlace): Promise<void> {
    try {
      await this.around.kept.drop(place);
    } catch (error) {
      this.around.notKept(error);
    }
  }
}

export function wholeLayer(place: FilePlace): FilePlace {
  return { ...place, target: { nodeGroup: place.target.nodeGroup } };
}

/** One file of a layer is one file, whichever of its nodes is named: a save to all of them must not cross one to a single node. */
function fileKey(place: FilePlace): string {
  return keyOf(wholeLayer(place));
}
