import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { type Entry, retention } from '../journal/entry';
import { type Backup, type Backups, madeBy } from './backups';
import type { SavedFiles } from './saveFile';
import { type NodeVersion, type ServerVersion, holdsText, readNodeVersions, type ReadFiles } from './serverFiles';

/** A save, or a change without an editor, that didn't finish before its window closed, or whose result isn't known. */
export interface InterruptedSave {
  readonly backup: Backup;
  /** Missing if it isn't known what the change made of the file, or it was to delete it. */
  readonly text: string | undefined;
  /** The text before a change without an editor, unless the container still has it. */
  readonly earlier: string | undefined;
  /** The file without the text: the saved file, or else the same file on the first node that doesn't have the text. */
  readonly place: FilePlace;
  /** The state of the nodes without the text: unchanged base version, changed, or unreachable. */
  readonly now: 'asBefore' | 'changed' | 'unreachable';
  readonly found: ServerVersion | undefined;
  /** Whether nodes that a save to this place doesn't reach also lack the text. */
  readonly isMissingElsewhere: boolean;
}

/** A change whose response was lost may still be made within this many milliseconds. */
const mayArriveFor = 5 * 60 * 1000;

/** Finds interrupted saves and compares each with the server version. */
export class InterruptedSaves {
  constructor(
    private readonly deps: {
      readonly backups: Backups;
      readonly files: ReadFiles;
      isHeldElsewhere(entry: Entry): Promise<boolean>;
      isOpen(window: Entry['owner']): Promise<boolean>;
      /** Runs work while no other window does. */
      inTurn<T>(work: () => Promise<T>): Promise<T>;
      /** Whether an editor already has the text. */
      isBeingEdited(place: FilePlace): boolean;
      isSignedIn(account: string): boolean;
      /** Returns the same file on each node that a write to the place reaches. */
      nodesOf(place: FilePlace): Promise<readonly FilePlace[]>;
      /** Called with what a save or change did after all. Resolves once what was before is noted. */
      onDidFindMade?(saved: SavedFiles): Promise<unknown>;
    },
  ) {}

  /** Returns the interrupted saves. Silently drops those that did arrive. */
  async unfinished(): Promise<readonly InterruptedSave[]> {
    const looked = await Promise.all((await this.offered()).map((one) => this.look(one)));
    return looked.filter((one) => one !== undefined).filter(({ place }) => !this.deps.isBeingEdited(place));
  }

  /**
   * The same, but only those that no other open window offers. From then on, this one does. `mayMoreFollow`: another window
   * offers some, or holds what would be one if it ended.
   */
  async toOffer(): Promise<{ readonly offered: readonly InterruptedSave[]; readonly mayMoreFollow: boolean }> {
    const unfinished = await this.unfinished();
    const offered = unfinished.length === 0 ? [] : await this.deps.inTurn(() => this.claim(unfinished));
    const held = (await this.deps.backups.entries()).map((entry) => this.deps.isHeldElsewhere(entry));
    return { offered, mayMoreFollow: offered.length < unfinished.length || (await Promise.all(held)).includes(true) };
  }

  async discard({ backup }: InterruptedSave): Promise<void> {
    await this.deps.backups.discard(backup.entry);
  }

  private async claim(unfinished: readonly InterruptedSave[]): Promise<readonly InterruptedSave[]> {
    const { backups } = this.deps;
    const { owner } = backups.journal;
    const left = new Map((await backups.entries()).map((entry) => [entry.id, entry]));
    const claimed: InterruptedSave[] = [];
    for (const one of unfinished) {
      const entry = left.get(one.backup.entry.id);
      const { offeredBy = owner } = entry ?? {};
      if (entry !== undefined && (offeredBy.window === owner.window || !(await this.deps.isOpen(offeredBy)))) {
        await backups.journal.noteMore(entry, { offeredBy: { ...owner } });
        claimed.push(one);
      }
    }
    return claimed;
  }

  /** Reads only the texts of what may be offered here: texts of other windows and accounts may be many, and long. */
  private async offered(): Promise<readonly Backup[]> {
    const { deps } = this;
    const { backups } = deps;
    const offered: Backup[] = [];
    const seen = new Set<string>();
    const entries = await backups.discardOlderThan(retention.unfinished.age, (one) => deps.isHeldElsewhere(one));
    for (const entry of entries.filter((one) => deps.isSignedIn(one.place.account) && hasText(one, backups))) {
      const { place } = entry;
      // What a change without an editor left must not hide what a person typed.
      const key = `${keyOf(place)} ${backups.isWithoutEditor(entry)}`;
      // The newest backup of a file comes first. Skip older ones from other windows.
      if (seen.has(key) || (await deps.isHeldElsewhere(entry))) {
        continue;
      }
      const backup = backups.isGoingOn(entry) || deps.isBeingEdited(place) ? undefined : await backups.read(entry);
      // If its texts are damaged, an older one may be left.
      if (backup === undefined || backup.text !== undefined || earlierOf(backup, backups) !== undefined) {
        seen.add(key);
        offered.push(...(backup ? [backup] : []));
      }
    }
    return offered;
  }

