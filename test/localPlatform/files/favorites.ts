import { join } from 'node:path';
import * as v from 'valibot';
import type { Node } from '../environments/environment';
import { openKept, type Kept } from '../kept';

const favoriteSchema = v.strictObject({
  id: v.number(),
  uid: v.number(),
  envName: v.string(),
  /** Where it is shown: on one node, on the nodes of one layer, or on all nodes. */
  nodeId: v.optional(v.number()),
  nodeGroup: v.optional(v.string()),
  path: v.string(),
  keyword: v.string(),
  filter: v.optional(v.string()),
  isDir: v.boolean(),
});
export type Favorite = v.InferOutput<typeof favoriteSchema>;
const keptSchema = v.strictObject({ nextId: v.number(), favorites: v.array(favoriteSchema) });

/** The account and the place whose favorites are requested. */
export interface FavoriteScope {
  readonly uid: number;
  readonly envName: string;
  readonly node?: Node;
  readonly nodeGroup?: string;
}

const isSeenIn = (favorite: Favorite, { uid, envName, node, nodeGroup }: FavoriteScope): boolean => {
  if (favorite.uid !== uid || favorite.envName !== envName) return false;
  const layer = node?.nodeGroup ?? nodeGroup;
  if (favorite.nodeId !== undefined) return node === undefined ? layer === undefined : favorite.nodeId === node.id;
  return favorite.nodeGroup === undefined || layer === undefined || favorite.nodeGroup === layer;
};

/** The shortcuts that accounts have created. */
export class Favorites {
  readonly #kept: Kept<v.InferOutput<typeof keptSchema>>;

  private constructor(kept: Kept<v.InferOutput<typeof keptSchema>>) {
    this.#kept = kept;
  }

  static async open(dataFolder: string): Promise<Favorites> {
    return new Favorites(await openKept(join(dataFolder, 'favorites.json'), keptSchema, { nextId: 1, favorites: [] }));
  }

  seen(scope: FavoriteScope): readonly Favorite[] {
    return this.#kept.value.favorites.filter((favorite) => isSeenIn(favorite, scope));
  }

  /** Returns undefined if the same favorite exists in the same place. */
  async add(favorite: Omit<Favorite, 'id'>): Promise<Favorite | undefined> {
    const same = (other: Favorite): boolean =>
      (['uid', 'envName', 'nodeId', 'nodeGroup', 'path'] as const).every((key) => other[key] === favorite[key]);
    if (this.#kept.value.favorites.some(same)) return undefined;
    const added = { ...favorite, id: this.#kept.value.nextId++ };
    this.#kept.value.favorites.push(added);
    await this.#kept.save();
    return added;
  }

  /** Adds favorites that are certainly new. */
  async addAll(favorites: readonly Omit<Favorite, 'id'>[]): Promise<void> {
    this.#kept.value.favorites.push(...favorites.map((favorite) => ({ ...favorite, id: this.#kept.value.nextId++ })));
    await this.#kept.save();
  }

  /** Returns the number of removed favorites. */
  async remove(scope: FavoriteScope, path: string): Promise<number> {
    const gone = new Set(this.seen(scope).filter((favorite) => favorite.path === path));
    this.#kept.value.favorites = this.#kept.value.favorites.filter((favorite) => !gone.has(favorite));
    await this.#kept.save();
    return gone.size;
  }
}
