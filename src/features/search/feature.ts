import { commands, Disposable, l10n, workspace } from 'vscode';
import type { Gantry } from '../../gantry';
import { isContainerFolderOpen, registerFileNameSymbols } from '../../lazy';
import type { CommandId } from '../../manifest';
import { setContextKey } from '../../ui/contextKeys';
import { showWarningMessage } from '../../ui/notifications';

export function registerSearch(gantry: Gantry) {
  const search = gantry.add({
    id: 'search',
    needs: 'tree',
    storesForAccounts: true,
    view: { id: 'gantry.searchResults', canSelectMany: true },
    load: async () => (await import('./search')).createSearch,
  });
  const goToFile = gantry.add({
    id: 'goToFile',
    needs: 'tree',
    load: async () => (await import('./goToFile')).createGoToFile,
  });
  gantry.register(() => registerFileNameSymbols(goToFile, ({ symbols }) => symbols));
  gantry.register(() => followBuiltInSearch(gantry.host.report));
  return { search, goToFile };
}

/**
 * Says where VS Code's own search finds too little: it searches only the open editors of a container folder, and shows
 * what it finds as if that were all. Of all its searches, extensions learn only of those in a search editor.
 */
function followBuiltInSearch(report: (error: unknown) => void): Disposable {
  let isTold = false;
  const showWelcome = () => void setContextKey('gantry.containerFolders', isContainerFolderOpen() ? 'some' : 'none');
  showWelcome();
  return Disposable.from(
    workspace.onDidChangeWorkspaceFolders(showWelcome),
    workspace.onDidOpenTextDocument(({ uri }) => {
      if (uri.scheme === 'search-editor' && !isTold && isContainerFolderOpen()) {
        isTold = true;
        warn().catch(report);
      }
    }),
  );
}

async function warn(): Promise<void> {
  const find = l10n.t('Find in Folder…');
  const text = l10n.t("In container folders, VS Code's search covers only open editors.");
  if ((await showWarningMessage(text, find)) === find) {
    await commands.executeCommand('gantry.search.findInFolder' satisfies CommandId);
  }
}
