import type { Node } from './environment';
import type { Environments } from './environments';

/** Returns a node's address in the platform's own network, which isn't reachable from outside. */
export const nodeAddress = ({ id }: Node): string => `10.101.${(id >> 8) & 0xff}.${id & 0xff}`;

export const nodeDomain = (node: Node, environments: Environments): string =>
  `node${node.id}-${environments.find(node.envName)?.domain ?? node.envName}`;
