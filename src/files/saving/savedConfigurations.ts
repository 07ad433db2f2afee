import { EventEmitter } from 'vscode';
import { KeyedQueue } from '../../async/waiting';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { mayHoldSecrets } from '../../containers/secretFiles';
import { someAtOnce } from '../../storage/stores';
import { BoundedMap } from '../boundedMap';
import { type Entry, type KeptText, retention } from '../journal/entry';
import type { Journal } from '../journal/journal';
import { Marks } from '../journal/marks';
import { digestOfText } from '../journal/journalFiles';
import type { SavedFiles } from './saveFile';
import { mayBeWhole, type ServerVersion } from './serverFiles';

/** A save of a configuration file, and what the file was before. */
interface ConfigurationSave {
  /** In milliseconds since the epoch. */
  readonly at: number;
  /** Missing if the save created the file. */
  readonly before: string | undefined;
}

/** A configuration file on one node, with its saves since its service was last restarted from this computer. */
export interface SavedConfiguration {
  readonly place: FilePlace;
  readonly after: string;
  /** Oldest first. A restart from elsewhere may have put some into use. */
  readonly saves: readonly ConfigurationSave[];
}

/** A text that this window has, or else where it may be. */
type Text = string | KeptText;

interface Noted {
  readonly place: FilePlace;
  readonly at: number;
  /** Missing if it's too long, or it can't be anywhere else. */
  readonly after: Text | undefined;
  readonly saves: readonly { readonly at: number; readonly before: Text | undefined }[];
}

const { age: longestNoted, files: maxFiles, characters: longest } = retention.configured;

/**
 * The configuration files saved on this computer that no restart from it has read yet, so that they can be undone. Marks in
 * the journal take them to other windows, which have the texts only if there are versions with them, and read these only
 * when something may be undone.
 */
export class SavedConfigurations {
  private readonly all = new BoundedMap<string, Noted>(maxFiles);
  /** Those whose marks are as they are here. */
  private readonly marked = new WeakSet<Noted>();
  private readonly marks;
  /** The keys of those whose marks are about to change. */
  private readonly pending = new Set<string>();
  /** What is done to the marks of an account, one after the other. */
  private readonly queue = new KeyedQueue();
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  /** @param onDidFail called if marks can't be read or written. Only other windows depend on them. */
  constructor(
    private readonly journal: Journal,
    private readonly onDidFail: (error: unknown) => void,
  ) {
    this.marks = new Marks(journal, 'configured');
  }

  /** Takes over what other windows noted, and what they have restarted. */
  async refresh(accounts: readonly string[]): Promise<void> {
    await Promise.all(accounts.map((account) => this.change(account, () => this.read(account))));
    this.changed.fire();
  }

  /** Resolves once all that was done so far is known to other windows. */
  settled(): Promise<void> {
    return this.queue.settled();
  }

  /** Notes a verified save with what each node had before. */
  note({ before, nodes, reason, madeAt: at = Date.now() }: SavedFiles): void {
    for (const { node, found } of nodes) {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      if (found.kind === 'text' && isConfiguration(node.path)) {
        const save = earlier && saveOver(earlier, reason?.cause === 'restore');
        this.add({ place: node, at, after: found.text }, save && { at, ...save });
      }
    }
    this.changed.fire();
  }

  /**
   * Notes that the file didn't exist before. New File creates a file without text on a node or a layer, and then it's
   * saved.
   */
  noteCreated(place: FilePlace): void {
    const known = this.all.get(keyOf(place));
    const isUndoable = known !== undefined && (known.saves.length > 0 || known.after === undefined);
    if (isConfiguration(place.path) && !isUndoable) {
      const { at, after } = known ?? { at: Date.now(), after: '' };
      this.set({ place, at, after, saves: [{ at, before: undefined }] });
    }
  }

  /** Whether a restart would read the file again, on its node or on any node of its layer. */
  has(place: FilePlace): boolean {
    const { account, environment, target, path } = place;
    return target.nodeId === undefined
      ? [...this.all.values()].some(
          (one) => one.place.path === path && isIn(one.place, { account, environment, nodeGroup: target.nodeGroup }),
        )
      : this.all.has(keyOf(place));
  }

  /** Returns those on the nodes of a layer that can be undone. */
  async inLayer(layer: LayerPlace): Promise<readonly SavedConfiguration[]> {
    const known = await someAtOnce(this.undoableIn(layer), (one) => this.readTexts(one));
    return known.filter((one) => one !== undefined);
  }

