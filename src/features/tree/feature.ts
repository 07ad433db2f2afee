import { commands, type Memento, window, workspace } from 'vscode';
import { isContainerFolderOpen } from '../../lazy';
import type { Gantry } from '../../gantry';
import { environmentRowMimeType } from '../../manifest';

/** The Environments view, and its commands, which are loaded when the first of them is used. */
export function registerTree(gantry: Gantry) {
  const { report, state } = gantry.host;
  const { files } = gantry.levels;
  const tree = gantry.add({
    id: 'tree',
    needs: 'files',
    view: {
      id: 'gantry.environments',
      canSelectMany: true,
      dragMimeTypes: ['text/uri-list'],
      dropMimeTypes: [environmentRowMimeType, 'text/uri-list', 'files'],
    },
    load: async () => (await import('./tree')).createTree,
  });
  const treeCommands = gantry.add({
    id: 'treeCommands',
    needs: 'tree',
    load: async () => (await import('./treeCommands')).createTreeCommands,
  });
  gantry.register(() =>
    window.registerUriHandler({
      handleUri: (uri) => treeCommands.use(({ openLink }) => openLink(uri)).catch(report),
    }),
  );
  // The view asks whether an open container folder is trusted, even if it was never shown.
  const askForTrust = () => {
    if (files.loaded !== undefined && isContainerFolderOpen()) {
      tree.load().catch(report);
    }
  };
  files.whenLoaded(askForTrust);
  gantry.own(workspace.onDidChangeWorkspaceFolders(askForTrust));
  showOnFirstStart(state).catch(report);
  return { tree, treeCommands };
}

const startedKey = 'gantry.hasStarted';

/**
 * Opens the Environments view at the first start, because nothing else says that Gantry is there. Not in an open project,
 * and not if the person doesn't want an extension to open its walkthrough after the installation either.
 * `npm start` makes each start like the first, because it is for trying Gantry.
 */
async function showOnFirstStart(state: Memento): Promise<void> {
  if (state.get<boolean>(startedKey) === true && process.env['GANTRY_FIRST_START'] === undefined) {
    return;
  }
  await state.update(startedKey, true);
  const mayOpen = workspace.getConfiguration('workbench.welcomePage.walkthroughs').get<boolean>('openOnInstall', true);
  if (mayOpen && workspace.workspaceFolders === undefined) {
    await commands.executeCommand('gantry.environments.focus', { preserveFocus: true });
  }
}
