import { randomUUID } from 'node:crypto';
import { KeyedQueue, systemTime, type TimeSource } from '../../async/waiting';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { digestOf, someAtOnce } from '../../storage/stores';
import { BoundedMap } from '../boundedMap';
import { type Entry, retention } from '../journal/entry';
import type { Journal, Kept } from '../journal/journal';
import { digestOfText } from '../journal/journalFiles';
import type { SavedFiles } from './saveFile';
import { type BaseVersion, holdsText, type NodeVersion } from './serverFiles';

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

/** A save that was sent and whose result wasn't seen, and what the node had before. */
interface UnseenSave {
  readonly before: NodeVersion;
  readonly text: string;
  readonly reason?: SavedFiles['reason'];
}

/** A backup that isn't kept yet. */
interface Later {
  readonly milliseconds: number;
  readonly keep: () => void;
  readonly stop: () => void;
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
  /** By ID: what is done to a backup of this window, one after the other. */
  private readonly turns = new KeyedQueue();
  /** By node, oldest first. */
  private readonly unseen = new BoundedMap<string, readonly UnseenSave[]>(retention.unseen.files);
  /** By ID. */
  private readonly later = new Map<string, Later>();

  constructor(
    readonly journal: Journal,
    private readonly cause: 'save' | 'overwrite',
    private readonly time: Pick<TimeSource, 'after'> = systemTime,
  ) {}

  isOurs({ owner }: Entry): boolean {
    return owner.window === this.journal.owner.window;
  }

  /** Whether this window is making the change, or an editor in it has the text. */
  isGoingOn(entry: Entry): boolean {
    return this.isOurs(entry) && entry.state !== 'unknown';
  }

  /** Whether it's of a change without an editor. An editor's edit may go on in another window. */
  isWithoutEditor({ id, cause, owner, place }: Entry): boolean {
    return interrupted.has(cause) && id !== this.idOf(owner.window, place);
  }

