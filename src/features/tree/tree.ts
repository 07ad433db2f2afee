// Loaded with the view. The imports keep the bundler from splitting what later features share into many small files.
import '../../containers/containerPrompt';
import '../../files/comparableNodes';
import '../../trees/links';
import '../../ui/commands/runner';
import '../../ui/commands/targets';
import type { TreeView } from 'vscode';
import type { FilePlace, Place } from '../../containers/place';
import type { Own } from '../../gantry';
import type { Services } from '../../services';
import { changedFolders } from '../../trees/folderRows';
import { retryCommand } from '../../trees/sharedRows';
import { commandOnNothing } from '../../ui/commands/command';
import { EnvironmentsDragController, EnvironmentsView, revealRow, showInTree } from './environmentsView';
import { askAboutOpenFolders } from './folderTrustFlow';

/** The Environments view. */
export function createTree(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, fileSystem, watching, features, report } = services;
  const isDeployed = (folder: FilePlace) => features.deployments.loaded?.isDeployed(folder) === true;
  const view = own(new EnvironmentsView(services, isDeployed));
  view.keepTimes(treeView);
  own(accounts.onDidSignOut(() => view.forgetConfiguration()));
  own(treeView.onDidExpandElement(() => watching.active()));
  own(fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))));
  own(askAboutOpenFolders(services));
  return {
    view,
    dragAndDrop: new EnvironmentsDragController(view, (folder, dropped) =>
      features.treeCommands.use(({ drop }) => drop(folder, dropped)).catch(report),
    ),
    commands: {
      'gantry.view.retry': retryCommand,
      'gantry.environments.refresh': commandOnNothing(() => view.readAllAgain()),
    },
    find: (row: object | undefined) => view.find(row),
    targetOf: (row: object | undefined) => view.targetOf(row),
    selection: () => view.selectedIn(treeView),
    show: (place: Place) => showInTree(treeView, view, place),
    reveal: (place: FilePlace) => revealRow(treeView, view, place),
    refreshFolders: (folders: readonly FilePlace[]) => view.refreshFolders(folders),
    readAgain: (folder: FilePlace) => view.readAgain(() => view.refreshFolders([folder])),
  };
}
