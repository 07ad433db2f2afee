import {
  type DataTransfer,
  InputBoxValidationSeverity,
  l10n,
  ThemeIcon,
  type TreeItem,
  TreeItemCollapsibleState,
  type Uri,
} from 'vscode';
import type { Environment } from '../../containers/environment';
import { locationText } from '../../containers/locationText';
import type { EnvironmentPlace, FilePlace } from '../../containers/place';
import { droppedUris } from '../../trees/dropped';
import { isPlatformError } from '../../platform/errors';
import type { Services } from '../../services';
import { folderRows } from '../../trees/folderRows';
import { byKind, type EnvironmentElement, type Kinds, type RowOf, type SharedRows } from '../../trees/sharedElement';
import { maxUnfolded, RowTree } from '../../trees/rowTree';
import { row, rowCommand } from '../../trees/row';
import { sharedKinds } from '../../trees/sharedRows';
import { askChoice, askValue } from '../../ui/quickPick';
import {
  type Favorite,
  type FavoriteChange,
  favoriteKey,
  type FavoriteOrder,
  favoriteOrders,
  inOrder,
  layerOfScope,
  longestFilter,
  type OrderMemory,
  placeOfFavorite,
} from './favorite';
import { environmentKey, type Favorites } from './favoriteStore';

interface FavoriteRows extends SharedRows {
  favorite: {
    readonly favorite: Favorite;
    /** Its target; `undefined` if its layer or node no longer exists. */
    readonly place: FilePlace | undefined;
    /** The node and environment where it opens, as the tree names them; `undefined` if they no longer exist. */
    readonly location: string | undefined;
    /** The display name of the layer or node that it belongs to. */
    readonly where: string;
    /** Its target was missing when last checked. */
    readonly isGone: boolean;
  };
  /** Placeholder of an empty environment. */
  none: { readonly environment: Environment };
  noMatch: { readonly of: FavoriteElement };
  gone: { readonly of: FavoriteElement };
}

export type FavoriteViewElement = RowOf<FavoriteRows>;
export type FavoriteElement = RowOf<FavoriteRows, 'favorite'>;
export type FavoritesView = RowTree<FavoriteViewElement>;

/** Shows the user's favorite files and folders by environment. Read-only: it never writes a file. */
export function createFavoritesView(
  services: Services,
  favorites: Favorites,
  order: () => FavoriteOrder,
): FavoritesView {
  const { accounts, environments } = services;
  /** The row that was made last for each environment. To draw a row again, VS Code needs that object. */
  const environmentRows = new Map<string, EnvironmentElement>();
  const rowOf = (favorite: Favorite, environment: Environment): FavoriteElement => {
    const place = placeOfFavorite(favorite, environment);
    const isGone = place !== undefined && favorites.isGone(place);
    const location = place && locationText(place, environments);
    return { kind: 'favorite', favorite, place, location, where: whereOf(favorite, environment), isGone };
  };
  const belowEnvironment = async (above: EnvironmentElement): Promise<FavoriteViewElement[]> => {
    const { environment } = above;
    const found = await favorites.of(environment);
    const rows = [
      ...inOrder(found.favorites, order()).map((favorite) => rowOf(favorite, environment)),
      ...found.failures.map(({ layer, error }) => {
        const what = layer?.name ?? l10n.t('Favorites on individual nodes');
        return view.problem(above, error, { part: layer?.id ?? 'nodes', what });
      }),
    ];
    return rows.length === 0 ? [{ kind: 'none', environment }] : rows;
  };
  const view: FavoritesView = new RowTree<FavoriteViewElement>({
    accounts,
    kinds: byKind<FavoriteRows>({
      ...sharedKinds,
      environment: {
        ...sharedKinds.environment,
        children: belowEnvironment,
        // The favorites of the other layers are kept although those of one could not be fetched.
        retry: ({ environment }) => favorites.refresh(nameOf(environment)),
      },
      ...favoriteKinds(services, favorites),
    }),
    ofAccount: async (account) => {
      const all = await environments.of(account);
      return all.map((environment) => {
        const above = { kind: 'environment', environment, isUnfolded: all.length <= maxUnfolded } as const;
        environmentRows.set(environmentKey(nameOf(environment)), above);
        return above;
      });
    },
  });
  const refresh = () => view.refresh();
  view.follow(
    environments.onDidChange(refresh),
    accounts.onDidChangeRights(refresh),
    favorites.onDidChange((name) => view.refresh(name && environmentRows.get(environmentKey(name)))),
  );
  return view;
}

