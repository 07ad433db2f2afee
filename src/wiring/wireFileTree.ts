// Always loaded before this file. The import tells the bundler, which otherwise makes small files of what the two share.
import './wireFiles';
import type { TreeView } from 'vscode';
import { dropOnFolder } from '../fileTree/dropOnFolderFlow';
import { environmentCommands } from '../fileTree/environmentCommands';
import { type AllFileCommandsDeps, allFileCommands } from '../fileTree/allFileCommands';
import { askAboutOpenFolders } from '../fileTree/folderCommands';
import { tells } from '../fileTree/announceChanges';
import { linkCommands } from '../fileTree/linkCommands';
import { revealRow, showInTree } from '../fileTree/revealInTree';
import { CommandTargets } from '../fileTree/commandTargets';
import { viewCommands } from '../fileTree/viewCommands';
import { LinkHandler } from '../fileTree/openLinkFlow';
import { accountOfRow } from '../trees/accountOfRow';
import type { EnvironmentElement } from '../trees/environmentElement';
import { EnvironmentsDragController } from '../fileTree/dragAndDrop';
import { EnvironmentsView } from '../fileTree/environmentsView';
import { changedFolders } from './changedFolders';
import type { FileParts } from './wireFiles';
import type { WiringDeps } from './wiringDeps';

interface FileTreeWiringDeps extends WiringDeps, FileParts {
  readonly extensionId: string;
  readonly tree: TreeView<EnvironmentElement>;
}

/** The Environments view, all that is done to files from it, and the links that lead into it. */
export function wireFileTree(deps: FileTreeWiringDeps) {
  const { accounts, environments, containers, listings, work, texts, tree, report } = deps;
  const { fileSystem, folders, trust, turns, saves, hidden } = deps;
  const view = new EnvironmentsView(accounts, environments, listings, work);
  const fileWork: AllFileCommandsDeps = {
    subjects: new CommandTargets(view, () => tree.selection, listings),
    folders,
    happened: tells(listings, fileSystem),
    reveal: revealRow(tree, view),
    refreshed: (folder) => view.refreshFolders([folder]),
    ...{ environments, containers, listings, work, trust, texts, turns, saves },
  };
  const dragAndDrop = new EnvironmentsDragController((folder, dropped) =>
    dropOnFolder(folder, dropped, fileWork).catch(report),
  );
  const show = showInTree(tree, view);
  const links = new LinkHandler({ accounts, environments, listings, show, report });
  const commands = {
    ...allFileCommands(fileWork),
    ...environmentCommands({ accounts, environments, view, accountOf: accountOfRow(accounts) }),
    ...linkCommands({ accounts, view, extensionId: deps.extensionId }),
    ...viewCommands({ accounts, environments, listings, view }),
  };
  const disposables = [
    view,
    tree.onDidExpandElement(() => deps.watching.active()),
    fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))),
    askAboutOpenFolders(fileWork, { accounts, hidden }, report),
  ];
  return {
    view,
    dragAndDrop,
    links,
    show,
    subjects: fileWork.subjects,
    happened: fileWork.happened,
    commands,
    disposables,
  };
}

export type FileTreeParts = ReturnType<typeof wireFileTree>;
