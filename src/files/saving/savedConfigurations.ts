import { EventEmitter } from 'vscode';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { SavedFiles } from './saves';

/** A configuration file on one node: as it was when its service last started, and as it was saved since. */
export interface SavedConfiguration {
  readonly place: FilePlace;
  /** Missing if the file is new. */
  readonly before: string | undefined;
  readonly after: string;
}

interface Noted extends SavedConfiguration {
  /** Whether it's known what the file was before, and short enough. */
  readonly canRestore: boolean;
}

const mostFiles = 100;
/** In characters. The memory of this window holds both texts. */
const longest = 500_000;

/** The configuration files saved in this window that no restart has read yet, so that a failed one can be undone. */
export class SavedConfigurations {
  private readonly all = new BoundedMap<string, Noted>(mostFiles);
  private readonly changed = new EventEmitter<void>();
  readonly onDidChange = this.changed.event;

  /** Notes a verified save with what each node had before. */
  note({ before, nodes }: SavedFiles): void {
    for (const { node, found } of nodes) {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      if (found.kind === 'text' && isConfiguration(node.path)) {
        const before = earlier?.kind === 'text' ? earlier.text : undefined;
        const canRestore = before !== undefined || earlier?.kind === 'absent';
        this.add({ place: node, before, after: found.text, canRestore });
      }
    }
    this.changed.fire();
  }

  /** Nothing was there before. New File creates a file without text on a node or a layer, and then it's saved. */
  noteCreated(place: FilePlace): void {
    const known = this.all.get(keyOf(place));
    if (isConfiguration(place.path) && known?.before === undefined) {
      this.all.set(keyOf(place), { place, before: undefined, after: '', ...known, canRestore: true });
    }
  }

  /** Whether a restart would read it anew, on its node or on any of its layer. */
  has(place: FilePlace): boolean {
    const { account, environment, target, path } = place;
    return target.nodeId === undefined
      ? [...this.all.values()].some(
          (one) => one.place.path === path && isIn(one.place, { account, environment, nodeGroup: target.nodeGroup }),
        )
      : this.all.has(keyOf(place));
  }

  /** Returns those on the nodes of a layer. */
  inLayer(layer: {
    readonly account: string;
    readonly environment: string;
    readonly nodeGroup: string;
  }): readonly SavedConfiguration[] {
    return [...this.all.values()].filter(
      ({ canRestore, place }) => canRestore && place.target.nodeId !== undefined && isIn(place, layer),
    );
  }

  /** A service has read the node's files. */
  forgetNode(nodeId: number, at: { readonly account: string; readonly environment: string }): void {
    this.drop(
      ({ place }) =>
        [undefined, nodeId].includes(place.target.nodeId) &&
        place.account === at.account &&
        place.environment === at.environment,
    );
  }

  /** Its content is someone else's now. */
  forget(place: FilePlace): void {
    this.all.delete(keyOf(place));
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
  }

  forgetAccount(account: string): void {
    this.drop(({ place }) => place.account === account);
  }

  private add(one: Noted): void {
    const key = keyOf(one.place);
    const { before, canRestore } = this.all.get(key) ?? this.all.get(keyOf(wholeLayer(one.place))) ?? one;
    if (canRestore && before === one.after) {
      this.all.delete(key);
    } else if ((before ?? '').length + one.after.length > longest) {
      this.all.set(key, { place: one.place, before: '', after: '', canRestore: false });
    } else {
      this.all.set(key, { ...one, before, canRestore });
    }
  }

  private drop(isDropped: (one: Noted) => boolean): void {
    for (const [key, one] of this.all) {
      if (isDropped(one)) {
        this.all.delete(key);
      }
    }
    this.changed.fire();
  }
}

/** Whether a service probably reads the file only when it starts. */
function isConfiguration(path: string): boolean {
  return path.startsWith('/etc/') || /\.(conf|cnf|cfg|ini)$/.test(path);
}

function isIn(
  { account, environment, target }: FilePlace,
  layer: { readonly account: string; readonly environment: string; readonly nodeGroup: string },
): boolean {
  return account === layer.account && environment === layer.environment && target.nodeGroup === layer.nodeGroup;
}
