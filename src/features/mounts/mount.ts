import { isIP } from 'node:net';
import type { Environment, Layer } from '../../containers/environment';
import type { MountEntry } from '../../platform/wire/environments';
import { type FilePlace, placeOnLayer } from '../../containers/place';

/** A node's folder that also appears on other nodes. */
export interface Mount {
  /** The mount point: on one node or, without a node, on every node of the layer. */
  readonly place: FilePlace;
  /** The nodes of the place, as far as they are known. */
  readonly nodeIds: readonly number[];
  readonly name: string | undefined;
  readonly protocol: string | undefined;
  readonly readOnly: boolean;
  readonly source: MountedFrom;
  /** Created by the platform, so users can't remove it. */
  readonly isSystem: boolean;
  readonly type: MountEntry['type'];
}

/** The source of the data. */
interface MountedFrom {
  readonly host: string | undefined;
  readonly nodeId: number | undefined;
  readonly path: string | undefined;
}

/** A layer's mounts: those that all its nodes share, and those of single nodes. */
export interface LayerMounts {
  readonly common: readonly Mount[];
  readonly own: ReadonlyMap<number, readonly Mount[]>;
}

/** A node's folder that other nodes mount. */
export interface Export {
  readonly place: FilePlace;
  readonly clients: readonly Client[];
}

export interface Client {
  readonly nodeId: number;
  readonly path: string;
  readonly readOnly: boolean;
  readonly protocol: string | undefined;
}

export function layerMounts(
  entries: readonly MountEntry[],
  environment: Environment,
  { id: nodeGroup, nodes }: Layer,
): LayerMounts {
  const common: Mount[] = [];
  const own = new Map<number, Mount[]>();
  const [only] = nodes.length === 1 ? nodes : [];
  const numbered = entries.map((entry) => ({ ...entry, nodeId: entry.nodeId ?? only?.id }));
  for (const alike of grouped(numbered, mountKey)) {
    const isOn = (id: number | undefined) => alike.some(({ nodeId }) => nodeId === id);
    const onAll = nodes.length > 1 && nodes.every(({ id }) => isOn(id));
    for (const entry of onAll ? alike.slice(0, 1) : alike) {
      const nodeId = onAll ? undefined : entry.nodeId;
      const nodeIds = nodeId === undefined ? nodes.map(({ id }) => id) : [nodeId];
      const mount = mountOf(entry, placeOnLayer(environment, nodeGroup, nodeId, entry.path), nodeIds);
      if (nodeId === undefined) {
        common.push(mount);
      } else {
        own.set(nodeId, [...(own.get(nodeId) ?? []), mount]);
      }
    }
  }
  return { common, own };
}

/**
 * Converts the response to exports. It doesn't say whether an entry is from the client's or the exporter's point of
 * view, so the side that matches the requested node is its own.
 */
export function exportsOf(entries: readonly MountEntry[], node: FilePlace): Export[] {
  const asked = node.target.nodeId;
  const seen = entries.flatMap((entry) => {
    const here = entry.sourceNodeId === asked || entry.nodeId !== asked;
    const path = here ? entry.sourcePath : entry.path;
    const [nodeId, clientPath] = here ? [entry.nodeId, entry.path] : [entry.sourceNodeId, entry.sourcePath];
    const client = nodeId === undefined || clientPath === undefined ? [] : [clientOf(entry, nodeId, clientPath)];
    return path === undefined ? [] : [{ path, client }];
  });
  return grouped(seen, ({ path }) => path).map((rows) => ({
    place: { ...node, path: rows[0].path },
    clients: rows.flatMap(({ client }) => client),
  }));
}

function clientOf({ readOnly, protocol }: MountEntry, nodeId: number, path: string): Client {
  return { nodeId, path, readOnly: readOnly ?? false, protocol };
}

function mountOf(entry: MountEntry, place: FilePlace, nodeIds: readonly number[]): Mount {
  return {
    place,
    nodeIds,
    name: entry.name === '' ? undefined : entry.name,
    type: entry.type,
    ...waysOf(entry),
  };
}

/** Where an entry's data is from, and how it's mounted. */
function waysOf(entry: MountEntry): Pick<Mount, 'source' | 'protocol' | 'readOnly' | 'isSystem'> {
  return {
    source: {
      host: entry.sourceHost,
      nodeId: entry.sourceNodeId,
      path: entry.sourcePath,
    },
    protocol: entry.protocol,
    readOnly: entry.readOnly ?? false,
    isSystem: entry.creator === 'SYSTEM',
  };
}

/** Whether an entry is still this mount: the same source, mounted in the same way. Its name can change. */
export function isSameMount(mount: Mount, entry: MountEntry): boolean {
  return sourceKey(mount) === sourceKey(waysOf(entry));
}

/** A key that is equal for entries of several nodes that are one mount of their layer. */
function mountKey(entry: MountEntry): string {
  return JSON.stringify([entry.path, sourceKey(waysOf(entry))]);
}

/** Leaves out what may differ from node to node of one mount, such as the kind of address. */
function sourceKey({ source, protocol, readOnly, isSystem }: ReturnType<typeof waysOf>): string {
  return JSON.stringify([source.host, source.nodeId, source.path, protocol, readOnly, isSystem]);
}

function grouped<T>(items: readonly T[], keyOf: (item: T) => string): readonly [T, ...T[]][] {
  const groups = new Map<string, [T, ...T[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [item]);
    } else {
      group.push(item);
    }
  }
  return [...groups.values()];
}

export type MountSource =
  | { readonly kind: 'node'; readonly nodeId: number }
  /** The layer's main node, whichever it is, in the same environment. */
  | { readonly kind: 'layer'; readonly nodeGroup: string; readonly nodeId: number }
  | { readonly kind: 'host'; readonly host: string };

/** Converts a source to the platform's parameters. */
export function sourceParameters(source: MountSource) {
  switch (source.kind) {
    case 'node':
      return { sourceNodeId: source.nodeId, sourceAddressType: 'IP' } as const;
    case 'layer':
      return {
        sourceNodeId: source.nodeId,
        sourceHost: source.nodeGroup,
        sourceAddressType: 'NODE_GROUP',
      } as const;
    case 'host': {
      const sourceHost = plainHost(source.host);
      return { sourceHost, sourceAddressType: isIP(sourceHost) === 0 ? 'DOMAIN' : 'IP' } as const;
    }
  }
}

/** Removes the brackets of an IPv6 address. */
export function plainHost(host: string): string {
  return host.trim().replace(/^\[(.*)\]$/, '$1');
}
