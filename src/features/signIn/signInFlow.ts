import { l10n } from 'vscode';
import { raceAbort } from '../../async/raceAbort';
import { type AddressProblem, parseAddress, type PlatformAddress } from '../../platform/address';
import type { PlatformClient } from '../../platform/client';
import { Canceled, isCanceled, isPlatformError, onPlatformError } from '../../platform/errors';
import type { Transport } from '../../platform/sending/request';
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
import type { Connections } from '../../accounts/connections';
import { expirationDate, lifetimeQuestion } from '../../accounts/accountPrompt';
import { asksSecondFactor } from '../../accounts/passwordOperations';
import { CannotCreateTokens, type Credentials, type VerifiedCredentials, verifyCredentials } from './credentials';
import { addressProblem, explainTokens, offerVsCodeNetwork, passwordOrToken, signInProblem } from './signInProblems';

interface SignInFlowDeps {
  readonly title: string;
  readonly known: KnownAnswers;
  readonly reaching?: Parameters<Connections['connect']>[1];
  /** The machine's name, which tells apart the tokens that the platform lists. */
  readonly machine: string;
  readonly connections: Connections;
  readonly signal?: AbortSignal;
  /** Answers that are already known, such as the sign-in method. */
  readonly entered?: Entered;
}

interface SignedIn {
  readonly client: PlatformClient;
  readonly identity: VerifiedCredentials;
  readonly passwordsInUrl: boolean;
}

/** Asks for credentials and checks them until that succeeds or the user cancels. */
export async function runSignIn(deps: SignInFlowDeps): Promise<SignedIn | undefined> {
  const flow = { ...deps, transports: new Map<string, Transport>() };
  let resumption: Resumption = { entered: flow.entered ?? {} };
  for (;;) {
    const entered = await askInTurn(flow.title, signInQuestions(flow), resumption, flow.signal);
    const parsed = entered && parseAddress(flow.known.address ?? entered['address'] ?? '', flow.known);
    if (entered === undefined || parsed === undefined || !('ok' in parsed)) {
      return undefined;
    }
    const address = parsed.ok;
    const next = await offeringVsCodeNetwork(flow.connections, address, { modal: true }, () =>
      attempt(flow, address, entered),
    ).catch((error: unknown) => afterFailure(error, entered, address));
    if (next === undefined || 'identity' in next) {
      return next;
    }
    resumption = next;
  }
}

/** A sign-in, with what was found out at the address step: how each platform takes parameters. */
interface RunningFlow extends SignInFlowDeps {
  readonly transports: Map<string, Transport>;
}

/** Runs the work, and once more if there's no connection and the user switches to VS Code's network stack. */
async function offeringVsCodeNetwork<T>(
  connections: Connections,
  address: PlatformAddress,
  options: Parameters<typeof offerVsCodeNetwork>[2],
  work: () => Promise<T>,
): Promise<T> {
  return work().catch(async (error: unknown) => {
    if (isPlatformError(error) && error.isUnconnected && (await offerVsCodeNetwork(connections, address, options))) {
      return work();
    }
    throw error;
  });
}

/** Checks whether there's a platform at an address. */
function checkAddress({ connections, known, transports }: RunningFlow) {
  return async (text: string, signal: AbortSignal): Promise<string | undefined> => {
    const parsed = parseAddress(text, known);
    if (!('ok' in parsed) || transports.has(parsed.ok.baseUrl)) {
      return undefined;
    }
    const address = parsed.ok;
    const reach = async () => {
      transports.set(address.baseUrl, (await connections.connect(address, { signal })).transport);
      return undefined;
    };
    return offeringVsCodeNetwork(connections, address, { modal: true, signal }, reach).catch(
      onPlatformError((error) => addressProblem(error, address.host)),
    );
  };
}

