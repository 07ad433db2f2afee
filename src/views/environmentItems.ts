import { l10n, MarkdownString, ThemeIcon, TreeItem, TreeItemCollapsibleState } from 'vscode';
import type { Environment, Layer } from '../environments/environment';
import { keyOf } from '../remote/place';
import { failureText } from '../ui/notifications';
import type { Element } from './element';
import { entryItem } from './entryItem';
import { signedOutItem } from './signedOut';

const { Collapsed, None } = TreeItemCollapsibleState;

/** The row of an element: nothing but the element decides it. */
export function itemOf(element: Element): TreeItem {
  switch (element.kind) {
    case 'account':
      return row(`account ${element.account.slug}`, element.account.label, Collapsed, {
        description: element.account.isSignedOut
          ? l10n.t('{0} · signed out', element.account.host)
          : element.account.host,
        iconPath: new ThemeIcon('account'),
        contextValue: element.account.isSignedOut ? 'signedOutAccount' : 'account',
      });
    case 'signedOut':
      return signedOutItem(element);
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
          contextValue: 'layer',
        },
      );
    case 'node':
      return row(`node ${keyOf(element.place)}`, element.node.name, Collapsed, {
        description: `${element.node.id}${element.node.isMaster ? ` · ${l10n.t('master')}` : ''}`,
        iconPath: new ThemeIcon('vm'),
        contextValue: 'node',
        ...(element.node.type === undefined ? {} : { tooltip: element.node.type }),
      });
    case 'entry':
      return entryItem(element);
    case 'problem':
      return row(element.id, failureText(element.error), None, {
        iconPath: new ThemeIcon('warning'),
        tooltip: failureText(element.error),
        contextValue: 'problem',
      });
  }
}

/** A row is read aloud by its label and description; without telling so, VS Code reads its tooltip in their place. */
function row(id: string, label: string, state: TreeItemCollapsibleState, rest: Partial<TreeItem>): TreeItem {
  const item = new TreeItem(label, state);
  const spoken = [label, rest.description].filter((part) => typeof part === 'string' && part !== '').join(', ');
  return Object.assign(item, { id, accessibilityInformation: { label: spoken } }, rest);
}

function environmentItem(environment: Environment): TreeItem {
  const tooltip = new MarkdownString();
  tooltip.appendText([environment.title, environment.domain, environment.status].filter(Boolean).join(' · '));
  return row(`environment ${environment.account}/${environment.name}`, environment.title, Collapsed, {
    description: environment.status === 'running' ? (environment.domain ?? '') : (environment.status ?? ''),
    iconPath: new ThemeIcon(environment.status === 'running' ? 'server-environment' : 'circle-slash'),
    tooltip,
    contextValue: 'environment',
  });
}

function layerTooltip({ id, deployments }: Layer): string {
  const contexts = deployments.map(({ context }) => context);
  return contexts.length === 0 ? id : l10n.t('{0}: deployed projects {1}', id, contexts.join(', '));
}
