import { l10n, ProgressLocation, window } from 'vscode';
import { raceAbort } from '../async/raceAbort';
import { type AddressProblem, parseAddress, type PlatformAddress } from '../platform/address';
import type { PlatformClient } from '../platform/client';
import { Canceled, isCanceled } from '../platform/errors';
import { askInTurn, type ChoiceQuestion, type Entered, type Question, type Resumption } from '../ui/prompts';
import type { Connections, ReachOptions } from './connections';
import { CannotCreateTokens } from './createToken';
import { asksSecondFactor, type Credentials, type VerifiedCredentials, verifyCredentials } from './signIn';
import { explainTokens, passwordOrToken, signInProblem } from './signInProblemPrompt';

export interface SignInFlowDeps {
  readonly title: string;
  readonly known: KnownAnswers;
  readonly reaching?: ReachOptions | undefined;
  /** The machine's name, which tells apart the tokens that the platform lists. */
  readonly machine: string;
  readonly connections: Connections;
  /** Aborted when sign-in is no longer necessary. */
  readonly signal?: AbortSignal;
  /** Answers that are already known, such as the sign-in method. */
  readonly entered?: Entered;
}

export interface SignedIn {
  readonly client: PlatformClient;
  readonly identity: VerifiedCredentials;
  readonly passwordsInUrl: boolean;
}

/** Asks for credentials and checks them until that succeeds or the user cancels. */
export async function runSignIn(flow: SignInFlowDeps): Promise<SignedIn | undefined> {
  let resumption: Resumption = { entered: flow.entered ?? {} };
  for (;;) {
    const entered = await askInTurn(flow.title, signInQuestions(flow.known), resumption, flow.signal);
    const parsed = entered && parseAddress(flow.known.address ?? addressIn(entered), flow.known);
    if (entered === undefined || parsed === undefined || !('ok' in parsed)) {
      return undefined;
    }
    const next = await attempt(flow, parsed.ok, entered).catch((error: unknown) =>
      afterFailure(error, entered, parsed.ok),
    );
    if (next === undefined || 'identity' in next) {
      return next;
    }
    resumption = next;
  }
}

/** `undefined` where the person gave up; a resumption where they rather use a token. */
async function attempt(
  flow: SignInFlowDeps,
  address: PlatformAddress,
  entered: Entered,
): Promise<SignedIn | Resumption | undefined> {
  const title = l10n.t('Signing in to {0}…', address.host);
  const progress = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(progress, async (_, cancelled) => {
    const cancelling = new AbortController();
    cancelled.onCancellationRequested(() => cancelling.abort());
    const signal = AbortSignal.any([cancelling.signal, ...(flow.signal === undefined ? [] : [flow.signal])]);
    const client = await flow.connections.reach(address, { ...flow.reaching, signal });
    const credentials = credentialsIn(entered, flow);
    const inUrl = client.transport === 'query' && credentials.kind === 'password';
    if (inUrl && flow.reaching?.passwordsInUrl !== true) {
      const choice = await passwordOrToken(address.host);
      if (choice !== 'password') {
        return choice && withToken(entered, address.host);
      }
    }
    const passwordsInUrl = inUrl || flow.reaching?.passwordsInUrl === true;
    const chosen = await flow.connections.reach(address, { transport: client.transport, passwordsInUrl });
    // Cancel returns right away; the cleanup on the platform continues in the background.
    const proving = verifyCredentials(chosen, credentials, signal);
    const identity = await raceAbort(proving, signal, new Canceled('Signin', { isOutcomeUnknown: false }));
    return { client: chosen, identity, passwordsInUrl };
  });
}

