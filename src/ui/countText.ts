import { env, l10n } from 'vscode';

/** Formats a number with the separators of the user's language. */
export function grouped(count: number): string {
  return count.toLocaleString(env.language);
}

export function fileCount(count: number): string {
  return count === 1 ? l10n.t('1 file') : l10n.t('{0} files', grouped(count));
}
