import { FileChangeType, type TreeView, window } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { addDropped } from '../favorites/addFavoriteFlow';
import { type FavoriteCommandsDeps, favoriteCommands } from '../favorites/favoriteCommands';
import { orderIn } from '../favorites/favoriteOrder';
import type { AnnounceChanges } from '../fileTree/announceChanges';
import { mountCommands } from '../mounts/mountCommands';
import type { CommandTargets } from '../fileTree/commandTargets';
import type { ContainerFileSystem } from '../files/provider/containerFileSystem';
import type { ViewId } from '../manifest';
import { type FilePlace, parentOf } from '../containers/place';
import { Favorites } from '../favorites/favorites';
import { Mounts } from '../mounts/mounts';
import type { ShownTexts } from '../ui/shownTexts';
import type { FavoriteViewElement } from '../favorites/favoriteElement';
import { FavoritesDropController, FavoritesView } from '../favorites/favoritesView';
import type { MountViewElement } from '../mounts/mountElement';
import { MountsView } from '../mounts/mountsView';
import { changedFolders } from './changedFolders';
import type { WiringDeps } from './wiringDeps';
import type { ContainerParts } from './wireContainers';

interface FavoritesAndMountsWiringDeps
  extends WiringDeps, Pick<ContainerParts, 'environments' | 'containers' | 'listings'> {
  readonly accounts: Accounts;
  readonly fileSystem: ContainerFileSystem;
  readonly targets: CommandTargets;
  readonly announce: AnnounceChanges;
  readonly texts: ShownTexts;
  /** These folders hold something else now. */
  readonly refreshFolders: (folders: readonly FilePlace[]) => void;
  readonly show: (place: FilePlace) => Promise<boolean>;
}

/** Favorites, and the data that nodes mount from one another. */
export function wireFavoritesAndMounts(deps: FavoritesAndMountsWiringDeps) {
  const { accounts, environments, containers, listings, fileSystem, announce, report, show } = deps;
  const favorites = new Favorites(containers);
  const order = orderIn(deps.state);
  const shared = { accounts, environments, listings, show };
  const favoritesView = new FavoritesView({ ...shared, favorites, containers, order: () => order.get() });
  const favoritesTree: TreeView<FavoriteViewElement> = window.createTreeView('gantry.favorites' satisfies ViewId, {
    treeDataProvider: favoritesView,
    showCollapseAll: true,
    canSelectMany: true,
    dragAndDropController: new FavoritesDropController((uris) => addDropped(uris, favoriteParts).catch(report)),
  });
  const favoriteParts: FavoriteCommandsDeps = {
    ...{ ...shared, favorites, callers: containers, view: favoritesView, order, targets: deps.targets },
    selection: () => favoritesTree.selection,
  };
  const mounts = new Mounts(containers);
  const mountsView = new MountsView({ ...shared, mounts });
  const mountsTree: TreeView<MountViewElement> = window.createTreeView('gantry.mounts' satisfies ViewId, {
    treeDataProvider: mountsView,
    showCollapseAll: true,
    canSelectMany: true,
  });
  const mountParts = {
    ...{ ...shared, mounts, view: mountsView, texts: deps.texts },
    selection: () => mountsTree.selection,
  };
  const disposables = [
    ...[favorites, favoritesView, favoritesTree, mounts, mountsView, mountsTree],
    accounts.onDidSignOut(() => {
      favorites.refresh();
      mounts.refresh();
    }),
    mounts.onDidChange((places) => {
      announce(places.map((place) => ({ place, type: FileChangeType.Changed })));
      const folders = places.flatMap((place) => [place, parentOf(place) ?? place]);
      deps.refreshFolders(folders);
      favoritesView.refreshFolders(folders);
    }),
    fileSystem.onDidChangeFile((changes) => {
      const folders = changedFolders(changes);
      favoritesView.refreshFolders(folders);
      mountsView.refreshFolders(folders);
      favorites.noteChanges(changes);
    }),
  ];
  return {
    commands: { ...favoriteCommands(favoriteParts), ...mountCommands(mountParts) },
    disposables,
    parts: { favorites, favoritesView, mounts, mountsView },
  };
}

/** For tests inside the extension host. */
export type SharingParts = ReturnType<typeof wireFavoritesAndMounts>['parts'];
