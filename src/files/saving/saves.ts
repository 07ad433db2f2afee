import { randomUUID } from 'node:crypto';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import type { BaseVersion, NodeVersion, SavingFiles, ServerVersion } from './serverFiles';
import {
  defaultSaveLimits,
  saveFile,
  type SaveLimits,
  type SaveOutcome,
  type SaveRequest,
  watchSilence,
} from './saveFile';
import { mayHaveHappened } from '../../platform/lostReply';
import { digestOf, someAtOnce } from '../../storage/jsonFolder';
import type { Entry } from '../journal/entry';
import type { Journal, Kept } from '../journal/journal';
import { digestOfText } from '../journal/journalFiles';

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
  /**
   * Stores the text on disk until the save is verified, for an open editor or for a change without one. Omitted for texts
   * that the writer keeps anyway.
   */
  readonly keeping?: { readonly reportedStat: Backup['reportedStat'] } | 'withoutEditor';
}

/** Why a text is saved, unless a person typed it. `batch`: the replacement that it's a part of. */
export type SaveReason = { readonly cause: 'restore' } | { readonly cause: 'replace'; readonly batch: string };

/** What each node has after a verified save, and had before. */
export type SavedFiles = Extract<SaveOutcome, { kind: 'saved' }> & {
  readonly reason?: SaveReason | { readonly cause: 'append' };
  /** When it was made, if that was only found out now. */
  readonly madeAt?: number;
};

