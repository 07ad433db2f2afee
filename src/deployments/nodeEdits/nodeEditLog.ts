import { type Disposable, EventEmitter } from 'vscode';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { digestOf, JsonFolder } from '../../storage/jsonFolder';
import { KeyedQueue } from '../../async/keyedQueue';
import { type NodeEditKind, type NodeEdit, nodeEditSchema, placeOfEdit, mergeNodeEdits } from './nodeEdit';

/** A text of this length is not kept: the file is listed without a diff. */
const mostText = 2 * 1024 * 1024;

/**
 * What was edited in containers and may be lost by a deployment. On disk, for all windows and across restarts, a file for
 * each edited file; they hold what people keep in configuration, so they are for their owner alone.
 */
export class NodeEditLog implements Disposable {
  private readonly changed = new EventEmitter<FilePlace>();
  private readonly files: JsonFolder<NodeEdit>;
  /** What is done to one file quickly, such as delete and make anew, must be noted in that order; and so with its folder. */
  private readonly queue = new KeyedQueue();
  readonly onDidChange = this.changed.event;

  constructor(
    folder: string,
    /** Whether a project may lie there: what no deployment touches is not noted. */
    private readonly concerns: (place: FilePlace) => boolean,
  ) {
    this.files = new JsonFolder(folder, nodeEditSchema, { isStrict: true });
  }

  /** Something was done to a file. What it held before counts the first time only. */
  note(place: FilePlace, doing: NodeEditKind): Promise<void> {
    return this.queue.take(place.account, async () => {
      if (!this.concerns(place)) {
        return;
      }
      const below = doing.what === 'removed' ? await this.below(place) : [];
      for (const one of [...below.map(placeOfEdit), place]) {
        await this.add(one, doing);
      }
    });
  }

  /** What a file held before became known, where nobody had read it. */
  learn(known: NodeEdit, before: string): Promise<void> {
    return this.queue.take(known.account, () => this.write({ ...known, before: keepable(before) }));
  }

  /** The folder that the edited files lie in has another path now. */
  move(
    { account, environment, layer }: Pick<NodeEdit, 'account' | 'environment' | 'layer'>,
    from: string,
    to: string,
  ): Promise<void> {
    return this.queue.take(account, async () => {
      const moved = (await this.of(account)).filter(
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

  /**
   * The edits of an account's files, by path. A file of a whole layer is left out where its nodes are noted. Rejects
   * if one of them can't be read, so that a caller doesn't overwrite edits that it doesn't know about.
   */
  async of(account: string): Promise<readonly NodeEdit[]> {
    const edits = [...(await this.files.list(account)).values()];
    const onNodes = new Set(edits.filter(({ nodeId }) => nodeId !== undefined).map(withoutNode));
    return edits
      .filter((one) => one.nodeId !== undefined || !onNodes.has(withoutNode(one)))
      .sort((one, other) => one.path.localeCompare(other.path) || (one.nodeId ?? 0) - (other.nodeId ?? 0));
  }

  /** @param archive what was unpacked into a folder is noted beside all else that was done to it */
  find(place: FilePlace, archive?: string): Promise<NodeEdit | undefined> {
    return this.files.read(keyFor(place, archive));
  }

  forget(edits: readonly NodeEdit[]): Promise<void> {
    const accounts = edits.map(({ account }) => account);
    return this.queue.take(accounts, async () => {
      for (const one of edits) {
        await this.remove(placeOfEdit(one), one.archive);
      }
    });
  }

  forgetAccount(account: string): Promise<void> {
    return this.queue.take(account, () => this.files.removeAll(account));
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async add(place: FilePlace, doing: NodeEditKind): Promise<void> {
    const { archive } = doing;
    // Replaces an unreadable record: knowing that the file was edited matters more than its previous content.
    const known = await this.find(place, archive).catch(() => undefined);
    const after = mergeNodeEdits(known, doing);
    if (after === 'nothing') {
      await this.remove(place, archive);
    } else if (after !== known) {
      const { account, environment, target, path } = place;
      const where = { account, environment, layer: target.nodeGroup, nodeId: target.nodeId, path };
      const { what, before } = after;
      await this.write({ ...where, what, archive, before: keepable(before), at: known?.at ?? Date.now() });
      this.changed.fire(place);
    }
  }

  /** Also what the layer as a whole calls by the same path. */
  private async remove(place: FilePlace, archive: string | undefined): Promise<void> {
    await this.files.remove(keyFor(place, archive));
    await this.files.remove(keyFor(wholeLayer(place), archive));
    this.changed.fire(place);
  }

  private write(noted: NodeEdit): Promise<void> {
    return this.files.write(keyFor(placeOfEdit(noted), noted.archive), noted);
  }

  /** What is noted of the files in a folder. */
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

function keyFor(place: FilePlace, archive: string | undefined): string {
  const key = archive === undefined ? keyOf(place) : `${keyOf(place)}\n${archive}`;
  return `${place.account}/${digestOf(key)}`;
}

function keepable(before: string | undefined): string | undefined {
  return before === undefined || before.length > mostText ? undefined : before;
}

function withoutNode({ environment, layer, path, archive = '' }: NodeEdit): string {
  return `${environment}/${layer}${path}\n${archive}`;
}
