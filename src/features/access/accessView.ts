import type { Account } from '../../accounts/accounts';
import { readerByToken, byService, countEffects, customTemplate, partsOf, templateOf } from '../../accounts/tokens';
import type { TokenEntry } from '../../platform/wire/tokens';
import { isPlatformError } from '../../platform/errors';
import type { Levels } from '../../services';
import { type AccountElement, byKind, type RowOf, type SharedRows } from '../../trees/sharedElement';
import { RowTree } from '../../trees/rowTree';
import { row, rowCommand } from '../../trees/row';
import { sharedKinds } from '../../trees/sharedRows';
import { setContextKey } from '../../ui/contextKeys';
import { l10n, ThemeColor, ThemeIcon, type TreeItem, TreeItemCollapsibleState } from 'vscode';
import { isEndingToken } from '../../accounts/storedAccount';
import type { SessionEntry } from '../../platform/wire/accounts';
import { formatExactTime, formatRelativeTime, formatTimeOfDay } from '../../ui/relativeTime';

export type AccessView = RowTree<AccessElement>;

/** Shows each account's access tokens and open sessions. */
export function createAccessView(services: Levels['accounts']): AccessView {
  const { accounts, unlocking } = services;
  const view: AccessView = new RowTree<AccessElement>({
    accounts,
    kinds: byKind<AccessRows & SharedRows>({
      ...sharedKinds,
      locked: { row: accessRows.locked },
      unlocked: { row: accessRows.unlocked },
      lacking: {
        row: accessRows.lacking,
        children: ({ account }) => account.lackedMethods.map((method) => ({ kind: 'lackedMethod', account, method })),
      },
      lackedMethod: { row: accessRows.lackedMethod },
      tokens: { row: accessRows.tokens, children: ({ tokens }) => tokens },
      token: {
        row: accessRows.token,
        isTimed: () => true,
        children: (token) =>
          [...byService(token.token.apiList)].map(([service, methods]) => ({
            kind: 'service',
            token,
            service,
            methods,
          })),
      },
      service: {
        row: accessRows.service,
        children: ({ token, methods }) => methods.map((method) => ({ kind: 'method', token, method })),
      },
      method: { row: accessRows.method },
      sessions: { row: accessRows.sessions, children: ({ account }) => sessionsOf(account, services) },
      session: { row: accessRows.session, isTimed: () => true },
    }),
    ofAccount: (account, under) => contentOf(account, under, services),
    beforeRetry: () => accounts.forgetRights(),
  });
  const lacked = new Map<string, string>();
  view.follow(
    unlocking.onDidChange(() => view.refresh()),
    // A refresh reads the tokens again, so it must not follow from the refusal to list them.
    accounts.onDidChangeRights(({ slug, lackedMethods }) => {
      const methods = lackedMethods.join();
      if (methods !== (lacked.get(slug) ?? '')) {
        lacked.set(slug, methods);
        view.refresh();
      }
    }),
  );
  return view;
}

async function contentOf(
  account: Account,
  under: AccountElement | undefined,
  services: Levels['accounts'],
): Promise<AccessElement[]> {
  const unlocked = services.unlocking.of(account.slug);
  const tokens = await readUnlessLocked(unlocked !== undefined, () => tokensOf(account, services));
  if (under === undefined) {
    await setContextKey('gantry.accessView', tokens === 'locked' ? 'locked' : 'open');
  }
  const lacking = account.lackedMethods.length > 0 ? [{ kind: 'lacking', account } as const] : [];
  if (tokens === 'locked') {
    // Without any row, VS Code shows the welcome content.
    return under === undefined && lacking.length === 0
      ? []
      : [...lacking, { kind: 'locked', account, what: 'everything' }];
  }
  return [
    ...lacking,
    ...(unlocked === undefined ? [] : [{ kind: 'unlocked', account, until: unlocked.until } as const]),
    { kind: 'tokens', account, tokens },
    { kind: 'sessions', account },
  ];
}

async function sessionsOf(account: Account, services: Levels['accounts']): Promise<AccessElement[]> {
  const isOpen = services.unlocking.of(account.slug) !== undefined;
  const sessions = await readUnlessLocked(isOpen, () => readerOf(account, services).getSessions());
  if (sessions === 'locked') {
    return [{ kind: 'locked', account, what: 'sessions' }];
  }
  const latest = ({ lastAccess }: (typeof sessions)[number]) => lastAccess?.getTime() ?? 0;
  return [...sessions]
    .sort((one, other) => Number(other.current === true) - Number(one.current === true) || latest(other) - latest(one))
    .map((session) => ({ kind: 'session', account, session }));
}

/** Reads with the unlocked session if there is one, otherwise with the token. */
function readerOf(account: Account, { unlocking }: Levels['accounts']) {
  return unlocking.of(account.slug) ?? readerByToken(account);
}

