// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFiles';
import '../ui/commands/targets';
import '../containers/secretFiles';
import '../containers/containerPathPrompt';
import '../containers/pathFilter';
import type { TreeView } from 'vscode';
import type { FilePlace } from '../containers/place';
import { appendCommands } from '../fileTree/appendCommands';
import { archiveCommands } from '../fileTree/archiveCommands';
import { clipboardCommands } from '../fileTree/clipboardCommands';
import { compareCommands } from '../fileTree/compareCommands';
import { environmentCommands } from '../fileTree/environmentCommands';
import { fileCommands } from '../fileTree/fileCommands';
import type { FileTreeDeps } from '../fileTree/fileTreeDeps';
import { askAboutOpenFolders, folderCommands } from '../fileTree/folderCommands';
import { replaceCommands } from '../fileTree/replaceCommands';
import { transferCommands } from '../fileTree/transferCommands';
import { wholeFileCommands } from '../fileTree/wholeFileCommands';
import { revealRow, showInTree, EnvironmentsView } from '../fileTree/environmentsView';
import { CommandTargets } from '../fileTree/commandTargets';
import { viewCommands } from '../trees/sharedRows';
import { goTo, type GoToDeps } from '../fileTree/goToFlow';
import { linkCommands, type LinkedFeatures } from '../fileTree/linkCommands';
import { LinkHandler } from '../fileTree/openLinkFlow';
import type { SharedElement } from '../trees/sharedElement';
import { dropOnFolder, EnvironmentsDragController } from '../fileTree/dragAndDropFlow';
import { changedFolders } from '../files/watching/changedFolders';
import type { FileParts } from './wireFiles';
import type { Host } from '../services';

interface FileTreeWiringDeps extends Host, FileParts {
  readonly extensionId: string;
  readonly tree: TreeView<SharedElement>;
  readonly projects: GoToDeps['projects'];
  readonly linked: LinkedFeatures;
  readonly isDeployed: (folder: FilePlace) => boolean;
}

/** The Environments view, its file commands, and links to files. */
export function wireFileTree(deps: FileTreeWiringDeps) {
  const { accounts, environments, containers, listings, work, texts, tree, report } = deps;
  const { fileSystem, folders, trust, turns, saves, backups, hidden } = deps;
  const view = new EnvironmentsView({
    accounts,
    environments,
    containers,
    listings,
    work,
    isDeployed: deps.isDeployed,
  });
  const fileWork: FileTreeDeps = {
    targets: new CommandTargets(view, () => tree.selection, listings),
    folders,
    changes: fileSystem,
    reveal: revealRow(tree, view),
    show: showInTree(tree, view),
    refreshed: (folder) => view.readAgain(() => view.refreshFolders([folder])),
    ...{
      environments,
      containers,
      listings,
      work,
      trust,
      texts,
      queue: turns,
      saves,
      backups,
      announce: deps.announce,
    },
  };
  const dragAndDrop = new EnvironmentsDragController(view, (folder, dropped) =>
    dropOnFolder(folder, dropped, fileWork).catch(report),
  );
  const { show } = fileWork;
  const links = new LinkHandler({ accounts, environments, listings, show, linked: deps.linked, report });
  const commands = {
    ...fileCommands(fileWork),
    ...folderCommands(fileWork),
    ...clipboardCommands(fileWork),
    ...transferCommands(fileWork),
    ...wholeFileCommands(fileWork),
    ...archiveCommands(fileWork),
    ...appendCommands(fileWork),
    ...replaceCommands(fileWork),
    ...compareCommands(fileWork),
    ...environmentCommands({ accounts, environments, view, listings }),
    'gantry.environment.goTo': () => goTo({ accounts, environments, show, projects: deps.projects }),
    ...linkCommands({ accounts, view, extensionId: deps.extensionId, linked: deps.linked }),
    ...viewCommands,
  };
  const disposables = [
    view,
    accounts.onDidSignOut(() => view.forgetConfiguration()),
    tree.onDidExpandElement(() => deps.watching.active()),
    fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))),
    askAboutOpenFolders(fileWork, { accounts, hidden }, report),
  ];
  return {
    view,
    dragAndDrop,
    links,
    show,
    targets: fileWork.targets,
    refreshFolders: (folders: readonly FilePlace[]) => view.refreshFolders(folders),
    commands,
    disposables,
  };
}

export type FileTreeParts = ReturnType<typeof wireFileTree>;
