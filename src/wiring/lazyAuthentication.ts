import {
  authentication,
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent as SessionsChange,
  type Disposable,
  EventEmitter,
  type SecretStorage,
} from 'vscode';
import { authenticationId, sessionScopes } from '../manifest';
import { isAnyAccountStored } from '../storage/storageKeys';
import type { Feature } from './feature';
import type { AccountParts } from './wireAccounts';

/** Shows the accounts in VS Code's Accounts menu. Loads their code only if there are any, or to sign in. */
export function registerAuthentication(accounts: Feature<AccountParts>, secrets: SecretStorage): Disposable {
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
  return authentication.registerAuthenticationProvider(authenticationId, 'Gantry', provider, {
    supportsMultipleAccounts: true,
  });
}

/** Adds "Sign in" to the Accounts menu. If accounts exist, this would ask for consent instead. */
export async function offerSignInInAccountsMenu(): Promise<void> {
  await authentication.getSession(authenticationId, sessionScopes, { createIfNone: false });
}
