import { type TreeView, window } from 'vscode';
import { environmentCommands } from '../fileTree/environmentCommands';
import { allFileCommands } from '../fileTree/allFileCommands';
import type { FileTreeDeps } from '../fileTree/fileTreeDeps';
import { askAboutOpenFolders } from '../fileTree/folderCommands';
import { announceChanges } from '../fileTree/announceChanges';
import { revealRow, showInTree } from '../fileTree/revealInTree';
import { CommandTargets } from '../fileTree/commandTargets';
import { viewCommands } from '../trees/viewCommands';
import type { Accounts } from '../accounts/accounts';
import { linkCommands, LinkHandler } from '../fileTree/linkCommands';
import type { ViewId } from '../manifest';
import type { ShownTexts } from '../ui/shownTexts';
import type { SharedElement } from '../trees/sharedElement';
import { dropOnFolder, EnvironmentsDragController } from '../fileTree/dragAndDropFlow';
import { EnvironmentsView } from '../fileTree/environmentsView';
import { changedFolders } from './changedFolders';
import type { FileParts } from './wireFiles';
import type { WiringDeps } from './wiringDeps';
import type { ContainerParts } from './wireContainers';

interface FileTreeWiringDeps extends WiringDeps, Omit<ContainerParts, 'disposables'> {
  readonly accounts: Accounts;
  readonly files: Pick<FileParts, 'fileSystem' | 'folders' | 'trust' | 'turns' | 'saves' | 'hidden'>;
  readonly texts: ShownTexts;
  readonly extensionId: string;
}

/** The Environments view, all that is done to files from it, and the links that lead into it. */
export function wireFileTree(deps: FileTreeWiringDeps) {
  const { accounts, environments, containers, listings, work, files, texts, report } = deps;
  const { fileSystem, folders, trust } = files;
  const view = new EnvironmentsView({ accounts, environments, listings, work });
  const tree: TreeView<SharedElement> = window.createTreeView('gantry.environments' satisfies ViewId, {
    treeDataProvider: view,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: new EnvironmentsDragController((folder, dropped) =>
      dropOnFolder(folder, dropped, fileWork).catch(report),
    ),
  });
  const fileWork: FileTreeDeps = {
    targets: new CommandTargets(view, () => tree.selection, listings),
    folders,
    announce: announceChanges(listings, fileSystem),
    reveal: revealRow(tree, view),
    refreshed: (folder) => view.refreshFolders([folder]),
    ...{ environments, containers, listings, work, trust, texts, queue: files.turns, saves: files.saves },
  };
  const show = showInTree(tree, view);
  const links = new LinkHandler({ accounts, environments, listings, show, report });
  const commands = {
    ...allFileCommands(fileWork),
    ...environmentCommands({ accounts, environments, view, listings }),
    ...linkCommands({ accounts, view, extensionId: deps.extensionId }),
    ...viewCommands,
  };
  const disposables = [
    ...[view, tree],
    tree.onDidExpandElement(() => deps.watching.active()),
    fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))),
    askAboutOpenFolders(fileWork, { accounts, hidden: files.hidden }, report),
    window.registerUriHandler(links),
  ];
  return { view, links, show, targets: fileWork.targets, announce: fileWork.announce, commands, disposables };
}
