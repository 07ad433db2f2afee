import { type Disposable, type Tab, TabInputCustom, TabInputNotebook, window } from 'vscode';
import { type FilePlace, filePlaceOf } from '../../../containers/place';
import type { OpenEdits } from './openEdits';
import { tabsOf, uriOfTab } from '../../tabs';

/** A notebook, or a file in a custom editor: VS Code tells extensions whether it is dirty, but doesn't expose its text. */
class OpaqueDocument {
  constructor(private readonly place: FilePlace) {}

  get isDirty(): boolean {
    return tabsOf(this.place).some((tab) => isOpaqueTab(tab) && tab.isDirty);
  }
}

/** Whether the file is shown by such an editor. */
export function hasOpaqueEditor(place: FilePlace): boolean {
  return tabsOf(place).some(isOpaqueTab);
}

/** Lets what happens to such editors be known to edits, so that a save of theirs is checked like any other. */
export function followOpaqueEditors(edits: OpenEdits): Disposable {
  const opened = (tab: Tab, how: 'opened' | 'restored') => {
    const place = placeOfTab(tab);
    if (place !== undefined) {
      edits.openedOpaque(place, new OpaqueDocument(place), how);
    }
  };
  const changed = (tab: Tab) => {
    const place = placeOfTab(tab);
    if (place !== undefined) {
      edits.opaque.changed(place);
    }
  };
  const closed = (tab: Tab) => {
    const place = placeOfTab(tab);
    if (place !== undefined && !hasOpaqueEditor(place)) {
      edits.opaque.closed(place);
    }
  };
  window.tabGroups.all.flatMap(({ tabs }) => tabs).forEach((tab) => opened(tab, 'restored'));
  return window.tabGroups.onDidChangeTabs((event) => {
    event.opened.forEach((tab) => opened(tab, 'opened'));
    event.changed.forEach(changed);
    event.closed.forEach(closed);
  });
}

function placeOfTab(tab: Tab): FilePlace | undefined {
  const uri = isOpaqueTab(tab) ? uriOfTab(tab) : undefined;
  return uri && filePlaceOf(uri);
}

function isOpaqueTab({ input }: Tab): boolean {
  return input instanceof TabInputNotebook || input instanceof TabInputCustom;
}
