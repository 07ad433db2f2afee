import { l10n, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Environment } from '../containers/environment';
import { row, rowCommand, sharedRow } from '../trees/sharedRows';
import { type Favorite, favoriteKey, layerOfScope } from './favorite';
import type { FavoriteElement, FavoriteViewElement } from './favoriteElement';

const { Collapsed, None } = TreeItemCollapsibleState;

/** Builds an element's row. Depends only on the element. */
export function favoriteRow(element: FavoriteViewElement): TreeItem {
  switch (element.kind) {
    case 'favorite':
      return favoriteItem(element);
    case 'none':
      return row(`none ${element.environment.account}/${element.environment.name}`, l10n.t('No favorites'), None, {
        description: l10n.t('drop a file here'),
        tooltip: l10n.t('Drop a file or folder here, or add one by its path with the plus icon.'),
        iconPath: new ThemeIcon('circle-slash'),
        contextValue: 'none',
        command: rowCommand('gantry.favorite.addByPath', l10n.t('Add Favorite by Path'), element),
      });
    case 'noMatch':
      return row(`noMatch ${idOf(element.of)}`, l10n.t('No matches for the filter'), None, {
        description: element.of.favorite.filter ?? '',
        iconPath: new ThemeIcon('filter'),
        contextValue: 'noMatch',
        command: rowCommand('gantry.favorite.editFilter', l10n.t('Edit Filter'), element.of),
      });
    case 'gone':
      return row(`gone ${idOf(element.of)}`, l10n.t('{0} no longer exists', element.of.favorite.path), None, {
        iconPath: new ThemeIcon('warning'),
        contextValue: 'gone',
      });
    case 'entry': {
      // A row with a URI can be dragged away, and whatever it is dropped on may copy or move the file. Nothing of this view can.
      const item = sharedRow(element);
      delete item.resourceUri;
      return item;
    }
    default:
      return sharedRow(element);
  }
}

export function idOf({ favorite }: FavoriteElement): string {
  const { account, environment, scope } = favorite;
  return `favorite ${account}/${environment}/${scope.nodeGroup ?? ''}/${scope.nodeId ?? ''}/${favoriteKey(favorite)}`;
}

function favoriteItem(element: FavoriteElement): TreeItem {
  const { favorite, place, where, isGone } = element;
  const { keyword, path, filter, isDir } = favorite;
  const isLost = isGone || place === undefined;
  const kind = isDir ? 'folder' : 'file';
  const state = isGone ? l10n.t('deleted') : place === undefined ? l10n.t('node deleted') : undefined;
  return row(idOf(element), keyword, isDir && place !== undefined ? Collapsed : None, {
    description: [state, filter, where, path].filter(Boolean).join(' · '),
    iconPath: new ThemeIcon(isLost ? 'warning' : kind),
    tooltip: tooltipOf(element),
    contextValue: ['favorite', kind, isLost && 'lost', filter !== undefined && 'filtered'].filter(Boolean).join(' '),
    ...(isDir ? {} : { command: rowCommand('gantry.favorite.open', l10n.t('Open Favorite'), element) }),
  });
}

function tooltipOf({ favorite, place, location, where, isGone }: FavoriteElement): string {
  const { path, filter } = favorite;
  const lines = [
    path,
    l10n.t('Belongs to: {0}', where),
    filter === undefined ? undefined : l10n.t('Filter: {0}', filter),
    isGone ? l10n.t("It didn't exist when Gantry last checked.") : undefined,
    place === undefined ? l10n.t('Its layer or node no longer exists.') : undefined,
    location !== undefined && !isGone ? l10n.t('Opens on {0}', location) : undefined,
  ];
  return lines.filter(Boolean).join('\n');
}

/** A favorite's location in its environment, for the row's description. */
export function whereOf({ scope }: Favorite, environment: Environment): string {
  if (scope.nodeGroup === undefined && scope.nodeId === undefined) {
    return l10n.t('all layers');
  }
  const layer = layerOfScope(scope, environment);
  const node = layer?.nodes.find(({ id }) => id === scope.nodeId);
  return node === undefined ? (layer?.name ?? scope.nodeGroup ?? '') : `${node.name} · ${node.id}`;
}
