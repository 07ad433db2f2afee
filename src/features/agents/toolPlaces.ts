import { l10n, Uri } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { Environment } from '../../containers/environment';
import { type AllEnvironments, allEnvironments, nodeIn } from '../../containers/environmentIndex';
import { type Container, containersIn, startIn } from '../../containers/environmentPart';
import { type FilePlace, filePlaceOf, placeOnLayer, type Target, targetText, uriParts } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { scheme } from '../../manifest';
import type { AgentAccess } from './agentAccess';
import type { Services } from '../../services';
import { ExpectedError } from '../../ui/expectedError';
import { reasonText } from '../../ui/failureMessages';

/** What an address names. For a layer, the place is on its main node. */
interface FoundContainer {
  readonly container: Container;
  readonly place: FilePlace;
}

type Found = FoundContainer | { readonly environments: readonly Environment[] };

/** The most names that an error lists. */
const maxNamed = 50;

/**
 * Addresses that a model can read and pass on: `shop/cp~66001/etc/hosts`, also `shop/cp/etc/hosts`, `66001/etc/hosts`
 * or a URI of an editor. With several accounts, only the URI says which one is meant.
 */
export class ToolPlaces {
  constructor(
    private readonly services: Services,
    private readonly access: AgentAccess,
  ) {}

  /** Rejects an address of what doesn't exist, and says what does, and what the person doesn't let tools read. */
  async find(address: string): Promise<Found> {
    const found = await this.named(address);
    if ('container' in found) {
      await this.access.demandEnvironment(found.place);
    }
    return found;
  }

  private async named(address: string): Promise<Found> {
    const uri = address.startsWith(`${scheme}:`) ? Uri.parse(address) : undefined;
    const { environments, failures } = await this.environmentsOf(uri?.authority);
    const [first, ...rest] = (uri?.path ?? address).split('/').filter((segment) => segment !== '');
    if (first === undefined) {
      return { environments };
    }
    const named = thoseCalled(first, environments, { idsOf: ({ name }) => [name], titleOf: ({ title }) => title });
    const node = named.some(({ name }) => name === first) ? undefined : this.numberedNode(first, environments);
    ensureNowhereElse(address, { node, named }, failures);
    if (node !== undefined) {
      return located(node, rest);
    }
    const [environment, ...others] = named;
    if (environment === undefined) {
      // It may be one of the environments that couldn't be listed.
      throw failures[0] === undefined
        ? missing(
            first,
            environments.map(({ name }) => name),
          )
        : failures[0].error;
    }
    if (others.length > 0) {
      throw ambiguous(
        first,
        named.map((one) => this.environmentText(one)),
      );
    }
    const [second, ...path] = rest;
    return second === undefined
      ? { environments: [environment] }
      : located(containerCalled(second, containersIn(environment), `${first}/${second}`), path);
  }

  /** Returns `undefined` if no node has this number. */
  private numberedNode(text: string, environments: readonly Environment[]): Container | undefined {
    const nodes = /^\d+$/.test(text) ? environments.flatMap((one) => nodeIn(Number(text), [one]) ?? []) : [];
    if (nodes.length > 1) {
      throw ambiguous(
        text,
        nodes.map(({ environment, layer, node }) => this.textOf(placeOnLayer(environment, layer.id, node.id))),
      );
    }
    return nodes[0];
  }

  /** The same for an address that must name a layer, a node, or a path there. */
  async container(address: string): Promise<FoundContainer> {
    const found = await this.find(address);
    if ('container' in found) {
      return found;
    }
    throw missing(address, found.environments.flatMap(containersIn).map(addressOf));
  }

  textOf(place: FilePlace): string {
    return this.hasSeveral
      ? uriOf(place).toString()
      : `${place.environment}/${targetText(place.target)}${place.path === '/' ? '' : place.path}`;
  }

  /** The environments that tools may read, of all accounts or of one. */
  async environments(account?: string): Promise<AllEnvironments> {
    const all = await this.environmentsOf(account);
    const [failure] = all.failures;
    if (all.environments.length === 0 && failure !== undefined) {
      throw failure.error;
    }
    return all;
  }

  missingEnvironment(wanted: string, all: readonly Environment[]): ExpectedError {
    return missing(
      wanted,
      all.map((one) => this.environmentText(one)),
    );
  }

