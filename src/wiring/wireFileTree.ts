import { type TreeView, window } from 'vscode';
import { dropOnFolder } from '../fileTree/dropOnFolderFlow';
import { environmentCommands } from '../fileTree/environmentCommands';
import { type AllFileCommandsDeps, allFileCommands } from '../fileTree/allFileCommands';
import { askAboutOpenFolders } from '../fileTree/folderCommands';
import { tells } from '../fileTree/announceChanges';
import { linkCommands } from '../fileTree/linkCommands';
import { revealRow, showInTree } from '../fileTree/revealInTree';
import { CommandTargets } from '../fileTree/commandTargets';
import { viewCommands } from '../trees/viewCommands';
import type { Accounts } from '../accounts/accounts';
import { LinkHandler } from '../fileTree/openLinkFlow';
import type { ViewId } from '../manifest';
import type { ShownTexts } from '../ui/shownTexts';
import type { SharedElement } from '../trees/sharedElement';
import { EnvironmentsDragController } from '../fileTree/dragAndDrop';
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
  const fileWork: AllFileCommandsDeps = {
    subjects: new CommandTargets(view, () => tree.selection, listings),
    folders,
    happened: tells(listings, fileSystem),
    reveal: revealRow(tree, view),
    refreshed: (folder) => view.refreshFolders([folder]),
    ...{ environments, containers, listings, work, trust, texts, turns: files.turns, saves: files.saves },
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
  return { view, links, show, subjects: fileWork.subjects, happened: fileWork.happened, commands, disposables };
}
