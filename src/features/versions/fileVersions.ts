import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, isInSameNodes, isPathWithin, keyOf } from '../../containers/place';
import { type Entry, textsOf } from '../../files/journal/entry';
import type { Journal } from '../../files/journal/journal';
import { digestOfText } from '../../files/journal/journalFiles';
import type { Gone } from '../../files/provider/deleteAndMove';
import type { SaveReason } from '../../files/saving/saveFile';

/** What happened on a node, or on a whole layer, after files were saved. */
export type Followed = 'restart' | 'failedRestart' | 'redeploy' | 'failedRedeploy';

/** What can write a version besides a replacement in several files. */
const versionCauses = [
  'save',
  'restore',
  'replaceInFile',
  'append',
  'delete',
] as const satisfies readonly Entry['cause'][];
type VersionCause = (typeof versionCauses)[number];
/** What wrote a text, unless a person typed it. */
export type VersionReason = SaveReason | { readonly cause: 'replaceInFile' | 'append' };

/** A file's text on one node after a save, or before the first save that was kept. */
export interface FileVersion {
  readonly id: string;
  readonly place: FilePlace;
  readonly at: number;
  readonly text: string;
  /** Whether a save found this text, so that only what came after it has a known time. */
  readonly isFound: boolean;
  /** What wrote it, or the text after it if it was found. */
  readonly cause: VersionCause | 'replace';
  /** In how many files the same replacement changed texts, if that's known. */
  readonly replacedIn?: number;
  /** Whether the next version restored an older one. */
  readonly isBeforeRestore: boolean;
  /** The name that the file had then, if it was another one. */
  readonly path?: string;
  /** How many lines are other than in the version before, if there's one. */
  readonly changedLines?: number;
  /** What happened on its node before the next version. */
  readonly followed: readonly (Followed | 'delete')[];
}

export interface DeletedFile {
  readonly place: FilePlace;
  /** When it was deleted. */
  readonly at: number;
}

/** Something about a file, a folder, a node, or a layer. */
export interface Happened {
  readonly place: FilePlace;
  readonly at: number;
}

/** A name that a file or folder had. Without another one, it was deleted. */
interface GoneName extends Happened {
  readonly movedTo?: FilePlace | undefined;
}

/** What each file had after verified saves, and when it was deleted, so that it can be compared and restored. */
export class FileVersions {
  /** Notes of an account run one after another, because each is compared with the one before. */
  private readonly queue = new KeyedQueue();

  constructor(readonly journal: Journal) {}

  /** Keeps the text that a save wrote, and the one before if that isn't kept yet. */
  note(
    place: FilePlace,
    before: string | undefined,
    text: string,
    { reason, at }: { readonly reason?: VersionReason | undefined; readonly at?: number } = {},
  ): Promise<void> {
    return this.queue.take(place.account, async () => {
      const saves = savesOf(place, await this.journal.entries(place.account));
      const [last, digest] = [saves.at(-1)?.after?.digest, digestOfText(text)];
      if (at !== undefined && saves.some((one) => one.at >= at && one.after?.digest === digest)) {
        // It was only found out now that it was made, and it was saved again meanwhile.
        return;
      }
      const isFound = before !== undefined && digestOfText(before) !== last;
      if (before === undefined ? digest !== last : text !== before) {
        const found = isFound && !isEmptyOne(before, reason) ? before : undefined;
        const batch = reason?.cause === 'replace' ? reason.batch : undefined;
        const cause = causeOf(reason);
        await this.journal.append({
          ...momentOf(at),
          cause,
          batch,
          place,
          state: 'verified',
          before: found,
          after: text,
        });
      }
    });
  }

  /** Remembers what happened on a node, or on all nodes of a layer. */
  noteFollowed(place: FilePlace, what: Followed, at?: number): Promise<void> {
    return this.queue.take(place.account, async () => {
      const cause = what === 'restart' || what === 'failedRestart' ? 'restart' : 'redeploy';
      await this.journal.append({ ...momentOf(at), place, cause, state: what === cause ? 'verified' : 'failed' });
    });
  }

