import { makeSlug, type StoredAccount, type TokenData } from '../../accounts/storedAccount';
import {
  closeSession,
  customTemplate,
  isAccessToken,
  lackedBy,
  lackedOperations,
  missingFrom,
  neededMethods,
  type OpenedSession,
  openSession,
} from '../../accounts/tokens';
import type { PlatformClient } from '../../platform/client';
import { Canceled, isPlatformError, PlatformError, undefinedIf } from '../../platform/errors';
import { writeTimestamp } from '../../platform/wire/scalars';

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

export interface ObtainedToken {
  /** The email address, or the user's name for the account. */
  readonly name?: string;
  /** What the password belongs to. A token doesn't say it, and a user's name for the account may contain an "@", too. */
  readonly login?: string;
  readonly tokenData: TokenData;
}

export function accountOf(
  client: PlatformClient,
  { name, login, tokenData }: ObtainedToken,
  taken: readonly string[],
): StoredAccount {
  const { baseUrl, host } = client.address;
  return {
    slug: makeSlug(name ?? '', host, taken),
    since: Date.now(),
    label: name ?? host,
    ...(login === undefined ? {} : { login }),
    address: baseUrl,
    transport: client.transport,
    ...tokenData,
  };
}

/**
 * Exchanges a password for a new access token, or checks a token. If the user cancels, throws and deletes a token created
 * in the meantime.
 */
export async function obtainToken(
  client: PlatformClient,
  credentials: Credentials,
  signal: AbortSignal,
): Promise<ObtainedToken> {
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
): Promise<ObtainedToken> {
  const obtained = await inSession(client, credentials, async ({ email, ...opened }) => {
    demandWanted(signal);
    const tokenData = await createAccessToken(client, opened, credentials.wanted, signal);
    if (signal.aborted) {
      await deleteCreatedToken(client, opened, tokenData);
    }
    demandWanted(signal);
    const login = email ?? credentials.login;
    return { name: login, login, tokenData };
  });
  if (signal.aborted) {
    // Canceled while the session was being signed out, so open another session for the cleanup.
    await inSession(client, credentials, (opened) => deleteCreatedToken(client, opened, obtained.tokenData));
  }
  demandWanted(signal);
  return obtained;
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
): Promise<ObtainedToken> {
  await undefinedIf('tokenLacksMethod', client.call('GetTokenTemplates', { session: token }, { signal }));
  demandWanted(signal);
  // Many tokens may not list tokens. Their rights are learned from each refused call.
  const patience = { signal, deadline: longestForRights };
  const listed = isAccessToken(token)
    ? await undefinedIf('any', client.call('GetTokens', { session: token }, patience))
    : undefined;
  demandWanted(signal);
  const tokenData = { token, lacks: listed && lackedOperations(listed.tokens, { token }) };
  return name === '' ? { tokenData } : { name, tokenData };
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
  signal: AbortSignal,
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
  signal: AbortSignal,
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
