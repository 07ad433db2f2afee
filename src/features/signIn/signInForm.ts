import { hostname } from 'node:os';
import { l10n } from 'vscode';
import { expirationDate, lifetimeQuestion, loginQuestion } from '../../ui/commands/accountPrompt';
import { type Connections, offeredPlatforms } from '../../accounts/connections';
import { asksSecondFactor } from '../../accounts/passwordOperations';
import type { StoredAccount } from '../../accounts/storedAccount';
import { raceAbort } from '../../async/waiting';
import { parseAddress, type PlatformAddress } from '../../platform/address';
import type { PlatformClient } from '../../platform/client';
import { Canceled, isCanceled, isPlatformError, onPlatformError } from '../../platform/errors';
import { failureText } from '../../ui/failureMessages';
import { withProgress } from '../../ui/progress';
import {
  type AnswerCheck,
  askInTurn,
  askText,
  type Entered,
  type OwnQuestion,
  type Question,
  type QuestionFrame,
  type Resumption,
  type Step,
  type TextQuestion,
} from '../../ui/prompts';
import { suggestionQuestion } from '../../ui/suggestionPrompt';
import { CannotCreateTokens, type Credentials, obtainToken, type ObtainedToken } from './credentials';
import {
  addressProblem,
  addressSentences,
  explainTokens,
  offerVsCodeNetwork,
  passwordOrToken,
  signInProblem,
} from './signInProblems';

interface SignInFormOptions {
  readonly title: string;
  /** The account to sign in to again. Its address and login aren't asked. */
  readonly account?: StoredAccount;
  /** Aborted when signing in is no longer necessary. */
  readonly signal?: AbortSignal;
}

/** What a form has once the platform accepted it. */
export interface SignedIn {
  readonly client: PlatformClient;
  readonly obtained: ObtainedToken;
  readonly passwordsInUrl: boolean;
}

/**
 * A sign-in as a form that is filled in step by step: the address, the platform that answers there, how to sign in, with
 * what, and the token. The user can go back from each question and after each failure, and the other answers are kept.
 */
export class SignInForm {
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
    return [
      ...(account === undefined ? [this.addressQuestion()] : []),
      wayQuestion(),
      ...(entered['way'] === 'token' ? tokenQuestions(host, account) : passwordQuestions(host, entered, account)),
    ];
  }

  /** Asks for a platform's address, which is checked before the next question: typed, or one of those in the settings. */
  private addressQuestion(): TextQuestion | OwnQuestion {
    const typed = addressInput(
      (text) => {
        const address = this.addressIn({ address: text });
        return typeof address === 'string' ? address : undefined;
      },
      (text, signal) => this.checkAddress(text, signal),
    );
    const platforms = offeredPlatforms();
    return platforms.length === 0 ? typed : listQuestion(platforms, typed);
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

/** Returns where to resume: at the wrong answer, or with a token if a password can't work. */
async function afterFailure(
  error: unknown,
  entered: Entered,
  { baseUrl, host }: PlatformAddress,
): Promise<Resumption | undefined> {
  if (isCanceled(error)) {
    return { entered };
  }
  if (asksSecondFactor(error) || error instanceof CannotCreateTokens) {
    return (await explainTokens(error, baseUrl)) && withToken(entered, host);
  }
  const problem = signInProblem(error, entered['way'] === 'token' ? 'token' : 'password', host);
  if (problem === undefined) {
    throw error;
  }
  return { entered, at: problem };
}

function withToken(entered: Entered, host: string): Resumption {
  const problem = l10n.t('Paste the access token that you created in the dashboard of {0}.', host);
  return { entered: { ...entered, way: 'token' }, at: { key: 'token', problem } };
}

function addressInput(problem: (text: string) => string | undefined, check: AnswerCheck) {
  return {
    key: 'address',
    prompt: l10n.t("Address of your platform's dashboard, for example https://app.example.com"),
    placeholder: 'https://app.example.com',
    problem,
    check,
  } satisfies TextQuestion;
}

function listQuestion(platforms: readonly string[], typed: ReturnType<typeof addressInput>): OwnQuestion {
  const list = suggestionQuestion({
    key: typed.key,
    prompt: l10n.t('Select a platform, or enter its address'),
    choices: [
      ...platforms.map((platform) => ({ value: platform, label: platform, icon: 'globe' })),
      { value: otherPlatform, label: l10n.t('Enter Another Address…'), icon: 'add' },
    ],
    typed: (text) =>
      typed.problem(text) ?? [{ value: text, label: text, icon: 'globe', description: l10n.t('Use this address') }],
  });
  const ask = async (frame: QuestionFrame): Promise<Step> => {
    if (frame.problem !== undefined) {
      // A wrong address can be corrected right away. Back leads to the list.
      const step = await askText(typed, { ...frame, goesBack: true });
      return step?.kind === 'back' ? ask({ ...frame, problem: undefined }) : step;
    }
    const chosen = await list.ask(frame);
    if (chosen?.kind !== 'answer') {
      return chosen;
    }
    const { text } = chosen;
    if (text === otherPlatform) {
      return ask({ ...frame, value: '', problem: '' });
    }
    const problem = await problemAt(text, typed.check);
    return problem === undefined ? chosen : ask({ ...frame, value: text, problem: problem.text });
  };
  return { kind: 'own', key: typed.key, ask };
}

const otherPlatform = 'other';

/** Returns the problem of a chosen address, without a text if the user canceled the check. */
async function problemAt(address: string, check: AnswerCheck): Promise<{ readonly text?: string } | undefined> {
  const title = l10n.t('Checking {0}', address);
  try {
    const problem = await withProgress(title, ({ signal }) =>
      raceAbort(check(address, signal), signal, new Canceled('Signin', { isOutcomeUnknown: false })),
    );
    return problem === undefined ? undefined : { text: problem };
  } catch (error) {
    return isCanceled(error) ? {} : { text: failureText(error) };
  }
}

function wayQuestion(): Question {
  return {
    kind: 'choice',
    branches: true,
    key: 'way',
    prompt: l10n.t('Select how to sign in'),
    choices: [
      {
        value: 'password',
        label: l10n.t('Email and password'),
        icon: 'mail',
        detail: l10n.t('Used once to create an access token for this computer, and never stored.'),
      },
      {
        value: 'token',
        label: l10n.t('Access token'),
        icon: 'key',
        detail: l10n.t('Created in the dashboard under Settings › Access Tokens.'),
      },
    ],
  };
}

function tokenQuestions(host: string, account: StoredAccount | undefined): readonly Question[] {
  const token: Question = {
    key: 'token',
    prompt: l10n.t('Your access token for {0}', host),
    masked: true,
    problem: (text) =>
      /\s/.test(text.trim()) ? l10n.t("A token can't contain spaces. Copy only the token.") : undefined,
  };
  const name: Question = {
    key: 'name',
    prompt: l10n.t('Name for this account, for example your email address'),
    placeholder: 'you@example.com',
    mayBeEmpty: true,
  };
  return account === undefined ? [token, name] : [token];
}

function passwordQuestions(host: string, entered: Entered, account: StoredAccount | undefined): readonly Question[] {
  const login = account?.login ?? entered['login']?.trim() ?? '';
  const prompt = l10n.t('Your password for {0} on {1}', login, host);
  const password: Question = { key: 'password', prompt, masked: true };
  return [...(account?.login === undefined ? [loginQuestion(account?.label)] : []), password, lifetimeQuestion()];
}
