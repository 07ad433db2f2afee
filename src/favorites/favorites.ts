import { type Disposable, EventEmitter, type FileChangeEvent, FileChangeType, l10n } from 'vscode';
import type { Account } from '../accounts/accounts';
import { SharedCalls } from '../async/sharedCalls';
import type { Containers } from '../containers/containers';
import type { Environment, Layer } from '../containers/environment';
import { type FilePlace, filePlaceOf, isPathWithin, keyOf } from '../containers/place';
import { changeOnce } from '../platform/changeOnce';
import { isPlatformError, undefinedIf } from '../platform/errors';
import type { FavoriteEntry } from '../platform/wire/sharing';
import { ExpectedError } from '../ui/expectedError';
import {
  type Favorite,
  type FavoriteChange,
  favoriteKey,
  favoriteOf,
  type FavoriteScope,
  isEntryOf,
  type NewFavorite,
} from './favorite';

export interface EnvironmentName {
  readonly account: string;
  readonly environment: string;
}

/** Each account's favorites on the platform, loaded on first use and cached until refreshed or changed here. */
export class Favorites implements Disposable {
  private readonly asked = new SharedCalls<FavoriteList>('untilForgotten');
  private readonly known = new Map<string, readonly Favorite[]>();
  private readonly gone = new Set<string>();
  private readonly changed = new EventEmitter<EnvironmentName | undefined>();
  /** Fires when the favorites of one environment, or of all, change or resolve differently. */
  readonly onDidChange = this.changed.event;

  constructor(private readonly containers: Pick<Containers, 'account'>) {}

  of(environment: Environment): Promise<FavoriteList> {
    const key = environmentKey({ account: environment.account, environment: environment.name });
    return this.asked.share(key, async (isCurrent) => {
      const list = await listFavorites(this.containers.account(environment.account), environment);
      if (isCurrent()) {
        this.known.set(key, list.favorites);
      }
      return list;
    });
  }

  /** Reloads the favorites of one environment, or of all. */
  refresh(name?: EnvironmentName): void {
    if (name === undefined) {
      this.asked.forgetAll();
      this.gone.clear();
    } else {
      this.asked.forget(environmentKey(name));
    }
    this.changed.fire(name);
  }

  async add(favorite: NewFavorite): Promise<void> {
    await this.changing(favorite, (account) => createFavorite(account, favorite));
  }

  async remove(favorite: Favorite): Promise<void> {
    await this.replaceBy(undefined, favorite);
  }

  /** Changes the keyword or filter. Restores the old favorite if the change fails halfway. */
  async replace(favorite: Favorite, wanted: FavoriteChange): Promise<void> {
    await this.replaceBy({ ...favorite, ...wanted }, favorite);
  }

  /** Whether the target was missing when last checked. */
  isGone(place: FilePlace): boolean {
    return this.gone.has(keyOf(place));
  }

  /** Records whether the target exists, after a check or a change. */
  noteGone(place: FilePlace, isGone: boolean): void {
    const key = keyOf(place);
    if (isGone !== this.gone.has(key)) {
      this.gone[isGone ? 'add' : 'delete'](key);
      this.changed.fire(place);
    }
  }