  /** Returns the nodes of a layer with some that may be undone. */
  nodesIn(layer: LayerPlace): ReadonlySet<number | undefined> {
    return new Set(this.undoableIn(layer).map(({ place }) => place.target.nodeId));
  }

  /** Forgets what a service has read that was restarted then, in milliseconds since the epoch. */
  forgetNode(nodeId: number, at: Omit<LayerPlace, 'nodeGroup'>, restartedAt = Date.now()): void {
    const isThere = ({ place }: { readonly place: FilePlace }) =>
      [undefined, nodeId].includes(place.target.nodeId) &&
      place.account === at.account &&
      place.environment === at.environment;
    const isRead = (one: { readonly place: FilePlace; readonly at: number }) => one.at <= restartedAt && isThere(one);
    this.drop(isRead);
    // Undoing what was saved since then leads to what the service has read, and then there's nothing to read again.
    const isSince = ({ at: savedAt }: Pick<ConfigurationSave, 'at'>) => savedAt > restartedAt;
    for (const one of [...this.all.values()].filter((each) => isThere(each) && !each.saves.every(isSince))) {
      this.set({ ...one, saves: one.saves.filter(isSince) });
    }
    void this.change(at.account, async () => {
      // Also those that another window has noted since this one last looked.
      for (const { place } of (await this.marks.readable(at.account, longestNoted)).filter(isRead)) {
        await this.marks.remove(at.account, keyOf(place));
      }
      this.drop(isRead);
    });
  }

