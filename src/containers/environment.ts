import { l10n } from 'vscode';
import type { AnswerOf } from '../platform/contract';

type Listed = AnswerOf<'GetEnvs'>['environments'][number];

export interface Node {
  readonly id: number;
  readonly name: string;
  readonly type: string | undefined;
  readonly isMaster: boolean;
  /** Whether Git and SVN projects can be deployed to it; `undefined` where the platform does not say. */
  readonly takesProjects: boolean | undefined;
  /** What a context's name must match here, as the platform writes it. */
  readonly contextPattern: string | undefined;
  /** It takes one project only, in the context ROOT. */
  readonly singleContext: boolean;
}

export interface Layer {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Whether the platform listed the nodes: of those that a person entered, some may be missing. */
  readonly isComplete: boolean;
  /** The contexts of the projects that the platform says are deployed here. */
  readonly contexts: readonly string[];
}

export interface Environment {
  readonly account: string;
  readonly name: string;
  readonly title: string;
  readonly domain: string | undefined;
  /** `undefined` where the platform does not say. */
  readonly status: Listed['status'];
  /** Named by the person, because the platform does not list it to the token. */
  readonly isAdded: boolean;
  readonly layers: readonly Layer[];
}

/** A node as a person tells it from all others, or from those of one environment. */
export function nodeLabel({ name, id }: Node, environment: Environment, within?: Environment): string {
  const text = `${name} (${id})`;
  return environment.name === within?.name ? text : `${environment.title} · ${text}`;
}

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
    isAdded: false,
    layers: [...ids].map((id) => ({
      id,
      name: listed.nodeGroups.find(({ name }) => name === id)?.displayName ?? layerName(id),
      nodes: listed.nodes
        .filter(({ nodeGroup }) => nodeGroup === id)
        .map((node) => ({
          id: node.id,
          name: node.displayName ?? node.name ?? nodeName(node.id),
          type: node.nodeType,
          isMaster: node.ismaster ?? false,
          takesProjects: node.isVcsSupport,
          contextPattern: node.contextValidatorRegex,
          singleContext: node.singleContext ?? false,
        })),
      isComplete: listed.nodes.some(({ nodeGroup }) => nodeGroup === id),
      contexts: (listed.nodeGroups.find(({ name }) => name === id)?.deployments ?? []).flatMap(
        ({ context }) => context ?? [],
      ),
    })),
  };
}

/** As the dashboard calls them. */
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

/** What a layer is called that the platform gives no name. */
export function layerName(id: string): string {
  return layerNames[id] ?? id;
}

/** What a node is called that the platform gives no name. */
export function nodeName(id: number): string {
  return l10n.t('Node {0}', id);
}
