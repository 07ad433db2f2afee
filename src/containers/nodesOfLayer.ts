import type { Account } from '../accounts/accounts';
import type { Layer, Node } from './environment';
import type { Environments } from './environments';
import { failed } from '../platform/englishFailureText';
import type { FilePlace } from './place';

/** Returns the same file on each node that a change to the place reaches. Rejects if not all nodes of a layer are known. */
export async function nodesOf(
  place: FilePlace,
  account: Account,
  environments: Pick<Environments, 'now'>,
): Promise<readonly FilePlace[]> {
  const { nodeGroup, nodeId } = place.target;
  if (nodeId !== undefined) {
    return [place];
  }
  const all = await environments.now(account);
  const layer = all.find(({ name }) => name === place.environment)?.layers.find(({ id }) => id === nodeGroup);
  if (layer === undefined || !mayChange(layer)) {
    throw failed({
      kind: 'invalid',
      operation: 'Write',
      target: `${nodeGroup} ${place.path}`,
      obstacle: 'nodesUnknown',
    });
  }
  return layer.nodes.map(({ id }) => ({ ...place, target: { nodeGroup, nodeId: id } }));
}

/** Whether a change to the layer as a whole can be verified on each of its nodes. */
export function mayChange({ nodes, isComplete }: Layer): boolean {
  return isComplete && nodes.length > 0;
}

/** The node on which a file of the layer as a whole is opened. */
export function mainNodeOf(layer: Layer): Node | undefined {
  return layer.nodes.find(({ isMaster }) => isMaster) ?? layer.nodes[0];
}
