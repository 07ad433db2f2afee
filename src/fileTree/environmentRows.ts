import { l10n, MarkdownString, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Environment, Layer } from '../containers/environment';
import { keyOf } from '../containers/place';
import type { EnvironmentElement } from '../trees/environmentElement';
import { entryRow } from '../trees/entryRow';
import { missingEnvironmentRow, statusIcon, statusText, unlistedRow } from '../trees/missingEnvironmentRows';
import { failureRow } from '../trees/problemRow';
import { row } from '../trees/row';
import { appendPlain } from '../ui/plainText';
import { signedOutRow } from '../trees/signedOutRow';

const { Collapsed } = TreeItemCollapsibleState;

/** The row of an element: nothing but the element decides it. */
export function environmentTreeRow(element: EnvironmentElement): TreeItem {
  switch (element.kind) {
    case 'account':
      return row(`account ${element.account.slug}`, element.account.label, Collapsed, {
        description: element.account.isSignedOut
          ? l10n.t('{0} · signed out', element.account.host)
          : element.account.host,
        iconPath: new ThemeIcon('account'),
        contextValue: element.account.isSignedOut ? 'account signedOut' : 'account',
      });
    case 'signedOut':
      return signedOutRow(element);
    case 'absence':
      return missingEnvironmentRow(element);
    case 'unlisted':
      return unlistedRow(element);
    case 'environment':
      return environmentItem(element.environment);
    case 'layer':
      return row(
        `layer ${element.environment.account}/${element.environment.name}/${element.layer.id}`,
        element.layer.name,
        Collapsed,
        {
          description: element.layer.id,
          iconPath: new ThemeIcon('layers'),
          tooltip: layerTooltip(element.layer),
          contextValue: element.layer.isComplete ? 'layer' : 'layer entered',
        },
      );
    case 'node':
      return row(`node ${keyOf(element.place)}`, element.node.name, Collapsed, {
        description: nodeDescription(element),
        iconPath: new ThemeIcon('vm'),
        contextValue: element.place.target.nodeId === undefined ? 'node unresolved' : 'node',
        ...nodeTooltip(element),
      });
    case 'entry':
      return entryRow(element);
    case 'problem':
      return failureRow(element.id, element.error);
  }
}

function environmentItem({ account, name, title, domain, status, isAdded }: Environment): TreeItem {
  const running = status === 'running' || status === undefined;
  const tooltip = appendPlain(
    new MarkdownString(),
    [title, name === title ? undefined : name, domain, statusText(status)].filter(Boolean).join(' · '),
  );
  return row(`environment ${account}/${name}`, title, Collapsed, {
    description: running ? (domain ?? '') : (statusText(status) ?? ''),
    iconPath: statusIcon(status),
    tooltip,
    contextValue: isAdded ? 'environment added' : 'environment',
  });
}

function nodeDescription({ node, place }: Extract<EnvironmentElement, { kind: 'node' }>): string {
  if (place.target.nodeId === undefined) {
    return l10n.t('read-only: node IDs unknown');
  }
  return node.isMaster ? `${node.id} · ${l10n.t('master')}` : `${node.id}`;
}

function nodeTooltip({ node, place }: Extract<EnvironmentElement, { kind: 'node' }>): Pick<TreeItem, 'tooltip'> {
  if (place.target.nodeId === undefined) {
    return { tooltip: l10n.t('To edit files, enter the node IDs.') };
  }
  return node.type === undefined ? {} : { tooltip: node.type };
}

function layerTooltip({ id, contexts }: Layer): string {
  return contexts.length === 0 ? id : l10n.t('{0}: deployed projects {1}', id, contexts.join(', '));
}
