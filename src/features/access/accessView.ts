import { type AccessReader, accessReaderByToken } from '../../accounts/passwordOperations';
import type { Account } from '../../accounts/accounts';
import { byService, templateOf } from '../../accounts/tokenRights';
import type { TokenEntry } from '../../platform/wire/tokens';
import { isPlatformError } from '../../platform/errors';
import type { Levels } from '../../services';
import { type AccessElement, type AccessRows, accessRows, type TokenElement } from './accessRows';
import { type AccountElement, byKind, type SharedRows } from '../../trees/sharedElement';
import { RowTree } from '../../trees/rowTree';
import { sharedKinds } from '../../trees/sharedRows';
import { setContextKey } from '../../ui/contextKeys';

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
function readerOf(account: Account, { unlocking }: Levels['accounts']): AccessReader {
  return unlocking.of(account.slug) ?? accessReaderByToken(account);
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
