import { l10n } from 'vscode';
import type { Account } from '../accounts/accounts';
import { changeOnce } from '../platform/changeOnce';
import { isPlatformError } from '../platform/errors';
import { type Favorite, type FavoriteScope, isEntryOf, type FavoriteInput } from './favorite';
import { favoritesIn } from './favoriteList';

/** Adds a favorite. */
export async function createFavorite(
  account: Account,
  environment: string,
  scope: FavoriteScope,
  { path, keyword, filter, isDir }: FavoriteInput,
): Promise<void> {
  await changeOnce(
    () => account.call('AddFavorite', { envName: environment, ...scope, path, keyword, filter, isDir }),
    () => isThere(account, environment, scope, { path, keyword }),
  );
}

/** Removes a favorite; one that is not there any more is removed. `alike` have its path and stay. */
export async function deleteFavorite(account: Account, favorite: Favorite, alike: readonly Favorite[]): Promise<void> {
  const { environment, scope, path, keyword } = favorite;
  const staying = await thoseThere(account, alike);
  try {
    await changeOnce(
      () => account.call('RemoveFavorite', { envName: environment, ...scope, path }),
      async () => !(await isThere(account, environment, scope, { path, keyword })),
    );
  } catch (error) {
    if (!isPlatformError(error) || error.kind !== 'notFound') {
      throw error;
    }
  }
  await restoreMissing(account, staying);
}

/** The contract has no edit: the favorite is removed and added anew, and the old one restored where that fails. */
export async function replaceFavorite(
  account: Account,
  favorite: Favorite,
  wanted: FavoriteInput,
  alike: readonly Favorite[],
): Promise<void> {
  const { environment, scope } = favorite;
  const staying = await thoseThere(account, alike);
  await deleteFavorite(account, favorite, []);
  try {
    await createFavorite(account, environment, scope, wanted);
  } catch (error) {
    await restore(account, favorite, error);
    throw error;
  } finally {
    await restoreMissing(account, staying);
  }
}

async function restore(account: Account, favorite: Favorite, reason: unknown): Promise<void> {
  const { environment, scope, keyword, path, filter } = favorite;
  try {
    await createFavorite(account, environment, scope, favorite);
  } catch (error) {
    if (isPlatformError(error) && error.kind === 'exists') {
      // Something stands there under this path: nothing was lost.
      return;
    }
    const what = filter === undefined ? path : `${path} (${filter})`;
    throw new Error(
      l10n.t(
        'The favorite “{0}” of {1} was taken away to be changed, and the platform accepted neither the new one nor the old one back. Add it again: {2}.',
        keyword,
        environment,
        what,
      ),
      { cause: reason },
    );
  }
}

/** A favorite is removed by its path, and it is not said whether those of other scopes with this path go along. */
async function restoreMissing(account: Account, favorites: readonly Favorite[]): Promise<void> {
  for (const favorite of favorites) {
    if (!(await isThere(account, favorite.environment, favorite.scope, favorite))) {
      await createFavorite(account, favorite.environment, favorite.scope, favorite);
    }
  }
}

/** What is known may be old: what somebody else removed is not brought back. */
async function thoseThere(account: Account, favorites: readonly Favorite[]): Promise<readonly Favorite[]> {
  const found = await Promise.all(
    favorites.map((favorite) => isThere(account, favorite.environment, favorite.scope, favorite)),
  );
  return favorites.filter((_, index) => found[index]);
}

async function isThere(
  account: Account,
  environment: string,
  scope: FavoriteScope,
  wanted: Pick<FavoriteInput, 'path' | 'keyword'>,
): Promise<boolean> {
  const entries = await favoritesIn(account, environment, scope);
  return entries.some((entry) => isEntryOf(entry, wanted));
}
