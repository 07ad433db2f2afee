import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { type Environment, nodeLabel } from '../../containers/environment';
import { mainNodeOf, nodeIn } from '../../containers/environmentIndex';
import { type FilePlace, keyOf, uriParts } from '../../containers/place';
import { undefinedIf } from '../../platform/errors';
import type { Services } from '../../services';
import { folderRows, layersOf, nodeElement } from '../../trees/folderRows';
import { byKind, type LayerElement, type NodeElement, type RowOf, type SharedRows } from '../../trees/sharedElement';
import { RowTree } from '../../trees/rowTree';
import { row } from '../../trees/row';
import { sharedKinds } from '../../trees/sharedRows';
import type { Client, Export, LayerMounts, Mount } from './mount';
import { protocolName } from './mountInput';
import type { Mounts } from './mountStore';

interface MountRows extends SharedRows {
  mount: {
    readonly mount: Mount;
    /** Display texts for the mount point and the source. */
    readonly where: string;
    readonly source: string;
    /** The folder to show. For a layer, that's the one on a single node. */
    readonly place: FilePlace;
  };
  export: {
    readonly from: Export;
    readonly where: string;
    readonly clients: readonly ClientElement[];
    readonly place: FilePlace;
  };
  client: {
    readonly from: Export;
    readonly client: Client;
    /** The client node's display name. */
    readonly name: string;
    /** The client's folder; `undefined` if its node isn't in a known environment. */
    readonly place: FilePlace | undefined;
  };
  /** Shown where nothing is shared. */
  none: { readonly of: NodeElement };
}

export type MountViewElement = RowOf<MountRows>;
export type MountElement = RowOf<MountRows, 'mount'>;
export type ExportElement = RowOf<MountRows, 'export'>;
export type ClientElement = RowOf<MountRows, 'client'>;
export type MountsView = RowTree<MountViewElement>;

/** Shows the mounts of each layer and node, and which nodes mount its exports. */
export function createMountsView(services: Services, mounts: Mounts): MountsView {
  const { accounts, environments } = services;
  const folders = folderRows(services);
  /** The mounts that all nodes of the layer share, and its nodes. */
  const sharedIn = async ({ environment, layer }: LayerElement): Promise<MountViewElement[]> => {
    const { common, own } = await mounts.of(environment, layer);
    const all = await environmentsBeside(environment, services);
    const ids = new Set(layer.nodes.map(({ id }) => id));
    // If the layer's nodes aren't known, still show their mounts.
    const others = [...own].flatMap(([id, ofNode]) => (ids.has(id) ? [] : ofNode));
    return [
      ...[...common, ...others].map((mount) => mountElement(mount, environment, all)),
      ...layer.nodes.map((node) => nodeElement(environment, layer, node, layer.nodes.length === 1 || own.has(node.id))),
    ];
  };
  /** The mounts that the node does not have in common with all the others of its layer, and what it exports. */
  const sharedOn = async (of: NodeElement): Promise<MountViewElement[]> => {
    const { environment, layer, node, place } = of;
    const { own } = await mounts.of(environment, layer);
    const all = await environmentsBeside(environment, services);
    const rows = (own.get(node.id) ?? []).map((mount) => mountElement(mount, environment, all));
    try {
      const seen = { where: nodeLabel(node, environment), environment, known: all };
      const shared = [...rows, ...(await mounts.exportsOf(place)).map((from) => exportElement(from, seen))];
      return shared.length === 0 ? [{ kind: 'none', of }] : shared;
    } catch (error) {
      // Exports that can't be listed don't hide the mounts.
      return [...rows, view.problem(of, error, { what: l10n.t('Exports') })];
    }
  };
  const view: MountsView = new RowTree<MountViewElement>({
    accounts,
    kinds: byKind<MountRows>({
      ...sharedKinds,
      environment: { ...sharedKinds.environment, children: ({ environment }) => layersWithMounts(environment, mounts) },
      // Without the account, so that tooltips don't list commands that the account lacks: this view's menus don't have them.
      layer: { row: (layer) => sharedKinds.layer.row(layer), children: sharedIn },
      node: { row: (node) => sharedKinds.node.row(node), children: sharedOn },
      entry: folders.entry,
      mount: {
        row: mountItem,
        folder: ({ place }) => place,
        children: ({ place, mount }) => folders.listed(place, mountId(mount)),
      },
      export: { row: exportItem, children: ({ clients }) => clients },
      client: { row: clientItem },
      none: { row: noneItem },
    }),
    ofAccount: async (account) =>
      (await environments.of(account)).map((environment) => ({ kind: 'environment', environment })),
  });
  const refresh = () => view.refresh();
  view.follow(environments.onDidChange(refresh), accounts.onDidChangeRights(refresh), mounts.onDidChange(refresh));
  return view;
}

/** The environments in which to find nodes by ID. */
async function environmentsBeside(
  { account }: Environment,
  { accounts, environments }: Services,
): Promise<readonly Environment[]> {
  const found = accounts.find(account);
  return found === undefined ? [] : environments.of(found);
}

/** Unfolds the layers that have mounts, so that one click shows those of the whole environment. */
function layersWithMounts(environment: Environment, mounts: Mounts): Promise<LayerElement[]> {
  return Promise.all(
    layersOf(environment).map(async (element) => {
      const found = await undefinedIf('any', mounts.of(environment, element.layer));
      const count = found && countOf(found);
      // A layer whose mounts couldn't be listed is unfolded to show why.
      return { ...element, isUnfolded: count !== 0, fact: count === undefined ? undefined : countText(count) };
    }),
  );
}

