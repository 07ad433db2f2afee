// Already loaded at this point. The import keeps the bundler from splitting shared code into many small files.
import './wireFileTree';
import type { TreeView } from 'vscode';
import { addDropped } from '../favorites/addFavoriteFlow';
import { type FavoriteCommandsDeps, favoriteCommands, targetOfFavoriteRow } from '../favorites/favoriteCommands';
import type { FavoriteViewElement } from '../favorites/favoriteElement';
import { orderIn } from '../favorites/favoriteOrder';
import { Favorites } from '../favorites/favorites';
import { FavoritesDropController, FavoritesView } from '../favorites/favoritesView';
import { changedFolders } from './changedFolders';
import type { FileParts } from './wireFiles';
import type { FileTreeParts } from './wireFileTree';
import type { WiringDeps } from './wiringDeps';

interface FavoritesWiringDeps
  extends
    WiringDeps,
    Pick<FileParts, 'accounts' | 'environments' | 'containers' | 'listings' | 'fileSystem'>,
    Pick<FileTreeParts, 'targets' | 'show'> {
  readonly tree: TreeView<FavoriteViewElement>;
}

/** The user's favorite files and folders. */
export function wireFavorites(deps: FavoritesWiringDeps) {
  const { accounts, environments, containers, listings, fileSystem, targets, report, show } = deps;
  const favorites = new Favorites(containers, environments);
  const order = orderIn(deps.state);
  const shared = { accounts, environments, listings, show };
  const view = new FavoritesView({ ...shared, favorites, containers, order: () => order.get() });
  const dragAndDrop = new FavoritesDropController((uris) => addDropped(uris, commandDeps).catch(report));
  const commandDeps: FavoriteCommandsDeps = {
    ...{ ...shared, favorites, callers: containers, view, order, targets },
    selection: () => deps.tree.selection,
  };
  const disposables = [
    ...[favorites, view],
    accounts.onDidSignOut(() => favorites.refresh()),
    fileSystem.onDidChangeFile((changes) => {
      view.refreshFolders(changedFolders(changes));
      favorites.noteChanges(changes);
    }),
  ];
  const targetOf = (received: unknown) => {
    const row = view.find(received);
    return row && targetOfFavoriteRow(row);
  };
  return { favorites, view, dragAndDrop, targetOf, commands: favoriteCommands(commandDeps), disposables };
}
