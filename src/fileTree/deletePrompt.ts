import { l10n } from 'vscode';
import { containerText, nameOf } from '../containers/place';
import type { CommandTarget } from './commandTargets';
import { modalLines } from '../ui/modalLines';
import { showWarningMessage } from '../ui/notifications';

export async function confirmDelete(doomed: readonly CommandTarget[]): Promise<boolean> {
  const [first] = doomed;
  if (first === undefined) {
    return false;
  }
  const name = nameOf(first.place);
  const question =
    doomed.length > 1
      ? l10n.t('Delete these {0} files and folders?', doomed.length)
      : first.isFolder
        ? l10n.t('Delete the folder “{0}” and everything in it?', name)
        : l10n.t('Delete “{0}”?', name);
  const where = l10n.t('From {0}. This cannot be undone.', containerText(first.place));
  const detail = `${modalLines(doomed.map(({ place }) => place.path))}\n\n${where}`;
  const yes = l10n.t('Delete');
  return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
