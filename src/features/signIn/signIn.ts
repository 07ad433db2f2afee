import { hostname } from 'node:os';
import { commands, l10n } from 'vscode';
import { offerCompatibilityCheck } from '../../accounts/accountNotices';
import type { Account, SignInAgainEvent } from '../../accounts/accounts';
import type { Connections } from '../../accounts/connections';
import type { StoredAccount } from '../../accounts/storedAccount';
import { raceAbort } from '../../async/waiting';
import { parseAddress, type PlatformAddress } from '../../platform/address';
import type { PlatformClient } from '../../platform/client';
import { Canceled, isPlatformError, onPlatformError } from '../../platform/errors';
import type { Levels } from '../../services';
import { accountMeant, expirationDate, namedIn } from '../../ui/commands/accountPrompt';
import { command, commandOnNothing } from '../../ui/commands/command';
import { failureText } from '../../ui/failureMessages';
import { confirm, showErrorMessage, showInformationMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import { askInTurn, type Entered, type Question, type Resumption } from '../../ui/prompts';
import { accountOf, type Credentials, obtainToken, type ObtainedToken } from './credentials';
import { signedInCommands, signOut, tellSignedOut, unlockWithPassword } from './signedInCommands';
import {
  addressProblem,
  addressQuestion,
  addressSentences,
  afterFailure,
  credentialQuestions,
  offerVsCodeNetwork,
  passwordOrToken,
  withToken,
} from './signInQuestions';

/** What the buttons of empty views pass. */
const fromView = 'view';

/** Signs in and out, and asks for the password of an account. */
export function createSignIn(services: Levels['accounts']) {
  return {
    signIn: () => signInToPlatform(services),
    signInAgain: (event: SignInAgainEvent) => signInAgain(services, event),
    signOut: (account: Account) => signOut(services, account),
    unlock: (account: Account, purpose: string) => unlockWithPassword(services, account, purpose),
    offerVsCodeNetwork: (address: PlatformAddress) =>
      offerVsCodeNetwork(services.connections, address, { modal: false }),
    commands: { ...signInCommands(services), ...signedInCommands(services) },
  };
}

function signInCommands(services: Levels['accounts']) {
  const { accounts } = services;
  const isSignedOut = (account: Account) => account.isSignedOut;
  return {
    'gantry.account.signIn': commandOnNothing(async () => {
      if ((await signInToPlatform(services)) !== undefined) {
        // Shows the new account. Also keeps the keyboard focus, because the welcome button is gone.
        await commands.executeCommand('gantry.environments.focus');
      }
    }),
    'gantry.account.signInAgain': command(
      'account',
      async (call) => {
        const isFromView = call.text === fromView;
        const question = l10n.t('Select the account to sign in to again');
        const account = await accountMeant(accounts, isFromView ? undefined : namedIn(call), question, isSignedOut);
        if (account === undefined && !accounts.list.some(isSignedOut)) {
          void showInformationMessage(l10n.t("You're signed in to all accounts."));
        }
        return account && { account, isFromView };
      },
      async ({ account, isFromView }) => {
        await accounts.signInAgain(account.slug);
        if (isFromView) {
          // The button that was pressed is gone.
          await commands.executeCommand('workbench.action.focusSideBar');
        }
      },
    ),
  };
}

/** An account that VS Code can't store is kept in this window's memory. */
function confirmSignInForWindow(error: unknown): Promise<boolean> {
  const consequence = l10n.t("You'll be signed in only until you close this window.");
  return confirm(failureText(error), [consequence], l10n.t('Sign In for This Window'));
}

/** Runs the whole sign-in. Returns `undefined` if the user cancels. */
async function signInToPlatform({
  accounts,
  connections,
  state,
  report,
}: Levels['accounts']): Promise<Account | undefined> {
  // All existing names must be known, so that an account that can't be read isn't overwritten.
  const unreadable = await accounts.demandRead().catch((error: unknown) => ({ error }));
  if (unreadable !== undefined && !(await confirmSignInForWindow(unreadable.error))) {
    return undefined;
  }
  const signedIn = await new SignInForm(connections, { title: l10n.t('Sign In to Platform') }).fillIn();
  if (signedIn === undefined) {
    return undefined;
  }
  // The keychain may have been unlocked meanwhile, or another window may have added an account. If it still can't be read, the
  // account is added for this window, which is said.
  await accounts.readAgain().catch(() => undefined);
  const { client, obtained, passwordsInUrl } = signedIn;
  const known = accounts.list.find(
    ({ address, label }) => address === client.address.baseUrl && label === obtained.name,
  );
  if (known !== undefined && (await replaceToken(accounts, known, signedIn))) {
    return known;
  }
  const taken = accounts.list.map(({ slug }) => slug);
  const stored = accountOf(client, obtained, taken);
  await accounts.add(passwordsInUrl ? { ...stored, passwordsInUrl } : stored);
  const added = accounts.find(stored.slug);
  if (added !== undefined) {
    void offerCompatibilityCheck(added, state).catch(report);
  }
  return added;
}

/** Asks the user to sign in again to an account whose token is no longer accepted. */
async function signInAgain(
  { accounts, connections }: Levels['accounts'],
  { account, occasion, signal }: SignInAgainEvent,
): Promise<'signedIn' | 'dismissed'> {
  if (occasion === 'notice' && !(await agreesToSignIn(account, signal))) {
    return 'dismissed';
  }
  const stored = await accounts.stored(account.slug);
  if (stored === undefined) {
    return 'dismissed';
  }
  const title = l10n.t('Sign In Again: {0}', account.label);
  const signedIn = await new SignInForm(connections, { title, account: stored, signal }).fillIn();
  if (signedIn === undefined) {
    return 'dismissed';
  }
  if (await replaceToken(accounts, account, signedIn)) {
    return 'signedIn';
  }
  tellSignedOut(account.label);
  return 'dismissed';
}

/** Gives a known account what a new sign-in showed. Returns `false` if another window signed it out meanwhile. */
async function replaceToken(
  accounts: Levels['accounts']['accounts'],
  { slug }: Pick<Account, 'slug'>,
  { client: { transport }, obtained: { tokenData, login }, passwordsInUrl }: SignedIn,
): Promise<boolean> {
  return accounts.replaceToken(slug, tokenData, {
    transport,
    ...(login === undefined ? {} : { login }),
    ...(passwordsInUrl ? { passwordsInUrl } : {}),
  });
}

/** Uses an error with buttons, because it stays open until answered and calls are waiting for the answer. */
async function agreesToSignIn({ label, host }: SignInAgainEvent['account'], signal: AbortSignal): Promise<boolean> {
  const signIn = l10n.t('Sign In Again');
  const text = l10n.t(
    '{0} was signed out because {1} no longer accepts the token. Sign in again to continue what you were doing.',
    label,
    host,
  );
  const answer = await showErrorMessage(text, signIn, l10n.t('Not Now'));
  return answer === signIn && !signal.aborted;
}

interface SignInFormOptions {
  readonly title: string;
  /** The account to sign in to again. Its address and login aren't asked. */
  readonly account?: StoredAccount;
  /** Aborted when signing in is no longer necessary. */
  readonly signal?: AbortSignal;
}

/** What a form has once the platform accepted it. */
interface SignedIn {
  readonly client: PlatformClient;
  readonly obtained: ObtainedToken;
  readonly passwordsInUrl: boolean;
}

/**
 * A sign-in as a form that is filled in step by step: the address, the platform that answers there, how to sign in, with
 * what, and the token. The user can go back from each question and after each failure, and the other answers are kept.
 */
class SignInForm {
  private resumption: Resumption;
  /** The platforms that were reached, by network stack and address, so that each is connected to once. */
  private readonly reached = new Map<string, PlatformClient>();
  /** The addresses at which the user agreed to send the password in URLs. */
  private readonly inUrlAt = new Set<string>();

  constructor(
    private readonly connections: Connections,
    private readonly options: SignInFormOptions,
  ) {
    const { account } = options;
    this.resumption = {
      entered: account === undefined ? {} : { way: account.tokenId === undefined ? 'token' : 'password' },
    };
    if (account?.passwordsInUrl === true) {
      this.inUrlAt.add(account.address);
    }
  }

  /** Asks until the platform accepts the answers. Returns `undefined` if the user cancels. */
  async fillIn(): Promise<SignedIn | undefined> {
    const { title, account, signal } = this.options;
    for (;;) {
      if (account !== undefined) {
        // No other answer would help.
        this.connections.demandAllowed(account.address);
      }
      const entered = await askInTurn(title, (soFar) => this.questions(soFar), this.resumption, signal);
      if (entered === undefined) {
        return undefined;
      }
      const address = this.addressIn(entered);
      if (typeof address === 'string') {
        // The settings changed after the question.
        this.resumption = { entered, at: { key: 'address', problem: address } };
        continue;
      }
      const next = await this.offeringVsCodeNetwork(address, signal, () => this.signIn(address, entered)).catch(
        (error: unknown) => afterFailure(error, entered, address),
      );
      if (next === undefined || 'obtained' in next) {
        return next;
      }
      this.resumption = next;
    }
  }

  /** Returns the address, or what's wrong with it. */
  private addressIn(entered: Entered): PlatformAddress | string {
    const text = this.options.account?.address ?? entered['address'] ?? '';
    const parsed = parseAddress(text, { allowPlainHttp: this.connections.allowsPlainHttp });
    return 'ok' in parsed ? parsed.ok : addressSentences[parsed.problem]();
  }

  private questions(entered: Entered): readonly Question[] {
    const { account } = this.options;
    const address = this.addressIn(entered);
    const host = typeof address === 'string' ? '' : address.host;
    return [...(account === undefined ? [this.addressQuestion()] : []), ...credentialQuestions(host, entered, account)];
  }

  private addressQuestion(): Question {
    const problemOf = (text: string) => {
      const address = this.addressIn({ address: text });
      return typeof address === 'string' ? address : undefined;
    };
    return addressQuestion(problemOf, (text, signal) => this.checkAddress(text, signal));
  }

  /** Checks whether there's a platform at an address. */
  private async checkAddress(text: string, signal: AbortSignal): Promise<string | undefined> {
    const address = this.addressIn({ address: text });
    if (typeof address === 'string') {
      // One from the settings wasn't checked like a typed one.
      return address;
    }
    return this.offeringVsCodeNetwork(address, signal, () => this.reach(address, signal)).then(
      () => undefined,
      onPlatformError((error) => addressProblem(error, address.host)),
    );
  }

  /**
   * Connects to a platform, once through each network stack. Sends nothing secret. Finds out how the platform takes
   * parameters also for a known account, because that may have changed.
   */
  private async reach(address: PlatformAddress, signal: AbortSignal): Promise<PlatformClient> {
    return this.reached.get(this.keyOf(address)) ?? this.connect(address, { signal });
  }

  private async connect(
    address: PlatformAddress,
    options: Parameters<Connections['connect']>[1],
  ): Promise<PlatformClient> {
    const key = this.keyOf(address);
    const passwordsInUrl = this.inUrlAt.has(address.baseUrl);
    const client = await this.connections.connect(address, { ...options, passwordsInUrl });
    this.reached.set(key, client);
    return client;
  }

  private keyOf({ baseUrl }: PlatformAddress): string {
    return `${this.connections.usesOwnNetworkStack} ${baseUrl}`;
  }

  /** Runs the work, and once more if there's no connection and the user switches to VS Code's network stack. */
  private async offeringVsCodeNetwork<T>(
    address: PlatformAddress,
    signal: AbortSignal | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    return work().catch(async (error: unknown) => {
      const isUnconnected = isPlatformError(error) && error.isUnconnected;
      if (isUnconnected && (await offerVsCodeNetwork(this.connections, address, { modal: true, signal }))) {
        return work();
      }
      throw error;
    });
  }

  /** Returns a resumption if the user switches to a token, or `undefined` if canceled. */
  private async signIn(address: PlatformAddress, entered: Entered): Promise<SignedIn | Resumption | undefined> {
    const { account, signal: given } = this.options;
    return withProgress(l10n.t('Signing in to {0}', address.host), async (running) => {
      const signal = AbortSignal.any([running.signal, ...(given === undefined ? [] : [given])]);
      const credentials = credentialsIn(entered, account?.login);
      let client = await this.reach(address, signal);
      const passwordsInUrl = client.transport === 'query' && credentials.kind === 'password';
      if (passwordsInUrl && !this.inUrlAt.has(address.baseUrl)) {
        const choice = await passwordOrToken(address.host);
        if (choice !== 'password') {
          return choice && withToken(entered, address.host);
        }
        this.inUrlAt.add(address.baseUrl);
        client = await this.connect(address, { transport: client.transport });
      }
      // Cancel returns right away; the cleanup on the platform continues in the background.
      const obtaining = obtainToken(client, credentials, signal);
      const obtained = await raceAbort(obtaining, signal, new Canceled('Signin', { isOutcomeUnknown: false }));
      return { client, obtained, passwordsInUrl };
    });
  }
}

function credentialsIn(entered: Entered, knownLogin = ''): Credentials {
  const { way, token = '', name = '', login = knownLogin, password = '', lifetime } = entered;
  if (way === 'token') {
    return { kind: 'token', token: token.trim(), name: name.trim() };
  }
  // The machine's name tells apart the tokens that the platform lists.
  const description = `Gantry, VS Code on ${hostname()}`;
  const wanted = { description, expiresAt: expirationDate(lifetime, Date.now()) };
  return { kind: 'password', login: login.trim(), password, wanted };
}
