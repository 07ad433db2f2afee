import { type Tab, TabInputCustom, TabInputNotebook, TabInputText, Uri, window } from 'vscode';
import { type FilePlace, uriParts } from '../containers/place';

/** The file that an editor shows, whether it is shown as text, by a custom editor, or as a notebook. */
export function uriOfTab(tab: Tab | undefined): Uri | undefined {
  const input = tab?.input;
  return input instanceof TabInputText || input instanceof TabInputCustom || input instanceof TabInputNotebook
    ? input.uri
    : undefined;
}

/** The file in the active editor. */
export function activeFile(): Uri | undefined {
  return window.activeTextEditor?.document.uri ?? uriOfTab(window.tabGroups.activeTabGroup.activeTab);
}

/** The tab in which a file has changes that are not saved, also one that has not been looked at since the window opened. */
export function dirtyTabOf(place: FilePlace): Tab | undefined {
  return tabsOf(place).find(({ isDirty, input }) => isDirty && input instanceof TabInputText);
}

/** The tabs that show a file. */
export function tabsOf(place: FilePlace): readonly Tab[] {
  const uri = Uri.from(uriParts(place)).toString();
  return window.tabGroups.all.flatMap(({ tabs }) => tabs).filter((tab) => uriOfTab(tab)?.toString() === uri);
}