/** Returns a resumption if the user switches to a token, or `undefined` if canceled. */
async function attempt(
  flow: RunningFlow,
  address: PlatformAddress,
  entered: Entered,
): Promise<SignedIn | Resumption | undefined> {
  const title = l10n.t('Signing in to {0}', address.host);
  return withProgress(title, async (running) => {
    const signal = AbortSignal.any([running.signal, ...(flow.signal === undefined ? [] : [flow.signal])]);
    const transport = flow.transports.get(address.baseUrl) ?? flow.reaching?.transport;
    const client = await flow.connections.connect(address, { ...flow.reaching, transport, signal });
    const credentials = credentialsIn(entered, flow);
    const inUrl = client.transport === 'query' && credentials.kind === 'password';
    if (inUrl && flow.reaching?.passwordsInUrl !== true) {
      const choice = await passwordOrToken(address.host);
      if (choice !== 'password') {
        return choice && withToken(entered, address.host);
      }
    }
    const passwordsInUrl = inUrl || flow.reaching?.passwordsInUrl === true;
    const chosen = await flow.connections.connect(address, { transport: client.transport, passwordsInUrl });
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
interface KnownAnswers {
  /** Set when signing in to an existing account again; then neither is asked. */
  readonly address?: string;
  readonly login?: string | undefined;
  readonly platforms: readonly string[];
  readonly allowPlainHttp: boolean;
}

function signInQuestions(flow: RunningFlow): (entered: Entered) => readonly Question[] {
  const { known } = flow;
  return (entered) => {
    const parsed = parseAddress(known.address ?? entered['address'] ?? '', known);
    const host = 'ok' in parsed ? parsed.ok.host : '';
    return [
      ...(known.address === undefined ? [addressQuestion(known, checkAddress(flow))] : []),
      wayQuestion(),
      ...(entered['way'] === 'token' ? tokenQuestions(known, host) : passwordQuestions(known, entered, host)),
    ];
  };
}

/** Asks for a platform's address, which is checked before the next question: typed, or one of those in the settings. */
function addressQuestion(known: KnownAnswers, check: AnswerCheck): TextQuestion | OwnQuestion {
  const typed: TextQuestion = {
    key: 'address',
    prompt: l10n.t("Address of your platform's dashboard, for example https://app.example.com"),
    placeholder: 'https://app.example.com',
    problem: (text) => {
      const parsed = parseAddress(text, known);
      return 'ok' in parsed ? undefined : addressSentences[parsed.problem]();
    },
    check,
  };
  return known.platforms.length === 0 ? typed : listQuestion(known, typed, check);
}

function listQuestion(known: KnownAnswers, typed: TextQuestion, check: AnswerCheck): OwnQuestion {
  const list = suggestionQuestion({
    key: typed.key,
    prompt: l10n.t('Select a platform, or enter its address'),
    choices: [
      ...known.platforms.map((platform) => ({ value: platform, label: platform, icon: 'globe' })),
      { value: otherPlatform, label: l10n.t('Enter Another Address…'), icon: 'add' },
    ],
    typed: (text) =>
      typed.problem?.(text) ?? [{ value: text, label: text, icon: 'globe', description: l10n.t('Use this address') }],
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
    const problem = await problemAt(text, check);
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

const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of your platform's dashboard, such as https://app.example.com."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.example.com.'),
  scheme: () => l10n.t('The address must start with https://.'),
  credentials: () => l10n.t('Enter the address without a username or password.'),
  plainHttp: () => l10n.t('Others on the network could read your password over plain HTTP. Use https://.'),
};

function wayQuestion(): Question {
  return {
    kind: 'choice',
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

function tokenQuestions({ address, login }: KnownAnswers, host: string): readonly Question[] {
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
  return address === undefined && login === undefined ? [token, name] : [token];
}

function passwordQuestions({ login }: KnownAnswers, entered: Entered, host: string): readonly Question[] {
  const account = login ?? entered['login']?.trim() ?? '';
  const prompt = l10n.t('Your password for {0} on {1}', account, host);
  const password: Question = { key: 'password', prompt, masked: true };
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
