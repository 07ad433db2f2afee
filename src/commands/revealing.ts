import type { TreeView } from 'vscode';
import { type FilePlace, nameOf, parentOf } from '../remote/place';
import type { Element } from '../views/element';
import type { EnvironmentsView } from '../views/environmentsView';

/** Selects what was just made, where its folder is unfolded in the view and the view is seen. */
export function revealIn(tree: TreeView<Element>, view: EnvironmentsView): (place: FilePlace) => Promise<void> {
  return async (place) => {
    const folder = parentOf(place);
    const element = tree.visible && folder !== undefined ? await view.elementAt(folder, nameOf(place)) : undefined;
    if (element !== undefined) {
      await tree.reveal(element, { select: true, focus: false });
    }
  };
}
