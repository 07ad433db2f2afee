import { l10n } from 'vscode';
import type { AnswerOf } from '../platform/contract';

type Listed = AnswerOf<'GetEnvs'>['environments'][number];

export interface Node {
  readonly id: number;
  readonly name: string;
  readonly type: string | undefined;
  /** Its own web address, if the platform reports one. */
  readonly address: string | undefined;
  readonly isMaster: boolean;
  /** Whether the platform said that it's down. */
  readonly isStopped?: boolean;
  /** Whether Git and SVN projects can be deployed to it; `undefined` if the platform doesn't say. */
  readonly takesProjects: boolean | undefined;
  /** The pattern for context names on this node, as the platform defines it. */
  readonly contextPattern: string | undefined;
  /** It supports only one project, in the context ROOT. */
  readonly singleContext: boolean;
}

export interface Layer {
  readonly id: string;
  readonly name: string;
  readonly nodes: readonly Node[];
  /** Whether the platform listed the nodes. A list entered by the user may be incomplete. */
  readonly isComplete: boolean;
  /** The contexts of the projects deployed here, according to the platform. */
  readonly contexts: readonly string[];
}

export interface Environment {
  readonly account: string;
  readonly name: string;
  readonly title: string;
  readonly domain: string | undefined;
  /** Whether the platform says that the domain has a certificate. */
  readonly hasCertificate?: boolean | undefined;
  /** `undefined` if the platform doesn't say. */
  readonly status: Listed['status'];
  /** The user's own ID on the platform, if the user owns the environment and the platform says so. */
  readonly ownUserId?: number | undefined;
  /** Entered by the user, because the platform doesn't list it for the token. */
  readonly isAdded: boolean;
  /** Only what the user entered is known, so the title may be wrong. */
  readonly isUndescribed?: boolean;
  readonly layers: readonly Layer[];
}

/**
 * Whether an environment does nothing before someone starts it, or something wakes it up. While the platform changes or
 * clones it, its nodes may answer. If the platform doesn't say, it counts as running.
 */
export function mustBeStarted(status: Environment['status']): boolean {
  return status === 'down' || status === 'sleeping';
}

/** A label that is unique among all nodes, or in one environment. */
export function nodeLabel({ name, id }: Node, environment: Environment, within?: Environment): string {
  const text = `${name} (${id})`;
  return environment.name === within?.name ? text : `${environment.title} · ${text}`;
}

/** Converts an environment to layers and nodes. Includes layers that only appear in a node's data. */
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
    hasCertificate: listed.sslstate,
    status: listed.status,
    ownUserId: listed.right?.toUpperCase() === 'OWNER' ? listed.uid : undefined,
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
          address: node.url,
          isMaster: node.ismaster ?? false,
          isStopped: node.status === down,
          takesProjects: node.isVcsSupport,
          contextPattern: node.contextValidatorRegex,
          singleContext: node.singleContext ?? false,
        })),
      isComplete: listed.nodes.some(({ nodeGroup }) => nodeGroup === id),
      contexts: [
        ...new Set(
          (listed.nodeGroups.find(({ name }) => name === id)?.deployments ?? []).flatMap(
            ({ context }) => context ?? [],
          ),
        ),
      ],
    })),
  };
}

/** The status of a node that is down, as of an environment. */
const down = 2;

/** The names in the dashboard. */
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

/** The name of a layer that has none on the platform. */
export function layerName(id: string): string {
  return layerNames[id] ?? id;
}

/** The name of a node that has none on the platform. */
function nodeName(id: number): string {
  return l10n.t('Node {0}', id);
}

/** A node of which only the ID is known. */
export function undescribedNode(id: number): Node {
  const unknown = { type: undefined, address: undefined, takesProjects: undefined, contextPattern: undefined };
  return { id, name: nodeName(id), isMaster: false, singleContext: false, ...unknown };
}

/** Whether projects can be deployed to the layer. If the platform doesn't say, assume yes. */
export function takesProjects({ nodes, contexts }: Layer): boolean {
  return contexts.length > 0 || nodes.length === 0 || nodes.some((node) => node.takesProjects !== false);
}
