import { type Tab, TabInputText, Uri, window } from 'vscode';
import { type FilePlace, uriParts } from '../remote/place';

/** The tab in which a file has changes that are not saved, also one that has not been looked at since the window opened. */
export function dirtyTabOf(place: FilePlace): Tab | undefined {
  const uri = Uri.from(uriParts(place)).toString();
  return window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .find(({ input, isDirty }) => isDirty && input instanceof TabInputText && input.uri.toString() === uri);
}