/** The same, for those who note it. */
export type VerifiedSave = SavedFiles & {
  /** What a save without an editor found isn't dropped before this has settled. Returns the same. */
  readonly waitUntil: (noted: Promise<unknown>) => Promise<unknown>;
};

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
      /**
       * Called before `save` resolves, and so before the file system says that a file of VS Code's is saved. Resolves once
       * what was before is noted.
       */
      onDidVerify?(saved: SavedFiles): Promise<unknown>;
      /** Called when the platform stops responding; `stop` cancels the save. */
      onSilence(place: FilePlace, stop: () => void): void;
    },
    private readonly limits: SaveLimits = defaultSaveLimits,
  ) {}

  /** Call this only in the file's turn in the queue. */
  async save(place: FilePlace, job: SaveJob): Promise<SaveOutcome> {
    const { text, base, scope, keeping, reason } = job;
    const { backups } = this.deps;
    // If the local backup fails, save anyway: nowhere is the text safer.
    if (keeping === 'withoutEditor') {
      const cause = reason?.cause === 'restore' ? reason.cause : 'save';
      const kept = await backups.keepChanges([{ place, cause, base, text, scope }]);
      const outcome = await this.perform(place, job);
      await this.tellVerified(outcome, reason);
      await kept.end(mayBeUnfinished(outcome) ? 'unknown' : 'over');
      await (outcome.kind === 'saved' ? backups.dropSeen(outcome, text) : undefined);
      return outcome;
    }
    if (keeping !== undefined) {
      await backups.keep({ place, base, reportedStat: keeping.reportedStat, text, scope });
    }
    const outcome = await this.perform(place, job);
    void this.tellVerified(outcome, reason);
    if (keeping !== undefined && outcome.kind === 'saved') {
      await backups.drop(place);
      await backups.dropSeen(outcome, text);
    }
    return outcome;
  }

  private async tellVerified(outcome: SaveOutcome, reason: SaveReason | undefined): Promise<void> {
    if (outcome.kind === 'saved') {
      await this.deps.onDidVerify?.({ ...outcome, ...(reason && { reason }) });
    }
  }

  /** Keeps the texts of other changes without an editor. */
  keepChanges(...changes: Parameters<Backups['keepChanges']>[0]): Promise<KeptChanges> {
    return this.deps.backups.keepChanges(changes);
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

/** Whether a file may have other content than before and after. A write without a response can still arrive, too. */
function mayBeUnfinished(outcome: SaveOutcome): boolean {
  switch (outcome.kind) {
    case 'saved':
    case 'conflict':
      return false;
    case 'failed':
      return mayHaveHappened(outcome.cause);
    default:
      return true;
  }
}

export function writeTargetOf(place: FilePlace, scope: SaveScope): FilePlace {
  return scope === 'layer' ? wholeLayer(place) : place;
}

/** What changes a file without an editor. `save` stands for anything that isn't listed, such as an edit by a language model. */
type ChangeCause = 'save' | 'restore' | 'append' | 'replaceInFile';
const interrupted: ReadonlySet<string> = new Set([
  'save',
  'restore',
  'append',
  'replaceInFile',
] satisfies ChangeCause[]);

interface NewBackup {
  readonly place: FilePlace;
  /** Distinguishes backups of the same place and window, if there may be several. */
  readonly id?: string;
  /** That of the other backups unless it's a change without an editor. */
  readonly cause?: ChangeCause | undefined;
  readonly base: BaseVersion;
  /** The text to save, once a save has started. `null` if the file is to be deleted. */
  readonly text?: string | null | undefined;
  /** The place of something that was deleted here. */
  readonly movedTo?: FilePlace | undefined;
  readonly reportedStat?: NonNullable<Entry['edit']>['reportedStat'];
  readonly scope?: NonNullable<Entry['edit']>['scope'];
}

/** An edit stored on disk, so that it survives its window. */
export interface Backup extends Omit<NewBackup, 'cause' | 'text'> {
  readonly entry: Entry;
  readonly text?: string | undefined;
}

/** The texts of changes without an editor. */
interface KeptChanges {
  /** `unknown`: the files may have neither the text before nor the one after, now or later. */
  end(how: 'over' | 'unknown'): Promise<void>;
}

/**
 * The journal's unfinished entries of one cause: one for each file and window, or for each ID. With those of saves are those
 * of changes without an editor.
 */
export class Backups {
  constructor(
    readonly journal: Journal,
    private readonly cause: 'save' | 'overwrite',
  ) {}

  isOurs({ owner }: Entry): boolean {
    return owner.window === this.journal.owner.window;
  }

  /** Whether it's of a change without an editor. An editor's edit may go on in another window. */
  isWithoutEditor({ id, cause, owner, place }: Entry): boolean {
    return interrupted.has(cause) && id !== this.idOf(owner.window, place);
  }

  keep({ place, id, cause, base, text, movedTo, reportedStat, scope }: NewBackup): Promise<Kept> {
    const isVersion = base.kind === 'version';
    return this.journal.append({
      id: this.idOf(this.journal.owner.window, place, id),
      place,
      cause: cause ?? this.cause,
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

  /**
   * Keeps the texts of changes without an editor, until it's known how each ended. An editor of the same file has its own
   * backup.
   */
  async keepChanges(changes: readonly (NewBackup & { readonly cause: ChangeCause })[]): Promise<KeptChanges> {
    // The platform makes these by itself, so texts with secrets needn't be on the disk for them.
    const isKept = ({ cause, place }: NewBackup) =>
      cause === 'save' || cause === 'restore' || !this.journal.host.mayHoldSecrets(place);
    const kept = changes.filter(isKept).map((change) => ({ ...change, id: randomUUID() }));
    for (const change of kept) {
      await this.keep(change);
    }
    return {
      end: async (how) => {
        for (const { place, id } of kept) {
          await (how === 'over'
            ? this.drop(place, id)
            : this.journal.settle(place.account, this.idOf(this.journal.owner.window, place, id), how));
        }
      },
    };
  }

  /** Removes this window's backup of a file. */
  drop(place: FilePlace, id?: string): Promise<void> {
    return this.journal.drop(place.account, this.idOf(this.journal.owner.window, place, id));
  }

  /** Removes backups of changes without an editor once a person has saved over what they made, or one of their texts. */
  async dropSeen({ nodes, before }: Pick<SavedFiles, 'nodes' | 'before'>, text: string): Promise<void> {
    const digest = digestOfText(text);
    // The save was made, whatever is left of others.
    const left = await this.entries().catch(() => []);
    for (const entry of left.filter((one) => this.isWithoutEditor(one))) {
      const key = keyOf(entry.place);
      if (nodes.some(({ node }) => keyOf(node) === key || keyOf(wholeLayer(node)) === key)) {
        const isSaved = [entry.before, entry.after].some((kept) => kept?.digest === digest);
        const isMade = ({ found }: NodeVersion) =>
          found.kind === 'text' && digestOfText(found.text) === entry.after?.digest;
        if (isSaved || (before.length > 0 && before.every(isMade))) {
          await this.discard(entry);
        }
      }
    }
  }

  /** Removes a backup, whichever window owns it. */
  discard({ place, id }: Entry): Promise<void> {
    return this.journal.drop(place.account, id);
  }

  /** Returns the backups of all windows, newest first. Reads no texts. */
  async entries(): Promise<readonly Entry[]> {
    return (await this.journal.unfinished()).filter((entry) => this.isListed(entry));
  }

  private isListed({ cause }: Entry): boolean {
    return this.cause === 'save' ? interrupted.has(cause) : cause === this.cause;
  }

  /** Returns all windows' backups of a file except those of changes without an editor, newest first. */
  async find(place: FilePlace): Promise<readonly Backup[]> {
    const all = (await this.entries()).filter(
      (entry) => keyOf(entry.place) === keyOf(place) && !this.isWithoutEditor(entry),
    );
    return someAtOnce(all, (entry) => this.read(entry));
  }

  /** Reads the texts of a backup. */
  async read(entry: Entry): Promise<Backup> {
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

  /**
   * Deletes an expired text only if it's still expired after another quarter of that time: the clock may have jumped,
   * and the text may not have been offered to the user yet. Returns what is left.
   *
   * @param isHeld whether a window that's still open holds it
   */
  async discardOlderThan(milliseconds: number, isHeld: (entry: Entry) => Promise<boolean>): Promise<readonly Entry[]> {
    const now = this.journal.now();
    const oldest = now - milliseconds;
    const isListed = this.isListed.bind(this);
    // Nothing else ends a replacement whose result isn't known.
    const all = (await this.journal.unfinished()).filter((one) => isListed(one) || one.cause === 'replace');
    const discarded = new Set<Entry>();
    for (const entry of all) {
      const { at, foundOldAt } = entry;
      if (this.isOurs(entry) || (at >= oldest && foundOldAt === undefined) || (await isHeld(entry))) {
        continue;
      }
      if (at >= oldest) {
        await this.journal.noteMore(entry, { foundOldAt: undefined });
      } else if (foundOldAt === undefined || foundOldAt > now) {
        await this.journal.noteMore(entry, { foundOldAt: now });
      } else if (foundOldAt < now - milliseconds / 4) {
        await this.discard(entry);
        discarded.add(entry);
      }
    }
    return all.filter((entry) => isListed(entry) && !discarded.has(entry));
  }

  private idOf(window: string, place: FilePlace, id = ''): string {
    return digestOf([window, this.cause, keyOf(place), id].join('\n'));
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
