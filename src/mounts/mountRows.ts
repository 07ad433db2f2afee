import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { keyOf, uriParts } from '../containers/place';
import { row, sharedRow } from '../trees/sharedRows';
import type { Mount } from './mount';
import type { ClientElement, ExportElement, MountElement, MountViewElement } from './mountElement';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** Builds an element's row. Depends only on the element. */
export function mountRow(element: MountViewElement): TreeItem {
  switch (element.kind) {
    case 'mount':
      return mountItem(element);
    case 'export':
      return exportItem(element);
    case 'client':
      return clientItem(element);
    case 'none':
      return row(`none ${keyOf(element.of.place)}`, l10n.t('No mount points or exports'), None, {
        iconPath: new ThemeIcon('circle-slash'),
        contextValue: 'none',
      });
    default:
      return sharedRow(element);
  }
}

export function mountId({ place }: Mount): string {
  return `mount ${keyOf(place)}`;
}

function mountItem({ mount, source, where }: MountElement): TreeItem {
  const facts = [
    mount.protocol,
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
    INTERNAL: l10n.t('from a node of this platform'),
    EXTERNAL: l10n.t('from a host outside the platform'),
    VIRTUAL: l10n.t('virtual'),
  } as const;
  return [
    l10n.t('{0} on {1}', mount.place.path, where),
    mount.name === undefined ? undefined : l10n.t('Name: {0}', mount.name),
    l10n.t('Data: {0}', source),
    mount.protocol === undefined ? undefined : l10n.t('Protocol: {0}', mount.protocol),
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
  const facts = [client.path, client.protocol, client.readOnly ? l10n.t('read-only') : undefined];
  return row(`client ${keyOf(from.place)} ${client.nodeId} ${client.path}`, name, None, {
    description: facts.filter(Boolean).join(' · '),
    iconPath: new ThemeIcon('vm-connect'),
    tooltip: place === undefined ? name : `${name}\n${uriParts(place).path}`,
    contextValue: place === undefined ? 'client unknown' : 'client',
  });
}
