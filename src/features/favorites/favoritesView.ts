import { type DataTransfer, l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState, type Uri } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import { locationText } from '../../containers/locationText';
import { droppedUris } from '../../fileTree/dragAndDropFlow';
import { isPlatformError } from '../../platform/errors';
import type { Services } from '../../services';
import { type FolderTreeDeps, FolderTreeProvider } from '../../trees/folderTreeProvider';
import { mostUnfolded } from '../../trees/rowTreeProvider';
import type { EnvironmentElement } from '../../trees/sharedElement';
import { row, rowCommand, sharedRow } from '../../trees/sharedRows';
import { type Favorite, favoriteKey, layerOfScope, placeOfFavorite } from './favorite';
import type { FavoriteElement, FavoriteViewElement, OwnFavoriteElement } from './favoriteElement';
import { type FavoriteOrder, inOrder } from './favoriteOrder';
import { environmentKey, type EnvironmentName, type Favorites } from './favoriteStore';

type FavoritesViewDeps = FolderTreeDeps &
  Pick<Services, 'containers'> & { readonly favorites: Favorites; readonly order: () => FavoriteOrder };

/** Shows the user's favorite files and folders by environment. Read-only: it never writes a file. */
export class FavoritesView extends FolderTreeProvider<OwnFavoriteElement> {
  private readonly environmentRows = new Map<string, EnvironmentElement>();

  constructor(private readonly deps: FavoritesViewDeps) {
    super(deps);
    this.follow(deps.favorites.onDidChange((name) => this.refresh(name)));
  }

  getTreeItem(element: FavoriteViewElement): TreeItem {
    return this.withLacks(element, favoriteRow(element));
  }

  /** Redraws the rows of one environment, or of all, from known data. */
  override refresh(name?: EnvironmentName): void {
    const row = name && this.environmentRows.get(environmentKey(name));
    if (row === undefined) {
      this.environmentRows.clear();
      super.refresh();
    } else {
      this.refreshRows(row);
    }
  }

  protected override askAgain(of: FavoriteViewElement | undefined): void {
    if (of?.kind === 'environment') {
      // The favorites of the other layers are kept although those of one could not be fetched.
      this.deps.favorites.refresh(nameOf(of.environment));
    } else {
      super.askAgain(of);
    }
  }

  protected override async ofAccount(account: Account): Promise<FavoriteViewElement[]> {
    const all = await this.environments.of(account);
    return all.map((environment) => {
      const row = { kind: 'environment', environment, isUnfolded: all.length <= mostUnfolded } as const;
      this.environmentRows.set(environmentKey(nameOf(environment)), row);
      return row;
    });
  }

  protected override async below(element: FavoriteViewElement): Promise<FavoriteViewElement[]> {
    switch (element.kind) {
      case 'environment':
        return this.favoritesOf(element);
      case 'favorite':
        return this.belowFavorite(element);
      case 'entry':
        return this.entriesBelow(element);
      default:
        return [];
    }
  }

  private async favoritesOf(element: EnvironmentElement): Promise<FavoriteViewElement[]> {
    const { environment } = element;
    const { favorites, failures } = await this.deps.favorites.of(environment);
    const rows = [
      ...inOrder(favorites, this.deps.order()).map((favorite) => this.elementOf(favorite, environment)),
      ...failures.map(({ layer, error }) => {
        const what = layer?.name ?? l10n.t('Favorites on individual nodes');
        return this.problem(element, error, { part: layer?.id ?? 'nodes', what });
      }),
    ];
    return rows.length === 0 ? [{ kind: 'none', environment }] : rows;
  }

  private elementOf(favorite: Favorite, environment: Environment): FavoriteElement {
    const place = placeOfFavorite(favorite, environment);
    const isGone = place !== undefined && this.deps.favorites.isGone(place);
    const location = place && locationText(place, this.deps.environments);
    return { kind: 'favorite', favorite, place, location, where: whereOf(favorite, environment), isGone };
  }

  private async belowFavorite(element: FavoriteElement): Promise<FavoriteViewElement[]> {
    const { favorites, containers } = this.deps;
    const { place, favorite } = element;
    const { filter, isDir } = favorite;
    if (place === undefined || !isDir) {
      return [];
    }
    this.noteFolder(place, element);
    try {
      // What a filter means is the platform's to say, so it is the platform that filters.
      const entries =
        filter === undefined
          ? await this.entriesIn(place, idOf(element))
          : this.rowsOf(place, await containers.list(place, { filter }), idOf(element));
      favorites.noteGone(place, false);
      return entries.length === 0 && filter !== undefined ? [{ kind: 'noMatch', of: element }] : entries;
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'notFound') {
        favorites.noteGone(place, true);
        return [{ kind: 'gone', of: element }];
      }
      throw error;
    }
  }
}

