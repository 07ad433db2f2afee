import { Disposable, EventEmitter, FileDecoration, l10n, ThemeColor, Uri, window } from 'vscode';
import { filePlaceOf, uriParts } from '../../containers/place';
import type { EditedFiles } from './editedFiles';

export const editedTooltip = () => l10n.t('Edited on the node since the last redeploy');

/** Marks the edited files, and the folders that have some, wherever VS Code shows them. */
export function markEditedFiles(edited: EditedFiles): Disposable {
  // VS Code marks the folders above a file only if it was told of the file.
  const changed = new EventEmitter<Uri[]>();
  return Disposable.from(
    changed,
    window.registerFileDecorationProvider({
      onDidChangeFileDecorations: changed.event,
      provideFileDecoration(uri) {
        const place = filePlaceOf(uri);
        if (place === undefined || edited.find(place) === undefined) {
          return undefined;
        }
        const mark = new FileDecoration(
          'E',
          editedTooltip(),
          new ThemeColor('gitDecoration.modifiedResourceForeground'),
        );
        mark.propagate = true;
        return mark;
      },
    }),
    edited.onDidChange((places) => changed.fire(places.map((place) => Uri.from(uriParts(place))))),
  );
}
