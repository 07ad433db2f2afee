import type { Node } from '../environments/environment';
import { nodeAddress, nodeDomain } from '../environments/nodeAddress';
import type { Call } from '../operation';
import { codes, Refusal } from '../refusal';
import type { Mount } from './mounts';

export type AddressType = Mount['sourceAddressType'];

const addressTypes: Readonly<Record<string, AddressType>> = {
  '0': 'IP',
  '1': 'DOMAIN',
  '2': 'NODE_GROUP',
  IP: 'IP',
  DOMAIN: 'DOMAIN',
  NODE_GROUP: 'NODE_GROUP',
};

export interface MountSource {
  readonly node: Node;
  readonly host: string;
  readonly addressType: AddressType;
}

const seenNodes = ({ platform, account }: Call): readonly Node[] =>
  platform.environments.nodes.filter(
    ({ envName }) => account.environments === '*' || account.environments.includes(envName),
  );

/** Returns a node of the account in any environment. */
export const nodeById = (call: Call, id: number): Node => {
  const node = seenNodes(call).find((candidate) => candidate.id === id);
  if (node === undefined) throw new Refusal(codes.notFound, `node [${id}] not found`);
  return node;
};

const nodeByHost = (call: Call, host: string, addressType: AddressType): Node | undefined => {
  const { environments } = call.platform;
  switch (addressType) {
    case 'IP':
      return seenNodes(call).find((node) => nodeAddress(node) === host);
    case 'DOMAIN':
      return seenNodes(call).find((node) => nodeDomain(node, environments) === host);
    case 'NODE_GROUP':
      return seenNodes(call).find(
        (node) => node.envName === call.environment().envName && node.nodeGroup === host && node.ismaster,
      );
  }
};

/** Returns the source node of a mount: by ID, address, domain, or the master of a layer. */
export const mountSource = (call: Call): MountSource => {
  const { parameters } = call;
  const addressType = addressTypes[parameters.optionalText('sourceAddressType') ?? 'IP'] ?? 'IP';
  const host = parameters.optionalText('sourceHost');
  const id = parameters.optionalInteger('sourceNodeId');
  if (id !== undefined) {
    const node = nodeById(call, id);
    return { node, host: host ?? nodeAddress(node), addressType };
  }
  if (host === undefined) throw new Refusal(codes.invalidParameter, 'invalid parameter [sourceNodeId]');
  const node = nodeByHost(call, host, addressType);
  // Only nodes of this platform can be mounted, because there is no real network.
  if (node === undefined) throw new Refusal(codes.notFound, `source [${host}] not found`);
  return { node, host, addressType };
};
