import { closeSession, type OpenedSession, openSession, asksSecondFactor } from '../../accounts/passwordOperations';
import { makeSlug, type StoredAccount, type TokenData } from '../../accounts/storedAccount';
import {
  customTemplate,
  isAccessToken,
  lackedBy,
  lackedOperations,
  missingFrom,
  neededMethods,
} from '../../accounts/tokenRights';
import type { PlatformClient } from '../../platform/client';
import { Canceled, isPlatformError, PlatformError, undefinedIf } from '../../platform/errors';
import { writeTimestamp } from '../../platform/wire/scalars';
import { ConfigurationTarget, env, l10n, Uri, workspace } from 'vscode';
import type { Connections } from '../../accounts/connections';
import type { PlatformAddress } from '../../platform/address';
import { resultCodes } from '../../platform/resultCodes';
import { failureMessage } from '../../ui/failureMessages';
import { showWarningMessage } from '../../ui/notifications';

export type Credentials =
  | {
      readonly kind: 'token';
      readonly token: string;
      /** The user's name for the account, because a token doesn't identify its owner. */
      readonly name: string;
    }
  | {
      readonly kind: 'password';
      readonly login: string;
      readonly password: string;
      /** The token to create, because neither the password nor the session is kept. */
      readonly wanted: WantedToken;
    };

export interface VerifiedCredentials {
  /** The email address, or the user's name for the account. */
  readonly name?: string;
  readonly proof: TokenData;
}

export function accountOf(
  client: PlatformClient,
  { name, proof }: VerifiedCredentials,
  taken: readonly string[],
): StoredAccount {
  const { baseUrl, host } = client.address;
  return {
    slug: makeSlug(name ?? '', host, taken),
    since: Date.now(),
    label: name ?? host,
    ...(name?.includes('@') === true ? { login: name } : {}),
    address: baseUrl,
    transport: client.transport,
    ...proof,
  };
}

/** Checks the credentials. If the user cancels, throws and deletes a token created in the meantime. */
export async function verifyCredentials(
  client: PlatformClient,
  credentials: Credentials,
  signal: AbortSignal = new AbortController().signal,
): Promise<VerifiedCredentials> {
  demandWanted(signal);
  return credentials.kind === 'token'
    ? checkToken(client, credentials, signal)
    : exchangePassword(client, credentials, signal);
}

type WithPassword = Extract<Credentials, { kind: 'password' }>;

async function exchangePassword(
  client: PlatformClient,
  credentials: WithPassword,
  signal: AbortSignal,
): Promise<VerifiedCredentials> {
  const identity = await inSession(client, credentials, async ({ email, ...opened }) => {
    demandWanted(signal);
    const proof = await createAccessToken(client, opened, credentials.wanted, signal);
    if (signal.aborted) {
      await deleteCreatedToken(client, opened, proof);
    }
    demandWanted(signal);
    return { name: email ?? credentials.login, proof };
  });
  if (signal.aborted) {
    // Canceled while the session was being signed out, so open another session for the cleanup.
    await inSession(client, credentials, (opened) => deleteCreatedToken(client, opened, identity.proof));
  }
  demandWanted(signal);
  return identity;
}

/** Runs the work in a session and always closes it. Opening can't be canceled: a session could stay open. */
async function inSession<T>(
  client: PlatformClient,
  { login, password }: WithPassword,
  work: (opened: OpenedSession & { readonly email: string | undefined }) => Promise<T>,
): Promise<T> {
  const opened = await openSession(client, login, password);
  try {
    return await work(opened);
  } finally {
    await closeSession(client, opened.session);
  }
}

function demandWanted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Canceled('Signin', { isOutcomeUnknown: false });
  }
}

/** How long a sign-in waits for the token's rights, which it can do without. In milliseconds. */
const longestForRights = 3_000;

/** Checks a token with a read. A token that isn't allowed to do this read is still valid. */
async function checkToken(
  client: PlatformClient,
  { token, name }: Extract<Credentials, { kind: 'token' }>,
  signal: AbortSignal,
): Promise<VerifiedCredentials> {
  await undefinedIf('tokenLacksMethod', client.call('GetTokenTemplates', { session: token }, { signal }));
  demandWanted(signal);
  // Many tokens may not list tokens. Their rights are learned from each refused call.
  const patience = { signal, deadline: longestForRights };
  const listed = isAccessToken(token)
    ? await undefinedIf('any', client.call('GetTokens', { session: token }, patience))
    : undefined;
  demandWanted(signal);
  const proof = { token, lacks: listed && lackedOperations(listed.tokens, { token }) };
  return name === '' ? { proof } : { name, proof };
}

