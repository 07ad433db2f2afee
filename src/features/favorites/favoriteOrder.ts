import type { Memento } from 'vscode';
import type { Favorite } from './favorite';

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
