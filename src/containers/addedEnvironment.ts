import type { Account } from '../accounts/accounts';
import { isPlatformError } from '../platform/errors';
import { type Environment, environmentOf, type Layer, layerName, undescribedNode } from './environment';
import type { AddedEnvironment } from './environmentMemory';

export function addedEnvironmentOf({ name, layers }: Environment): AddedEnvironment {
  return { name, layers: layers.map(({ id, nodes }) => ({ id, nodes: nodes.map((node) => node.id) })) };
}

/**
 * Checks an environment that the user entered: gets it by name or, if the token may not do that, lists the root folder
 * of the entered layers and nodes.
 */
export async function findEnvironment(account: Account, wanted: AddedEnvironment): Promise<Environment> {
  if (!account.lacks('GetEnvInfo')) {
    try {
      const described = await account.call('GetEnvInfo', { envName: wanted.name });
      return { ...environmentOf(account.slug, described), isAdded: true };
    } catch (error) {
      if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod' || wanted.layers.length === 0) {
        throw error;
      }
    }
  }
  await checkNamed(account, wanted);
  return undescribed(account.slug, wanted);
}

/** Rejects if one of the named layers or nodes isn't there. */
export async function checkNamed(account: Account, wanted: AddedEnvironment): Promise<void> {
  const named = wanted.layers.flatMap(({ id, nodes }) =>
    nodes.length === 0 ? [{ nodeGroup: id }] : nodes.map((nodeid) => ({ nodeGroup: id, nodeid })),
  );
  await Promise.all(named.map((target) => account.call('GetList', { envName: wanted.name, path: '/', ...target })));
}

/** Adds the entered nodes to layers for which the platform lists none. */
export function withEnteredNodes(environment: Environment, entered: AddedEnvironment | undefined): Environment {
  const nodesIn = (layer: Layer) => entered?.layers.find(({ id }) => id === layer.id)?.nodes ?? [];
  const layers = environment.layers.map((layer) =>
    layer.nodes.length > 0 ? layer : { ...layer, nodes: nodesIn(layer).map(undescribedNode) },
  );
  return { ...environment, layers };
}

/** An environment of which only the user's input is known. */
function undescribed(account: string, { name, layers }: AddedEnvironment): Environment {
  const layerOf = ({ id, nodes }: AddedEnvironment['layers'][number]): Layer => ({
    id,
    name: layerName(id),
    contexts: [],
    isComplete: false,
    nodes: nodes.map(undescribedNode),
  });
  return {
    account,
    name,
    title: name,
    domain: undefined,
    status: undefined,
    isAdded: true,
    layers: layers.map(layerOf),
  };
}
