import { type Tab, TabInputCustom, TabInputNotebook, TabInputText, window, type Uri } from 'vscode';
import type { FilePlace } from '../containers/place';
import { uriOf } from '../containers/uris';

/** Returns the file that an editor shows: as text, in a custom editor, or as a notebook. */
export function uriOfTab(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  return input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook
    ? input.uri
    : undefined;
}

export function activeFile(): Uri | undefined {
  return window.activeTextEditor?.document.uri ?? uriOfTab(window.tabGroups.activeTabGroup.activeTab);
}

/** Returns the tab with the file's unsaved changes, even if it wasn't activated since the window opened. */
export function dirtyTabOf(place: FilePlace): Tab | undefined {
  return tabsOf(place).find(({ isDirty, input }) => isDirty && input instanceof TabInputText);
}

export function tabsOf(place: FilePlace): readonly Tab[] {
  const uri = uriOf(place).toString();
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => uriOfTab(tab)?.toString() === uri);
}