export async function tokensOf(account: Account, services: Levels['accounts']): Promise<readonly TokenElement[]> {
  const reading = readerOf(account, services);
  const [tokens, templates, stored] = await Promise.all([
    reading.getTokens(),
    // Templates only provide names, so the tokens are shown without them too.
    reading.getTokenTemplates().catch(() => []),
    services.accounts.stored(account.slug),
  ]);
  return [...tokens].sort(byLastUse).map((token) => {
    const template = templateOf(token, templates);
    const hasTwin = tokens.some(({ id, description }) => id !== token.id && description === token.description);
    return { kind: 'token', account, token, template, isUsed: token.id === stored?.tokenId, hasTwin };
  });
}

function byLastUse(one: TokenEntry, other: TokenEntry): number {
  return (other.lastUsed?.getTime() ?? 0) - (one.lastUsed?.getTime() ?? 0) || one.id - other.id;
}

/** Returns 'locked' if the token may not read tokens or sessions, because the password can still unlock them. */
async function readUnlessLocked<T>(isOpen: boolean, read: () => Promise<T>): Promise<T | 'locked'> {
  try {
    return await read();
  } catch (error) {
    if (!isOpen && isPlatformError(error) && error.kind === 'tokenLacksMethod') {
      return 'locked';
    }
    throw error;
  }
}

const { Collapsed, Expanded, None } = TreeItemCollapsibleState;

/** The rows that only the Access view has. They depend on the time, too. */
const accessRows = {
  locked: ({ account, what }) => {
    const label = l10n.t('Unlock Access View…');
    return row(`locked ${what} ${account.slug}`, label, None, {
      description: what === 'everything' ? l10n.t('to see tokens and sessions') : l10n.t('to see sessions'),
      iconPath: new ThemeIcon('lock'),
      tooltip: l10n.t("Gantry's access token can't read this. Your password unlocks it for five minutes."),
      contextValue: 'locked',
      command: rowCommand('gantry.account.unlock', label, { account }),
    });
  },
  unlocked: ({ account, until }) => {
    const end = formatTimeOfDay(until);
    return row(`unlocked ${account.slug}`, l10n.t('Unlocked until {0}', end), None, {
      iconPath: new ThemeIcon('unlock'),
      tooltip: l10n.t('This view locks automatically at {0}. To lock it sooner, select Lock Access View.', end),
      contextValue: 'unlocked',
    });
  },
  lacking: ({ account: { slug, lackedMethods } }) =>
    row(`lacking ${slug}`, l10n.t('Missing permissions'), Collapsed, {
      description: methodsText(lackedMethods),
      iconPath: new ThemeIcon('circle-slash'),
      tooltip: l10n.t(
        "Gantry's access token doesn't permit:\n{0}\nPermit these methods in the dashboard, then refresh.",
        lackedMethods.join('\n'),
      ),
    }),
  lackedMethod: ({ account, method }) => {
    const { service, name } = partsOf(method);
    return row(`lacked ${account.slug} ${method}`, name, None, {
      description: service,
      iconPath: new ThemeIcon('symbol-method'),
      tooltip: method,
    });
  },
  tokens: ({ account, tokens }) =>
    row(`tokens ${account.slug}`, l10n.t('Access tokens'), Expanded, {
      description: String(tokens.length),
      iconPath: new ThemeIcon('key'),
      contextValue: 'tokens',
    }),
  token: (element) => tokenRow(element, Date.now()),
  service: ({ token, service, methods }) =>
    row(`service ${keyOf(token)} ${service}`, service, Collapsed, {
      description: String(methods.length),
      iconPath: new ThemeIcon('symbol-namespace'),
      tooltip: methods.join('\n'),
    }),
  method: ({ token, method }) =>
    row(`method ${keyOf(token)} ${method}`, partsOf(method).name, None, {
      iconPath: new ThemeIcon('symbol-method'),
      tooltip: method,
    }),
  sessions: ({ account: { slug, host, label } }) =>
    row(`sessions ${slug}`, l10n.t('Sessions'), Collapsed, {
      iconPath: new ThemeIcon('device-desktop'),
      tooltip: l10n.t('Sessions signed in to {0} as {1}', host, label),
      contextValue: 'sessions',
    }),
  session: ({ account, session }) => sessionItem(account.slug, session),
} satisfies { readonly [K in keyof AccessRows]: (element: RowOf<AccessRows, K>) => TreeItem };

function keyOf({ account, token }: TokenElement): string {
  return `${account.slug} ${token.id}`;
}

function sessionItem(slug: string, session: SessionEntry): TreeItem {
  const { host, userAgent, lastAccess, createdOn } = session;
  const label = host ?? l10n.t('unknown host');
  const isCurrent = session.current === true;
  const current = isCurrent && l10n.t('current session');
  const active = lastAccess && l10n.t('active {0}', formatRelativeTime(lastAccess));
  const last = lastAccess && l10n.t('Last active: {0}', formatExactTime(lastAccess));
  const opened = createdOn && l10n.t('Opened: {0}', formatExactTime(createdOn));
  const id = ['session', slug, session.id ?? `${host ?? ''} ${createdOn?.getTime() ?? ''}`].join(' ');
  return row(id, label, None, {
    description: [current, userAgent, active].filter(Boolean).join(' · '),
    iconPath: isCurrent
      ? new ThemeIcon('circle-filled', new ThemeColor('charts.green'))
      : new ThemeIcon('circle-outline'),
    tooltip: [label, userAgent, last, opened].filter(Boolean).join('\n'),
    contextValue: isCurrent ? 'session current' : 'session',
  });
}