function nameOf({ account, name }: Environment): EnvironmentName {
  return { account, environment: name };
}

/** Turns files and folders dropped on the view into favorites. Rows can't be dragged out of it. */
export class FavoritesDropController {
  /** @param add must not reject, because the drop has no caller to report to */
  constructor(private readonly add: (uris: readonly Uri[]) => Promise<void>) {}

  async handleDrop(_target: FavoriteViewElement | undefined, transfer: DataTransfer): Promise<void> {
    await this.add(await droppedUris(transfer));
  }
}

const { Collapsed, None } = TreeItemCollapsibleState;

/** Builds an element's row. Depends only on the element. */
function favoriteRow(element: FavoriteViewElement): TreeItem {
  switch (element.kind) {
    case 'favorite':
      return favoriteItem(element);
    case 'none':
      return row(`none ${element.environment.account}/${element.environment.name}`, l10n.t('No favorites'), None, {
        description: l10n.t('drop a file here'),
        tooltip: l10n.t('Drop a file or folder here, or add one by its path with the plus icon.'),
        iconPath: new ThemeIcon('circle-slash'),
        contextValue: 'none',
        command: rowCommand('gantry.favorite.addByPath', l10n.t('Add Favorite by Path'), element),
      });
    case 'noMatch':
      return row(`noMatch ${idOf(element.of)}`, l10n.t('No matches for the filter'), None, {
        description: element.of.favorite.filter ?? '',
        iconPath: new ThemeIcon('filter'),
        contextValue: 'noMatch',
        command: rowCommand('gantry.favorite.editFilter', l10n.t('Edit Filter'), element.of),
      });
    case 'gone':
      return row(`gone ${idOf(element.of)}`, l10n.t('{0} no longer exists', element.of.favorite.path), None, {
        iconPath: new ThemeIcon('warning'),
        contextValue: 'gone',
      });
    case 'entry': {
      // A row with a URI can be dragged away, and whatever it is dropped on may copy or move the file. Nothing of this view can.
      const item = sharedRow(element);
      delete item.resourceUri;
      return item;
    }
    default:
      return sharedRow(element);
  }
}

function idOf({ favorite }: FavoriteElement): string {
  const { account, environment, scope } = favorite;
  return `favorite ${account}/${environment}/${scope.nodeGroup ?? ''}/${scope.nodeId ?? ''}/${favoriteKey(favorite)}`;
}

function favoriteItem(element: FavoriteElement): TreeItem {
  const { favorite, place, where, isGone } = element;
  const { keyword, path, filter, isDir } = favorite;
  const isLost = isGone || place === undefined;
  const kind = isDir ? 'folder' : 'file';
  const state = isGone ? l10n.t('deleted') : place === undefined ? l10n.t('node deleted') : undefined;
  return row(idOf(element), keyword, isDir && place !== undefined ? Collapsed : None, {
    description: [state, filter, where, path].filter(Boolean).join(' · '),
    iconPath: new ThemeIcon(isLost ? 'warning' : kind),
    tooltip: tooltipOf(element),
    contextValue: ['favorite', kind, isLost && 'lost', filter !== undefined && 'filtered'].filter(Boolean).join(' '),
    ...(isDir ? {} : { command: rowCommand('gantry.favorite.open', l10n.t('Open Favorite'), element) }),
  });
}

function tooltipOf({ favorite, place, location, where, isGone }: FavoriteElement): string {
  const { path, filter } = favorite;
  const lines = [
    path,
    l10n.t('Belongs to: {0}', where),
    filter === undefined ? undefined : l10n.t('Filter: {0}', filter),
    isGone ? l10n.t("It didn't exist when Gantry last checked.") : undefined,
    place === undefined ? l10n.t('Its layer or node no longer exists.') : undefined,
    location !== undefined && !isGone ? l10n.t('Opens on {0}', location) : undefined,
  ];
  return lines.filter(Boolean).join('\n');
}

/** A favorite's location in its environment, for the row's description. */
function whereOf({ scope }: Favorite, environment: Environment): string {
  if (scope.nodeGroup === undefined && scope.nodeId === undefined) {
    return l10n.t('all layers');
  }
  const layer = layerOfScope(scope, environment);
  const node = layer?.nodes.find(({ id }) => id === scope.nodeId);
  return node === undefined ? (layer?.name ?? scope.nodeGroup ?? '') : `${node.name} · ${node.id}`;
}
