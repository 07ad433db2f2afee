import type { Environment, Layer, Node } from '../containers/environment';
import type { FilePlace } from '../containers/place';
import type { Client, Export, Mount } from './mount';
import type { EntryElement } from '../trees/environmentElement';
import type { RootElement } from '../trees/environmentRoots';
import type { Problem } from '../trees/problemRow';

/** What the Mounts view shows, from the top down. */
export type MountViewElement =
  | RootElement
  | MountLayerElement
  | MountNodeElement
  | MountElement
  | ExportElement
  | ClientElement
  /** Stands where nothing is shared. */
  | { readonly kind: 'none'; readonly of: MountNodeElement }
  | EntryElement
  | Problem;

export interface MountLayerElement {
  readonly kind: 'layer';
  readonly environment: Environment;
  readonly layer: Layer;
}

export interface MountNodeElement {
  readonly kind: 'node';
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
  readonly place: FilePlace;
  /** The mounts that this node does not have in common with all the others of its layer. */
  readonly mounts: readonly Mount[];
}

export interface MountElement {
  readonly kind: 'mount';
  readonly mount: Mount;
  /** Where it appears and where the data lies, in words. */
  readonly where: string;
  readonly source: string;
  /** The folder whose content is shown; of a layer that of one node. */
  readonly place: FilePlace;
}

export interface ExportElement {
  readonly kind: 'export';
  readonly from: Export;
  readonly where: string;
  readonly clients: readonly ClientElement[];
  readonly place: FilePlace;
}

export interface ClientElement {
  readonly kind: 'client';
  readonly from: Export;
  readonly client: Client;
  /** The client's node in words. */
  readonly name: string;
  /** The client's folder; nothing where its node is in no environment that is known. */
  readonly place: FilePlace | undefined;
}
