import {
  authentication,
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent as SessionsChange,
  Disposable,
  EventEmitter,
  l10n,
  type LogOutputChannel,
} from 'vscode';
import type { GantryAuthentication } from '../../accounts/authenticationProvider';
import { authenticationId, sessionScopes } from '../../manifest';
import { isAnyAccountStored } from '../../storage/storageKeys';
import type { Loadable } from '../../lazy';
import type { Host } from '../../services';

interface AuthenticationDeps extends Pick<Host, 'secrets' | 'hostLacks'> {
  readonly accounts: Loadable<{ readonly authentication: GantryAuthentication }>;
  readonly log: Pick<LogOutputChannel, 'warn'>;
}

/**
 * Shows the accounts in VS Code's Accounts menu. Loads their code only if there are any, or to sign in. A host without
 * that menu has everything else: people sign in from the Environments view.
 */
export function registerAuthentication({ accounts, secrets, hostLacks, log }: AuthenticationDeps): Disposable {
  const changed = new EventEmitter<SessionsChange>();
  accounts.whenLoaded(({ authentication }) => authentication.onDidChangeSessions((change) => changed.fire(change)));
  const provider: AuthenticationProvider = {
    onDidChangeSessions: changed.event,
    async getSessions(scopes, options) {
      const isNeeded = accounts.loaded !== undefined || (await isAnyAccountStored(secrets));
      return isNeeded ? accounts.use(({ authentication }) => authentication.getSessions(scopes, options)) : [];
    },
    createSession: () => accounts.use(({ authentication }) => authentication.createSession()),
    removeSession: (id) => accounts.use(({ authentication }) => authentication.removeSession(id)),
  };
  try {
    return authentication.registerAuthenticationProvider(authenticationId, 'Gantry', provider, {
      supportsMultipleAccounts: true,
    });
  } catch {
    hostLacks.add('authentication');
    log.warn(l10n.t('This editor has no Accounts menu for extensions. Sign in from the Environments view instead.'));
    return new Disposable(() => changed.dispose());
  }
}

/** Adds "Sign in" to the Accounts menu. If accounts exist, this would ask for consent instead. */
export async function offerSignInInAccountsMenu({ hostLacks }: Pick<Host, 'hostLacks'>): Promise<void> {
  if (!hostLacks.has('authentication')) {
    await authentication.getSession(authenticationId, sessionScopes, { createIfNone: false });
  }
}
