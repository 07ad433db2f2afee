import type { FilePlace } from '../../containers/place';
import type { ServerVersion, SavingFiles } from './serverVersion';
import type { BaseVersion } from './baseVersion';
import type { Backup } from './backups';
import type { Backups } from './backups';
import { saveFile, type SaveLimits, type SaveRequest, usualSaveLimits } from './saveFile';
import type { SaveOutcome } from './saveOutcome';
import { watchSilence } from './silenceWatch';

/** `place`: what the place itself names. `layer`: every node of its layer. */
export type Reach = 'place' | 'layer';

/** What there is to save when its turn has come. */
export interface SaveJob {
  readonly text: string;
  readonly base: BaseVersion;
  readonly accepted: readonly ServerVersion[];
  readonly reach: Reach;
  readonly lagsBehind?: SaveRequest['lagsBehind'];
  /** Kept on disk until the save is verified. Left out for texts that whoever writes them has anyway. */
  readonly keeping?: { readonly told: Backup['told'] };
}

export interface SavesDeps {
  readonly files: SavingFiles;
  readonly kept: Backups;
  /** The same file on each node that a write to the place reaches. */
  nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
  /** Whether the save is waiting for the user, for example to sign in. */
  isAsking(place: FilePlace): boolean;
  /** Called when the platform stops responding; `stop` cancels the save. */
  onSilence(place: FilePlace, stop: () => void): void;
  /** A text could not be kept on this machine's disk. It is saved all the same: that is the safest place it can get to. */
  notKept(error: unknown): void;
}

/** Every save of every file, each with its text on disk until it is verified. */
export class Saves {
  constructor(
    private readonly deps: SavesDeps,
    private readonly limits: SaveLimits = usualSaveLimits,
  ) {}

  /** To be called in the file's turn only. */
  async save(place: FilePlace, job: SaveJob): Promise<SaveOutcome> {
    if (job.keeping !== undefined) {
      await this.keep(place, job, job.keeping);
    }
    const outcome = await this.perform(place, job);
    if (outcome.kind === 'saved' && job.keeping !== undefined) {
      await this.letGo(place);
    }
    return outcome;
  }

  private async perform(place: FilePlace, { reach, ...job }: SaveJob): Promise<SaveOutcome> {
    const target = writeTargetOf(place, reach);
    const watched = watchSilence({
      files: this.deps.files,
      patience: this.limits.patience,
      isAsking: () => this.deps.isAsking(place),
      onSilence: (stop) => this.deps.onSilence(place, stop),
    });
    try {
      const nodes = await watched.waitFor(this.deps.nodesOf(target));
      return await saveFile({ ...job, target, nodes }, watched.files, this.limits);
    } catch (error) {
      // Only the nodes could not be found out: nothing was sent.
      return { kind: 'failed', cause: error };
    } finally {
      watched.end();
    }
  }

  private async keep(
    place: FilePlace,
    { text, base, reach }: SaveJob,
    { told }: { told: Backup['told'] },
  ): Promise<void> {
    try {
      await this.deps.kept.keep({ place, base, told, text, reach });
    } catch (error) {
      this.deps.notKept(error);
    }
  }

  private async letGo(place: FilePlace): Promise<void> {
    try {
      await this.deps.kept.drop(place);
    } catch (error) {
      this.deps.notKept(error);
    }
  }
}

export function writeTargetOf(place: FilePlace, reach: Reach): FilePlace {
  return reach === 'layer' ? wholeLayer(place) : place;
}

export function wholeLayer(place: FilePlace): FilePlace {
  return { ...place, target: { nodeGroup: place.target.nodeGroup } };
}