  /**
   * Remembers that a file or folder was deleted, or has another name, if there are versions of it. A text that was read for
   * that is one.
   */
  noteGone(place: FilePlace, gone: Gone, at?: number): Promise<void> {
    return this.queue.take(place.account, async () => {
      const kept = await this.keptOf(place);
      if (kept.length === 0 && !('before' in gone && gone.isRead)) {
        return;
      }
      const noted = { ...momentOf(at), place, state: 'verified' } as const;
      if ('movedTo' in gone) {
        await this.journal.append({ ...noted, cause: 'rename', movedTo: gone.movedTo });
      } else {
        const { before } = gone;
        const isKnown = before !== undefined && kept.some(({ after }) => after?.digest === digestOfText(before));
        await this.journal.append({ ...noted, cause: 'delete', before: isKnown ? undefined : before });
      }
    });
  }

  /** Whether there are versions of a file, or of a file in a folder. */
  hasVersions(place: FilePlace): Promise<boolean> {
    return this.queue.take(place.account, async () => (await this.keptOf(place)).length > 0);
  }

  /** Takes back that a file or folder was deleted at this time, because it's there again. */
  noteReturned({ place, at }: Happened): Promise<void> {
    return this.queue.take(place.account, async () => {
      const entries = await this.journal.entries(place.account);
      const deleted = entries.find(
        (one) => one.cause === 'delete' && one.at === at && keyOf(one.place) === keyOf(place),
      );
      if (deleted !== undefined) {
        await this.journal.drop(place.account, deleted.id);
      }
    });
  }

  /** Returns the deleted files, at or below a place on a node or a layer, of which there are versions, the last one first. */
  deletedIn(within: FilePlace): Promise<readonly DeletedFile[]> {
    return this.queue.take(within.account, async () => {
      const entries = await this.journal.entries(within.account);
      const names = entries.filter(isName);
      const deleted = new Map<string, number>();
      const kept = new Set<string>();
      for (const entry of entries.filter(wroteVersion)) {
        const { path, deletedAt } = fateOf(entry, names);
        if (isPathWithin(path, within.path) && isInSameNodes(entry.place, within)) {
          if (deletedAt === undefined) {
            kept.add(path);
          } else {
            deleted.set(path, Math.max(deletedAt, deleted.get(path) ?? 0));
          }
        }
      }
      return [...deleted]
        .filter(([path]) => !kept.has(path))
        .map(([path, at]) => ({ place: { ...within, path }, at }))
        .sort((one, other) => other.at - one.at);
    });
  }

  private async keptOf(place: FilePlace) {
    const entries = await this.journal.entries(place.account);
    return textsAt(place, entries.filter(wroteVersion), entries.filter(isName));
  }

  /** Returns the versions of a file on one node, newest first. */
  async of(place: FilePlace): Promise<readonly FileVersion[]> {
    const { account } = place;
    const entries = await this.journal.entries(account);
    // Undoing it drops the entries of the replacement itself.
    const replacedIn = (batch: string) =>
      new Set(
        entries.filter((one) => one.batch === batch).map(({ place: { target, path } }) => `${target.nodeGroup}${path}`),
      ).size;
    const versions: FileVersion[] = [];
    for (const { id, at, before, after, batch, cause, place: then } of savesOf(place, entries)) {
      for (const stored of [before, after]) {
        const text = stored && (await this.journal.text(account, stored));
        if (typeof text === 'string') {
          const isFound = stored === before;
          const earlier = versions.at(-1);
          versions.push({
            id: isFound ? `${id}-before` : id,
            place,
            at: isFound ? at - 1 : at,
            text,
            isFound,
            isBeforeRestore: false,
            followed: [],
            cause: batch !== undefined ? 'replace' : cause,
            ...(then.path !== place.path && { path: then.path }),
            ...(batch !== undefined && { replacedIn: replacedIn(batch) }),
            ...(earlier !== undefined && { changedLines: countChangedLines(earlier.text, text) }),
          });
        }
      }
    }
    const events = entries.filter((entry) => isEventOn(entry, place));
    const names = entries.filter(isName);
    return versions
      .map((one, index) => {
        const next = versions[index + 1];
        const since = events.filter(({ at }) => at >= one.at && at < (next?.at ?? Number.POSITIVE_INFINITY));
        const then = { place: { ...place, path: one.path ?? place.path }, at: one.at };
        // It may have got another name before it was deleted.
        const pathAt = (event: Entry) => fateOf(then, names.slice(0, Math.max(0, names.indexOf(event)))).path;
        return {
          ...one,
          // The text that a restore found comes before it.
          isBeforeRestore: next?.cause === 'restore' && !next.isFound,
          followed: [...new Set(since.flatMap((event) => followedOf(event, pathAt(event))))],
        };
      })
      .reverse();
  }
}

