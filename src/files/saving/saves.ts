import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, isPathWithin, keyOf, wholeLayer } from '../../containers/place';
import { type BaseVersion, holdsText, type NodeVersion, type SavingFiles, type ServerVersion } from './serverFiles';
import {
  defaultSaveLimits,
  saveFile,
  type SavedFiles,
  type SaveLimits,
  type SaveOutcome,
  type SaveReason,
  type SaveRequest,
  watchSilence,
} from './saveFile';
import { mayHaveHappened } from '../../platform/lostReply';
import type { FileLocks } from '../../storage/windows';
import type { Entry } from '../journal/entry';
import type { Backup, Backups } from './backups';

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

/** A verified save, for listeners that record it. */
export type VerifiedSave = SavedFiles & {
  /** Keeps the text that the save replaced until the promise has settled. Returns the promise. */
  readonly waitUntil: (noted: Promise<unknown>) => Promise<unknown>;
};

interface PerformedSave {
  readonly outcome: SaveOutcome;
  /** What the nodes had before. Empty if that wasn't checked. */
  readonly found: readonly NodeVersion[];
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

  /**
   * Call this only in the file's turn in the `FileQueue`.
   * @returns also whether the text is on this computer until it's saved
   */
  async save(place: FilePlace, job: SaveJob): Promise<SaveOutcome & { readonly isKept?: true }> {
    const { text, base, scope, keeping, reason } = job;
    const { backups } = this.deps;
    // If the local backup fails, save anyway: nowhere is the text safer.
    if (keeping === 'withoutEditor') {
      const cause = reason?.cause === 'restore' ? reason.cause : 'save';
      const kept = await backups.keepChanges([{ place, cause, base, text, scope }]);
      const performed = await this.perform(place, job);
      const { noted, over } = await this.tellVerified(place, job, performed);
      await noted;
      await kept.end(mayBeUnfinished(performed.outcome) ? 'unknown' : 'over');
      for (const entry of over) {
        await backups.discard(entry);
      }
      return performed.outcome;
    }
    const kept = keeping && (await backups.keep({ place, base, reportedStat: keeping.reportedStat, text, scope }));
    const performed = await this.perform(place, job);
    const { noted, over } = await this.tellVerified(place, job, performed);
    if (keeping !== undefined && performed.outcome.kind === 'saved') {
      // The editor doesn't wait for that.
      void backups.dropOnce(noted, place, over);
    }
    return kept === 'kept' ? { ...performed.outcome, isKept: true } : performed.outcome;
  }

  /** Reports earlier saves of editors that succeeded after all, as what the nodes have now shows. */
  async tellMade(found: readonly NodeVersion[]): Promise<void> {
    await this.tell(this.deps.backups.takeMade(found));
  }

  /**
   * Reports earlier saves and changes that succeeded after all, and then this one, so that each is recorded with the text
   * before it. Returns the changes whose backups aren't needed anymore once that's `noted`.
   */
  private async tellVerified(
    place: FilePlace,
    { text, scope, reason, keeping }: SaveJob,
    { outcome, found }: PerformedSave,
  ): Promise<{ readonly noted: Promise<unknown>; readonly over: readonly Entry[] }> {
    const { backups } = this.deps;
    const isSeen = keeping !== undefined && outcome.kind === 'saved';
    const { over, made } = isSeen
      ? await backups.endedBy(writeTargetOf(place, scope), outcome, text)
      : { over: [], made: [] };
    const verified = verifiedIn(outcome, found, text);
    const because = reason && { reason };
    const noted = this.tell([
      ...backups.takeMade(found),
      ...made,
      ...verified.map((saved) => ({ ...saved, ...because })),
    ]);
    if (outcome.kind === 'saved') {
      backups.forgetUnseen(outcome.nodes);
    } else if (keeping !== 'withoutEditor' && mayBeUnfinished(outcome)) {
      const isKnown = (before: NodeVersion) =>
        holdsText(before.found, text) || verified.some(({ nodes }) => isAmong(before, nodes));
      found.filter((before) => !isKnown(before)).forEach((before) => backups.noteUnseen({ before, text, ...because }));
    }
    return { noted, over };
  }

  private tell(all: readonly SavedFiles[]): Promise<unknown> {
    return Promise.all(all.map(async (saved) => this.deps.onDidVerify?.(saved)));
  }

  /** Keeps the texts of other changes without an editor. */
  keepChanges(...changes: Parameters<Backups['keepChanges']>[0]): ReturnType<Backups['keepChanges']> {
    return this.deps.backups.keepChanges(changes);
  }

  private async perform(place: FilePlace, { scope, ...job }: SaveJob): Promise<PerformedSave> {
    let found: readonly NodeVersion[] = [];
    const onDidCheck = (seen: readonly NodeVersion[]) => (found = seen);
    const written = writeTargetOf(place, scope);
    const watched = watchSilence(this.deps.files, this.limits.patience, {
      isAsking: () => this.deps.isAsking(place),
      onSilence: (stop) => this.deps.onSilence(place, stop),
    });
    try {
      const nodes = await watched.waitFor(this.deps.nodesOf(written));
      return {
        outcome: await saveFile({ ...job, place: written, nodes, onDidCheck }, watched.files, this.limits),
        found,
      };
    } catch (error) {
      // Only looking up the nodes failed, so nothing was sent.
      return { outcome: { kind: 'failed', cause: error }, found };
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

/** Returns the nodes on which a save certainly succeeded, even if it failed on others. */
function verifiedIn(outcome: SaveOutcome, found: readonly NodeVersion[], text: string): readonly SavedFiles[] {
  if (outcome.kind !== 'incomplete') {
    return outcome.kind === 'saved' ? [outcome] : [];
  }
  const hadIt = found.filter((before) => holdsText(before.found, text));
  const nodes = outcome.nodes.filter((node) => node.state === 'saved' && !isAmong(node, hadIt));
  const before = found.filter((one) => isAmong(one, nodes));
  return nodes.length === 0 ? [] : [{ kind: 'saved', nodes, before, isUnannounced: true }];
}

function isAmong({ node }: NodeVersion, others: readonly NodeVersion[]): boolean {
  return others.some((other) => keyOf(other.node) === keyOf(node));
}
