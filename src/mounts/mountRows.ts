import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { keyOf, uriParts } from '../containers/place';
import type { Mount } from './mount';
import { entryRow } from '../trees/entryRow';
import { environmentRow } from '../trees/environmentRoots';
import type { ClientElement, ExportElement, MountElement, MountNodeElement, MountViewElement } from './mountElement';
import { problemRow } from '../trees/problemRow';
import { row } from '../trees/row';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** The row of an element: nothing but the element decides it. */
export function mountRow(element: MountViewElement): TreeItem {
  switch (element.kind) {
    case 'account':
    case 'signedOut':
    case 'environment':
      return environmentRow(element);
    case 'layer': {
      const { environment, layer } = element;
      return row(`layer ${environment.account}/${environment.name}/${layer.id}`, layer.name, Collapsed, {
        description: layer.id,
        iconPath: new ThemeIcon('layers'),
        contextValue: 'layer',
      });
    }
    case 'node':
      return nodeItem(element);
    case 'mount':
      return mountItem(element);
    case 'export':
      return exportItem(element);
    case 'client':
      return clientItem(element);
    case 'none':
      return row(`none ${keyOf(element.of.place)}`, l10n.t('Nothing is mounted or exported here'), None, {
        iconPath: new ThemeIcon('circle-slash'),
        contextValue: 'none',
      });
    case 'entry':
      return entryRow(element);
    case 'problem':
      return problemRow(element, 'gantry.mounts.retry');
  }
}

export function mountId({ place }: Mount): string {
  return `mount ${keyOf(place)}`;
}

function nodeItem({ node, layer, mounts, place }: MountNodeElement): TreeItem {
  const state = layer.nodes.length === 1 || mounts.length > 0 ? Expanded : Collapsed;
  return row(`node ${keyOf(place)}`, node.name, state, {
    description: node.isMaster ? `${node.id} · ${l10n.t('master')}` : String(node.id),
    iconPath: new ThemeIcon('vm'),
    contextValue: 'node',
  });
}

function mountItem({ mount, source, where }: MountElement): TreeItem {
  const facts = [
    mount.protocol,
    mount.readOnly ? l10n.t('read-only') : undefined,
    mount.isSystem ? l10n.t('made by the platform') : undefined,
    l10n.t('from {0}', source),
  ];
  return row(mountId(mount), mount.place.path, Collapsed, {
    description: joined(facts, ' · '),
    iconPath: new ThemeIcon(mount.isSystem ? 'lock' : 'folder-library'),
    tooltip: mountTooltip(mount, source, where),
    contextValue: mount.isSystem ? 'mount system' : 'mount',
  });
}

function mountTooltip(mount: Mount, source: string, where: string): string {
  const types = {
    LOCAL: l10n.t('from the same node'),
    INTERNAL: l10n.t('from a node of this platform'),
    EXTERNAL: l10n.t('from a host outside the platform'),
    VIRTUAL: l10n.t('virtual'),
  } as const;
  return joined(
    [
      l10n.t('{0} on {1}', mount.place.path, where),
      mount.name === undefined ? undefined : l10n.t('Name: {0}', mount.name),
      l10n.t('Data: {0}', source),
      mount.protocol === undefined ? undefined : l10n.t('Protocol: {0}', mount.protocol),
      mount.readOnly ? l10n.t('Access: read-only') : l10n.t('Access: read and write'),
      mount.type === undefined ? undefined : l10n.t('Type: {0}', types[mount.type]),
      mount.isSystem ? l10n.t('Made by the platform, and not to be removed') : l10n.t('Made by a user'),
    ],
    '\n',
  );
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
    tooltip: l10n.t('{0} of {1} appears on {2}', from.place.path, where, clients.map(({ name }) => name).join(', ')),
    contextValue: 'export',
  });
}

function clientItem({ from, client, name, place }: ClientElement): TreeItem {
  const facts = [client.path, client.protocol, client.readOnly ? l10n.t('read-only') : undefined];
  return row(`client ${keyOf(from.place)} ${client.nodeId} ${client.path}`, name, None, {
    description: joined(facts, ' · '),
    iconPath: new ThemeIcon('vm-connect'),
    tooltip: place === undefined ? name : `${name}\n${uriParts(place).path}`,
    contextValue: place === undefined ? 'client unknown' : 'client',
  });
}

function joined(parts: readonly (string | undefined)[], between: string): string {
  return parts.filter((part) => part !== undefined && part !== '').join(between);
}

/** Heads what is wrong with the exports of a node. */
export function exportsTitle(): string {
  return l10n.t('Exports');
}

/** A node of which nothing but its number is known. */
export function unknownNodeText(id: number): string {
  return l10n.t('node {0}', id);
}
