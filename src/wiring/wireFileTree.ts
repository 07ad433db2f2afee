import { type TreeView, window } from 'vscode';
import { dropInto } from '../fileTree/dropOnFolderFlow';
import { environmentCommands } from '../fileTree/environmentCommands';
import { type FilesAndFolders, filesAndFolders } from '../fileTree/allFileCommands';
import { askAboutOpenFolders } from '../fileTree/folderCommands';
import { tells } from '../fileTree/announceChanges';
import { linkCommands } from '../fileTree/linkCommands';
import { revealIn, showIn } from '../fileTree/revealInTree';
import { Subjects } from '../fileTree/commandTargets';
import { viewCommands } from '../fileTree/viewCommands';
import type { Accounts } from '../accounts/accounts';
import { Links } from '../fileTree/openLinkFlow';
import type { ViewId } from '../manifest';
import type { ShownTexts } from '../ui/shownTexts';
import { accountIn } from '../trees/accountOfRow';
import type { Element } from '../trees/environmentElement';
import { EnvironmentsDrag } from '../fileTree/dragAndDrop';
import { EnvironmentsView } from '../fileTree/environmentsView';
import { changedFolders } from './changedFolders';
import type { FileParts } from './wireFiles';
import type { Home } from './wiringDeps';
import type { RemoteParts } from './wireContainers';

interface BuildingBlocks extends Home, Omit<RemoteParts, 'disposables'> {
  readonly accounts: Accounts;
  readonly files: Pick<FileParts, 'fileSystem' | 'folders' | 'trust' | 'turns' | 'hidden'>;
  readonly texts: ShownTexts;
  readonly extensionId: string;
}

/** The Environments view, all that is done to files from it, and the links that lead into it. */
export function buildEnvironmentParts(blocks: BuildingBlocks) {
  const { accounts, environments, containers, listings, work, files, texts, log, report } = blocks;
  const { fileSystem, folders, trust } = files;
  const view = new EnvironmentsView(accounts, environments, listings, work);
  const tree: TreeView<Element> = window.createTreeView('gantry.environments' satisfies ViewId, {
    treeDataProvider: view,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: new EnvironmentsDrag((folder, dropped) => dropInto(folder, dropped, fileWork).catch(report)),
  });
  const fileWork: FilesAndFolders = {
    subjects: new Subjects(view, () => tree.selection, listings),
    folders,
    happened: tells(listings, fileSystem),
    reveal: revealIn(tree, view),
    refreshed: (folder) => view.refreshFolders([folder]),
    ...{ environments, containers, listings, work, trust, texts, turns: files.turns },
  };
  const show = showIn(tree, view);
  const links = new Links({ accounts, environments, listings, show, report });
  const commands = {
    ...filesAndFolders(fileWork),
    ...environmentCommands({ accounts, environments, view, accountOf: accountIn(accounts) }),
    ...linkCommands({ accounts, view, extensionId: blocks.extensionId }),
    ...viewCommands({ accounts, environments, listings, view, log }),
  };
  const disposables = [
    ...[view, tree],
    tree.onDidExpandElement(() => blocks.watching.active()),
    fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))),
    askAboutOpenFolders(fileWork, { accounts, hidden: files.hidden }, report),
    window.registerUriHandler(links),
  ];
  return { view, links, show, subjects: fileWork.subjects, happened: fileWork.happened, commands, disposables };
}
