import { type FilePlace, isPathWithin, keyOf, wholeLayer } from '../../containers/place';
import type { BaseVersion, SavingFiles, ServerVersion } from './serverFiles';
import { defaultSaveLimits, saveFile, type SaveLimits, type SaveOutcome, type SaveRequest } from './saveFile';
import { KeyedQueue, raceAbort } from '../../async/waiting';
import { timeToSend } from '../../platform/client';
import { Canceled } from '../../platform/errors';
import type { Entry } from '../journal/entry';
import type { Journal, Kept } from '../journal/journal';
import type { FileLocks } from '../../storage/windows';
import { utf8Length } from '../text';
import { digestOf, someAtOnce } from '../../storage/jsonFolder';

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

/** Runs the saves of texts, and keeps each text on disk until it's verified. `FileWriter` itself writes binary data and new empty files. */
export class Saves {
  constructor(
    private readonly deps: {
      readonly files: SavingFiles;
      readonly backups: Backups;
      /** The same file on each node that a write to the place reaches. */
      nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
      /** Whether the save is waiting for the user, for example to sign in. */
      isAsking(place: FilePlace): boolean;
      /** Called before `save` resolves, and so before the file system says that a file of VS Code's is saved. */
      onDidVerify?(saved: SavedFiles): void;
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
      this.deps.onDidVerify?.({ ...outcome, ...(reason && { reason }) });
      if (keeping !== undefined) {
        await this.deps.backups.drop(place);
      }
    }
    return outcome;
  }

  private async perform(place: FilePlace, { scope, ...job }: SaveJob): Promise<SaveOutcome> {
    const written = writeTargetOf(place, scope);
    const watched = watchSilence(this.deps.files, this.limits.patience, {
      isAsking: () => this.deps.isAsking(place),
      onSilence: (stop) => this.deps.onSilence(place, stop),
    });
    try {
      const nodes = await watched.waitFor(this.deps.nodesOf(written));
      return await saveFile({ ...job, place: written, nodes }, watched.files, this.limits);
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
    write: (file, text) => answered(() => files.write(file, text, { signal }), utf8Length(text)),
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

interface NewBackup {
  readonly place: FilePlace;
  /** Distinguishes backups of the same place and window, if there may be several. */
  readonly id?: string;
  readonly base: BaseVersion;
  /** The text to save, once a save has started. */
  readonly text?: string | undefined;
  /** The place of something that was deleted here. */
  readonly movedTo?: FilePlace | undefined;
  readonly reportedStat?: NonNullable<Entry['edit']>['reportedStat'];
  readonly scope?: NonNullable<Entry['edit']>['scope'];
}

/** An edit stored on disk, so that it survives its window. */
export interface Backup extends NewBackup {
  readonly entry: Entry;
}

/** The journal's unfinished entries of one cause: one for each file and window, or for each ID. */
export class Backups {
  constructor(
    readonly journal: Journal,
    private readonly cause: 'save' | 'overwrite',
  ) {}

  isOurs({ entry }: Backup): boolean {
    return entry.owner.window === this.journal.owner.window;
  }

  keep({ place, id, base, text, movedTo, reportedStat, scope }: NewBackup): Promise<Kept> {
    const isVersion = base.kind === 'version';
    return this.journal.append({
      id: this.ownId(place, id),
      place,
      cause: this.cause,
      state: 'pending',
      movedTo,
      after: text,
      before: isVersion ? base.version.text : undefined,
      edit: {
        base: isVersion
          ? { kind: 'version', place: base.version.place, ...(base.approximate === true && { approximate: true }) }
          : base,
        reportedStat,
        scope,
      },
    });
  }

  /** Removes this window's backup of a file. */
  drop(place: FilePlace, id?: string): Promise<void> {
    return this.journal.drop(place.account, this.ownId(place, id));
  }

  /** Removes a backup, whichever window owns it. */
  discard({ entry }: Backup): Promise<void> {
    return this.journal.drop(entry.place.account, entry.id);
  }

  /** Returns the backups of all windows, newest first. */
  list(): Promise<readonly Backup[]> {
    return this.among(() => true);
  }

  /** Returns all windows' backups of a file, newest first. */
  find(place: FilePlace): Promise<readonly Backup[]> {
    return this.among((entry) => keyOf(entry.place) === keyOf(place));
  }

  /**
   * Deletes an expired text only if it's still expired after another quarter of that time: the clock may have jumped,
   * and the text may not have been offered to the user yet.
   *
   * @param isHeld whether a window that's still open holds it
   */
  async discardOlderThan(milliseconds: number, isHeld: (backup: Backup) => Promise<boolean>): Promise<void> {
    const now = this.journal.now();
    const oldest = now - milliseconds;
    for (const backup of await this.list()) {
      const { at, foundOldAt } = backup.entry;
      if (this.isOurs(backup) || (at >= oldest && foundOldAt === undefined) || (await isHeld(backup))) {
        continue;
      }
      if (at >= oldest) {
        await this.journal.noteOld(backup.entry, undefined);
      } else if (foundOldAt === undefined || foundOldAt > now) {
        await this.journal.noteOld(backup.entry, now);
      } else if (foundOldAt < now - milliseconds / 4) {
        await this.discard(backup);
      }
    }
  }

  private async among(isWanted: (entry: Entry) => boolean): Promise<readonly Backup[]> {
    const unfinished = (await this.journal.unfinished()).filter(({ cause }) => cause === this.cause);
    return someAtOnce(unfinished.filter(isWanted), (entry) => this.read(entry));
  }

  private async read(entry: Entry): Promise<Backup> {
    const { place, before, after, movedTo, edit } = entry;
    const [earlier, text] = await Promise.all(
      [before, after].map(async (stored) => (stored ? this.journal.text(place.account, stored) : undefined)),
    );
    return {
      entry,
      place,
      base: baseOf(edit?.base, earlier),
      text,
      movedTo,
      ...(edit && { reportedStat: edit.reportedStat, scope: edit.scope }),
    };
  }

  private ownId(place: FilePlace, id = ''): string {
    return digestOf([this.journal.owner.window, this.cause, keyOf(place), id].join('\n'));
  }
}

function baseOf(base: NonNullable<Entry['edit']>['base'] | undefined, text: string | undefined): BaseVersion {
  if (base?.kind !== 'version') {
    return base ?? { kind: 'unknown' };
  }
  const { place, approximate } = base;
  // A damaged text isn't there anymore.
  return text === undefined
    ? { kind: 'unknown' }
    : { kind: 'version', version: { text, place }, ...(approximate === true && { approximate }) };
}

/**
 * Queues changes to the same file, or to a folder that contains it. The nodes of a layer share a queue, so that a save to all
 * nodes doesn't overlap with a save to one of them. Other windows on this computer also wait for changes to the same file.
 */
export class FileQueue {
  private readonly queue = new KeyedQueue(isSameOrInside);

  constructor(private readonly locks: Pick<FileLocks, 'hold'>) {}

  take<T>(places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
    const keys = places.map((place) => keyOf(wholeLayer(place)));
    return this.queue.take(keys, () => this.locks.hold(keys, work));
  }
}

function isSameOrInside(one: string, other: string): boolean {
  return isPathWithin(one, other) || isPathWithin(other, one);
}
