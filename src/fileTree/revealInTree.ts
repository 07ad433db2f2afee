import type { TreeView } from 'vscode';
import { type FilePlace, nameOf, parentOf, type Place } from '../containers/place';
import type { SharedElement } from '../trees/sharedElement';
import { rowOfPlace } from './rowOfPlace';
import type { EnvironmentsView } from './environmentsView';

/** Selects what was just made, where its folder has a row in the view and the view is seen. */
export function revealRow(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: FilePlace) => Promise<void> {
  return async (place) => {
    const folder = parentOf(place);
    const element = tree.visible && folder !== undefined ? await view.elementAt(folder, nameOf(place)) : undefined;
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: false });
    }
  };
}

/** Goes to a place in the view, wherever the view is; settles with whether it is there. */
export function showInTree(tree: TreeView<SharedElement>, view: EnvironmentsView): (place: Place) => Promise<boolean> {
  return async (place) => {
    const element = await rowOfPlace(place, (parent) => view.getChildren(parent));
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: true, expand: true });
    }
    return element !== undefined;
  };
}
