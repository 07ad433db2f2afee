import { l10n, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { customTemplate, isEndingToken } from '../accounts/tokenRights';
import type { TokenElement } from './accessElement';
import { row } from '../trees/sharedRows';

/** The row of a token: what it is for, what it may do, when it was used and when it ends. */
export function tokenRow(element: TokenElement, now: number): TreeItem {
  const { account, token, isUsed } = element;
  const words = [
    ...(isUsed ? [l10n.t('used here')] : []),
    permitsText(element),
    endText(token.expiresAt, now),
    token.lastUsed === undefined ? l10n.t('never used') : l10n.t('used {0}', dayText(token.lastUsed)),
  ];
  return row(`token ${account.slug} ${token.id}`, tokenName(element), TreeItemCollapsibleState.Collapsed, {
    description: words.join(' · '),
    iconPath: iconOf(element, now),
    tooltip: tooltipOf(element, now),
    contextValue: isUsed ? 'token used' : 'token',
  });
}

export function tokenName({ token }: TokenElement): string {
  return token.description === undefined || token.description === ''
    ? l10n.t('Token {0}', token.id)
    : token.description;
}

/** The end is told in words as well as by the icon. */
function endText(expiresAt: Date | undefined, now: number): string {
  if (expiresAt === undefined) {
    return l10n.t('no end');
  }
  switch (isEndingToken(expiresAt, now)) {
    case 'past':
      return l10n.t('ended {0}', dayText(expiresAt));
    case 'soon':
      return l10n.t('ends soon, {0}', dayText(expiresAt));
    default:
      return l10n.t('until {0}', dayText(expiresAt));
  }
}

function permitsText({ template, token }: TokenElement): string {
  return template === undefined || template === customTemplate ? l10n.t('{0} methods', token.apiList.length) : template;
}

function iconOf({ token, isUsed }: TokenElement, now: number): ThemeIcon {
  switch (isEndingToken(token.expiresAt, now)) {
    case 'past':
      return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
    case 'soon':
      return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
    default:
      return isUsed ? new ThemeIcon('key', new ThemeColor('charts.green')) : new ThemeIcon('key');
  }
}

function tooltipOf(element: TokenElement, now: number): string {
  const { token, isUsed } = element;
  return [
    tokenName(element),
    ...(isUsed ? [l10n.t('This VS Code signs in with it.')] : []),
    l10n.t('Permits: {0}, {1} methods', element.template ?? customTemplate, token.apiList.length),
    ...(token.createdOn === undefined ? [] : [l10n.t('Made: {0}', token.createdOn.toLocaleString())]),
    token.lastUsed === undefined ? l10n.t('Never used') : l10n.t('Last used: {0}', token.lastUsed.toLocaleString()),
    endText(token.expiresAt, now),
  ].join('\n');
}

export function dayText(day: Date): string {
  return day.toLocaleDateString(undefined, { dateStyle: 'medium' });
}
