import { l10n } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import { ExpectedError } from '../ui/expectedError';
import { failureText, reasonText } from '../ui/failureMessages';
import type { Environment, Layer } from './environment';
import { allEnvironments, type AllEnvironments } from './environmentIndex';
import { type Container, startIn } from './environmentPart';
import type { Environments } from './environments';
import { type FilePlace, filePlaceOf, uriParts } from './place';

/** A layer or node as a task names it. */
export interface ContainerWords {
  readonly environment: string;
  readonly layer?: string | undefined;
  readonly node?: number | undefined;
  /** An account's slug. */
  readonly account?: string | undefined;
}

/** Returns the container as the platform lists it now. Rejects if there's none, or if several have these names. */
export async function containerNamed(
  words: ContainerWords,
  { accounts, environments }: { readonly accounts: Accounts; readonly environments: Pick<Environments, 'now'> },
): Promise<Container> {
  const environment = await environmentNamed(words, accounts, environments);
  const layer = layerNamed(words, environment);
  return { environment, layer, node: layer.nodes.find(({ id }) => id === words.node) };
}

/** Returns a path in the container. In a whole layer, it's on the main node. */
export function placeInContainer(container: Container, path: string): FilePlace {
  const start = startIn(container);
  const parts = uriParts(start);
  return filePlaceOf({ ...parts, path: `${parts.path}/${path}` }) ?? start;
}

export function ensureSignedIn(account: string | undefined, accounts: readonly string[]): void {
  if (account !== undefined && !accounts.includes(account)) {
    throw new ExpectedError(
      l10n.t("You aren't signed in to account {0}. Signed in: {1}", account, accounts.join(', ')),
    );
  }
}

/** Throws if something of this name may exist on an account that couldn't be listed, unless the account is given. */
export function ensureNoneMissed(
  account: string | undefined,
  found: readonly { readonly account: string }[],
  failures: AllEnvironments['failures'],
): void {
  const [failure] = failures.filter((one) => account === undefined || one.account.slug === account);
  if (failure === undefined || (account !== undefined && found.length > 0)) {
    return;
  }
  if (found.length === 0) {
    throw new ExpectedError(failureText(failure.error), { cause: failure.error });
  }
  const { slug } = failure.account;
  const slugs = [...found.map((one) => one.account), slug];
  throw new ExpectedError(
    l10n.t(
      "Couldn't list the environments of account {0}: {1}. Specify the account: {2}",
      slug,
      reasonText(failure.error),
      namesText('account', slugs),
    ),
    { cause: failure.error },
  );
}

/** Formats the ways in which a task can name one of several things: `"layer": "cp" or "layer": "bl"`. */
export function namesText(key: 'account' | 'layer' | 'node', names: readonly (string | number)[]): string {
  return [...new Set(names)].map((name) => `"${key}": ${JSON.stringify(name)}`).join(l10n.t(' or '));
}

async function environmentNamed(
  { environment: name, account }: ContainerWords,
  accounts: Accounts,
  environments: Pick<Environments, 'now'>,
): Promise<Environment> {
  await accounts.demandRead();
  ensureSignedIn(
    account,
    accounts.list.map(({ slug }) => slug),
  );
  const list = accounts.list.filter(({ slug }) => account === undefined || slug === account);
  const found = await allEnvironments({ list }, { of: (one) => environments.now(one) });
  const named = found.environments.filter((one) => one.name === name);
  ensureNoneMissed(account, named, found.failures);
  const [environment, ...others] = named;
  if (environment === undefined) {
    throw new ExpectedError(l10n.t("Couldn't find environment {0}.", name));
  }
  if (others.length > 0) {
    const slugs = named.map((one) => one.account);
    throw new ExpectedError(
      l10n.t(
        'Several accounts have an environment named {0}. Specify the account in the task: {1}',
        name,
        namesText('account', slugs),
      ),
    );
  }
  return environment;
}

function layerNamed({ layer: wanted, node }: ContainerWords, { name, layers }: Environment): Layer {
  const named = layers.filter(
    ({ id, nodes }) => (wanted ?? id) === id && (node === undefined || nodes.some((one) => one.id === node)),
  );
  const [layer, ...others] = named;
  if (layer === undefined) {
    throw new ExpectedError(
      node !== undefined
        ? l10n.t("Couldn't find node {0} in {1}.", String(node), name)
        : wanted === undefined
          ? l10n.t("Couldn't find a layer in {0}.", name)
          : l10n.t("Couldn't find layer {0} in {1}.", wanted, name),
    );
  }
  if (others.length > 0) {
    const ids = named.map(({ id }) => id);
    throw new ExpectedError(
      l10n.t('{0} has several layers. Specify the layer in the task: {1}', name, namesText('layer', ids)),
    );
  }
  return layer;
}