  private async look(backup: Backup): Promise<InterruptedSave | undefined> {
    const { deps } = this;
    const { place, text, scope } = backup;
    try {
      const nodes = await readNodeVersions(
        deps.files,
        await deps.nodesOf(scope === 'layer' ? wholeLayer(place) : place),
      );
      return await this.compare(backup, nodes);
    } catch {
      // Offer the text anyway. Opening the file reports why the platform can't be reached.
      const [earlier, isMissingElsewhere] = [earlierOf(backup, deps.backups), scope === 'layer'];
      return { backup, text, earlier, place, found: undefined, now: 'unreachable', isMissingElsewhere };
    }
  }

  private async compare(backup: Backup, nodes: readonly NodeVersion[]): Promise<InterruptedSave | undefined> {
    const { place, text } = backup;
    const { backups } = this.deps;
    const missing = nodes.filter(({ found }) => !isMade(backup, found));
    const changed = missing.filter(({ found }) => !isBase(backup, found));
    // Without a text to save, it's over unless the text before is gone.
    if ((text === undefined ? changed : missing).length === 0) {
      if (missing.length > 0 && backups.journal.now() - backup.entry.at < mayArriveFor) {
        return undefined;
      }
      await Promise.all(madeBy(backup, nodes).map(async (saved) => this.deps.onDidFindMade?.(saved)));
      await backups.discard(backup.entry);
      return undefined;
    }
    const now = changed.length === 0 ? 'asBefore' : 'changed';
    const earlier = now === 'changed' ? earlierOf(backup, backups) : undefined;
    const first = firstOf(earlier === undefined ? missing : changed, place, nodes);
    const isMissingElsewhere = missing.length > 1 && first?.node.target.nodeId !== undefined;
    return first && { backup, text, earlier, place: first.node, found: first.found, now, isMissingElsewhere };
  }
}

/** Returns the file itself if its node is one of some, or else the first of them. */
function firstOf(
  some: readonly NodeVersion[],
  place: FilePlace,
  nodes: readonly NodeVersion[],
): NodeVersion | undefined {
  // A layer shows the content of its first node.
  const own = nodes.find(({ node }) => keyOf(node) === keyOf(place)) ?? nodes[0];
  return own !== undefined && some.includes(own) ? { ...own, node: place } : some[0];
}

/** Whether it has a text to offer: the one to save, or the one before a change. */
function hasText(entry: Entry, backups: Backups): boolean {
  return Boolean(entry.after) || (Boolean(entry.before) && backups.isWithoutEditor(entry));
}

/** Returns the text before a change without an editor. */
function earlierOf({ base, entry }: Backup, backups: Backups): string | undefined {
  return base.kind === 'version' && backups.isWithoutEditor(entry) ? base.version.text : undefined;
}

/** Whether a node has what the save or change was to make of the file. */
function isMade({ text, base, entry }: Backup, found: ServerVersion): boolean {
  if (text === undefined) {
    return entry.after === null && found.kind === 'absent';
  }
  const added = entry.cause === 'append' && base.kind === 'version' ? text.slice(base.version.text.length) : undefined;
  return holdsText(found, text) || (added !== undefined && hasLines(addedTo(base, found) ?? '', added));
}

/** Whether whole lines of a text are these. What is appended begins a line, unless it first ends one. */
function hasLines(text: string, lines: string): boolean {
  return lines.startsWith('\n') ? text.includes(lines) : `\n${text}`.includes(`\n${lines}`);
}

/** Whether a node has the text before. What others have appended overwrites nothing. */
function isBase({ base, entry }: Backup, found: ServerVersion): boolean {
  const isSame = base.kind === 'version' && holdsText(found, base.version.text);
  return isSame || (entry.cause === 'append' && addedTo(base, found) !== undefined);
}

/** Returns what a node has after the text before, or `undefined` if it doesn't begin with that. */
function addedTo(base: Backup['base'], found: ServerVersion): string | undefined {
  return base.kind === 'version' && found.kind === 'text' && found.text.startsWith(base.version.text)
    ? found.text.slice(base.version.text.length)
    : undefined;
}
