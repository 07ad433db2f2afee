import { l10n } from 'vscode';

/** A modal has no room for more names. */
export const maxNamed = 10;

/** Formats the second paragraph of a modal: a name on each line, and how many more there are. */
export function modalLines(names: readonly string[]): string {
  const more = names.length - maxNamed;
  return [...names.slice(0, maxNamed), ...(more > 0 ? [l10n.t('and {0} more', more)] : [])].join('\n');
}
