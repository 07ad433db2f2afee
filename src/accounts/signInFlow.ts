import { env, l10n, ProgressLocation, Uri, window } from 'vscode';
import type { Connections, ReachOptions } from './connections';
import { asksSecondFactor, type Credentials, type Identity, prove } from './signIn';
import { CannotCreateTokens } from './createToken';
import { parseAddress, type PlatformAddress } from '../platform/address';
import type { PlatformClient } from '../platform/client';
import { Cancelled, isCancelled, type PlatformError } from '../platform/errors';
import { showWarningMessage } from '../ui/notifications';
import { askInTurn, type Entered, type Resumption } from '../ui/prompts';
import { raceAbort } from '../async/raceAbort';
import { passwordOrToken } from './passwordInUrlPrompt';
import { signInProblem } from './signInProblemPrompt';
import { addressIn, expirationDate, type KnownAnswers, signInQuestions } from './signInPrompts';

/** Asks for credentials and proves them, until it succeeds or the person gives up. */
export interface SignInFlowDeps {
  readonly title: string;
  readonly known: KnownAnswers;
  readonly reaching?: ReachOptions | undefined;
  /** How the platform will list the tokens made here: the machine's name tells them apart. */
  readonly machine: string;
  readonly connections: Connections;
  /** Aborted when the sign-in was settled otherwise. */
  readonly signal?: AbortSignal;
  /** What is entered already, such as the way. */
  readonly entered?: Entered;
}

export interface SignedIn {
  readonly client: PlatformClient;
  readonly identity: Identity;
  readonly passwordsInUrl: boolean;
}

export async function runSignIn(flow: SignInFlowDeps): Promise<SignedIn | undefined> {
  let resumption: Resumption = { entered: flow.entered ?? {} };
  for (;;) {
    const entered = await askInTurn(flow.title, signInQuestions(flow.known), resumption, flow.signal);
    const parsed = entered && parseAddress(flow.known.address ?? addressIn(entered), flow.known);
    if (entered === undefined || parsed === undefined || !('ok' in parsed)) {
      return undefined;
    }
    try {
      return await attempt(flow, parsed.ok, entered);
    } catch (error) {
      const next = await afterFailure(error, entered, parsed.ok);
      if (next === undefined) {
        return undefined;
      }
      resumption = next;
    }
  }
}

/** The person wants to use a token after all. */
class TokenInstead extends Error {}

async function attempt(
  flow: SignInFlowDeps,
  address: PlatformAddress,
  entered: Entered,
): Promise<SignedIn | undefined> {
  const title = l10n.t('Signing in to {0}…', address.host);
  const progress = { location: ProgressLocation.Notification, title, cancellable: true };
  return window.withProgress(progress, async (_, cancelled) => {
    const cancelling = new AbortController();
    cancelled.onCancellationRequested(() => cancelling.abort());
    const signal = AbortSignal.any([cancelling.signal, ...(flow.signal === undefined ? [] : [flow.signal])]);
    const client = await flow.connections.reach(address, { ...flow.reaching, signal });
    const credentials = credentialsIn(entered, flow);
    const inUrl = client.transport === 'query' && credentials.kind === 'password';
    if (inUrl && flow.reaching?.passwordsInUrl !== true && !(await agrees(address.host))) {
      return undefined;
    }
    const passwordsInUrl = inUrl || flow.reaching?.passwordsInUrl === true;
    const chosen = await flow.connections.reach(address, { transport: client.transport, passwordsInUrl });
    // Who cancels need not wait until what was made for them on the platform is gone again.
    const proving = prove(chosen, credentials, signal);
    const identity = await raceAbort(proving, signal, new Cancelled('Signin', { fateUnknown: false }));
    return { client: chosen, identity, passwordsInUrl };
  });
}

async function agrees(host: string): Promise<boolean> {
  const answer = await passwordOrToken(host);
  if (answer === 'token') {
    throw new TokenInstead();
  }
  return answer === 'password';
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

/** Where the person goes on: at the answer that was wrong, or with a token where a password does not help. */
async function afterFailure(
  error: unknown,
  entered: Entered,
  { baseUrl, host }: PlatformAddress,
): Promise<Resumption | undefined> {
  if (isCancelled(error)) {
    return { entered };
  }
  if (error instanceof TokenInstead) {
    return { entered: { ...entered, way: 'token' }, at: tokenNext(host) };
  }
  if (asksSecondFactor(error) || error instanceof CannotCreateTokens) {
    const choice = await explainTokens(error, baseUrl);
    return choice === 'token' ? { entered: { ...entered, way: 'token' }, at: tokenNext(host) } : undefined;
  }
  const problem = signInProblem(error, entered['way'] === 'token' ? 'token' : 'password', host);
  if (problem === undefined) {
    throw error;
  }
  return { entered, at: problem };
}

function tokenNext(host: string): { key: string; problem: string } {
  return { key: 'token', problem: l10n.t('Paste the access token that you made in the dashboard of {0}.', host) };
}

/** Tells how to get in where a password alone does not suffice; `undefined` when the person gives up. */
async function explainTokens(error: PlatformError, dashboard: string): Promise<'token' | undefined> {
  const message = asksSecondFactor(error)
    ? l10n.t("This account uses two-factor authentication, so you can't sign in with a password alone.")
    : l10n.t("The platform doesn't let this account create access tokens outside the dashboard.");
  const detail = l10n.t(
    '1. Sign in to the dashboard in your browser.\n2. Open Settings › Access Tokens and choose Generate.\n3. Choose the template “IDE Plugins” and an expiry date.\n4. Copy the token and enter it here.\n\nIf the dashboard offers no access tokens, ask the hoster or the owner of the account for one.',
  );
  const enter = l10n.t('Enter Token');
  const open = l10n.t('Open Dashboard');
  const chosen = await showWarningMessage(message, { modal: true, detail }, enter, open);
  if (chosen === open) {
    await env.openExternal(Uri.parse(dashboard));
  }
  return chosen === undefined ? undefined : 'token';
}
