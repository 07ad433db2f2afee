import {
  authentication,
  type AuthenticationProvider,
  type AuthenticationProviderAuthenticationSessionsChangeEvent as SessionsChange,
  Disposable,
  EventEmitter,
  l10n,
  type LogOutputChannel,
} from 'vscode';
import type { GantryAuthentication } from '../accounts/authenticationProvider';
import { type Gantry, type Own, Owner } from '../gantry';
import { Lazy, type Loadable } from '../lazy';
import { authenticationId, sessionScopes } from '../manifest';
import type { FeatureHandles, Host } from '../services';
import {
  accountsKey,
  areAccountsExpected,
  endSignOuts,
  isAnythingLeft,
  isAnyAccountStored,
} from '../storage/storageKeys';
import { setContextKey } from '../ui/contextKeys';

/** The services that features are built from. Each level is loaded once, after the one before it. */
export function createLevels(host: Host, features: () => FeatureHandles, own: Own) {
  const ofHost = new Lazy(() => Promise.resolve({ services: { ...host, features: features() } }));
  /** Disposes what was already created if the rest fails, because the next use creates all of it again. */
  const owning = <T>(create: (own: Own) => T): T => {
    const made = new Owner(host.report);
    try {
      const created = create(made.own);
      own(made);
      return created;
    } catch (error) {
      made.dispose();
      throw error;
    }
  };
  const accounts = new Lazy(async () => {
    const [{ services }, { createAccounts }] = await Promise.all([ofHost.load(), import('./accounts')]);
    return owning((ownPart) => createAccounts(services, ownPart));
  });
  const files = new Lazy(async () => {
    const [{ services }, { createFiles }] = await Promise.all([accounts.load(), import('./files')]);
    return owning((ownPart) => createFiles(services, ownPart));
  });
  const tree = new Lazy(async () => (await Promise.all([files.load(), features().tree.load()]))[0]);
  return { host: ofHost, accounts, files, tree };
}

/**
 * Loads what notifies the user on its own: accounts (a token that expires soon), interrupted saves, and the features that
 * listen for a sign-in. Another window may sign in at any time.
 */
export function loadFeaturesInUse(gantry: Gantry): Disposable {
  const { secrets, state, storageFolder, report, complete, hostLacks } = gantry.host;
  const forget = (slug: string) => complete(gantry.forgetAccount(slug));
  const endTheirSignOuts = (signedIn: readonly string[]) => endSignOuts(storageFolder, signedIn, forget).catch(report);
  /** Loads what the stored accounts need. Returns whether there are any. */
  const followAccounts = async () => {
    const { accounts } = (await gantry.levels.accounts.load()).services;
    await accounts.untilRead();
    if (accounts.areAllKnown) {
      await endTheirSignOuts(accounts.list.map(({ slug }) => slug));
    }
    if (gantry.levels.files.loaded === undefined && (await isAnythingLeft(storageFolder))) {
      await gantry.levels.files.load();
    }
    const isSignedIn = accounts.list.length > 0;
    if (isSignedIn) {
      await gantry.noteSignIn();
    }
    return isSignedIn;
  };
  const start = async () => {
    const isExpected = areAccountsExpected(state) || (await isAnyAccountStored(secrets));
    const isSignedIn = isExpected && (await followAccounts());
    if (!isExpected) {
      await endTheirSignOuts([]);
    }
    if (!isSignedIn) {
      await setContextKey('gantry.accounts', 'none');
      await offerSignInInAccountsMenu({ hostLacks });
    }
  };
  start().catch(report);
  return secrets.onDidChange(({ key }) => {
    if (key === accountsKey) {
      followAccounts().catch(report);
    }
  });
}

/**
 * Shows the accounts in VS Code's Accounts menu. Loads their code only if there are any, or to sign in. A host without
 * that menu has everything else: people sign in from the Environments view.
 */
export function registerAuthentication(
  accounts: Loadable<{ readonly authentication: GantryAuthentication }>,
  { secrets, hostLacks, log }: Pick<Host, 'secrets' | 'hostLacks'> & { readonly log: Pick<LogOutputChannel, 'warn'> },
): Disposable {
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
    const registration = authentication.registerAuthenticationProvider(
      authenticationId,
      l10n.t('Hosting Account'),
      provider,
      { supportsMultipleAccounts: true },
    );
    return Disposable.from(registration, changed);
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
