import { l10n, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { partsOf } from '../accounts/tokenRights';
import type { SessionEntry } from '../platform/wire/accounts';
import type { AccessElement, TokenElement } from './accessElement';
import { row, rowCommand, sharedRow } from '../trees/sharedRows';
import { tokenRow } from './tokenRow';

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** The row of an element: nothing but the element and the time decide it. */
export function accessRow(element: AccessElement, now: number): TreeItem {
  switch (element.kind) {
    case 'locked':
      return lockedItem(element);
    case 'unlocked': {
      const until = element.until.toLocaleTimeString(undefined, { timeStyle: 'short' });
      return row(`unlocked ${element.account.slug}`, l10n.t('Unlocked until {0}', until), None, {
        iconPath: new ThemeIcon('unlock'),
        tooltip: l10n.t('Your password opened a session for this view. It is signed out then, or when you lock it.'),
        contextValue: 'unlocked',
      });
    }
    case 'tokens':
      return row(`tokens ${element.account.slug}`, l10n.t('Access tokens'), Expanded, {
        description: String(element.tokens.length),
        iconPath: new ThemeIcon('key'),
        contextValue: 'tokens',
      });
    case 'token':
      return tokenRow(element, now);
    case 'service':
      return row(`service ${keyOf(element.token)} ${element.service}`, element.service, Collapsed, {
        description: String(element.methods.length),
        iconPath: new ThemeIcon('symbol-namespace'),
        tooltip: element.methods.join('\n'),
      });
    case 'method':
      return row(`method ${keyOf(element.token)} ${element.method}`, partsOf(element.method).name, None, {
        iconPath: new ThemeIcon('symbol-method'),
        tooltip: element.method,
      });
    case 'sessions':
      return row(`sessions ${element.account.slug}`, l10n.t('Sessions'), Collapsed, {
        iconPath: new ThemeIcon('device-desktop'),
        tooltip: l10n.t('Who is signed in to {0} as {1}', element.account.host, element.account.label),
        contextValue: 'sessions',
      });
    case 'session':
      return sessionItem(element.account.slug, element.session);
    default:
      return sharedRow(element);
  }
}

function keyOf({ account, token }: TokenElement): string {
  return `${account.slug} ${token.id}`;
}

function lockedItem({ account, what }: Extract<AccessElement, { kind: 'locked' }>): TreeItem {
  const label = l10n.t('Unlock with your password…');
  return row(`locked ${what} ${account.slug}`, label, None, {
    description: what === 'everything' ? l10n.t('to see tokens and sessions') : l10n.t('to see sessions'),
    iconPath: new ThemeIcon('lock'),
    tooltip: l10n.t(
      'The access token that Gantry uses may not see this, and need not. Your password opens it for five minutes.',
    ),
    contextValue: 'locked',
    command: rowCommand('gantry.account.unlock', label, { account }),
  });
}

function sessionItem(slug: string, session: SessionEntry): TreeItem {
  const { host, userAgent, current, lastAccess, createdOn } = session;
  const isCurrent = current === true;
  const last = lastAccess === undefined ? [] : [l10n.t('last seen {0}', momentText(lastAccess))];
  const opened = createdOn === undefined ? [] : [l10n.t('opened {0}', momentText(createdOn))];
  const agent = userAgent === undefined || userAgent === '' ? [] : [userAgent];
  const id = ['session', slug, session.id ?? `${host ?? ''} ${createdOn?.getTime() ?? ''}`].join(' ');
  return row(id, host ?? l10n.t('from somewhere'), None, {
    description: [...(isCurrent ? [l10n.t('this one')] : []), ...agent, ...last].join(' · '),
    iconPath: isCurrent
      ? new ThemeIcon('circle-filled', new ThemeColor('charts.green'))
      : new ThemeIcon('circle-outline'),
    tooltip: [...agent, ...last, ...opened].join('\n'),
    contextValue: isCurrent ? 'session current' : 'session',
  });
}

function momentText(moment: Date): string {
  return moment.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
