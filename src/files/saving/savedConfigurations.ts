import { EventEmitter } from 'vscode';
import { type FilePlace, keyOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { SavedFiles } from './saves';

/** A configuration file on one node: as it was at the last restart, and as it was saved since. */
export interface SavedConfiguration {
  readonly place: FilePlace;
  readonly before: string;
  readonly after: string;
}

/** Without the text before if the file is new, or its content didn't matter. */
type Noted = Omit<SavedConfiguration, 'before'> & { readonly before: string | undefined };

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
        this.add(node, earlier?.kind === 'text' ? earlier.text : undefined, found.text);
      }
    }
    this.changed.fire();
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
  inLayer(layer: { readonly account: string; readonly environment: string; readonly nodeGroup: string }) {
    return [...this.all.values()].flatMap(({ before, ...one }): readonly SavedConfiguration[] =>
      before !== undefined && isIn(one.place, layer) ? [{ ...one, before }] : [],
    );
  }

  /** A service has read the node's files. */
  forgetNode(nodeId: number, at: { readonly account: string; readonly environment: string }): void {
    this.drop(
      ({ place }) =>
        place.target.nodeId === nodeId && place.account === at.account && place.environment === at.environment,
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

  private add(place: FilePlace, before: string | undefined, after: string): void {
    const key = keyOf(place);
    const known = this.all.get(key);
    const first = known === undefined ? before : known.before;
    if (first === after) {
      this.all.delete(key);
    } else if ((first ?? '').length + after.length > longest) {
      this.all.set(key, { place, before: undefined, after: '' });
    } else {
      this.all.set(key, { place, before: first, after });
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
