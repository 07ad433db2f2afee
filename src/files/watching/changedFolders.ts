import { type FileChangeEvent, FileChangeType } from 'vscode';
import { type FilePlace, filePlaceOf, parentOrSelf } from '../../containers/place';

/** Returns the folders whose listings change. A changed file doesn't affect its folder. */
export function changedFolders(changes: readonly FileChangeEvent[]): readonly FilePlace[] {
  const comingOrGoing = changes.filter(({ type }) => type !== FileChangeType.Changed);
  const places = comingOrGoing.flatMap(({ uri }) => filePlaceOf(uri) ?? []);
  return places.map(parentOrSelf);
}
