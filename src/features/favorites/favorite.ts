import { layerIn, layerOf, mainNodeOf, nodeIn } from '../../containers/environmentIndex';
import type { Environment, Layer } from '../../containers/environment';
import type { FavoriteEntry } from '../../platform/wire/environments';
import { type FilePlace, placeOnLayer } from '../../containers/place';
import type { Memento } from 'vscode';

/** A favorite's scope: a node, a layer or, if neither is set, the whole environment. */
export interface FavoriteScope {
  readonly nodeGroup?: string;
  readonly nodeId?: number;
}

/** A bookmarked file or folder with a name of the user's choice. */
export interface NewFavorite {
  readonly account: string;
  readonly environment: string;
  readonly scope: FavoriteScope;
  /** Exactly as the platform returns it, because it identifies the favorite. */
  readonly path: string;
  readonly keyword: string;
  /** A regular expression that filters the folder's entries. */
  readonly filter: string | undefined;
  readonly isDir: boolean;
}

export type FavoriteChange = Partial<Pick<NewFavorite, 'keyword' | 'filter'>>;

/** A favorite with the number that the platform gave it, if it gives numbers. */
export interface Favorite extends NewFavorite {
  readonly id: number | undefined;
}

export const longestFilter = 255;

export function favoriteOf(
  { account, name }: Pick<Environment, 'account' | 'name'>,
  { id, path, keyword, filter, isDir }: FavoriteEntry,
  scope: FavoriteScope,
): Favorite {
  return {
    account,
    environment: name,
    scope,
    id,
    path,
    keyword: wordFor(path, keyword),
    filter: filter === '' ? undefined : filter,
    isDir: isDir ?? path.endsWith('/'),
  };
}

/** Whether the platform's entry is this favorite. Without a keyword, the last part of the path counts as one. */
export function isEntryOf({ path, keyword }: FavoriteEntry, favorite: NewFavorite): boolean {
  return path === favorite.path && wordFor(path, keyword) === favorite.keyword;
}

/** Returns a key that is unique in the environment: the platform's ID, if it has one. */
export function favoriteKey({ id, path, keyword, filter }: FavoriteEntry): string {
  return id === undefined ? JSON.stringify([path, keyword ?? '', filter ?? '']) : String(id);
}

/** Returns the favorite's target, or `undefined` if its layer or node no longer exists. */
export function placeOfFavorite({ scope, path }: Favorite, environment: Environment): FilePlace | undefined {
  const layer = layerOfScope(scope, environment);
  return layer && placeOnLayer(environment, layer.id, scope.nodeId ?? mainNodeOf(layer)?.id, withoutEnd(path));
}

/**
 * Chooses the scope that makes a favorite resolve to this place again: the layer, which resolves to its first node, or
 * another node itself.
 */
export function scopeFor(place: FilePlace, environment: Environment): FavoriteScope {
  const layer = layerOf(place, [environment]);
  const { nodeGroup, nodeId } = place.target;
  const leadsHere = nodeId === undefined || layer === undefined || mainNodeOf(layer)?.id === nodeId;
  return leadsHere ? { nodeGroup } : { nodeGroup, nodeId };
}

export function layerOfScope({ nodeGroup, nodeId }: FavoriteScope, environment: Environment): Layer | undefined {
  if (nodeId !== undefined) {
    return nodeIn(nodeId, [environment])?.layer;
  }
  const { layers, name } = environment;
  if (nodeGroup !== undefined) {
    return layerIn([environment], name, nodeGroup);
  }
  return layers.find(({ id }) => id === 'cp') ?? layers[0];
}

function wordFor(path: string, keyword: string | undefined): string {
  return keyword === undefined || keyword === '' ? lastPart(path) : keyword;
}

function lastPart(path: string): string {
  const plain = withoutEnd(path);
  return plain === '/' ? plain : plain.slice(plain.lastIndexOf('/') + 1);
}

function withoutEnd(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '') || '/';
}

const byText = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
const byKeyword = (a: Favorite, b: Favorite) => byText.compare(a.keyword, b.keyword) || byText.compare(a.path, b.path);

const orders = {
  keyword: byKeyword,
  newest: (a, b) => (b.id ?? 0) - (a.id ?? 0) || byKeyword(a, b),
} as const satisfies Record<string, (a: Favorite, b: Favorite) => number>;

export type FavoriteOrder = keyof typeof orders;

export const favoriteOrders = Object.keys(orders).filter(isFavoriteOrder);

function isFavoriteOrder(value: unknown): value is FavoriteOrder {
  return typeof value === 'string' && Object.hasOwn(orders, value);
}

export function inOrder(favorites: readonly Favorite[], order: FavoriteOrder): Favorite[] {
  return [...favorites].sort(orders[order]);
}

const orderKey = 'gantry.favorites.order';

export type OrderMemory = ReturnType<typeof orderIn>;

/** The order that the person chose last. */
export function orderIn(memory: Pick<Memento, 'get' | 'update'>) {
  return {
    get: (): FavoriteOrder => {
      const kept: unknown = memory.get(orderKey);
      return isFavoriteOrder(kept) ? kept : 'keyword';
    },
    set: (order: FavoriteOrder) => memory.update(orderKey, order),
  };
}
