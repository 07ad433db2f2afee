import { type FilePlace, wholeLayer } from '../../containers/place';
import type { ServerVersion, SavingFiles, BaseVersion } from './serverFiles';
import type { Backup, Backups } from './backups';
import { saveFile, type SaveLimits, type SaveRequest, defaultSaveLimits, type SaveOutcome } from './saveFile';
import { raceAbort } from '../../async/waiting';
import { timeToSend } from '../../platform/client';
import { Canceled } from '../../platform/errors';

/** `place`: only the place itself. `layer`: every node of its layer. */
export type SaveScope = 'place' | 'layer';

/** What to save, determined when it's the save's turn in the queue. */
export interface SaveJob {
  readonly text: string;
  readonly base: BaseVersion;
  readonly accepted: readonly ServerVersion[];
  readonly scope: SaveScope;
  readonly hasOutdatedVersion?: SaveRequest['hasOutdatedVersion'];
  readonly reason?: SaveReason;
  /** Stores the text on disk until the save is verified. Omitted for texts that the writer keeps anyway. */
  readonly keeping?: { readonly reportedStat: Backup['reportedStat'] };
}

/** Why a text is saved, unless a person typed it. `batch`: the replacement that it's a part of. */
export type SaveReason = { readonly cause: 'restore' } | { readonly cause: 'replace'; readonly batch: string };

/** What each node has after a verified save, and had before. */
export type SavedFiles = Extract<SaveOutcome, { kind: 'saved' }> & { readonly reason?: SaveReason };

/** Runs all saves, and keeps each text on disk until it's verified. */
export class Saves {
  constructor(
    private readonly deps: {
      readonly files: SavingFiles;
      readonly backups: Backups;
      /** The same file on each node that a write to the place reaches. */
      nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
      /** Whether the save is waiting for the user, for example to sign in. */
      isAsking(place: FilePlace): boolean;
      onDidSave?(saved: SavedFiles): void;
      /** Called when the platform stops responding; `stop` cancels the save. */
      onSilence(place: FilePlace, stop: () => void): void;
    },
    private readonly limits: SaveLimits = defaultSaveLimits,
  ) {}

  /** Call this only in the file's turn in the queue. */
  async save(place: FilePlace, job: SaveJob): Promise<SaveOutcome> {
    const { text, base, scope, keeping, reason } = job;
    if (keeping !== undefined) {
      // If the local backup fails, save anyway: nowhere is the text safer.
      await this.deps.backups.keep({ place, base, reportedStat: keeping.reportedStat, text, scope });
    }
    const outcome = await this.perform(place, job);
    if (outcome.kind === 'saved') {
      this.deps.onDidSave?.({ ...outcome, ...(reason && { reason }) });
      if (keeping !== undefined) {
        await this.deps.backups.drop(place);
      }
    }
    return outcome;
  }

  private async perform(place: FilePlace, { scope, ...job }: SaveJob): Promise<SaveOutcome> {
    const target = writeTargetOf(place, scope);
    const watched = watchSilence(this.deps.files, this.limits.patience, {
      isAsking: () => this.deps.isAsking(place),
      onSilence: (stop) => this.deps.onSilence(place, stop),
    });
    try {
      const nodes = await watched.waitFor(this.deps.nodesOf(target));
      return await saveFile({ ...job, target, nodes }, watched.files, this.limits);
    } catch (error) {
      // Only looking up the nodes failed, so nothing was sent.
      return { kind: 'failed', cause: error };
    } finally {
      watched.end();
    }
  }
}

export function writeTargetOf(place: FilePlace, scope: SaveScope): FilePlace {
  return scope === 'layer' ? wholeLayer(place) : place;
}

/** Detects that the platform stopped responding during a save, and lets the user stop sending anything. */
function watchSilence(
  files: SavingFiles,
  patience: number,
  person: { readonly isAsking: () => boolean; readonly onSilence: (stop: () => void) => void },
) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const state: { timer?: NodeJS.Timeout; isOver: boolean } = { isOver: false };
  const wait = (milliseconds: number): void => {
    clearTimeout(state.timer);
    if (state.isOver) {
      return;
    }
    state.timer = setTimeout(() => {
      if (person.isAsking()) {
        wait(patience);
      } else {
        // Notify the user only once.
        state.isOver = true;
        person.onSilence(() => stopping.abort());
      }
    }, milliseconds);
  };
  const answered = async <T>(work: () => Promise<T>, bytes = 0): Promise<T> => {
    if (signal.aborted) {
      throw notSent();
    }
    wait(patience + timeToSend(bytes));
    try {
      return await work();
    } finally {
      wait(patience);
    }
  };
  wait(patience);
  const watched: SavingFiles = {
    read: (file) => answered(() => files.read(file, { signal })),
    // Other callers may share this listing, so stop only this wait.
    lookUp: (file) => answered(() => raceAbort(files.lookUp(file), signal, notSent())),
    write: (file, text) => answered(() => files.write(file, text, { signal }), text.length),
  };
  return {
    files: watched,
    /** Waits for work that doesn't write to the file. Rejects when the user stops waiting. */
    waitFor: <T>(work: Promise<T>): Promise<T> => raceAbort(work, signal, notSent()),
    end: () => {
      state.isOver = true;
      clearTimeout(state.timer);
      // Releases the waits; nothing is in progress anymore.
      stopping.abort();
    },
  };
}

function notSent(): Canceled {
  return new Canceled('Save', { isOutcomeUnknown: false });
}