  keep({ place, id, cause, base, text, movedTo, reportedStat, scope }: NewBackup): Promise<Kept> {
    const isVersion = base.kind === 'version';
    const own = this.ownId(place, id);
    this.stopWaiting(own);
    const keep = () =>
      this.journal.append({
        id: own,
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
    return this.turns.take(own, keep);
  }

  /** Calls `keep` after a while, unless this window keeps or drops a backup of the file until then. */
  keepLater(place: FilePlace, milliseconds: number, keep: () => void): void {
    const own = this.ownId(place);
    this.stopWaiting(own);
    this.later.set(own, { milliseconds, keep, stop: this.time.after(milliseconds, keep) });
  }

  /** Restarts the wait of `keepLater` if one is running. */
  waitAgain(place: FilePlace): void {
    const waiting = this.later.size > 0 ? this.later.get(this.ownId(place)) : undefined;
    if (waiting !== undefined) {
      this.keepLater(place, waiting.milliseconds, waiting.keep);
    }
  }

  /**
   * Keeps the texts of changes without an editor, until it's known how each ended. An editor of the same file has its own
   * backup.
   */
  async keepChanges(changes: readonly (NewBackup & { readonly cause: ChangeCause })[]): Promise<KeptChanges> {
    // The platform itself executes the other changes, so texts with secrets needn't be on the disk for them.
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
            : this.journal.settle(place.account, this.ownId(place, id), how));
        }
      },
    };
  }

  /** Removes this window's backup of a file. */
  drop(place: FilePlace, id?: string): Promise<void> {
    const own = this.ownId(place, id);
    this.stopWaiting(own);
    return this.turns.take(own, () => this.journal.drop(place.account, own));
  }

  /**
   * Removes this window's backup of a file, and others of the same account, once it's noted what the file was before. Until
   * then, this window neither removes nor replaces it.
   */
  dropOnce(noted: Promise<unknown>, place: FilePlace, others: readonly Entry[]): Promise<void> {
    const own = this.ownId(place);
    this.stopWaiting(own);
    return this.turns.take(own, async () => {
      await noted;
      await this.journal.drop(place.account, own, ...others.map(({ id }) => id));
    });
  }

  /** Resolves once all that was done so far is on the disk. */
  settled(): Promise<void> {
    return this.turns.settled();
  }

  /**
   * Returns the backups of changes without an editor that are over, because a person has saved over what they made, or one
   * of their texts. A layer's backup is over only once all of its nodes have been saved.
   *
   * @param target the place that was saved, or its layer
   * @returns also what they turn out to have made. It must be noted before they are removed.
   */
  async endedBy(target: FilePlace, { nodes, before }: Pick<SavedFiles, 'nodes' | 'before'>, text: string) {
    const digest = digestOfText(text);
    const reached = new Set([target, ...nodes.map(({ node }) => node)].map(keyOf));
    const over: Entry[] = [];
    const made: SavedFiles[] = [];
    // The save itself succeeded, even if the backups of other changes can't be read.
    const left = await this.entries().catch(() => []);
    for (const entry of left.filter((one) => this.isWithoutEditor(one) && !this.isGoingOn(one))) {
      const key = keyOf(entry.edit?.scope === 'layer' ? wholeLayer(entry.place) : entry.place);
      if (reached.has(key)) {
        const earlier = before.filter(({ node }) => key === keyOf(node) || key === keyOf(wholeLayer(node)));
        const isMade = ({ found }: NodeVersion) =>
          found.kind === 'text' && digestOfText(found.text) === entry.after?.digest;
        const isOverwritten = earlier.length > 0 && earlier.every(isMade);
        const isSaved = [entry.before, entry.after].some((kept) => kept?.digest === digest);
        // A backup that can't be read now is kept.
        const known = isOverwritten || isSaved ? await this.read(entry).catch(() => undefined) : undefined;
        if (known !== undefined) {
          made.push(...(isOverwritten ? madeBy(known, earlier) : []));
          over.push(entry);
        }
      }
    }
    return { over, made };
  }

  /** Remembers an editor's save until its result is seen. A change without an editor has its backup on the disk for that. */
  noteUnseen(save: UnseenSave): void {
    const key = keyOf(save.before.node);
    this.unseen.set(key, [...(this.unseen.get(key) ?? []), save].slice(-retention.unseen.ofEach));
  }

  /** Returns those of these saves that succeeded after all, as what the nodes have now shows. */
  takeMade(found: readonly NodeVersion[]): readonly SavedFiles[] {
    return found.flatMap((one): readonly SavedFiles[] => {
      const save = this.unseen.get(keyOf(one.node))?.findLast(({ text }) => holdsText(one.found, text));
      if (save === undefined) {
        return [];
      }
      this.forgetUnseen([one]);
      const { before, reason } = save;
      return [{ kind: 'saved', nodes: [one], before: [before], isUnannounced: true, ...(reason && { reason }) }];
    });
  }

  forgetUnseen(nodes: readonly NodeVersion[]): void {
    nodes.forEach(({ node }) => this.unseen.delete(keyOf(node)));
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
    // Waits for what this window is doing to its own backup.
    await this.turns.take(this.ownId(place), () => Promise.resolve());
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

  private stopWaiting(own: string): void {
    this.later.get(own)?.stop();
    this.later.delete(own);
  }

  private ownId(place: FilePlace, id?: string): string {
    return this.idOf(this.journal.owner.window, place, id);
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

/**
 * Returns what an interrupted save or change made, now that some nodes turn out to have exactly its text, if it's known what
 * they had before.
 */
export function madeBy({ base, text, entry }: Backup, nodes: readonly NodeVersion[]): readonly SavedFiles[] {
  const isKnown = base.kind === 'version' && base.approximate !== true;
  if (!isKnown || text === undefined || !nodes.every(({ found }) => holdsText(found, text))) {
    return [];
  }
  const before = nodes.flatMap(({ node, found }): readonly NodeVersion[] =>
    found.kind === 'text' ? [{ node, found: { ...found, text: base.version.text } }] : [],
  );
  const { cause } = entry;
  const reason = cause === 'restore' || cause === 'append' ? { reason: { cause } } : {};
  return [{ kind: 'saved', nodes, before, madeAt: entry.at, isUnannounced: true, ...reason }];
}
