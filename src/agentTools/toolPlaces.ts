import { l10n, Uri } from 'vscode';
import type { Accounts } from '../accounts/accounts';
import type { Environment } from '../containers/environment';
import { allEnvironments, nodeIn } from '../containers/environmentIndex';
import { type Container, containersIn, startIn } from '../containers/environmentPart';
import type { Environments } from '../containers/environments';
import { type FilePlace, filePlaceOf, placeOnLayer, type Target, targetText, uriParts } from '../containers/place';
import { scheme } from '../manifest';
import { ExpectedError } from '../ui/expectedError';

export interface ToolPlacesDeps {
  readonly accounts: Pick<Accounts, 'demandRead' | 'list' | 'find'>;
  readonly environments: Environments;
}

/** What an address names. For a layer, the place is on its main node. */
export interface FoundContainer {
  readonly container: Container;
  readonly place: FilePlace;
}

export type Found = FoundContainer | { readonly environments: readonly Environment[] };

/** The most names that an error lists. */
const mostNamed = 50;

/**
 * Addresses that a model can read and pass on: `shop/cp~66001/etc/hosts`, also `shop/cp/etc/hosts`, `66001/etc/hosts`
 * or a URI of an editor. With several accounts, only the URI says which one is meant.
 */
export class ToolPlaces {
  constructor(private readonly deps: ToolPlacesDeps) {}

  /** Rejects an address of what doesn't exist, and says what does. */
  async find(address: string): Promise<Found> {
    const uri = address.startsWith(`${scheme}:`) ? Uri.parse(address) : undefined;
    const { environments, failures } = await this.environmentsOf(uri?.authority);
    const [first, ...rest] = (uri?.path ?? address).split('/').filter((segment) => segment !== '');
    if (first === undefined) {
      return { environments };
    }
    const nodes = /^\d+$/.test(first) ? environments.flatMap((one) => nodeIn(Number(first), [one]) ?? []) : [];
    const [found] = nodes;
    if (found !== undefined && nodes.length === 1) {
      return located(found, rest);
    }
    if (found !== undefined) {
      throw ambiguous(
        first,
        nodes.map(({ environment, layer, node }) => this.textOf(placeOnLayer(environment, layer.id, node.id))),
      );
    }
    const named = environments.filter(({ name, title }) => name === first || title === first);
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
        named.map(({ account, name }) => `${scheme}://${account}/${name}`),
      );
    }
    const [second, ...path] = rest;
    if (second === undefined) {
      return { environments: [environment] };
    }
    const containers = containersIn(environment);
    const container = containers.find((one) => namesOf(one).includes(second));
    if (container === undefined) {
      throw missing(
        `${first}/${second}`,
        containers.map((one) => `${environment.name}/${namesOf(one)[0] ?? ''}`),
      );
    }
    return located(container, path);
  }

  /** The same for an address that must name a layer, a node, or a path there. */
  async container(address: string): Promise<FoundContainer> {
    const found = await this.find(address);
    if ('container' in found) {
      return found;
    }
    throw missing(
      address,
      found.environments.flatMap((environment) =>
        containersIn(environment).map((one) => `${environment.name}/${namesOf(one)[0] ?? ''}`),
      ),
    );
  }

  textOf(place: FilePlace): string {
    return this.hasSeveral
      ? Uri.from(uriParts(place)).toString()
      : `${place.environment}/${targetText(place.target)}${place.path === '/' ? '' : place.path}`;
  }

  /** The address of an environment. */
  environmentText({ account, name }: Environment): string {
    return this.hasSeveral ? `${scheme}://${account}/${name}` : name;
  }

  private get hasSeveral(): boolean {
    return this.deps.accounts.list.length > 1;
  }

  private async environmentsOf(slug: string | undefined) {
    const { accounts, environments } = this.deps;
    await accounts.demandRead();
    if (accounts.list.length === 0) {
      throw new ExpectedError(l10n.t('Ask the user to sign in first, in the Environments view.'));
    }
    if (slug === undefined) {
      return allEnvironments(accounts, environments);
    }
    const account = accounts.find(slug);
    if (account === undefined) {
      throw missing(
        `${scheme}://${slug}`,
        accounts.list.map((one) => `${scheme}://${one.slug}`),
      );
    }
    return allEnvironments({ list: [account] }, environments);
  }
}

function targetOfContainer({ layer, node }: Container): Target {
  return node === undefined ? { nodeGroup: layer.id } : { nodeGroup: layer.id, nodeId: node.id };
}

/** What a container may be called, the best name first. */
function namesOf(container: Container): readonly string[] {
  const { layer, node } = container;
  return node === undefined ? [layer.id, layer.name] : [targetText(targetOfContainer(container)), `${node.id}`];
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

function ambiguous(address: string, existing: readonly string[]): ExpectedError {
  return new ExpectedError(l10n.t('Several accounts have {0}. Specify one: {1}', address, listOf(existing)));
}

export function listOf(names: readonly string[]): string {
  return names.slice(0, mostNamed).join(', ') + (names.length > mostNamed ? ', …' : '');
}
