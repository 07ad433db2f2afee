import { type FilePlace, keyOf } from '../../containers/place';
import { BoundedMap } from '../boundedMap';
import type { SaveOutcome } from './saveFile';

/** A configuration file on one node: as it was at the last restart, and as it was saved since. */
export interface SavedConfiguration {
  readonly place: FilePlace;
  readonly before: string;
  readonly after: string;
}

const mostFiles = 100;
/** In characters. The memory of this window holds both texts. */
const longest = 500_000;

/** The configuration files saved in this window that no restart has read yet, so that a failed one can be undone. */
export class SavedConfigurations {
  private readonly all = new BoundedMap<string, SavedConfiguration>(mostFiles);

  /** Notes a verified save with what each node had before. */
  note({ before, nodes }: Extract<SaveOutcome, { kind: 'saved' }>): void {
    for (const { node, found } of nodes) {
      const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
      if (found.kind === 'text' && earlier?.kind === 'text' && isConfiguration(node.path)) {
        this.add(node, earlier.text, found.text);
      }
    }
  }

  /** Returns those on the nodes of a layer. */
  inLayer(layer: { readonly account: string; readonly environment: string; readonly nodeGroup: string }) {
    return [...this.all.values()].filter(({ place }) => isIn(place, layer));
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
  }

  forgetAccount(account: string): void {
    this.drop(({ place }) => place.account === account);
  }

  private add(place: FilePlace, before: string, after: string): void {
    const key = keyOf(place);
    const first = this.all.get(key)?.before ?? before;
    if (first === after || first.length + after.length > longest) {
      this.all.delete(key);
    } else {
      this.all.set(key, { place, before: first, after });
    }
  }

  private drop(isDropped: (one: SavedConfiguration) => boolean): void {
    for (const [key, one] of this.all) {
      if (isDropped(one)) {
        this.all.delete(key);
      }
    }
  }
}

/** Whether a service probably reads the file only when it starts. */
export function isConfiguration(path: string): boolean {
  return path.startsWith('/etc/') || /\.(conf|cnf|cfg|ini)$/.test(path);
}

function isIn(
  { account, environment, target }: FilePlace,
  layer: { readonly account: string; readonly environment: string; readonly nodeGroup: string },
): boolean {
  return account === layer.account && environment === layer.environment && target.nodeGroup === layer.nodeGroup;
}
