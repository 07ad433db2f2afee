import type { Account, Accounts } from '../accounts/accounts';
import type { OperationName } from '../platform/contract';
import { failed } from '../platform/failureTexts';
import type { Environment, Layer, Node } from './environment';
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