function credentialsIn(entered: Entered, { known, machine }: SignInFlowDeps): Credentials {
  const { way, token = '', name = '', login = known.login ?? '', password = '', lifetime } = entered;
  if (way === 'token') {
    return { kind: 'token', token: token.trim(), name: name.trim() };
  }
  const description = `Gantry, VS Code on ${machine}`;
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

/** Answers that are known before the first question. */
export interface KnownAnswers {
  /** Set when signing in to an existing account again; then neither is asked. */
  readonly address?: string;
  readonly login?: string | undefined;
  readonly platforms: readonly string[];
  readonly allowPlainHttp: boolean;
}

function signInQuestions(known: KnownAnswers): (entered: Entered) => readonly Question[] {
  return (entered) => [
    wayQuestion(),
    ...(known.address === undefined ? addressQuestions(known, entered) : []),
    ...(entered['way'] === 'token' ? tokenQuestions(known) : passwordQuestions(known)),
  ];
}

function wayQuestion(): Question {
  return {
    kind: 'choice',
    key: 'way',
    prompt: l10n.t('Select how to sign in'),
    choices: [
      {
        value: 'password',
        label: l10n.t('$(mail) Email and password'),
        detail: l10n.t('Used once to create an access token for this computer, and never stored.'),
      },
      {
        value: 'token',
        label: l10n.t('$(key) Access token'),
        detail: l10n.t('Created in the dashboard under Settings › Access Tokens.'),
      },
    ],
  };
}

const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of your platform's dashboard, such as https://app.example.com."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.example.com.'),
  scheme: () => l10n.t('The address must start with https://.'),
  credentials: () => l10n.t('Enter the address without a username or password.'),
  plainHttp: () => l10n.t('Others on the network could read your password over plain HTTP. Use https://.'),
};

const otherPlatform = 'other';

/** Offers the platforms from the settings, or lets the user type another one. */
function addressQuestions({ platforms, allowPlainHttp }: KnownAnswers, entered: Entered): readonly Question[] {
  const typed: Question = {
    key: 'address',
    prompt: l10n.t("Address of your platform's dashboard, for example https://app.example.com"),
    placeholder: 'https://app.example.com',
    problem: (text) => {
      const parsed = parseAddress(text, { allowPlainHttp });
      return 'ok' in parsed ? undefined : addressSentences[parsed.problem]();
    },
  };
  if (platforms.length === 0) {
    return [typed];
  }
  const other = { value: otherPlatform, label: l10n.t('$(add) Enter another address…') };
  const offered: Question = {
    kind: 'choice',
    key: 'platform',
    prompt: l10n.t('Select the platform to sign in to'),
    choices: [...platforms.map((platform) => ({ value: platform, label: `$(globe) ${platform}` })), other],
  };
  return entered['platform'] === otherPlatform ? [offered, typed] : [offered];
}

function addressIn(entered: Entered): string {
  const { platform = otherPlatform, address = '' } = entered;
  return platform === otherPlatform ? address : platform;
}

function tokenQuestions({ address, login }: KnownAnswers): readonly Question[] {
  const token: Question = {
    key: 'token',
    prompt: l10n.t('Your access token'),
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
  return address === undefined && login === undefined ? [token, name] : [token];
}

function passwordQuestions({ login }: KnownAnswers): readonly Question[] {
  const password: Question = { key: 'password', prompt: l10n.t('Your password'), masked: true };
  return login === undefined ? [loginQuestion(), password, lifetimeQuestion()] : [password, lifetimeQuestion()];
}

export function loginQuestion(): Question {
  return {
    key: 'login',
    prompt: l10n.t('Your email address'),
    placeholder: 'you@example.com',
    problem: (text) =>
      /^\s*(\d+|[^\s@]+@[^\s@]+)\s*$/.test(text) ? undefined : l10n.t('Enter an email address or a user ID.'),
  };
}

/** For how many days a token is to be good, or `never` for one without an end. */
export function lifetimeQuestion({ mayBeEndless = true } = {}): ChoiceQuestion {
  const endless = {
    value: 'never',
    label: l10n.t('Never expires'),
    detail: l10n.t("Valid until you delete it, even if it's lost or stolen."),
  };
  return {
    kind: 'choice',
    key: 'lifetime',
    prompt: l10n.t('How long should the token be valid?'),
    value: '90',
    choices: [
      { value: '30', label: l10n.t('30 days') },
      { value: '90', label: l10n.t('90 days') },
      { value: '365', label: l10n.t('1 year') },
      ...(mayBeEndless ? [endless] : []),
    ],
  };
}

export function expirationDate(lifetime: string | undefined, now: number): Date | undefined {
  const days = Number(lifetime);
  return Number.isFinite(days) && days > 0 ? new Date(now + days * 24 * 60 * 60 * 1000) : undefined;
}
