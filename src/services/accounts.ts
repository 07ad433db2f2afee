// Nearly every feature uses these. The imports keep the bundler from splitting them into many small files.
import '../ui/commands/accountPrompt';
import '../async/sharedCalls';
import '../async/waiting';
import '../containers/environment';
import '../containers/place';
import '../containers/protectedEnvironments';
import '../containers/uris';
import '../trees/rowTree';
import '../ui/lackText';
import '../ui/progress';
import '../ui/prompts';
import '../ui/statusBar';
import { AccountStore, SignOutMarkers } from '../accounts/accountStore';
import { type Account, Accounts } from '../accounts/accounts';
import { showNotStored, watchConnections, watchForgottenAccounts, watchTokenExpiry } from '../accounts/accountNotices';
import { Connections, FollowedSettings } from '../accounts/connections';
import { Unlocking } from '../accounts/unlocking';
import { GantryAuthentication } from '../accounts/authenticationProvider';
import { setContextKey } from '../ui/contextKeys';
import { type FailedRequest, logTraffic } from '../ui/trafficLog';
import type { Own } from '../gantry';
import type { Levels } from '../services';

/** The name of our sessions in the platform's list. */
const userAgent = 'Gantry';

/** Accounts, and what asks to sign in and out. */
export function createAccounts(host: Levels['host'], own: Own) {
  const { secrets, log, state, storageFolder, report } = host;
  const { signIn } = host.features;
  const settings = own(new FollowedSettings());
  const failedRequests: FailedRequest[] = [];
  const connections = new Connections({
    settings: settings.read,
    log: logTraffic(log, failedRequests),
    userAgent,
    fetch,
  });
  const markers = new SignOutMarkers(storageFolder, report);
  const store = new AccountStore(secrets, markers, report);
  const accounts = new Accounts({
    store,
    onNotStored: showNotStored,
    connect: (account) => connections.open(account),
    askToSignInAgain: (event) => signIn.use((feature) => feature.signInAgain(event)),
    report,
  });
  const unlocking = new Unlocking({
    stored: (slug) => accounts.stored(slug),
    connect: (account) => connections.open(account),
  });
  const authentication = new GantryAuthentication(accounts, {
    signIn: () => signIn.use((feature) => feature.signIn()),
    signOut: (account: Account) => signIn.use((feature) => feature.signOut(account)),
  });
  [connections, markers, accounts, unlocking, authentication].forEach(own);
  own(
    accounts.onDidChange(({ kind }) => {
      if (kind === 'loading') return;
      const [first, ...others] = accounts.list;
      const known = first === undefined ? 'none' : 'some';
      const only = first === undefined || others.length > 0 ? 'none' : first.isSignedOut ? 'signedOut' : 'signedIn';
      void setContextKey('gantry.onlyAccount', only);
      void setContextKey('gantry.signedOut', accounts.list.some(({ isSignedOut }) => isSignedOut) ? 'some' : 'none');
      void setContextKey('gantry.accounts', kind === 'unreadable' ? 'unreadable' : known);
    }),
  );
  // Another window may have signed it out, which can't lock it here.
  own(accounts.onDidSignOut(({ slug }) => void unlocking.lock(slug)));
  own(unlocking.onDidChange(() => void setContextKey('gantry.unlocked', unlocking.isAnyOpen ? 'some' : 'none')));
  own(
    watchConnections({
      connections,
      accounts,
      report,
      now: Date.now,
      offer: (address) => signIn.use((feature) => feature.offerVsCodeNetwork(address)),
    }),
  );
  own(
    watchForgottenAccounts({
      accounts,
      memory: state,
      countStored: () => store.countStored,
      onForgotten: () => store.noteForgotten(),
    }),
  );
  own(watchTokenExpiry({ accounts, memory: state, now: Date.now }));
  const services: Levels['accounts'] = { ...host, accounts, connections, unlocking };
  return {
    accounts,
    connections,
    unlocking,
    authentication,
    services,
    /** The last ones, oldest first. */
    failedRequests,
    /** Whether VS Code stores secrets. */
    secretStorage: () => store.state,
  };
}
