import type { TreeItem } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import type { Environments } from '../containers/environments';
import { isPlatformError } from '../platform/errors';
import type { Containers } from '../containers/containers';
import type { Listings } from '../containers/listings';
import { type FilePlace } from '../containers/place';
import { type Favorite, placeOfFavorite } from './favorite';
import { type FavoriteOrder, inOrder } from './favoriteOrder';
import type { EnvironmentName, Favorites } from './favorites';
import { environmentsIn } from '../trees/environmentRoots';
import type { FavoriteElement, FavoriteViewElement } from './favoriteElement';
import { favoriteRow, idOf, ofSingleNodes, whereOf } from './favoriteRows';
import { entriesOf } from '../trees/folderContents';
import { rootsOf, RowTreeProvider } from '../trees/rowTreeProvider';

/** With so few environments, their favorites are there at a glance; with more, they are asked for one by one. */
const shownUnfolded = 3;

export interface FavoritesViewDeps {
  readonly accounts: Accounts;
  readonly environments: Environments;
  readonly favorites: Favorites;
  readonly listings: Listings;
  readonly containers: Pick<Containers, 'list'>;
  readonly order: () => FavoriteOrder;
}

/** The files and folders that the person keeps at hand, by environment. It reads; nothing in it ever writes a file. */
export class FavoritesView extends RowTreeProvider<FavoriteViewElement> {
  private readonly environmentRows = new Map<string, FavoriteViewElement>();

  constructor(private readonly deps: FavoritesViewDeps) {
    super();
    const { accounts, environments, favorites } = deps;
    this.follow(
      accounts.onDidChange(() => this.refresh()),
      environments.onDidChange(() => this.refresh()),
      favorites.onDidChange((name) => this.refresh(name)),
    );
  }

  getTreeItem(element: FavoriteViewElement): TreeItem {
    return favoriteRow(element);
  }

  /** What is known is shown anew, of one environment or of all. */
  refresh(name?: EnvironmentName): void {
    if (name === undefined) {
      this.environmentRows.clear();
      this.unfolded.clear();
    }
    this.showAnew(name && this.environmentRows.get(nameKey(name)));
  }

  /** Asks again for what the row of a problem stands for. */
  retry(received: unknown): boolean {
    const element = this.find(received);
    if (element?.kind !== 'problem') {
      return false;
    }
    const parent = this.getParent(element);
    switch (parent?.kind) {
      case undefined:
      case 'account':
        this.deps.environments.refresh();
        break;
      case 'environment':
        this.deps.favorites.refresh({ account: parent.environment.account, environment: parent.environment.name });
        break;
      case 'favorite':
      case 'entry':
        if (parent.place !== undefined) {
          this.deps.listings.forget(parent.place);
        }
        this.showAnew(parent);
        break;
      default:
        return false;
    }
    return true;
  }

  protected override problem(of: FavoriteViewElement | undefined, error: unknown): FavoriteViewElement {
    return problemAt(of, error);
  }

  protected override async below(element: FavoriteViewElement | undefined): Promise<FavoriteViewElement[]> {
    const children = await this.childrenOf(element);
    for (const child of children) {
      if (child.kind === 'environment') {
        const { account, name } = child.environment;
        this.environmentRows.set(nameKey({ account, environment: name }), child);
      }
    }
    return children;
  }

  private async childrenOf(element: FavoriteViewElement | undefined): Promise<FavoriteViewElement[]> {
    const { accounts, environments } = this.deps;
    switch (element?.kind) {
      case undefined:
        return rootsOf(accounts, (account) => environmentsIn(account, environments, shownUnfolded));
      case 'account':
        return environmentsIn(element.account, environments, shownUnfolded);
      case 'environment':
        return this.favoritesOf(element.environment);
      case 'favorite':
        return this.contentOf(element);
      case 'entry':
        this.unfolded.note(element.place, favoriteRow(element).id ?? '', element);
        return element.entry.isDir ? this.entriesIn(element.place, element.via) : [];
      default:
        return [];
    }
  }

  private async favoritesOf(environment: Environment): Promise<FavoriteViewElement[]> {
    const { favorites, order } = this.deps;
    const list = await favorites.of(environment);
    const rows = inOrder(list.favorites, order()).map((favorite) => this.elementOf(favorite, environment));
    const problems = list.failures.map(({ layer, error }) => ({
      kind: 'problem' as const,
      id: `problem favorites ${environment.account}/${environment.name}/${layer?.id ?? ''}`,
      what: layer?.name ?? ofSingleNodes(),
      error,
      account: environment.account,
    }));
    return rows.length + problems.length === 0 ? [{ kind: 'none', environment }] : [...rows, ...problems];
  }

  private elementOf(favorite: Favorite, environment: Environment): FavoriteElement {
    const place = placeOfFavorite(favorite, environment);
    const isGone = place !== undefined && this.deps.favorites.isGone(place);
    return { kind: 'favorite', favorite, place, where: whereOf(favorite, environment), isGone };
  }

  private async contentOf(element: FavoriteElement): Promise<FavoriteViewElement[]> {
    const { favorite, place } = element;
    if (place === undefined || !favorite.isDir) {
      return [];
    }
    this.unfolded.note(place, idOf(element), element);
    try {
      const entries = await this.entriesIn(place, idOf(element), favorite.filter);
      this.deps.favorites.noteGone(place, false);
      return entries.length === 0 && favorite.filter !== undefined ? [{ kind: 'noMatch', of: element }] : entries;
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'notFound') {
        this.deps.favorites.noteGone(place, true);
        return [{ kind: 'gone', of: element }];
      }
      throw error;
    }
  }

  /** What a filter means is the platform's to say, so it is the platform that filters. */
  private async entriesIn(folder: FilePlace, via: string | undefined, filter?: string): Promise<FavoriteViewElement[]> {
    const { containers, listings } = this.deps;
    const entries =
      filter === undefined ? (await listings.list(folder)).values() : await containers.list(folder, { filter });
    return entriesOf(folder, entries, via);
  }
}

function problemAt(of: FavoriteViewElement | undefined, error: unknown): FavoriteViewElement {
  const id = `problem ${of === undefined ? '' : (favoriteRow(of).id ?? '')}`;
  return { kind: 'problem', id, error, account: accountOf(of) };
}

function accountOf(element: FavoriteViewElement | undefined): string | undefined {
  switch (element?.kind) {
    case 'account':
      return element.account.slug;
    case 'environment':
      return element.environment.account;
    case 'favorite':
      return element.favorite.account;
    case 'entry':
      return element.place.account;
    default:
      return undefined;
  }
}

function nameKey({ account, environment }: EnvironmentName): string {
  return `${account}/${environment}`;
}
