import type { Account, Accounts } from '../accounts/accounts';
import type { OperationName } from '../platform/contract';
import { failed } from '../platform/failureTexts';
import type { Environment, Layer, Node } from './environment';
import type { AddedEnvironment, EnteredLayer } from './environmentMemory';
import { failedObjectAt, type FilePlace } from './place';

// Finds layers and nodes in the environments that the platform lists.

interface FoundNode {
  readonly environment: Environment;
  readonly layer: Layer;
  readonly node: Node;
}

export interface AllEnvironments {
  readonly environments: readonly Environment[];
  /** The accounts whose environments couldn't be listed, each with the reason. */
  readonly failures: readonly { readonly account: Account; readonly error: unknown }[];
}

/** Returns the environments of all accounts. If one account fails, those of the others are still returned. */
export async function allEnvironments(
  { list }: Pick<Accounts, 'list'>,
  environments: { of(account: Account): Promise<readonly Environment[]> },
): Promise<AllEnvironments> {
  const asked = await Promise.allSettled(list.map((account) => environments.of(account)));
  return {
    environments: asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])),
    failures: list.flatMap((account, index) => {
      const answer = asked[index];
      return answer?.status === 'rejected' ? [{ account, error: answer.reason as unknown }] : [];
    }),
  };
}

/** Returns the layer, or undefined if it or its environment isn't among these. */
export function layerIn(all: readonly Environment[], environment: string, layer: string): Layer | undefined {
  return all.find(({ name }) => name === environment)?.layers.find(({ id }) => id === layer);
}

export function layerOf({ environment, target }: FilePlace, all: readonly Environment[]): Layer | undefined {
  return layerIn(all, environment, target.nodeGroup);
}

/** Finds a node by its ID, which is unique on a platform. */
export function nodeIn(id: number, all: readonly Environment[]): FoundNode | undefined {
  for (const environment of all) {
    for (const layer of environment.layers) {
      const node = layer.nodes.find((candidate) => candidate.id === id);
      if (node !== undefined) {
        return { environment, layer, node };
      }
    }
  }
  return undefined;
}

/**
 * Returns the environment of a file or folder, or undefined if there's none. If the token may not list environments, one that
 * isn't known is added as if it had been entered. Rejects if it can't be reached.
 */
export async function reachableEnvironment(
  { environment: name, target }: FilePlace,
  account: Account,
  environments: {
    overview(
      account: Account,
    ): Promise<{ readonly environments: readonly Environment[]; readonly isUnlisted: boolean }>;
    entered(account: string, name: string): AddedEnvironment | undefined;
    add(account: Account, wanted: AddedEnvironment): Promise<Environment>;
    enterNodes(account: Account, name: string, layer: EnteredLayer, checked?: EnteredLayer): Promise<Environment>;
  },
): Promise<Environment | undefined> {
  const { environments: all, isUnlisted } = await environments.overview(account);
  const found = all.find((one) => one.name === name);
  if (!isUnlisted || (found !== undefined && !isLacking(found, target))) {
    return found;
  }
  // An environment that was entered isn't among these if it can't be checked now, and must keep its layers and nodes.
  const entered = environments.entered(account.slug, name);
  const nodes = entered?.layers.find(({ id }) => id === target.nodeGroup)?.nodes ?? [];
  const more = target.nodeId === undefined || nodes.includes(target.nodeId) ? [] : [target.nodeId];
  const layer = { id: target.nodeGroup, nodes: [...nodes, ...more] };
  // Another node that was entered may be gone, which says nothing of this one.
  const checked = target.nodeId === undefined ? layer : { ...layer, nodes: [target.nodeId] };
  return entered === undefined
    ? environments.add(account, { name, layers: [layer] })
    : environments.enterNodes(account, name, layer, checked);
}

/** Whether only what was entered of an environment is known, and a layer or node isn't a part of that. */
function isLacking({ isUndescribed, layers }: Environment, { nodeGroup, nodeId }: FilePlace['target']): boolean {
  const layer = layers.find(({ id }) => id === nodeGroup);
  const hasNode = nodeId === undefined || layer?.nodes.some(({ id }) => id === nodeId) === true;
  return isUndescribed === true && (layer === undefined || !hasNode);
}

/** The node that is used to open files of the whole layer. */
export function mainNodeOf(layer: Layer): Node | undefined {
  return layer.nodes.find(({ isMaster }) => isMaster) ?? layer.nodes[0];
}

/** Returns the file on each node that a change by the operation reaches. Rejects if not all nodes of a layer are known. */
export async function nodesOf(
  place: FilePlace,
  operation: OperationName,
  account: Account,
  environments: {
    now(account: Account, maxAge?: number): Promise<readonly Environment[]>;
    titleOf(place: FilePlace): string;
  },
  maxAge?: number,
): Promise<readonly FilePlace[]> {
  const { nodeGroup, nodeId } = place.target;
  if (nodeId !== undefined) {
    return [place];
  }
  const layer = layerOf(place, await environments.now(account, maxAge));
  if (layer === undefined || !mayChange(layer)) {
    throw failed({
      kind: 'invalid',
      operation,
      target: `${nodeGroup} ${place.path}`,
      object: failedObjectAt(place, environments.titleOf(place)),
      obstacle: 'nodesUnknown',
    });
  }
  return layer.nodes.map(({ id }) => ({ ...place, target: { nodeGroup, nodeId: id } }));
}

/** Whether a change to the whole layer can be verified on each node. */
export function mayChange({ nodes, isComplete }: Layer): boolean {
  return isComplete && nodes.length > 0;
}
