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
    commands: ['gantry.environments.refresh', 'gantry.view.retry'],
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
    needs: 'files',
    after: [tree],
    commands: [
      'gantry.environment.add',
      'gantry.environment.remove',
      'gantry.environment.openInBrowser',
      'gantry.environment.openDashboard',
      'gantry.environment.markAsProduction',
      'gantry.environment.unmarkAsProduction',
      'gantry.environment.goTo',
      'gantry.layer.enterNodes',
      'gantry.file.open',
      'gantry.file.openToSide',
      'gantry.file.create',
      'gantry.folder.create',
      'gantry.file.rename',
      'gantry.file.delete',
      'gantry.file.cut',
      'gantry.file.copy',
      'gantry.folder.paste',
      'gantry.file.duplicate',
      'gantry.file.copyPath',
      'gantry.file.copyRelativePath',
      'gantry.folder.uploadFiles',
      'gantry.folder.uploadFolder',
      'gantry.folder.uploadFromUrl',
      'gantry.archive.unpack',
      'gantry.archive.unpackOnType',
      'gantry.file.download',
      'gantry.file.append',
      'gantry.file.replace',
      'gantry.file.selectForCompare',
      'gantry.file.compareWithSelected',
      'gantry.file.compareSelected',
      'gantry.file.compareWithLocal',
      'gantry.file.compareNodes',
      'gantry.file.showAsText',
      'gantry.file.replaceByUpload',
      'gantry.file.reveal',
      'gantry.folder.open',
      'gantry.folder.openInNewWindow',
      'gantry.folder.refresh',
      'gantry.link.copy',
    ],
    load: async () => (await import('./treeCommands')).createTreeCommands,
  });
  gantry.register(() =>
    window.registerUriHandler({
      handleUri: (uri) => treeCommands.use(({ links }) => links.handleUri(uri)).catch(report),
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
