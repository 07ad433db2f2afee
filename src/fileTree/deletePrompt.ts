import { l10n } from 'vscode';
import { type FilePlace, nameOf, targetText } from '../containers/place';
import type { Subject } from './commandTargets';
import { showWarningMessage } from '../ui/notifications';

/** More than these are not named in a modal: it has no room for them. */
export const mostNamed = 10;

/** For a modal's second paragraph: each on its own line, and how many more there are. */
export function linesOf(names: readonly string[]): string {
  const more = names.length - mostNamed;
  return [...names.slice(0, mostNamed), ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}

/** The container as a person tells it from others. */
export function containerText({ environment, target }: FilePlace): string {
  return `${environment} · ${targetText(target).replace('~', ' · ')}`;
}

export async function deleteQuestion(doomed: readonly Subject[]): Promise<boolean> {
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
  const detail = `${linesOf(doomed.map(({ place }) => place.path))}\n\n${where}`;
  const yes = l10n.t('Delete');
  return (await showWarningMessage(question, { modal: true, detail }, yes)) === yes;
}