function tokenRow(element: TokenElement, now: number): TreeItem {
  const { account, token, isUsed } = element;
  return row(`token ${account.slug} ${token.id}`, tokenName(element), token.apiList.length === 0 ? None : Collapsed, {
    description: tokenDetails(element, now),
    iconPath: tokenIcon(element, now),
    tooltip: tokenTooltip(element, now),
    contextValue: isUsed ? 'token used' : 'token',
  });
}

export function tokenDetails(element: TokenElement, now: number): string {
  const { token, isUsed } = element;
  return [
    ...(isUsed ? [l10n.t('used here')] : []),
    // In front of the rights, so that a narrow side bar shows it.
    endText(token.expiresAt, now),
    permitsText(element),
    token.lastUsed === undefined ? l10n.t('never used') : l10n.t('used {0}', formatRelativeTime(token.lastUsed, now)),
  ].join(' · ');
}

export function tokenName({ token, hasTwin }: Pick<TokenElement, 'token' | 'hasTwin'>): string {
  const { description = '', id } = token;
  if (description === '') {
    return l10n.t('Token {0}', id);
  }
  return hasTwin ? l10n.t('{0} (ID {1})', description, id) : description;
}

/** States the expiration in words, because not everyone can tell it from the icon. */
function endText(expiresAt: Date | undefined, now: number): string {
  if (expiresAt === undefined) {
    return l10n.t('never expires');
  }
  switch (isEndingToken(expiresAt, now)) {
    case 'past':
      return l10n.t('expired {0}', formatRelativeTime(expiresAt, now));
    case 'soon':
      return l10n.t('expires soon, {0}', formatRelativeTime(expiresAt, now));
    default:
      return l10n.t('expires {0}', formatRelativeTime(expiresAt, now));
  }
}

function permitsText({ template, token }: TokenElement): string {
  return template === undefined || template === customTemplate ? methodsText(token.apiList) : template;
}

/** How many methods a token may call, and whether none of them changes anything. */
export function methodsText(apiList: readonly string[]): string {
  const { all, read } = countEffects(apiList);
  if (all === 1) {
    return read === 1 ? l10n.t('1 method, read-only') : l10n.t('1 method');
  }
  return all > 0 && read === all ? l10n.t('{0} methods, read-only', all) : l10n.t('{0} methods', all);
}

function tokenIcon({ token, isUsed }: TokenElement, now: number): ThemeIcon {
  switch (isEndingToken(token.expiresAt, now)) {
    case 'past':
      return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
    case 'soon':
      return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
    default:
      return isUsed ? new ThemeIcon('key', new ThemeColor('charts.green')) : new ThemeIcon('key');
  }
}

function tokenTooltip(element: TokenElement, now: number): string {
  const { token, isUsed } = element;
  return [
    tokenName(element),
    ...(isUsed ? [l10n.t('Gantry signs in with this token.')] : []),
    element.template === undefined || element.template === customTemplate
      ? l10n.t('Permits: {0}', methodsText(token.apiList))
      : l10n.t('Permits: {0}, {1}', element.template, methodsText(token.apiList)),
    ...(token.createdOn === undefined ? [] : [l10n.t('Created: {0}', formatExactTime(token.createdOn))]),
    token.lastUsed === undefined ? l10n.t('Never used') : l10n.t('Last used: {0}', formatExactTime(token.lastUsed)),
    exactEnd(token.expiresAt, now),
  ].join('\n');
}

export function exactEnd(expiresAt: Date | undefined, now: number): string {
  if (expiresAt === undefined) {
    return l10n.t('Never expires');
  }
  const end = formatExactTime(expiresAt);
  return isEndingToken(expiresAt, now) === 'past' ? l10n.t('Expired: {0}', end) : l10n.t('Expires: {0}', end);
}

/** The rows that only the Access view has. */
interface AccessRows {
  /** The token may not read it, and the password has not been entered. */
  locked: { readonly account: Account; readonly what: 'everything' | 'sessions' };
  unlocked: { readonly account: Account; readonly until: Date };
  /** What the token that Gantry uses lacks. */
  lacking: { readonly account: Account };
  lackedMethod: { readonly account: Account; readonly method: string };
  tokens: { readonly account: Account; readonly tokens: readonly TokenElement[] };
  token: {
    readonly account: Account;
    readonly token: TokenEntry;
    /** `undefined` if it can't be determined. */
    readonly template: string | undefined;
    /** Whether Gantry itself signs in with this token. */
    readonly isUsed: boolean;
    /** Whether the account has other tokens of the same name. */
    readonly hasTwin: boolean;
  };
  service: { readonly token: TokenElement; readonly service: string; readonly methods: readonly string[] };
  method: { readonly token: TokenElement; readonly method: string };
  sessions: { readonly account: Account };
  session: { readonly account: Account; readonly session: SessionEntry };
}

type AccessElement = RowOf<AccessRows & SharedRows>;
export type TokenElement = RowOf<AccessRows, 'token'>;
