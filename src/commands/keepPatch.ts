import { homedir } from 'node:os';
import { l10n, Uri, window, workspace } from 'vscode';
import { patchOf } from '../projects/patch';
import type { Preflight } from '../projects/preflight';
import type { Prepared } from '../projects/redeployWork';

/** Writes what was edited in the container to a file that `git apply` takes. Answers whether it is safe there. */
export async function keepPatch({ request }: Prepared, { edits, local }: Preflight): Promise<boolean> {
  const { context, environment } = request.place;
  const day = new Date().toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
  const folder = local?.repository.root ?? workspace.workspaceFolders?.[0]?.uri;
  const name = `${environment}-${context}-${day}.patch`;
  const beside = folder?.scheme === 'file' ? folder : Uri.file(homedir());
  const chosen = await window.showSaveDialog({
    title: l10n.t('Keep the edits as a patch file'),
    defaultUri: Uri.joinPath(beside, name),
    filters: { [l10n.t('Patch')]: ['patch', 'diff'] },
  });
  if (chosen === undefined) {
    return false;
  }
  const files = edits.flatMap(({ path, edit, now }) =>
    now === undefined ? [] : [{ path, before: edit.before, after: now }],
  );
  await workspace.fs.writeFile(chosen, new TextEncoder().encode(patchOf(files)));
  return true;
}