  /** Notes that a file has an earlier text again, and which saves are left to undo. */
  noteUndone(left: Omit<Noted, 'at'>): void {
    if (left.saves.length === 0) {
      this.delete(left.place);
    } else {
      this.set({ ...left, at: Date.now() });
    }
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  forgetAccount(account: string): void {
    this.drop(({ place }) => place.account === account);
  }

  /** @param save missing if it isn't known what the file was before */
  private add(one: Omit<Noted, 'after' | 'saves'> & { readonly after: string }, save?: ConfigurationSave): void {
    const { place, after, at } = one;
    const known = this.all.get(keyOf(place)) ?? this.all.get(keyOf(wholeLayer(place)));
    if (known === undefined ? save?.before === after : known.at > at && isSame(known.after, after)) {
      // It wrote nothing, or was noted when it was made.
      return;
    }
    const saves = savesWith(known ?? { saves: [], after: undefined }, save, after);
    const same = saves.findIndex(({ before }) => isSame(before, after));
    if (same === 0) {
      this.delete(place);
    } else {
      this.set(withinLimit({ ...one, saves: same > 0 ? saves.slice(0, same) : saves }));
    }
  }

  private set(one: Noted): void {
    this.all.set(keyOf(one.place), one);
    this.mark(one.place);
  }

  private delete(place: FilePlace): void {
    this.all.delete(keyOf(place));
    this.mark(place);
  }

  /** Lets other windows know what this one knows of a file. */
  private mark(place: FilePlace): void {
    const key = keyOf(place);
    this.pending.add(key);
    void this.change(place.account, async () => {
      this.pending.delete(key);
      const one = this.all.get(key);
      if (one === undefined) {
        await this.marks.remove(place.account, key);
        return;
      }
      const saves = one.saves.map(({ at, before }) => ({
        at,
        before: before === undefined ? null : storedAs(place, before),
      }));
      const after = one.after === undefined ? undefined : storedAs(place, one.after);
      await this.marks.write({ id: key, place, after, saves });
      this.marked.add(one);
    });
  }

  private async read(account: string): Promise<void> {
    const marks = await this.marks.readable(account, longestNoted);
    const isUnknown = ({ place, at, owner }: Entry) => {
      const key = keyOf(place);
      const known = this.all.get(key);
      const isNewer = known === undefined || (owner.window !== this.journal.owner.window && at > known.at);
      return isNewer && !this.pending.has(key);
    };
    const oldestFirst = [...marks].sort((one, other) => one.at - other.at);
    for (const mark of oldestFirst.filter(isUnknown).slice(-maxFiles)) {
      const one = notedIn(mark);
      this.all.set(keyOf(one.place), one);
      this.marked.add(one);
    }
    const left = new Set(marks.map(({ place }) => keyOf(place)));
    for (const [key, one] of this.all) {
      if (one.place.account === account && this.marked.has(one) && !left.has(key)) {
        this.all.delete(key);
      }
    }
  }

  private undoableIn(layer: LayerPlace): readonly Noted[] {
    return [...this.all.values()].filter(
      ({ place, after, saves }) =>
        after !== undefined && saves.length > 0 && place.target.nodeId !== undefined && isIn(place, layer),
    );
  }

  /** Returns what can be undone with the texts that are known, if there's anything. */
  private async readTexts({ place, after: noted, saves }: Noted): Promise<SavedConfiguration | undefined> {
    const textOf = async (text: Text | undefined) =>
      typeof text === 'object' ? await this.journal.text(place.account, text).catch(() => undefined) : text;
    const after = await textOf(noted);
    let length = after?.length ?? 0;
    const known: ConfigurationSave[] = [];
    for (const save of [...saves].reverse()) {
      const before = await textOf(save.before);
      length += before?.length ?? 0;
      if (length > longest || (before === undefined && save.before !== undefined)) {
        // Going back further would discard a text that isn't known.
        break;
      }
      known.unshift({ at: save.at, before });
    }
    return after === undefined || known.length === 0 ? undefined : { place, after, saves: known };
  }

  private change(account: string, work: () => Promise<void>): Promise<void> {
    return this.queue.take(account, work).catch(this.onDidFail);
  }

  private drop(isDropped: (one: Noted) => boolean): void {
    for (const one of [...this.all.values()].filter(isDropped)) {
      this.delete(one.place);
    }
    this.changed.fire();
  }
}

/** Takes over what another window noted, as far back as it says which texts there were. */
function notedIn({ place, at, after, saves = [] }: Entry): Noted {
  const lastUnknown = saves.findLastIndex(({ before }) => before === undefined);
  const known = saves.slice(lastUnknown + 1).map((save) => ({ at: save.at, before: save.before ?? undefined }));
  return { place, at, after: after ?? undefined, saves: after ? known : [] };
}

/** Names a text by its digest. That of one with secrets would tell something about it. */
function storedAs(place: FilePlace, text: Text): KeptText | undefined {
  return mayHoldSecrets(place) ? undefined : { digest: digestIn(text), bytes: 0 };
}

function digestIn(text: Text): string {
  return typeof text === 'string' ? digestOfText(text) : text.digest;
}

function isSame(one: Text | undefined, other: Text | undefined): boolean {
  return one === other || (one !== undefined && other !== undefined && digestIn(one) === digestIn(other));
}

function savesWith(known: Pick<Noted, 'after' | 'saves'>, save: ConfigurationSave | undefined, after: string) {
  const { saves } = known;
  const last = saves.at(-1);
  if (save === undefined) {
    // Going back further would discard a text that isn't known.
    return [];
  }
  if (save.before === after) {
    if (last !== undefined && isSame(known.after, after)) {
      // Save to All Nodes is one save, also for a node that got the text before.
      return [...saves.slice(0, -1), { ...last, at: save.at }];
    }
    // It wrote nothing. Unless someone went back to an earlier text, going back further would discard what someone else saved.
    return saves.some(({ before }) => isSame(before, after)) ? saves : [];
  }
  if (save.before === undefined || !isSame(known.after, save.before)) {
    // Going back further would discard what someone else saved in between.
    return [save];
  }
  // New File creates a file without text.
  const isFirstText = isSame(known.after, '') && last !== undefined && last.before === undefined;
  return isFirstText ? [...saves.slice(0, -1), { ...last, at: save.at }] : [...saves, save];
}

/** Forgets the oldest texts of a file if all of them are too long. */
function withinLimit({ after, saves, ...one }: Noted & { readonly after: string }): Noted {
  let length = after.length;
  const lengthOf = (text: Text | undefined) => (typeof text === 'string' ? text.length : 0);
  const latest = [...saves].reverse().filter(({ before }) => (length += lengthOf(before)) <= longest);
  return { ...one, after: after.length > longest ? undefined : after, saves: latest.reverse() };
}

/** Whether a service probably reads the file only when it starts. */
function isConfiguration(path: string): boolean {
  return path.startsWith('/etc/') || /\.(conf|cnf|cfg|ini)$/.test(path);
}

interface LayerPlace {
  readonly account: string;
  readonly environment: string;
  readonly nodeGroup: string;
}

/** Returns what the file was before a save, if that's known. To restore a deleted file, Gantry first creates it without text. */
function saveOver(earlier: ServerVersion, isRestored: boolean): Pick<ConfigurationSave, 'before'> | undefined {
  if (earlier.kind === 'absent' || (earlier.kind === 'text' && earlier.text === '' && isRestored)) {
    return { before: undefined };
  }
  return earlier.kind === 'text' && mayBeWhole(earlier) ? { before: earlier.text } : undefined;
}

function isIn({ account, environment, target }: FilePlace, layer: LayerPlace): boolean {
  return account === layer.account && environment === layer.environment && target.nodeGroup === layer.nodeGroup;
}
