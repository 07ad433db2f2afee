import type { FilePlace } from '../containers/place';
import type { NodeElement, SharedElement } from '../trees/sharedElement';
import type { Client, Export, Mount } from './mount';

/** What the Mounts view shows besides the rows that all views have. */
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
