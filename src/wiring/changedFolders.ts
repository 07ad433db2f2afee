import { type FileChangeEvent, FileChangeType } from 'vscode';
import { type FilePlace, filePlaceOf, parentOf } from '../containers/place';

/** The folders that show something else after these changes. A change of a file's content shows in no folder. */
export function changedFolders(changes: readonly FileChangeEvent[]): readonly FilePlace[] {
  const comingOrGoing = changes.filter(({ type }) => type !== FileChangeType.Changed);
  const places = comingOrGoing.flatMap(({ uri }) => filePlaceOf(uri) ?? []);
  return places.map((place) => parentOf(place) ?? place);
}