function countOf({ common, own }: LayerMounts): number {
  return common.length + [...own.values()].reduce((sum, mounts) => sum + mounts.length, 0);
}

function countText(count: number): string {
  if (count === 0) {
    return l10n.t('no mount points');
  }
  return count === 1 ? l10n.t('1 mount point') : l10n.t('{0} mount points', count);
}

function noneItem({ of }: RowOf<MountRows, 'none'>): TreeItem {
  return row(`none ${keyOf(of.place)}`, l10n.t('No mount points or exports'), None, {
    iconPath: new ThemeIcon('circle-slash'),
    contextValue: 'none',
  });
}

function mountElement(mount: Mount, environment: Environment, known: readonly Environment[]): MountElement {
  const { source, place } = mount;
  const layer = environment.layers.find(({ id }) => id === place.target.nodeGroup);
  const node = layer?.nodes.find(({ id }) => id === place.target.nodeId);
  const standsFor = node ?? (layer && mainNodeOf(layer));
  const from = source.nodeId === undefined ? undefined : nodeIn(source.nodeId, known);
  const host = from === undefined ? source.host : nodeLabel(from.node, from.environment, environment);
  const target = standsFor === undefined ? place.target : { ...place.target, nodeId: standsFor.id };
  return {
    kind: 'mount',
    mount,
    where: node === undefined ? (layer?.name ?? place.target.nodeGroup) : nodeLabel(node, environment),
    source: [host, source.path].filter((part) => part !== undefined && part !== '').join(':'),
    place: { ...place, target },
  };
}

interface Seen {
  /** The exporting node's display name, and its environment. */
  readonly where: string;
  readonly environment: Environment;
  readonly known: readonly Environment[];
}

function exportElement(from: Export, seen: Seen): ExportElement {
  const clients = from.clients.map((client) => clientElement(from, client, seen));
  return { kind: 'export', from, where: seen.where, clients, place: from.place };
}

function clientElement(from: Export, client: Client, { environment, known }: Seen): ClientElement {
  const found = nodeIn(client.nodeId, known);
  const name =
    found === undefined ? l10n.t('node {0}', client.nodeId) : nodeLabel(found.node, found.environment, environment);
  const place = found && {
    ...from.place,
    environment: found.environment.name,
    target: { nodeGroup: found.layer.id, nodeId: client.nodeId },
    path: client.path,
  };
  return { kind: 'client', from, client, name, place };
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

function mountId({ place }: Mount): string {
  return `mount ${keyOf(place)}`;
}

function mountItem({ mount, source, where }: MountElement): TreeItem {
  const facts = [
    protocolName(mount.protocol),
    mount.readOnly ? l10n.t('read-only') : undefined,
    mount.isSystem ? l10n.t('created by the platform') : undefined,
    l10n.t('from {0}', source),
  ];
  return row(mountId(mount), mount.place.path, Collapsed, {
    description: facts.filter(Boolean).join(' · '),
    iconPath: new ThemeIcon(mount.isSystem ? 'lock' : 'folder-library'),
    tooltip: mountTooltip(mount, source, where),
    contextValue: mount.isSystem ? 'mount system' : 'mount',
  });
}

function mountTooltip(mount: Mount, source: string, where: string): string {
  const types = {
    LOCAL: l10n.t('from the same node'),
    INTERNAL: l10n.t('from a node on this platform'),
    EXTERNAL: l10n.t('from a host outside the platform'),
    VIRTUAL: l10n.t('virtual'),
  } as const;
  return [
    l10n.t('{0} on {1}', mount.place.path, where),
    mount.name === undefined ? undefined : l10n.t('Name: {0}', mount.name),
    l10n.t('Data: {0}', source),
    mount.protocol === undefined ? undefined : l10n.t('Protocol: {0}', protocolName(mount.protocol)),
    mount.readOnly ? l10n.t('Access: read-only') : l10n.t('Access: read and write'),
    mount.type === undefined ? undefined : l10n.t('Type: {0}', types[mount.type]),
    mount.isSystem ? l10n.t("Created by the platform (can't be removed)") : l10n.t('Created by a user'),
  ]
    .filter(Boolean)
    .join('\n');
}

function exportItem({ from, where, clients }: ExportElement): TreeItem {
  const count =
    clients.length === 0
      ? l10n.t('exported')
      : clients.length === 1
        ? l10n.t('exported to 1 node')
        : l10n.t('exported to {0} nodes', clients.length);
  return row(`export ${keyOf(from.place)}`, from.place.path, Expanded, {
    description: count,
    iconPath: new ThemeIcon('export'),
    tooltip: l10n.t(
      '{0} on {1} is exported to {2}',
      from.place.path,
      where,
      clients.map(({ name }) => name).join(', '),
    ),
    contextValue: 'export',
  });
}

function clientItem({ from, client, name, place }: ClientElement): TreeItem {
  const facts = [client.path, protocolName(client.protocol), client.readOnly ? l10n.t('read-only') : undefined];
  return row(`client ${keyOf(from.place)} ${client.nodeId} ${client.path}`, name, None, {
    description: facts.filter(Boolean).join(' · '),
    iconPath: new ThemeIcon('vm-connect'),
    tooltip: place === undefined ? name : `${name}\n${uriParts(place).path}`,
    contextValue: place === undefined ? 'client unknown' : 'client',
  });
}
