import type { TreeView } from 'vscode';
import { type FilePlace, nameOf, parentOf, type Place } from '../containers/place';
import type { SharedElement } from '../trees/sharedElement';
import type { EnvironmentsView } from './environmentsView';

/** Selects a new entry if its folder has a row and the view is visible. */
export function revealRow(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: FilePlace) => Promise<void> {
  return async (place) => {
    const folder = parentOf(place);
    const element = tree.visible && folder !== undefined ? await view.elementAt(folder, nameOf(place)) : undefined;
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: false });
    }
  };
}

/** Shows the view and reveals a place in it. Returns whether the place exists. */
export function showInTree(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: Place) => Promise<boolean> {
  return async (place) => {
    const element = await rowOfPlace(place, (parent) => view.getChildren(parent));
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: true, expand: true });
    }
    return element !== undefined;
  };
}

type Shows = (element?: SharedElement) => Promise<readonly SharedElement[]>;

/** Finds a place's row from the root down, loading collapsed rows on the way. */
async function rowOfPlace(place: Place, childrenOf: Shows): Promise<SharedElement | undefined> {
  let found: SharedElement | undefined;
  for (;;) {
    const next = (await childrenOf(found)).find((child) => leadsTo(child, place));
    if (next === undefined) {
      return found !== undefined && isAt(found, place) ? found : undefined;
    }
    found = next;
    if (isAt(found, place)) {
      return found;
    }
  }
}

/** Whether the row is the place or one of its ancestors. */
function leadsTo(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
      return element.account.slug === place.account;
    case 'environment':
      return (
        place.kind !== 'account' &&
        element.environment.account === place.account &&
        element.environment.name === place.environment
      );
    case 'layer':
      return place.kind === 'file' && element.layer.id === place.target.nodeGroup;
    case 'node':
      // All nodes of a layer have its files, so any node will do.
      return place.kind === 'file' && [undefined, element.node.id].includes(place.target.nodeId);
    case 'entry':
      return (
        place.kind === 'file' &&
        !element.isConfiguration &&
        (element.place.path === place.path || place.path.startsWith(`${element.place.path}/`))
      );
    default:
      return false;
  }
}

function isAt(element: SharedElement, place: Place): boolean {
  switch (element.kind) {
    case 'account':
    case 'environment':
      return element.kind === place.kind;
    case 'layer':
      return place.kind === 'file' && place.path === '/' && place.target.nodeId === undefined;
    case 'node':
      return place.kind === 'file' && place.path === '/';
    case 'entry':
      return place.kind === 'file' && element.place.path === place.path;
    default:
      return false;
  }
}
