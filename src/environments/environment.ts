import type { AnswerOf } from '../platform/contract';

type Listed = AnswerOf<'GetEnvs'>['environments'][number];

export interface Node {
  readonly id: number;
  readonly name: string;
  readonly type: string | undefined;
  readonly isMaster: boolean;
}

export interface Layer {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly Node[];
  /** The contexts of the projects that the platform says are deployed here. */
  readonly contexts: readonly string[];
}

export interface Environment {
  readonly account: string;
  readonly name: string;
  readonly title: string;
  readonly domain: string | undefined;
  readonly status: Listed['status'];
  readonly layers: readonly Layer[];
}

const layerNames: Readonly<Record<string, string>> = {
  bl: 'Load Balancer',
  cp: 'Application Servers',
  sqldb: 'SQL Databases',
  nosqldb: 'NoSQL Databases',
  cache: 'Cache',
  storage: 'Storage',
  build: 'Build Node',
  vps: 'VPS',
};

/** The environment as a tree of layers and nodes; a layer that only its nodes name is a layer too. */
export function environmentOf(account: string, listed: Listed): Environment {
  const ids = new Set([
    ...listed.nodeGroups.map(({ name }) => name),
    ...listed.nodes.map(({ nodeGroup }) => nodeGroup),
  ]);
  return {
    account,
    name: listed.envName,
    title: listed.displayName ?? listed.envName,
    domain: listed.domain,
    status: listed.status,
    layers: [...ids].map((id) => ({
      id,
      name: listed.nodeGroups.find(({ name }) => name === id)?.displayName ?? layerNames[id] ?? id,
      nodes: listed.nodes
        .filter(({ nodeGroup }) => nodeGroup === id)
        .map((node) => ({
          id: node.id,
          name: node.displayName ?? node.name ?? `Node ${node.id}`,
          type: node.nodeType,
          isMaster: node.ismaster ?? false,
        })),
      contexts: (listed.nodeGroups.find(({ name }) => name === id)?.deployments ?? []).flatMap(
        ({ context }) => context ?? [],
      ),
    })),
  };
}
