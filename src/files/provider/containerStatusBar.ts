import { Disposable, l10n, StatusBarAlignment, window } from 'vscode';
import { placeOf, targetText } from '../../containers/place';

/** Shows the container of the active editor's file, to prevent edits in production instead of staging. */
export function showContainerInStatusBar(): Disposable {
  const item = window.createStatusBarItem('gantry.container', StatusBarAlignment.Left, 10);
  item.name = l10n.t('Gantry: Container');
  const update = () => {
    const place = window.activeTextEditor && placeOf(window.activeTextEditor.document.uri);
    if (place?.kind !== 'file') {
      item.hide();
      return;
    }
    const node = targetText(place.target).replace('~', ' · ');
    item.text = `$(server-environment) ${place.environment} · ${node}`;
    item.tooltip = l10n.t('This file lies in {0}, {1}', place.environment, node);
    item.show();
  };
  update();
  return Disposable.from(item, window.onDidChangeActiveTextEditor(update));
}
