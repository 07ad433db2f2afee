import { homedir } from 'node:os';
import { l10n, Uri, window, workspace } from 'vscode';
import { holdsLogin } from '../../../containers/secretFiles';
import { patchOf, type PatchedFile } from './patch';
import type { ProjectPlace } from '../projectPlace';
import { type EditedFile, nodeEditName } from './nodeEditsAtRisk';

/**
 * Saves the container edits as a patch file for `git apply`, and returns the file; `undefined` if the user cancels.
 * @param root the folder of the local repository
 */
export async function keepPatch(
  { context, environment }: ProjectPlace,
  edits: readonly EditedFile[],
  root: Uri | undefined,
): Promise<Uri | undefined> {
  const day = new Date().toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const folder = root ?? workspace.workspaceFolders?.[0]?.uri;
  const name = `${environment}-${context}-${day}.patch`;
  const beside = folder?.scheme === 'file' ? folder : Uri.file(homedir());
  const chosen = await window.showSaveDialog({
    title: l10n.t('Save Edits as Patch File'),
    defaultUri: Uri.joinPath(beside, name),
    filters: { [l10n.t('Patch')]: ['patch', 'diff'] },
  });
  if (chosen === undefined) {
    return undefined;
  }
  const text = patchOf(edits.flatMap((file) => patched(file) ?? []));
  await workspace.fs.writeFile(chosen, new TextEncoder().encode(`${leftOut(edits)}${text}`));
  return chosen;
}

/** Converts an edit for the patch. Returns `undefined` if a patch can't express it, or must not contain it. */
export function patched({ place, path, edit, now }: EditedFile): PatchedFile | undefined {
  if (holdsLogin(place)) {
    return undefined;
  }
  switch (now.kind) {
    case 'text':
      return { path, before: edit.before, after: now.text };
    case 'absent':
      return edit.before === undefined ? undefined : { path, before: edit.before, after: undefined };
    case 'folder':
    case 'unreadable':
      return undefined;
  }
}

/** Lists the edits that aren't in the patch. git ignores lines before the first file. */
function leftOut(edits: readonly EditedFile[]): string {
  const rest = edits.filter((file) => patched(file) === undefined);
  return rest.map((file) => `# ${l10n.t('Not in this patch: {0}', nodeEditName(file))}\n`).join('');
}