/** The rows of favorites, what is below them, and what is shown in place of something that's missing. */
function favoriteKinds(
  services: Services,
  favorites: Favorites,
): Omit<Kinds<FavoriteRows>, keyof SharedRows> & Pick<Kinds<FavoriteRows>, 'entry'> {
  const folders = folderRows(services);
  const belowFavorite = async (of: FavoriteElement, place: FilePlace): Promise<FavoriteViewElement[]> => {
    const { filter } = of.favorite;
    try {
      // What a filter means is the platform's to say, so it is the platform that filters.
      const entries =
        filter === undefined
          ? await folders.listed(place, idOf(of))
          : folders.rowsOf(place, await services.containers.list(place, { filter }), idOf(of));
      favorites.noteGone(place, false);
      return entries.length === 0 && filter !== undefined ? [{ kind: 'noMatch', of }] : entries;
    } catch (error) {
      if (isPlatformError(error) && error.kind === 'notFound') {
        favorites.noteGone(place, true);
        return [{ kind: 'gone', of }];
      }
      throw error;
    }
  };
  const folderOf = ({ place, favorite }: FavoriteElement) => (favorite.isDir ? place : undefined);
  return {
    favorite: {
      row: favoriteItem,
      folder: folderOf,
      children: (of) => {
        const folder = folderOf(of);
        return folder === undefined ? [] : belowFavorite(of, folder);
      },
      target: ({ place, favorite }) => place && { place, isFolder: favorite.isDir },
    },
    entry: {
      ...folders.entry,
      // A row with a URI can be dragged away, and whatever it is dropped on may copy or move the file. Nothing of this view can.
      row: (entry) => {
        const item = sharedKinds.entry.row(entry);
        delete item.resourceUri;
        return item;
      },
    },
    none: { row: noneItem },
    noMatch: { row: noMatchItem },
    gone: { row: goneItem },
  };
}

function nameOf({ account, name }: Environment): EnvironmentPlace {
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

function noneItem(element: RowOf<FavoriteRows, 'none'>): TreeItem {
  const { account, name } = element.environment;
  return row(`none ${account}/${name}`, l10n.t('No favorites'), None, {
    description: l10n.t('drop a file here'),
    tooltip: l10n.t('Drop a file or folder here, or add one by its path with the plus icon.'),
    iconPath: new ThemeIcon('circle-slash'),
    contextValue: 'none',
    command: rowCommand('gantry.favorite.addByPath', l10n.t('Add Favorite by Path'), element),
  });
}

function noMatchItem({ of }: RowOf<FavoriteRows, 'noMatch'>): TreeItem {
  return row(`noMatch ${idOf(of)}`, l10n.t('No matches for the filter'), None, {
    description: of.favorite.filter ?? '',
    iconPath: new ThemeIcon('filter'),
    contextValue: 'noMatch',
    command: rowCommand('gantry.favorite.editFilter', l10n.t('Edit Filter'), of),
  });
}

function goneItem({ of }: RowOf<FavoriteRows, 'gone'>): TreeItem {
  return row(`gone ${idOf(of)}`, l10n.t('{0} no longer exists', of.favorite.path), None, {
    iconPath: new ThemeIcon('warning'),
    contextValue: 'gone',
  });
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
  const { keyword, path, filter } = favorite;
  const lines = [
    keyword === path ? undefined : keyword,
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

/** Returns `undefined` if canceled or unchanged. */
export async function askKeyword({ keyword, path }: Favorite): Promise<FavoriteChange | undefined> {
  const entered = await askValue({
    title: l10n.t('Rename Favorite'),
    prompt: l10n.t("Enter a name for the favorite {0}. The file isn't renamed.", path),
    value: keyword,
    validateInput: keywordProblem,
  });
  return entered === undefined || entered.trim() === keyword ? undefined : { keyword: entered.trim() };
}

export function keywordProblem(text: string): string | undefined {
  return text.trim() === '' ? l10n.t('Enter a name.') : undefined;
}

/** Returns `undefined` if canceled or unchanged. */
export async function askFilter({ path, filter = '' }: Favorite): Promise<FavoriteChange | undefined> {
  const entered = await askValue({
    title: l10n.t('Edit Filter'),
    prompt: l10n.t('Regular expression for the names to show in {0} (empty to show all)', path),
    placeHolder: '.*\\.conf',
    value: filter,
    validateInput: filterProblem,
  });
  return entered === undefined || entered === filter ? undefined : { filter: entered === '' ? undefined : entered };
}

/** Only warns about a regular expression that looks wrong, because the platform interprets it in its own way. */
function filterProblem(text: string) {
  if (text.length > longestFilter) {
    return l10n.t('A filter can have at most {0} characters. This one has {1}.', longestFilter, text.length);
  }
  try {
    new RegExp(text);
    return undefined;
  } catch {
    // Not valid in JavaScript, but the platform may accept it.
    return {
      message: l10n.t("This isn't a valid regular expression, so the platform might not show anything."),
      severity: InputBoxValidationSeverity.Warning,
    };
  }
}

/** Returns whether the order was changed. */
export async function askOrder(memory: OrderMemory): Promise<boolean> {
  const names: Readonly<Record<FavoriteOrder, string>> = {
    keyword: l10n.t('By name'),
    newest: l10n.t('Newest first'),
  };
  const now = memory.get();
  const choices = favoriteOrders.map((value) => ({
    label: names[value],
    value,
    ...(value === now ? { description: l10n.t('current') } : {}),
  }));
  const chosen = await askChoice(choices, { placeHolder: l10n.t('Select how to sort favorites') });
  if (chosen === undefined || chosen === now) {
    return false;
  }
  await memory.set(chosen);
  return true;
}
