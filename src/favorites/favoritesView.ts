import { type DataTransfer, l10n, type TreeItem, type Uri } from 'vscode';
import type { Account } from '../accounts/accounts';
import type { Containers } from '../containers/containers';
import type { Environment } from '../containers/environment';
import { locationText } from '../containers/locationText';
import { droppedUris } from '../fileTree/dragAndDropFlow';
import { isPlatformError } from '../platform/errors';
import { type FolderTreeDeps, FolderTreeProvider } from '../trees/folderTreeProvider';
import { mostUnfolded } from '../trees/rowTreeProvider';
import type { EnvironmentElement } from '../trees/sharedElement';
import { type Favorite, placeOfFavorite } from './favorite';
import type { FavoriteElement, FavoriteViewElement, OwnFavoriteElement } from './favoriteElement';
import { type FavoriteOrder, inOrder } from './favoriteOrder';
import { favoriteRow, idOf, whereOf } from './favoriteRows';
import { type EnvironmentName, environmentKey, type Favorites } from './favorites';

export interface FavoritesViewDeps extends FolderTreeDeps {
  readonly favorites: Favorites;
  readonly containers: Pick<Containers, 'list'>;
  readonly order: () => FavoriteOrder;
}

/** Shows the user's favorite files and folders by environment. Read-only: it never writes a file. */
export class FavoritesView extends FolderTreeProvider<OwnFavoriteElement> {
  private readonly environmentRows = new Map<string, EnvironmentElement>();

  constructor(private readonly deps: FavoritesViewDeps) {
    super(deps);
    this.follow(deps.favorites.onDidChange((name) => this.refresh(name)));
  }

  getTreeItem(element: FavoriteViewElement): TreeItem {
    return favoriteRow(element);
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
