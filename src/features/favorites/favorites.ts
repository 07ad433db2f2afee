import type { TreeView } from 'vscode';
import type { FilePlace } from '../../containers/place';
import type { Own } from '../../gantry';
import { changedFolders } from '../../trees/folderRows';
import type { Services } from '../../services';
import { addDropped } from './addFavoriteFlow';
import { favoriteCommands } from './favoriteCommands';
import { orderIn } from './favoriteOrder';
import { Favorites } from './favoriteStore';
import { createFavoritesView, FavoritesDropController } from './favoritesView';

/** The user's favorite files and folders. */
export function createFavorites(services: Services, own: Own, treeView: TreeView<unknown>) {
  const { accounts, environments, containers, fileSystem, report, state } = services;
  const favorites = own(new Favorites(containers, environments));
  const order = orderIn(state);
  const view = own(createFavoritesView(services, favorites, () => order.get()));
  own(accounts.onDidSignOut(() => favorites.refresh()));
  own(
    fileSystem.onDidChangeFile((changes) => {
      view.refreshFolders(changedFolders(changes));
      favorites.noteChanges(changes);
    }),
  );
  const targetOf = (row: object | undefined) => view.targetOf(row);
  return {
    favorites,
    view,
    targetOf,
    dragAndDrop: new FavoritesDropController((uris) => addDropped(uris, { ...services, favorites }).catch(report)),
    refreshFolders: (folders: readonly FilePlace[]) => view.refreshFolders(folders),
    selectedTarget: () => targetOf(view.selectedIn(treeView)[0]),
    commands: favoriteCommands(services, favorites, view, order, treeView),
  };
}
