import type { Account } from '../accounts/accounts';
import type { Environments } from '../environments/environments';
import type { FilePlace } from '../remote/place';

/** The same file on each node that an operation on the place reaches. Where the nodes of a layer are not known, the layer is asked as one. */
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
  const nodes = (layer?.nodes ?? []).map(({ id }) => ({ ...place, target: { nodeGroup, nodeId: id } }));
  return nodes.length === 0 ? [place] : nodes;
}
