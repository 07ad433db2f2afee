import type { Account } from '../accounts/accounts';
import type { Environment, Layer } from '../containers/environment';
import type { FavoriteEntry } from '../platform/wire/sharing';
import { type Favorite, favoriteKey, favoriteOf, type FavoriteScope } from './favorite';

/** The favorites of an environment, and the layers whose favorites could not be learnt. */
export interface FavoriteList {
  readonly favorites: readonly Favorite[];
  readonly failures: readonly LayerFailure[];
}

export interface LayerFailure {
  /** Nothing where it is the favorites of single nodes that could not be learnt. */
  readonly layer: Layer | undefined;
  readonly error: unknown;
}

type Asked = { readonly entries: readonly FavoriteEntry[] } | { readonly error: unknown };

/**
 * The answer does not say which layer or node a favorite belongs to. So each layer is asked, and the environment as a whole
 * for those of single nodes: it takes no more requests the more favorites there are. Nodes are asked only when there are some.
 */
export async function askForFavorites(account: Account, environment: Environment): Promise<FavoriteList> {
  const { layers } = environment;
  const ask = (scope: FavoriteScope) => askIn(account, environment, scope);
  const [whole, ...ofLayers] = await Promise.all([ask({}), ...layers.map(({ id }) => ask({ nodeGroup: id }))]);
  const answers = [whole, ...ofLayers];
  const failed = answers.find((answer) => 'error' in answer);
  if (failed !== undefined && answers.every((answer) => 'error' in answer)) {
    throw failed.error;
  }
  const placed = placedInLayers(environment, ofLayers);
  const unplaced = entriesIn(whole).filter((entry) => !placed.has(favoriteKey(entry)));
  for (const favorite of unplaced.length === 0 ? [] : await placedOnNodes(environment, unplaced, ask)) {
    placed.set(favoriteKey(favorite), favorite);
  }
  const failures = [
    ...ofLayers.flatMap((answer, index) => ('error' in answer ? [{ layer: layers[index], error: answer.error }] : [])),
    ...('error' in whole ? [{ layer: undefined, error: whole.error }] : []),
  ];
  return { favorites: [...placed.values()], failures };
}

/** Asks for the favorites of one scope. */
export async function favoritesIn(
  account: Account,
  envName: string,
  scope: FavoriteScope,
): Promise<readonly FavoriteEntry[]> {
  return (await account.call('GetFavorites', { envName, ...scope })).favoriteList;
}

async function askIn(account: Account, { name }: Environment, scope: FavoriteScope): Promise<Asked> {
  try {
    return { entries: await favoritesIn(account, name, scope) };
  } catch (error) {
    return { error };
  }
}

/** What several layers answer with is kept for the whole environment. */
function placedInLayers(environment: Environment, answers: readonly Asked[]): Map<string, Favorite> {
  const placed = new Map<string, Favorite>();
  for (const [index, answer] of answers.entries()) {
    const nodeGroup = environment.layers[index]?.id ?? '';
    for (const entry of entriesIn(answer)) {
      const key = favoriteKey(entry);
      placed.set(key, favoriteOf(environment, entry, placed.has(key) ? {} : { nodeGroup }));
    }
  }
  return placed;
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
    scopes.map(async (scope) => ({ scope, keys: new Set(entriesIn(await ask(scope)).map(favoriteKey)) })),
  );
  return unplaced.map((entry) => {
    // What no node answers with, because it failed or is gone, is shown all the same: as one of the environment's.
    const scope = answers.find(({ keys }) => keys.has(favoriteKey(entry)))?.scope ?? {};
    return favoriteOf(environment, entry, scope);
  });
}

function entriesIn(answer: Asked): readonly FavoriteEntry[] {
  return 'entries' in answer ? answer.entries : [];
}
