import { FileChangeType, type TreeView } from 'vscode';
import { parentOrSelf } from '../../containers/place';
import type { Own } from '../../gantry';
import { changedFolders } from '../../trees/folderRows';
import type { Services } from '../../services';
import { mountCommands } from './mountCommands';
import { Mounts } from './mountStore';
import { createMountsView } from './mountsView';

/** Mounts and exports. */
export function createMounts(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, containers, fileSystem, announce, features } = services;
  const mounts = own(new Mounts(containers));
  const view = own(createMountsView(services, mounts));
  own(accounts.onDidSignOut(() => mounts.refresh()));
  own(
    mounts.onDidChange((places) => {
      announce(places.map((place) => ({ place, type: FileChangeType.Changed })));
      const folders = places.flatMap((place) => [place, parentOrSelf(place)]);
      features.tree.loaded?.refreshFolders(folders);
      features.favorites.loaded?.refreshFolders(folders);
    }),
  );
  own(fileSystem.onDidChangeFile((changes) => view.refreshFolders(changedFolders(changes))));
  return { mounts, view, commands: mountCommands(services, mounts, view, treeView) };
}
