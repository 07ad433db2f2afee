import { type FilePlace, keyOf } from '../../containers/place';
import { digestOf, someAtOnce } from '../../storage/jsonFolder';
import type { Entry } from '../journal/entry';
import type { Journal, Kept } from '../journal/journal';
import type { BaseVersion } from './serverFiles';

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
  async discardOlderThan(milliseconds: number, isHeld: (kept: Backup) => Promise<boolean>): Promise<void> {
    const now = this.journal.now();
    const oldest = now - milliseconds;
    for (const kept of await this.list()) {
      const { at, foundOldAt } = kept.entry;
      if (this.isOurs(kept) || (at >= oldest && foundOldAt === undefined) || (await isHeld(kept))) {
        continue;
      }
      if (at >= oldest) {
        await this.journal.noteOld(kept.entry, undefined);
      } else if (foundOldAt === undefined || foundOldAt > now) {
        await this.journal.noteOld(kept.entry, now);
      } else if (foundOldAt < now - milliseconds / 4) {
        await this.discard(kept);
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