  /** Updates from VS Code's file events which favorites are broken, without a request. */
  noteChanges(changes: readonly FileChangeEvent[]): void {
    for (const { uri, type } of changes) {
      const place = filePlaceOf(uri);
      if (place !== undefined && type === FileChangeType.Deleted) {
        const lost = this.knownIn(place).filter(({ path }) => isPathWithin(path, place.path));
        lost.forEach(({ path }) => this.noteGone({ ...place, path }, true));
      } else if (place !== undefined && type === FileChangeType.Created) {
        this.noteGone(place, false);
      }
    }
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async replaceBy(replacement: NewFavorite | undefined, favorite: Favorite): Promise<void> {
    const samePath = this.knownIn(favorite).filter(
      (other) => other.path === favorite.path && favoriteKey(other) !== favoriteKey(favorite),
    );
    await this.changing(favorite, (account) => replaceFavorite(account, favorite, replacement, samePath));
  }

  /** Drops the cached favorites after a change, even if it fails. */
  private async changing(
    { account, environment }: EnvironmentName,
    work: (account: Account) => Promise<void>,
  ): Promise<void> {
    try {
      await work(this.containers.account(account));
    } finally {
      this.refresh({ account, environment });
    }
  }

  private knownIn(name: EnvironmentName): readonly Favorite[] {
    return this.known.get(environmentKey(name)) ?? [];
  }
}

export function environmentKey({ account, environment }: EnvironmentName): string {
  return `${account}/${environment}`;
}

/** An environment's favorites, and the layers whose favorites couldn't be read. */
interface FavoriteList {
  readonly favorites: readonly Favorite[];
  /** No layer where it is the favorites of single nodes that could not be learnt. */
  readonly failures: readonly { readonly layer: Layer | undefined; readonly error: unknown }[];
}

type Asked = { readonly entries: readonly FavoriteEntry[] } | { readonly error: unknown };

/**
 * The response doesn't contain a favorite's layer or node. So ask each layer, and the environment for those of single
 * nodes, to keep the number of requests independent of the number of favorites. Ask nodes only if they have some.
 */
async function listFavorites(account: Account, environment: Environment): Promise<FavoriteList> {
  const { name, layers } = environment;
  const ask = (scope: FavoriteScope): Promise<Asked> =>
    entriesIn(account, name, scope).then(
      (entries) => ({ entries }),
      (error: unknown) => ({ error }),
    );
  const [whole, ...ofLayers] = await Promise.all([ask({}), ...layers.map(({ id }) => ask({ nodeGroup: id }))]);
  const failures = [...ofLayers, whole].flatMap((answer, index) =>
    'error' in answer ? [{ layer: layers[index], error: answer.error }] : [],
  );
  if ('error' in whole && failures.length > layers.length) {
    throw whole.error;
  }
  const placed = new Map<string, Favorite>();
  for (const [index, answer] of ofLayers.entries()) {
    const nodeGroup = layers[index]?.id ?? '';
    for (const entry of known(answer)) {
      const key = favoriteKey(entry);
      // What several layers answer with is kept for the whole environment.
      placed.set(key, favoriteOf(environment, entry, placed.has(key) ? {} : { nodeGroup }));
    }
  }
  const unplaced = known(whole).filter((entry) => !placed.has(favoriteKey(entry)));
  const onNodes = unplaced.length === 0 ? [] : await placedOnNodes(environment, unplaced, ask);
  return { favorites: [...placed.values(), ...onNodes], failures };
}

async function placedOnNodes(
  environment: Environment,
  unplaced: readonly FavoriteEntry[],
  ask: (scope: FavoriteScope) => Promise<Asked>,
): Promise<Favorite[]> {
  const scopes = environment.layers.flatMap(({ id, nodes }) =>
    nodes.map((node) => ({ nodeGroup: id, nodeId: node.id })),
  );
  const answers = await Promise.all(
    scopes.map(async (scope) => ({ scope, keys: new Set(known(await ask(scope)).map(favoriteKey)) })),
  );
  return unplaced.map((entry) => {
    // If no node returned it, for example because the request failed, show it for the whole environment.
    const scope = answers.find(({ keys }) => keys.has(favoriteKey(entry)))?.scope ?? {};
    return favoriteOf(environment, entry, scope);
  });
}

function known(answer: Asked): readonly FavoriteEntry[] {
  return 'entries' in answer ? answer.entries : [];
}

async function createFavorite(account: Account, favorite: NewFavorite): Promise<void> {
  const { environment, scope, path, keyword, filter, isDir } = favorite;
  await changeOnce(
    () => account.call('AddFavorite', { envName: environment, ...scope, path, keyword, filter, isDir }),
    () => exists(account, favorite),
  );
}

/**
 * Removes a favorite, and adds another one in its place if there is one, because the contract has no edit. If that fails,
 * the old one is restored. Looks at it right before, because a question may have been open for long. A favorite is removed by its path, and it is not said whether those of other scopes with this path
 * go along: those that did are restored too.
 *
 * @param samePath the other favorites with this path
 */
async function replaceFavorite(
  account: Account,
  favorite: Favorite,
  replacement: NewFavorite | undefined,
  samePath: readonly Favorite[],
): Promise<void> {
  const [isThere, ...found] = await Promise.all([
    isStillThere(account, favorite, samePath),
    ...samePath.map((other) => exists(account, other)),
  ]);
  if (!isThere && replacement !== undefined) {
    throw new ExpectedError(
      l10n.t('“{0}” in {1} was removed from the favorites in the meantime.', favorite.keyword, favorite.environment),
    );
  }
  // What is known may be old: what somebody else removed is not brought back.
  const staying = samePath.filter((_, index) => found[index]);
  await remove(account, favorite);
  try {
    if (replacement !== undefined) {
      await createFavorite(account, replacement);
    }
  } catch (error) {
    await restore(account, favorite, error);
    throw error;
  } finally {
    for (const other of staying) {
      if (!(await exists(account, other))) {
        await createFavorite(account, other);
      }
    }
  }
}

/**
 * Returns whether the favorite is still there. Rejects if someone else gave it another name or filter, which a change, or
 * the removal of its path, would take back.
 */
async function isStillThere(account: Account, favorite: Favorite, samePath: readonly Favorite[]): Promise<boolean> {
  const { environment, scope, path, keyword, filter } = favorite;
  const ofOthers = new Set(samePath.map(favoriteKey));
  const entries = (await entriesIn(account, environment, scope))
    .filter((entry) => entry.path === path && !ofOthers.has(favoriteKey(entry)))
    .map((entry) => favoriteOf({ account: account.slug, name: environment }, entry, scope));
  const [now] = entries;
  if (now !== undefined && !entries.some((entry) => entry.keyword === keyword && entry.filter === filter)) {
    throw new ExpectedError(
      l10n.t(
        '“{0}” in {1} was changed in the meantime. Now it is {2}. Look at the change, then try again.',
        keyword,
        environment,
        now.filter === undefined
          ? l10n.t('“{0}” without a filter', now.keyword)
          : l10n.t('“{0}” with the filter {1}', now.keyword, now.filter),
      ),
    );
  }
  return now !== undefined;
}

/** A favorite that no longer exists counts as removed. */
async function remove(account: Account, favorite: Favorite): Promise<void> {
  const { environment, scope, path } = favorite;
  const removal = changeOnce(
    () => account.call('RemoveFavorite', { envName: environment, ...scope, path }),
    async () => !(await exists(account, favorite)),
  );
  await undefinedIf('notFound', removal);
}

async function restore(account: Account, favorite: Favorite, cause: unknown): Promise<void> {
  const { environment, keyword, path, filter } = favorite;
  try {
    await createFavorite(account, favorite);
  } catch (error) {
    if (isPlatformError(error) && error.kind === 'exists') {
      // A favorite with this path exists, so nothing was lost.
      return;
    }
    const what = filter === undefined ? path : `${path} (${filter})`;
    const message = l10n.t(
      "Couldn't change favorite “{0}” in {1}, and couldn't restore it. Add it again: {2}.",
      keyword,
      environment,
      what,
    );
    throw new ExpectedError(message, { cause });
  }
}

async function exists(account: Account, favorite: NewFavorite): Promise<boolean> {
  const entries = await entriesIn(account, favorite.environment, favorite.scope);
  return entries.some((entry) => isEntryOf(entry, favorite));
}

async function entriesIn(account: Account, envName: string, scope: FavoriteScope): Promise<readonly FavoriteEntry[]> {
  return (await account.call('GetFavorites', { envName, ...scope })).favoriteList;
}
