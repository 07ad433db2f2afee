import { l10n } from 'vscode';
import type { EditedFile } from './nodeEditsAtRisk';

/** What was edited, in a word or a few. */
export function nodeEditName({ path, edit: { what, archive = '', path: folder } }: EditedFile): string {
  const name = archive.slice(archive.lastIndexOf('/') + 1);
  return what === 'unpacked' ? l10n.t('{0} unpacked into {1}', name, path === '' ? folder : path) : path;
}
