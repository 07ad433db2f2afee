import { ConfigurationTarget, env, l10n, Uri, workspace } from 'vscode';
import { type Connections, offeredPlatforms } from '../../accounts/connections';
import type { StoredAccount } from '../../accounts/storedAccount';
import { asksSecondFactor } from '../../accounts/tokens';
import { raceAbort } from '../../async/waiting';
import type { AddressProblem, PlatformAddress } from '../../platform/address';
import { Canceled, isCanceled, isPlatformError, type PlatformError } from '../../platform/errors';
import { resultCodes } from '../../platform/resultCodes';
import { lifetimeQuestion, loginQuestion } from '../../ui/commands/accountPrompt';
import { failureMessage, failureText } from '../../ui/failureMessages';
import { showWarningMessage } from '../../ui/notifications';
import { withProgress } from '../../ui/progress';
import {
  askText,
  type Entered,
  type OwnQuestion,
  type Question,
  type QuestionFrame,
  type Resumption,
  type Step,
  suggestionQuestion,
  type TextQuestion,
} from '../../ui/prompts';
import type { AnswerCheck } from '../../ui/quickPick';
import { CannotCreateTokens } from './credentials';

/** Asks for a platform's address, which is checked before the next question: typed, or one of those in the settings. */
export function addressQuestion(
  problem: (text: string) => string | undefined,
  check: AnswerCheck,
): TextQuestion | OwnQuestion {
  const typed: TextQuestion = {
    key: 'address',
    prompt: l10n.t("Address of your platform's dashboard, for example https://app.example.com"),
    placeholder: 'https://app.example.com',
    problem,
    check,
  };
  const platforms = offeredPlatforms();
  if (platforms.length === 0) {
    return typed;
  }
  const list = suggestionQuestion({
    key: typed.key,
    prompt: l10n.t('Select a platform, or enter its address'),
    choices: [
      ...platforms.map((platform) => ({ value: platform, label: platform, icon: 'globe' })),
      { value: otherPlatform, label: l10n.t('Enter Another Address…'), icon: 'add' },
    ],
    typed: (text) =>
      problem(text) ?? [{ value: text, label: text, icon: 'globe', description: l10n.t('Use this address') }],
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
    const found = await problemAt(text, check);
    return found === undefined ? chosen : ask({ ...frame, value: text, problem: found.text });
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

/** Asks how to sign in, and then for what that takes. */
export function credentialQuestions(
  host: string,
  entered: Entered,
  account: StoredAccount | undefined,
): readonly Question[] {
  const others = entered['way'] === 'token' ? tokenQuestions(host, account) : passwordQuestions(host, entered, account);
  return [wayQuestion(), ...others];
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

/** Returns where to resume: at the wrong answer, or with a token if a password can't work. */
export async function afterFailure(
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

export function withToken(entered: Entered, host: string): Resumption {
  const problem = l10n.t('Paste the access token that you created in the dashboard of {0}.', host);
  return { entered: { ...entered, way: 'token' }, at: { key: 'token', problem } };
}

/** What went wrong during sign-in, and the question to ask again. */
interface SignInProblem {
  readonly key: 'address' | 'password' | 'lifetime' | 'token';
  readonly problem: string;
}

/** Returns `undefined` if no other answer would help. */
function signInProblem(error: unknown, way: 'password' | 'token', host: string): SignInProblem | undefined {
  if (!isPlatformError(error)) {
    return undefined;
  }
  const isRefused = error.kind === 'unauthenticated' || error.result === resultCodes.invalidParameter;
  if (isRefused && way === 'token') {
    return {
      key: 'token',
      problem: l10n.t(
        '{0} rejected this token. Copy the complete token again, or create a new one in the dashboard if it was deleted or has expired.',
        host,
      ),
    };
  }
  if (isRefused && error.operation === 'Signin') {
    return { key: 'password', problem: wrongPassword(host) };
  }
  if (error.result === resultCodes.invalidParameter && error.operation === 'CreateToken') {
    // The password was accepted just now, so it's the expiration date.
    return { key: 'lifetime', problem: failureMessage(error) };
  }
  return { key: 'address', problem: error.isOutcomeUnknown ? uncertain(error, host) : addressProblem(error, host) };
}

export function wrongPassword(host: string): string {
  return l10n.t('Incorrect email or password for {0}.', host);
}

/** The platform didn't confirm that it created the token, so there may be one whose value is lost. */
function uncertain(error: PlatformError, host: string): string {
  const reason = addressProblem(error, host);
  return error.operation === 'CreateToken'
    ? l10n.t('{0} If the dashboard lists a new token “Gantry, VS Code on …”, delete it there.', reason)
    : reason;
}

/** Why a text isn't an address that Gantry may connect to. */
export const addressSentences: Readonly<Record<AddressProblem, () => string>> = {
  empty: () => l10n.t("Enter the address of your platform's dashboard, such as https://app.example.com."),
  notAnAddress: () => l10n.t('Enter a web address, such as https://app.example.com.'),
  scheme: () => l10n.t('The address must start with https://.'),
  credentials: () => l10n.t('Enter the address without a username or password.'),
  plainHttp: () => l10n.t('Others on the network could read your password over plain HTTP. Use https://.'),
};

/** Returns why a platform can't be reached at its address. */
export function addressProblem(error: PlatformError, host: string): string {
  switch (error.obstacle) {
    case 'certificate':
      return l10n.t(
        "Couldn't connect to {0}: its certificate isn't trusted. Check the address, or ask your administrator to add the certificate.",
        host,
      );
    case 'unknownHost':
      return l10n.t("Couldn't find the host {0}. Check the address and your connection.", host);
    case 'refusedConnection':
      return l10n.t(
        "Couldn't connect to {0}: it refused the connection. Check the address, the port, and your proxy settings.",
        host,
      );
    case 'webPage':
      return l10n.t(
        "Couldn't find the platform API at {0}. Enter the address of the dashboard, such as https://app.example.com.",
        host,
      );
    case 'redirect':
      return l10n.t('{0} redirects to another address. Enter that address instead.', host);
    case 'slowResponse':
      return l10n.t('The response of {0} arrived too slowly. Check your connection, then try again.', host);
    default:
      return error.kind === 'timeout' || error.kind === 'unreachable'
        ? l10n.t("{0} isn't responding. Check the address and your connection, then try again.", host)
        : failureMessage(error);
  }
}

/** Explains how to sign in if a password isn't enough. Returns `undefined` if the user cancels. */
async function explainTokens(error: PlatformError, dashboard: string): Promise<'token' | undefined> {
  const message = asksSecondFactor(error)
    ? l10n.t("This account uses two-factor authentication, so you can't sign in with a password alone.")
    : l10n.t("The platform doesn't let this account create access tokens outside the dashboard.");
  const detail = l10n.t(
    "1. Sign in to the dashboard in your browser.\n2. Open Settings › Access Tokens and select Generate.\n3. Select the template “IDE Plugins” and an expiration date.\n4. Copy the token and enter it here.\n\nIf the dashboard doesn't offer access tokens, ask your hosting provider or the owner of the account for one.",
  );
  const enter = l10n.t('Enter Token');
  const open = l10n.t('Open Dashboard');
  const chosen = await showWarningMessage(message, { modal: true, detail }, enter, open);
  if (chosen === open) {
    await env.openExternal(Uri.parse(dashboard));
  }
  return chosen === undefined ? undefined : 'token';
}

/** Every server on the way logs URLs, so never do this without asking. */
export async function agreesToPasswordsInUrl(host: string): Promise<boolean> {
  return (await askAboutUrl(host, [sending()])) === sending();
}

/** Asks the same during sign-in, where using a token instead is the default. */
export async function passwordOrToken(host: string): Promise<'password' | 'token' | undefined> {
  const token = l10n.t('Use Access Token');
  switch (await askAboutUrl(host, [token, sending()])) {
    case token:
      return 'token';
    case sending():
      return 'password';
    default:
      return undefined;
  }
}

const sending = () => l10n.t('Send Password in URL');

function askAboutUrl(host: string, choices: readonly string[]): Thenable<string | undefined> {
  const detail = l10n.t(
    "This platform doesn't read request bodies, and servers and proxies often log URLs, including your password. An access token from the dashboard is safer because you can delete it at any time.",
  );
  const question = l10n.t('{0} accepts passwords only in URLs. Send yours in the URL?', host);
  return showWarningMessage(question, { modal: true, detail }, ...choices);
}

/**
 * If VS Code's network stack reaches a platform that Gantry's own connections don't, asks whether to use it.
 * Returns whether it's now used, so that the caller can try again. The question is a dialog if another one waits for it,
 * otherwise a notification.
 */
export async function offerVsCodeNetwork(
  connections: Pick<Connections, 'usesOwnNetworkStack' | 'isReachedByVsCode'>,
  address: PlatformAddress,
  { modal, signal }: { readonly modal: boolean; readonly signal?: AbortSignal | undefined },
): Promise<boolean> {
  if (!connections.usesOwnNetworkStack || !(await connections.isReachedByVsCode(address, signal))) {
    return false;
  }
  const use = l10n.t("Use VS Code's Network Settings");
  const text = l10n.t("Gantry can't connect to {0}, but VS Code can.", address.host);
  const detail = l10n.t(
    'VS Code also uses the proxy settings and certificates of your operating system. This changes {0} to {1}.',
    'gantry.networkStack',
    'vscode',
  );
  const answer = modal
    ? await showWarningMessage(text, { modal, detail }, use)
    : await showWarningMessage(text, use, l10n.t('Not Now'));
  if (answer !== use || signal?.aborted === true) {
    return false;
  }
  await workspace.getConfiguration('gantry').update('networkStack', 'vscode', ConfigurationTarget.Global);
  return true;
}