interface WantedToken {
  readonly description: string;
  /** `undefined` for a token that doesn't expire. */
  readonly expiresAt: Date | undefined;
}

/** The platform's template for editors. */
const template = 'IDE Plugins';

/** Creates an access token that allows what Gantry needs and as little else as the platform permits. */
async function createAccessToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { description, expiresAt }: WantedToken,
  signal?: AbortSignal,
): Promise<TokenData> {
  const permits = await choosePermits(client, session, signal);
  const end = expiresAt === undefined ? {} : { expiresAt: writeTimestamp(expiresAt) };
  try {
    // Don't cancel the request: that could leave a token whose value is lost.
    const { token } = await client.call('CreateToken', { session, password, description, ...permits, ...end });
    return {
      token: token.key,
      tokenId: token.id,
      tokenTemplate: token.tokenTemplate ?? permits.tokenTemplate,
      lacks: lackedBy([token]),
      // The platform may grant a shorter lifetime than requested.
      expiresAt: (token.expiresAt ?? expiresAt)?.getTime(),
    };
  } catch (error) {
    throw isPlatformError(error) && (error.kind === 'forbidden' || error.kind === 'tokenLacksMethod')
      ? new CannotCreateTokens(error)
      : error;
  }
}

/** Deletes the token of a canceled sign-in. Failures are only logged, because no caller waits for the result. */
async function deleteCreatedToken(
  client: PlatformClient,
  { session, password }: OpenedSession,
  { tokenId }: TokenData,
): Promise<void> {
  if (tokenId !== undefined) {
    await undefinedIf('any', client.call('DeleteTokens', { ids: String(tokenId), session, password }));
  }
}

/** The sign-in worked, but the platform doesn't let this account create access tokens. */
export class CannotCreateTokens extends PlatformError {
  constructor(cause: PlatformError) {
    const { kind, operation, result, address, message } = cause;
    super({ kind, operation, result, address, message, cause });
  }
}

async function choosePermits(
  client: PlatformClient,
  session: string,
  signal: AbortSignal | undefined,
): Promise<{ readonly tokenTemplate: string; readonly apiList?: string }> {
  const beyond = [...neededMethods.undocumentedMethods, ...neededMethods.optionalMethods];
  const all = [...neededMethods.documentedMethods, ...beyond];
  const { templates } = await client.call('GetTokenTemplates', { session }, { signal });
  const fitting = templates.find(({ name, apiList }) => name === template && missingFrom(apiList, all).length === 0);
  if (fitting !== undefined) {
    return { tokenTemplate: fitting.name };
  }
  // Some platforms mark the methods that list environments as private, but still allow them for tokens.
  const { apiList: offered } = await client.call('GetTokenApiList', { session, showPrivate: true }, { signal });
  // An empty list doesn't show what the platform supports.
  const unknownHere = offered.length === 0 ? [] : missingFrom(offered, beyond);
  return { tokenTemplate: customTemplate, apiList: all.filter((method) => !unknownHere.includes(method)).join(',') };
}

/** What went wrong during sign-in, and the question to ask again. */
interface SignInProblem {
  readonly key: 'address' | 'login' | 'password' | 'token';
  readonly problem: string;
}

/** Returns `undefined` if no other answer would help. */
export function signInProblem(error: unknown, way: 'password' | 'token', host: string): SignInProblem | undefined {
  if (!isPlatformError(error)) {
    return undefined;
  }
  if (error.kind === 'unauthenticated' || error.result === resultCodes.invalidParameter) {
    return way === 'token'
      ? {
          key: 'token',
          problem: l10n.t(
            '{0} rejected this token. Copy the complete token again, or create a new one in the dashboard if it was deleted or has expired.',
            host,
          ),
        }
      : { key: 'password', problem: wrongPassword(host) };
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
export async function explainTokens(error: PlatformError, dashboard: string): Promise<'token' | undefined> {
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
  const chosen = await askAboutUrl(host, [token, sending()]);
  return chosen === undefined ? undefined : chosen === token ? 'token' : 'password';
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
