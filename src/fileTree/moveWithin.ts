import { l10n, workspace, WorkspaceEdit } from 'vscode';
import type { FilePlace } from '../containers/place';
import { isAtOrBelow, uriOf } from './commandTargets';

/** Moves within one container. Editors of what moves move along, with what was typed into them. */
export async function moveWithinContainer(from: FilePlace, to: FilePlace): Promise<void> {
  const [source, target] = [uriOf(from), uriOf(to)];
  if (!workspace.textDocuments.some(({ uri }) => isAtOrBelow(uri, source))) {
    await workspace.fs.rename(source, target, { overwrite: false });
    return;
  }
  const edit = new WorkspaceEdit();
  edit.renameFile(source, target, { overwrite: false });
  if (!(await workspace.applyEdit(edit))) {
    throw new Error(l10n.t('{0} could not be moved to {1}; the log of the window says why.', from.path, to.path));
  }
}
