import { type FileChangeEvent, FileChangeType } from 'vscode';
import type { Environment, Layer, Node } from '../containers/environment';
import type { Environments } from '../containers/environments';
import type { Listings } from '../containers/listings';
import { childOf, type FilePlace, filePlaceOf, parentOrSelf, placeOnLayer } from '../containers/place';
import type { FileEntry } from '../platform/wire/fileEntry';
import type { EntryElement, Kind, LayerElement, NodeElement } from './sharedElement';
import { sharedKinds } from './sharedRows';

const byName = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/**
 * The rows of a view in which folders can be unfolded.
 * @param isDeployed whether a folder's files can be compared with what was deployed
 */
export function folderRows(
  { environments, listings }: { readonly environments: Environments; readonly listings: Listings },
  isDeployed: (folder: FilePlace) => boolean = () => false,
) {
  const isOnSeveralNodes = ({ account, environment, target }: FilePlace) => {
    const layer = environments.knownLayer(account, environment, target.nodeGroup);
    return layer !== undefined && layer.nodes.length > 1;
  };
  /** Folders first, both sorted by name. */
  const rowsOf = (folder: FilePlace, entries: Iterable<FileEntry>, via: string | undefined) => {
    const shared = {
      via,
      isConfiguration: false,
      isOnSeveralNodes: isOnSeveralNodes(folder),
      isDeployed: isDeployed(folder),
    };
    return [...entries]
      .sort((a, b) => Number(b.isDir) - Number(a.isDir) || byName.compare(a.name, b.name))
      .map((entry): EntryElement => ({ kind: 'entry', ...shared, place: childOf(folder, entry.name), entry }));
  };
  const listed = async (folder: FilePlace, via: string | undefined) =>
    rowsOf(folder, (await listings.list(folder)).values(), via);
  const entry: Kind<EntryElement, EntryElement> = {
    ...sharedKinds.entry,
    folder: ({ place }) => place,
    children: ({ place, entry: { isDir }, via }) => (isDir ? listed(place, via) : []),
  };
  return { rowsOf, listed, entry, isOnSeveralNodes };
}

/** Returns the folders whose rows change. A changed file doesn't affect its folder. */
export function changedFolders(changes: readonly FileChangeEvent[]): readonly FilePlace[] {
  const comingOrGoing = changes.filter(({ type }) => type !== FileChangeType.Changed);
  return comingOrGoing.flatMap(({ uri }) => filePlaceOf(uri) ?? []).map(parentOrSelf);
}

export function layersOf(environment: Environment): LayerElement[] {
  return environment.layers.map((layer) => ({ kind: 'layer', environment, layer }));
}

export function nodeElement(environment: Environment, layer: Layer, node: Node, isUnfolded = false): NodeElement {
  return { kind: 'node', environment, layer, node, place: placeOnLayer(environment, layer.id, node.id), isUnfolded };
}
