import { window, workspace } from 'vscode';
import { isContainerFolderOpen } from '../../containers/openFolders';
import type { Gantry } from '../../gantry';
import { environmentRowMimeType } from '../../manifest';
import type { FeatureHandles } from '../../services';

/** The Environments view, and its commands, which are loaded when the first of them is used. */
export function registerTree(gantry: Gantry, { files }: Pick<FeatureHandles, 'files'>) {
  const { report } = gantry.host;
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
  return { tree, treeCommands };
}
