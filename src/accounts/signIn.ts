import type { PlatformClient } from '../platform/client';
import { failed } from '../platform/failureTexts';
import { Canceled, isPlatformError, type PlatformError, undefinedIf } from '../platform/errors';
import { isAccessToken, lackedOperations } from './tokenRights';
import { makeSlug, type TokenData, type StoredAccount } from './storedAccount';
import { createAccessToken, type OpenedSession, deleteCreatedToken, type WantedToken } from './createToken';

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

/** Whether the account requires two-factor authentication, which only the dashboard supports. */
export function asksSecondFactor(error: unknown): error is PlatformError {
  return isPlatformError(error) && error.obstacle === 'secondFactor';
}

export async function openSession(
  client: PlatformClient,
  login: string,
  password: string,
): Promise<OpenedSession & { readonly email: string | undefined }> {
  const { session = '', email, needsSecondFactor } = await client.call('Signin', { login, password });
  if (needsSecondFactor !== true && session !== '') {
    return { session, password, email };
  }
  if (session !== '') {
    await closeSession(client, session);
  }
  throw failed({ kind: 'unauthenticated', operation: 'Signin', target: '', obstacle: 'secondFactor' });
}

/** Ends a session. Its work is already done, so a failure is only logged like every other request. */
export async function closeSession(client: PlatformClient, session: string): Promise<void> {
  await undefinedIf('any', client.call('Signout', { session }));
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
