import { type Disposable, EventEmitter } from 'vscode';
import { type FilePlace, wholeLayer } from '../../../containers/place';
import { mayHoldSecrets } from '../../../containers/secretFiles';
import { type Entry, retention } from '../../../files/journal/entry';
import type { Journal } from '../../../files/journal/journal';
import { Marks } from '../../../files/journal/marks';
import { digestOfText } from '../../../files/journal/journalFiles';
import { KeyedQueue } from '../../../async/waiting';
import { keyFor, mergeNodeEdits, type NodeEdit, type NodeEditKind, placeOfEdit, withoutNode } from './nodeEdit';

const troubleKey = 'edits';

/**
 * Records the container edits that a deployment may overwrite, as marks in the journal, for all windows and across
 * restarts. A text from before is in the memory of this window, or in the versions of the file, if the person keeps them.
 */
export class NodeEditLog implements Disposable {
  private readonly changed = new EventEmitter<FilePlace>();
  private readonly marks;
  /** By the key of the edit. */
  private readonly texts = new Map<string, string>();
  /** The same for digests of texts that may hold secrets. */
  private readonly applied = new Map<string, NodeEdit['applied']>();
  /** The keys of edits that couldn't be recorded. They aren't known after this window. */
  private readonly unrecorded = new Set<string>();
  /** Keeps the order of edits to a file and to its folder. */
  private readonly queue = new KeyedQueue();
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly journal: Journal,
    /**
     * Whether a project of a signed-in account may be deployed there. Edits elsewhere aren't recorded, because no deployment
     * affects them. Asked when it's the edit's turn, so that none is recorded after its account was forgotten.
     */
    private readonly concerns: (place: FilePlace, what: NodeEdit['what']) => boolean,
    /** The accounts that reach the same containers, the given one first. An edit through any of them is one of the node. */
    readonly accountsBeside: (account: string) => readonly string[] = (account) => [account],
  ) {
    this.marks = new Marks(journal, 'edited');
  }

  /**
   * Records an edit. The previous content is only kept for the first one. Never rejects: if the disk is full, every save would
   * report a failure, although it succeeded.
   */
  note(place: FilePlace, doing: NodeEditKind): Promise<void> {
    const noting = this.queue.take(place.account, async () => {
      if (!this.concerns(place, doing.what)) {
        return;
      }
      const below = doing.what === 'removed' ? await this.below(place) : [];
      for (const one of [...below.map(placeOfEdit), place]) {
        await this.add(one, doing);
      }
    });
    return noting.catch((error: unknown) => {
      this.unrecorded.add(keyFor(place, doing.archive));
      this.journal.tell(troubleKey, { kind: 'editNotNoted', error });
    });
  }

  /**
   * Adds what is only found later to a record: the previous content of a file, that its edit was applied to the clone,
   * that the repository doesn't have it, or which projects below it were redeployed.
   */
  learn(
    edit: NodeEdit,
    found:
      | Pick<NodeEdit, 'before'>
      | Pick<NodeEdit, 'applied'>
      | Pick<NodeEdit, 'isUntracked'>
      | Pick<NodeEdit, 'redeployed'>,
  ): Promise<void> {
    return this.queue.take(edit.account, async () => {
      // More may have been done to the file since, or a redeploy may have overwritten it.
      const known = await this.find(placeOfEdit(edit), edit.archive);
      const isRedeployed = 'redeployed' in found;
      // An archive that was unpacked again in the meantime may be there only since the redeploy.
      if (known === undefined || (isRedeployed && known.lastAt !== edit.lastAt)) {
        return;
      }
      await this.write({ ...known, ...found });
      if (isRedeployed) {
        this.changed.fire(placeOfEdit(known));
      }
    });
  }

  /** Updates the records after the folder of the edited files was renamed. */
  move(
    { account, environment, layer }: Pick<NodeEdit, 'account' | 'environment' | 'layer'>,
    from: string,
    to: string,
  ): Promise<void> {
    return this.queue.take(this.accountsBeside(account), async () => {
      const moved = (await this.readBeside(account)).edits.filter(
        (edit) => edit.environment === environment && edit.layer === layer && `${edit.path}/`.startsWith(`${from}/`),
      );
      for (const edit of moved) {
        const after = { ...edit, path: `${to}${edit.path.slice(from.length)}` };
        await this.write(after);
        this.changed.fire(placeOfEdit(after));
        await this.remove(placeOfEdit(edit), edit.archive);
      }
    });
  }

  async of(account: string): Promise<readonly NodeEdit[]> {
    return (await this.read(account)).edits;
  }

  /**
   * Returns the edits of an account's files whose records can be read, sorted by path, and how many others there are, so
   * that no one overwrites edits that aren't known. Leaves out a whole layer's file if its nodes have records. Rejects if
   * no record can be read. Reads no texts.
   */
  async read(account: string): Promise<{ readonly edits: readonly NodeEdit[]; readonly unknown: number }> {
    const { marks, unreadable } = await this.marks.of(account);
    const edits = marks.map((mark) => this.editOf(mark));
    const onNodes = new Set(edits.filter(({ nodeId }) => nodeId !== undefined).map(withoutNode));
    const unrecorded = [...this.unrecorded].filter((key) => key.startsWith(`${account}/`));
    return {
      edits: edits
        .filter((one) => one.nodeId !== undefined || !onNodes.has(withoutNode(one)))
        .sort((one, other) => one.path.localeCompare(other.path) || (one.nodeId ?? 0) - (other.nodeId ?? 0)),
      unknown: unreadable + unrecorded.length,
    };
  }

  /** Returns the same of all accounts that reach the same containers. */
  async readBeside(account: string): ReturnType<NodeEditLog['read']> {
    const found = await Promise.all(this.accountsBeside(account).map((one) => this.read(one)));
    return {
      edits: found.flatMap(({ edits }) => edits),
      unknown: found.reduce((sum, { unknown }) => sum + unknown, 0),
    };
  }

  /** Finds a file's first record, also of an edit that was made through another account. */
  async findBeside(place: FilePlace): Promise<NodeEdit | undefined> {
    const found = await Promise.all(
      this.accountsBeside(place.account).map((account) => this.find({ ...place, account })),
    );
    return found.flatMap((edit) => edit ?? []).sort((one, other) => one.at - other.at)[0];
  }

  /** @param archive finds the record of this unpacked archive, which is separate from the path's other edits */
  async find(place: FilePlace, archive?: string): Promise<NodeEdit | undefined> {
    const mark = await this.marks.find(place.account, keyFor(place, archive));
    return mark && this.editOf(mark);
  }

  /** Reads the text before the edit if this window doesn't have it, and a version of the file has. */
  async withText(edit: NodeEdit): Promise<NodeEdit> {
    const { account, before, digest } = edit;
    if (before !== undefined || digest === undefined) {
      return edit;
    }
    // An unreadable text must not hide that the file was edited.
    return { ...edit, before: await this.journal.text(account, { digest, bytes: 0 }).catch(() => undefined) };
  }

  /** Keeps the record of a file that was edited again since its edit was read, here or in another window. */
  forget(edits: readonly NodeEdit[]): Promise<void> {
    const accounts = edits.map(({ account }) => account);
    return this.queue.take(accounts, async () => {
      for (const one of edits) {
        const known = await this.find(placeOfEdit(one), one.archive);
        if (known === undefined || known.lastAt === one.lastAt) {
          await this.remove(placeOfEdit(one), one.archive);
        }
      }
    });
  }

  /** Forgets the texts. The journal removes the records, and takes no more of them. */
  async forgetAccount(account: string): Promise<void> {
    await this.queue.settled();
    for (const known of [this.texts, this.applied, this.unrecorded]) {
      for (const key of [...known.keys()].filter((one) => one.startsWith(`${account}/`))) {
        known.delete(key);
      }
    }
  }

  /** Resolves once everything that was noted so far is recorded. */
  settled(): Promise<void> {
    return this.queue.settled();
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async add(place: FilePlace, doing: NodeEditKind): Promise<void> {
    const { archive } = doing;
    // Replaces an unreadable record: knowing that the file was edited matters more than its previous content.
    const known = await this.find(place, archive).catch(() => undefined);
    if (known === undefined && doing.before !== undefined && doing.before === doing.after) {
      // The file was saved as it was.
      return;
    }
    const after = mergeNodeEdits(known, doing);
    if (after === 'nothing') {
      await this.remove(place, archive);
    } else {
      const { account, environment, target, path } = place;
      const where = { account, environment, layer: target.nodeGroup, nodeId: target.nodeId, path };
      const { what, before, digest } = after;
      const lastAt = Math.max(Date.now(), (known?.lastAt ?? 0) + 1);
      const at = known?.at ?? lastAt;
      const { applied, isUntracked, redeployed } = known ?? {};
      await this.write({ ...where, what, archive, before, digest, at, lastAt, applied, isUntracked });
      // An archive that is unpacked again counts again for the projects that were redeployed since.
      if (after !== known || redeployed !== undefined) {
        this.changed.fire(place);
      }
    }
  }

  /** Also removes the whole layer's record of the same path. */
  private async remove(place: FilePlace, archive: string | undefined): Promise<void> {
    for (const key of [keyFor(place, archive), keyFor(wholeLayer(place), archive)]) {
      this.texts.delete(key);
      this.applied.delete(key);
      await this.marks.remove(place.account, key);
      this.unrecorded.delete(key);
    }
    this.changed.fire(place);
  }

  private async write({ before, digest: known, ...noted }: NodeEdit): Promise<void> {
    const place = placeOfEdit(noted);
    const isSecret = mayHoldSecrets(place);
    // A file whose text isn't kept is listed without a diff.
    const isKept = (before?.length ?? 0) <= retention.edited.characters && !isSecret;
    const digest = !isKept ? undefined : before === undefined ? known : digestOfText(before);
    const { what, archive, at, lastAt, applied, isUntracked, redeployed } = noted;
    const key = keyFor(place, archive);
    await this.marks.write({
      id: key,
      place,
      deployed: { what, archive, at, lastAt, applied: isSecret ? undefined : applied, isUntracked, redeployed },
      before: digest === undefined ? undefined : { digest, bytes: 0 },
    });
    this.unrecorded.delete(key);
    this.journal.tell(troubleKey, undefined);
    if (isKept && before !== undefined) {
      this.texts.set(key, before);
    }
    if (isSecret && applied !== undefined) {
      this.applied.set(key, applied);
    }
  }

  private editOf({ at, place, before: stored, deployed }: Entry): NodeEdit {
    const { account, environment, target, path } = place;
    const edit = deployed ?? { what: 'changed', at, lastAt: at };
    const key = keyFor(place, edit.archive);
    const text = this.texts.get(key);
    const applied = edit.applied ?? this.applied.get(key);
    const digest = stored?.digest;
    // Another window may have noted a newer edit, with another text from before.
    const before = text !== undefined && digestOfText(text) === digest ? text : undefined;
    const where = { account, environment, layer: target.nodeGroup, nodeId: target.nodeId, path };
    return { ...where, ...edit, applied, before, digest };
  }

  private async below(folder: FilePlace): Promise<readonly NodeEdit[]> {
    const { account, environment, target, path } = folder;
    return (await this.of(account)).filter(
      (one) =>
        one.environment === environment &&
        one.layer === target.nodeGroup &&
        one.nodeId === target.nodeId &&
        one.what !== 'unpacked' &&
        one.path.startsWith(`${path}/`),
    );
  }
}