/** The entries that wrote a file's versions, oldest first, also under the names that it had before. */
function savesOf(place: FilePlace, entries: readonly Entry[]) {
  const names = [{ place, until: Number.POSITIVE_INFINITY }];
  let name = place;
  for (const entry of [...entries].reverse().filter((one) => isEventOn(one, place))) {
    const { movedTo, at, place: from } = entry;
    if (entry.cause === 'rename' && movedTo !== undefined && isPathWithin(name.path, movedTo.path)) {
      name = { ...name, path: `${from.path}${name.path.slice(movedTo.path.length)}` };
      names.push({ place: name, until: at });
    }
  }
  return entries
    .filter(wroteVersion)
    .filter((entry) =>
      names.some(
        (one) =>
          entry.at <= one.until &&
          (keyOf(entry.place) === keyOf(one.place) ||
            (isEventOn(entry, one.place) && entry.place.path === one.place.path && entry.cause === 'delete')),
      ),
    );
}

/** Where a text went, by what happened to names since: the one that its file got, and when that was deleted. */
function fateOf(text: Happened, names: readonly GoneName[]): { readonly path: string; readonly deletedAt?: number } {
  let { path } = text.place;
  for (const { at, place, movedTo } of names) {
    if (at >= text.at && isPathWithin(path, place.path) && isInSameNodes(place, text.place)) {
      if (movedTo === undefined) {
        return { path, deletedAt: at };
      }
      path = `${movedTo.path}${path.slice(place.path.length)}`;
    }
  }
  return { path };
}

/** Returns the texts of a file or a folder, by the names that their files have now. */
export function textsAt<T extends Happened>(place: FilePlace, texts: readonly T[], names: readonly GoneName[]) {
  return texts.filter((one) => isPathWithin(fateOf(one, names).path, place.path) && isInSameNodes(place, one.place));
}

function isName({ cause }: Entry): boolean {
  return cause === 'rename' || cause === 'delete';
}

/** The moment of an entry, unless it's now. */
function momentOf(at: number | undefined): { readonly at?: number } {
  return at === undefined ? {} : { at };
}

function causeOf(reason: VersionReason | undefined): VersionCause {
  return reason === undefined || reason.cause === 'replace' ? 'save' : reason.cause;
}

/** A version that is restored after a deletion replaces the empty file that was created for it. */
function isEmptyOne(before: string, reason: VersionReason | undefined): boolean {
  return before === '' && reason?.cause === 'restore';
}

function wroteVersion<E extends Entry>(entry: E): entry is E & { readonly cause: VersionCause } {
  const isText = entry.cause !== 'delete' || textsOf(entry).length > 0;
  return isText && entry.state === 'verified' && versionCauses.some((cause) => cause === entry.cause);
}

/** Whether it happened on the node of a file, or on the whole layer. */
function isEventOn({ place: on }: Entry, { environment, target }: FilePlace): boolean {
  const isOnNode = [undefined, target.nodeId].includes(on.target.nodeId);
  return on.environment === environment && on.target.nodeGroup === target.nodeGroup && isOnNode;
}

/** Counts without an alignment of the texts, which takes long for long ones: lines that moved count only if nothing else changed. */
function countChangedLines(before: string, after: string): number {
  const [earlier, later] = [before.split('\n'), after.split('\n')];
  const counts = new Map<string, number>();
  const count = (line: string, by: number) => counts.set(line, (counts.get(line) ?? 0) + by);
  earlier.forEach((line) => count(line, -1));
  later.forEach((line) => count(line, 1));
  const differences = [...counts.values()];
  const added = differences.reduce((sum, one) => sum + Math.max(0, one), 0);
  const removed = differences.reduce((sum, one) => sum - Math.min(0, one), 0);
  return Math.max(added, removed) || later.filter((line, index) => line !== earlier[index]).length;
}

function followedOf({ cause, state, place }: Entry, path: string): FileVersion['followed'] {
  if (cause === 'delete' && isPathWithin(path, place.path)) {
    return ['delete'];
  }
  if (cause !== 'restart' && cause !== 'redeploy') {
    return [];
  }
  return [state === 'verified' ? cause : cause === 'restart' ? 'failedRestart' : 'failedRedeploy'];
}
