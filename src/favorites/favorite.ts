import { layerIn, layerOf, mainNodeOf, nodeIn } from '../containers/environmentIndex';
import type { Environment, Layer } from '../containers/environment';
import type { FavoriteEntry } from '../platform/wire/sharing';
import { type FilePlace, placeOnLayer } from '../containers/place';

/** Where a favorite is kept: on one node, in one layer, or, where neither is named, in its whole environment. */
export interface FavoriteScope {
  readonly nodeGroup?: string;
  readonly nodeId?: number;
}

/** A file or folder that is kept at hand, under a word of the person's own. */
export interface NewFavorite {
  readonly account: string;
  readonly environment: string;
  readonly scope: FavoriteScope;
  /** As the platform writes it: it finds the favorite by it. */
  readonly path: string;
  readonly keyword: string;
  /** A regular expression for the names shown of a folder. */
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
  { account, name }: Environment,
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

/** Whether the platform means this favorite; one without a word of its own is called by the end of its path. */
export function isEntryOf({ path, keyword }: FavoriteEntry, favorite: NewFavorite): boolean {
  return path === favorite.path && wordFor(path, keyword) === favorite.keyword;
}

/** What tells a favorite from the others of its environment; the platform's number, where it gives one. */
export function favoriteKey({ id, path, keyword, filter }: FavoriteEntry): string {
  return id === undefined ? JSON.stringify([path, keyword ?? '', filter ?? '']) : String(id);
}

/** What a favorite leads to; `undefined` where its layer or node is no longer there. */
export function placeOfFavorite({ scope, path }: Favorite, environment: Environment): FilePlace | undefined {
  const layer = layerOfScope(scope, environment);
  return layer && placeOnLayer(environment, layer.id, scope.nodeId ?? mainNodeOf(layer)?.id, withoutEnd(path));
}

/**
 * Where a favorite for this place is kept, so that it leads to this place again: in the layer, whose favorites lead to its
 * first node, or on another node itself.
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
  return path.replace(/\/+$/, '') || '/';
}
