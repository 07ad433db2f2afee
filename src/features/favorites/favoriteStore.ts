import { type Disposable, EventEmitter, type FileChangeEvent, FileChangeType, l10n } from 'vscode';
import type { Account } from '../../accounts/accounts';
import { SharedCalls } from '../../async/sharedCalls';
import type { Containers } from '../../containers/containers';
import type { Environment, Layer } from '../../containers/environment';
import type { Environments } from '../../containers/environments';
import {
  type EnvironmentPlace,
  type FilePlace,
  filePlaceOf,
  isInSameNodes,
  isPathWithin,
  keyOf,
} from '../../containers/place';
import { changeOnce } from '../../platform/lostReply';
import { undefinedIf } from '../../platform/errors';
import type { FavoriteEntry } from '../../platform/wire/environments';
import { ExpectedError } from '../../ui/expectedError';
import { failureText } from '../../ui/failureMessages';
import {
  type Favorite,
  type FavoriteChange,
  favoriteKey,
  favoriteOf,
  type FavoriteScope,
  isEntryOf,
  type NewFavorite,
  placeOfFavorite,
} from './favorite';

/** Each account's favorites on the platform, loaded on first use and cached until refreshed or changed here. */
export class Favorites implements Disposable {
  private readonly asked = new SharedCalls<FavoriteList>('untilForgotten');
  private readonly known = new Map<string, readonly Favorite[]>();
  private readonly gone = new Set<string>();
  private readonly changed = new EventEmitter<EnvironmentPlace | undefined>();
  /** Fires when the favorites of one environment, or of all, change or resolve differently. */
  readonly onDidChange = this.changed.event;

