import type { FilePlace } from '../../containers/place';
import type { NodeElement, SharedElement } from '../../trees/sharedElement';
import type { Client, Export, Mount } from './mount';

/** The rows that only the Mounts view has. */
export type OwnMountElement =
  | MountElement
  | ExportElement
  | ClientElement
  /** Shown where nothing is shared. */
  | { readonly kind: 'none'; readonly of: NodeElement };

export type MountViewElement = OwnMountElement | SharedElement;

export interface MountElement {
  readonly kind: 'mount';
  readonly mount: Mount;
  /** Display texts for the mount point and the source. */
  readonly where: string;
  readonly source: string;
  /** The folder to show. For a layer, that's the one on a single node. */
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
  /** The client node's display name. */
  readonly name: string;
  /** The client's folder; `undefined` if its node isn't in a known environment. */
  readonly place: FilePlace | undefined;
}