  /** The address of an environment. */
  environmentText({ account, name }: Environment): string {
    return this.hasSeveral ? `${scheme}://${account}/${name}` : name;
  }

  private get hasSeveral(): boolean {
    return this.services.accounts.list.length > 1;
  }

  /** Returns the accounts that tools may read, or this one if it is. */
  async readable(slug: string | undefined): Promise<readonly Account[]> {
    const { accounts } = this.services;
    await accounts.demandRead();
    if (accounts.list.length === 0) {
      throw new ExpectedError(l10n.t('Ask the user to sign in first, in the Environments view.'));
    }
    if (slug === undefined) {
      return this.access.readable(accounts.list);
    }
    const account = accounts.find(slug);
    if (account === undefined) {
      const existing = accounts.list.map((one) => `${scheme}://${one.slug}`);
      throw accounts.unreadable ?? missing(`${scheme}://${slug}`, existing);
    }
    return this.access.readable([account]);
  }

  private async environmentsOf(slug: string | undefined) {
    // Nodes come and go at any time.
    const environments = { of: (account: Account) => this.services.environments.now(account) };
    return allEnvironments({ list: await this.readable(slug) }, environments);
  }
}

function targetOfContainer({ layer, node }: Container): Target {
  return node === undefined ? { nodeGroup: layer.id } : { nodeGroup: layer.id, nodeId: node.id };
}

/** Returns what has this ID. Only if nothing has, returns what has it as its title, because titles may repeat IDs. */
function thoseCalled<T>(
  wanted: string,
  all: readonly T[],
  {
    idsOf,
    titleOf,
  }: { readonly idsOf: (one: T) => readonly string[]; readonly titleOf: (one: T) => string | undefined },
): readonly T[] {
  const identified = all.filter((one) => idsOf(one).includes(wanted));
  return identified.length > 0 ? identified : all.filter((one) => titleOf(one) === wanted);
}

function containerCalled(wanted: string, containers: readonly Container[], address: string): Container {
  const [container, ...more] = thoseCalled(wanted, containers, { idsOf, titleOf: titleOfLayer });
  if (container === undefined) {
    throw missing(address, containers.map(addressOf));
  }
  if (more.length > 0) {
    throw ambiguous(address, [container, ...more].map(addressOf));
  }
  return container;
}

function idsOf(container: Container): readonly string[] {
  const { node } = container;
  return [targetText(targetOfContainer(container)), ...(node === undefined ? [] : [`${node.id}`])];
}

function titleOfLayer({ layer, node }: Container): string | undefined {
  return node === undefined ? layer.name : undefined;
}

function addressOf(container: Container): string {
  return `${container.environment.name}/${targetText(targetOfContainer(container))}`;
}

function located(container: Container, path: readonly string[]): FoundContainer {
  const start = uriParts(startIn(container));
  const place = filePlaceOf({ ...start, path: [start.path, ...path].join('/') });
  return { container, place: place ?? startIn(container) };
}

function missing(address: string, existing: readonly string[]): ExpectedError {
  return new ExpectedError(
    existing.length === 0
      ? l10n.t("{0} doesn't exist.", address)
      : l10n.t("{0} doesn't exist. These exist: {1}", address, listOf(existing)),
  );
}

/** Rejects an address without an account if it's of something, and an account that couldn't be listed may have the same. */
function ensureNowhereElse(
  address: string,
  { node, named }: { readonly node: Container | undefined; readonly named: readonly Environment[] },
  [missed]: AllEnvironments['failures'],
): void {
  const found = node?.environment ?? named[0];
  if (missed === undefined || found === undefined || address.startsWith(`${scheme}:`)) {
    return;
  }
  const text = l10n.t(
    "Couldn't list the environments of account {0}: {1}. Specify the account in the address, such as {2}",
    missed.account.slug,
    reasonText(missed.error),
    `${scheme}://${found.account}/${address}`,
  );
  throw new ExpectedError(text, { cause: missed.error });
}

function ambiguous(address: string, existing: readonly string[]): ExpectedError {
  return new ExpectedError(l10n.t('Several places match {0}. Specify one: {1}', address, listOf(existing)));
}

export function listOf(names: readonly string[]): string {
  return names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ', …' : '');
}