  constructor(
    private readonly containers: Pick<Containers, 'account'>,
    private readonly environments: Pick<Environments, 'known' | 'titleOf'>,
  ) {}

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
  refresh(name?: EnvironmentPlace): void {
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
      if (place !== undefined && type !== FileChangeType.Changed) {
        // What is in a folder goes with it, and may have come back with it, such as when it has its name again.
        this.targetsIn(place).forEach((target) => this.noteGone(target, type === FileChangeType.Deleted));
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
    const known = this.environments.known(favorite.account, favorite.environment);
    const context = { samePath, known, title: this.environments.titleOf(favorite) };
    await this.changing(favorite, (account) => replaceFavorite(account, favorite, replacement, context));
  }

  /** Drops the cached favorites after a change, even if it fails. */
  private async changing(
    { account, environment }: EnvironmentPlace,
    work: (account: Account) => Promise<void>,
  ): Promise<void> {
    try {
      await work(this.containers.account(account));
    } finally {
      this.refresh({ account, environment });
    }
  }

  /** Returns where the known favorites lead that a change at a place reaches, which may be on a whole layer. */
  private targetsIn(place: FilePlace): readonly FilePlace[] {
    const environment = this.environments.known(place.account, place.environment);
    const within = this.knownIn(place).filter(({ path }) => isPathWithin(path, place.path));
    const targets = within.flatMap((favorite) => (environment && placeOfFavorite(favorite, environment)) ?? []);
    return targets.filter((target) => isInSameNodes(place, target));
  }

  private knownIn(name: EnvironmentPlace): readonly Favorite[] {
    return this.known.get(environmentKey(name)) ?? [];
  }
}

export function environmentKey({ account, environment }: EnvironmentPlace): string {
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

/** What a change of a favorite needs to know about it. */
interface FavoriteContext {
  /** The other known favorites with this path. */
  readonly samePath: readonly Favorite[];
  /** Its environment, if it's known. */
  readonly known: Environment | undefined;
  /** The environment's. */
  readonly title: string;
}

/**
 * Removes a favorite, and adds the replacement if there is one, because the platform has no edit. If that fails, restores
 * the old one. The platform removes favorites by path and may remove those of other scopes, too, so those are restored.
 */
async function replaceFavorite(
  account: Account,
  favorite: Favorite,
  replacement: NewFavorite | undefined,
  context: FavoriteContext,
): Promise<void> {
  const { samePath, known, title } = context;
  // A question may have been open for long, so look again.
  const [{ isThere, added }, ...found] = await Promise.all([
    lookAgain(account, favorite, context),
    ...samePath.map((other) => exists(account, other)),
  ]);
  if (!isThere) {
    if (replacement === undefined) {
      return;
    }
    throw new ExpectedError(
      l10n.t('“{0}” in {1} was removed from the favorites in the meantime.', favorite.keyword, title),
    );
  }
  // What someone else removed in the meantime isn't restored.
  const staying = [...samePath.filter((_, index) => found[index]), ...(await inOwnScopes(account, added, known))];
  await remove(account, favorite);
  const changing = replacement === undefined ? Promise.resolve() : createFavorite(account, replacement);
  const [change] = await Promise.allSettled([changing]);
  const lost: Favorite[] = [];
  let cause: unknown;
  for (const one of change.status === 'rejected' ? [favorite, ...staying] : staying) {
    await keep(account, one).catch((error: unknown) => {
      lost.push(one);
      cause = error;
    });
  }
  if (lost.length > 0) {
    const names = lost.map(({ keyword, path, filter }) => {
      return filter === undefined ? `${keyword}: ${path}` : `${keyword}: ${path} (${filter})`;
    });
    const text = l10n.t("Couldn't restore favorites in {0}. Add them again: {1}.", title, names.join(', '));
    throw new ExpectedError(change.status === 'rejected' ? `${failureText(change.reason)} ${text}` : text, { cause });
  }
  await changing;
}

/** Adds a favorite again unless it's still there. If that can't be found out, the platform rejects a second one. */
async function keep(account: Account, favorite: Favorite): Promise<void> {
  if ((await undefinedIf('any', exists(account, favorite))) !== true) {
    await undefinedIf('exists', createFavorite(account, favorite));
  }
}

/**
 * Returns whether the favorite still exists, and the favorites with its path that were added in the meantime. Rejects if
 * someone changed its name or filter, because a change or removal would undo that.
 */
async function lookAgain(
  account: Account,
  favorite: Favorite,
  { samePath, title }: FavoriteContext,
): Promise<{ readonly isThere: boolean; readonly added: readonly Favorite[] }> {
  const { environment, scope, path, keyword, filter } = favorite;
  const others = new Set(samePath.map(favoriteKey));
  const entries = (await entriesIn(account, environment, scope))
    .filter((entry) => entry.path === path && !others.has(favoriteKey(entry)))
    .map((entry) => favoriteOf({ account: account.slug, name: environment }, entry, scope));
  const same = entries.find((entry) => entry.keyword === keyword && entry.filter === filter);
  const [now] = entries;
  if (now !== undefined && same === undefined) {
    throw new ExpectedError(
      now.filter === undefined
        ? l10n.t(
            '“{0}” in {1} was changed to “{2}” without a filter in the meantime. Check it, then try again.',
            keyword,
            title,
            now.keyword,
          )
        : l10n.t(
            '“{0}” in {1} was changed to “{2}” with the filter {3} in the meantime. Check it, then try again.',
            keyword,
            title,
            now.keyword,
            now.filter,
          ),
    );
  }
  return { isThere: same !== undefined, added: entries.filter((entry) => entry !== same) };
}

/** Returns the favorites with the scopes that they were added to. The response that they are from doesn't contain these. */
async function inOwnScopes(
  account: Account,
  favorites: readonly Favorite[],
  environment: Environment | undefined,
): Promise<readonly Favorite[]> {
  if (environment === undefined || favorites.length === 0) {
    return favorites;
  }
  const listed = (await listFavorites(account, environment)).favorites;
  return favorites.map((favorite) => listed.find((one) => favoriteKey(one) === favoriteKey(favorite)) ?? favorite);
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

async function exists(account: Account, favorite: NewFavorite): Promise<boolean> {
  const entries = await entriesIn(account, favorite.environment, favorite.scope);
  return entries.some((entry) => isEntryOf(entry, favorite));
}

async function entriesIn(account: Account, envName: string, scope: FavoriteScope): Promise<readonly FavoriteEntry[]> {
  return (await account.call('GetFavorites', { envName, ...scope })).favoriteList;
}
