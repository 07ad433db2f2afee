import type { Disposable } from 'vscode';
import { type Tab, TabInputCustom, TabInputNotebook, window, workspace } from 'vscode';
import { type FilePlace, filePlaceOf } from '../remote/place';
import type { EditedDocument } from './edit';
import type { Edits } from './edits';
import { tabsOf, uriOfTab } from './tabs';

/** A notebook, or a file in a custom editor: VS Code tells extensions whether it is dirty, but not what it holds. */
class UnsyncedDocument implements EditedDocument {
  constructor(private readonly place: FilePlace) {}

  get isDirty(): boolean {
    return tabsOf(this.place).some(({ isDirty }) => isDirty);
  }

  /** Nobody knows. */
  getText(): string {
    return '';
  }
}

/** Whether the file is shown by such an editor. */
export function isUnsynced(place: FilePlace): boolean {
  return tabsOf(place).some(isUnsyncedTab);
}

/** Lets what happens to such editors be known to edits, so that a save of theirs is checked like any other. */
export function followUnsyncedEditors(edits: Edits): Disposable {
  const opened = (tab: Tab, how: 'opened' | 'restored') => {
    const place = placeOfTab(tab);
    if (place !== undefined) {
      edits.openedUnsynced(place, new UnsyncedDocument(place), how);
    }
  };
  const changed = (tab: Tab) => {
    const place = placeOfTab(tab);
    if (place !== undefined) {
      edits.changedUnsynced(place);
    }
  };
  const closed = (tab: Tab) => {
    const place = placeOfTab(tab);
    if (place !== undefined && !isUnsynced(place)) {
      edits.closedUnsynced(place);
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
  const uri = isUnsyncedTab(tab) ? uriOfTab(tab) : undefined;
  return uri && filePlaceOf(uri);
}

function isUnsyncedTab(tab: Tab): boolean {
  const { input } = tab;
  if (input instanceof TabInputNotebook) {
    return true;
  }
  // Some custom editors show a text document, which is followed like that of any other editor.
  const uri = input instanceof TabInputCustom ? input.uri.toString() : undefined;
  return uri !== undefined && !workspace.textDocuments.some((document) => document.uri.toString() === uri);
}
