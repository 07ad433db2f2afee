import { Disposable, l10n, StatusBarAlignment, type StatusBarItem, window } from 'vscode';
import type { Accounts } from '../../accounts/accounts';
import { filePlaceOf } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { activeFile } from '../tabs';
import type { SavedConfigurations } from './savedConfigurations';
import { withIcon } from '../../ui/escapeMarkup';

/** Offers a restart for a configuration file that was saved, because a running service doesn't read it again. */
export function offerRestart(
  saved: Pick<SavedConfigurations, 'has' | 'onDidChange'>,
  accounts: Pick<Accounts, 'find' | 'onDidChangeRights'>,
): Disposable {
  let offer: Disposable | undefined;
  let offered: string | undefined;
  const hide = (): void => {
    offer?.dispose();
    offer = undefined;
  };
  const update = (): void => {
    const uri = activeFile();
    const place = uri && filePlaceOf(uri);
    const isAbsent = place !== undefined && accounts.find(place.account)?.lacks('RestartServices') === true;
    const file = place !== undefined && saved.has(place) && !isAbsent ? uri : undefined;
    if (file?.toString() === offered) {
      // VS Code ignores a click on an item that is just being recreated.
      return;
    }
    hide();
    offered = file?.toString();
    if (file !== undefined) {
      offer = showStatusItem('gantry.restart', {
        name: l10n.t('Gantry: Restart Service'),
        icon: 'debug-restart',
        text: l10n.t('Restart Service…'),
        tooltip: l10n.t('Restart the service so that the saved configuration takes effect'),
        command: {
          command: 'gantry.service.restart' satisfies CommandId,
          title: l10n.t('Restart Service…'),
          arguments: [file],
        },
      });
    }
  };
  return Disposable.from(
    new Disposable(hide),
    window.onDidChangeActiveTextEditor(update),
    saved.onDidChange(update),
    accounts.onDidChangeRights(update),
  );
}

/** Shows an item that can be clicked, unlike a message in the status bar. */
export function showStatusItem(
  id: string,
  {
    icon,
    text,
    ...properties
  }: Pick<StatusBarItem, 'name' | 'text' | 'tooltip' | 'command'> & { readonly icon: string },
): Disposable {
  const item = window.createStatusBarItem(id, StatusBarAlignment.Left, 8);
  Object.assign(item, properties, { text: withIcon(icon, text) });
  item.show();
  return Disposable.from(item);
}
