// Nearly every feature uses these. The imports keep the bundler from splitting them into many small files.
import '../async/pendingWork';
import '../compatibility/switchedOff';
import '../containers/environment';
import '../containers/openFolders';
import '../containers/place';
import '../containers/protectedEnvironments';
import '../ui/commands/command';
import '../ui/commands/runner';
import '../ui/lackText';
import '../ui/modalLines';
import '../ui/statusBar';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AccountStore, SignOutMarkers } from '../accounts/accountStore';
import { type Account, Accounts } from '../accounts/accounts';
import {
  offerCompatibilityCheck,
  watchTokenExpiry,
  showNotStored,
  watchForgottenAccounts,
} from '../accounts/accountNotices';
import { Connections, FollowedSettings } from '../accounts/connections';
import { Unlocking } from '../accounts/unlocking';
import {
  accountCommands,
  type AccountCommandsDeps,
  signInToPlatform,
  askToSignInAgain,
} from '../accounts/accountCommands';
import { signOut } from '../accounts/signOutFlow';
import { GantryAuthentication } from '../accounts/authenticationProvider';
import { watchConnections } from '../accounts/vsCodeNetworkPrompt';
import { setContextKey } from '../ui/contextKeys';
import { signedOutFolder } from '../storage/storageKeys';
import { type FailedRequest, logTraffic } from '../ui/trafficLog';
import type { Host } from '../services';

/** The name of our sessions in the platform's list. */
const userAgent = 'Gantry';

/** Accounts, sign-in and sign-out. */
export function wireAccounts({ secrets, log, state, storageFolder, report }: Host) {
  const settings = new FollowedSettings();
  const failedRequests: FailedRequest[] = [];
  const connections = new Connections({
    ...{ settings: settings.read, log: logTraffic(log, failedRequests), userAgent, fetch },
  });
  const flow = { connections, machine: hostname() };
  const markers = new SignOutMarkers(join(storageFolder, signedOutFolder), report);
  const store = new AccountStore(secrets, markers, report);
  const accounts: Accounts = new Accounts({
    store,
    onNotStored: showNotStored,
    connect: (account) => connections.open(account),
    askToSignInAgain: askToSignInAgain({ accounts: () => accounts, flow }),
    report,
  });
  const unlocking = new Unlocking({
    stored: (slug) => accounts.stored(slug),
    connect: (account) => connections.open(account),
  });
  const accountDeps: AccountCommandsDeps = {
    ...{ accounts, unlocking, flow },
    onDidAdd: (account) => void offerCompatibilityCheck(account, state).catch(report),
  };
  const authentication = new GantryAuthentication(accounts, {
    signIn: () => signInToPlatform(accountDeps),
    signOut: (account: Account) => signOut(accountDeps, account),
  });
  const disposables = [
    ...[settings, connections, markers, accounts, unlocking, authentication],
    accounts.onDidChange(({ kind }) => {
      if (kind === 'loading') return;
      const [first, ...others] = accounts.list;
      const known = first === undefined ? 'none' : 'some';
      const only = first === undefined || others.length > 0 ? 'none' : first.isSignedOut ? 'signedOut' : 'signedIn';
      void setContextKey('gantry.onlyAccount', only);
      void setContextKey('gantry.accounts', kind === 'unreadable' ? 'unreadable' : known);
    }),
    unlocking.onDidChange(() => void setContextKey('gantry.unlocked', unlocking.isAnyOpen ? 'some' : 'none')),
    watchConnections({ connections, accounts, report, now: Date.now }),
    watchForgottenAccounts({
      ...{ accounts, memory: state, countStored: () => store.countStored },
      onForgotten: () => store.noteForgotten(),
    }),
    watchTokenExpiry({ accounts, memory: state, now: Date.now }),
  ];
  const commands = accountCommands(accountDeps);
  return {
    accounts,
    connections,
    unlocking,
    authentication,
    /** The last ones, oldest first. */
    failedRequests,
    /** Whether VS Code stores secrets. */
    secretStorage: () => store.state,
    commands,
    disposables,
  };
}

export type AccountParts = ReturnType<typeof wireAccounts>;
