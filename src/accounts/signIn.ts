import type { PlatformClient } from '../platform/client';
import { failed } from '../platform/failureTexts';
import { Cancelled, isPlatformError, type PlatformError, undefinedIf } from '../platform/errors';
import { makeSlug, type Proof, type StoredAccount } from './storedAccount';
import { createAccessToken, type OpenedSession, deleteCreatedToken, type WantedToken } from './createToken';

export type Credentials =
  | {
      readonly kind: 'token';
      readonly token: string;
      /** What the person calls the account: a token does not say whose it is. */
      readonly name: string;
    }
  | {
      readonly kind: 'password';
      readonly login: string;
      readonly password: string;
      /** The token to be made, since neither password nor session is kept. */
      readonly wanted: WantedToken;
    };

/** What credentials turned out to be worth. */
export interface Identity {
  /** The email address, or what the person calls the account. */
  readonly name?: string;
  readonly proof: Proof;
}

/** A new account, under a name that none of the others has. */
export function accountOf(client: PlatformClient, { name, proof }: Identity, taken: readonly string[]): StoredAccount {
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

/** Who gives up meanwhile is given nothing, and leaves nothing on the platform: what was made for them is unmade. */
export async function prove(
  client: PlatformClient,
  credentials: Credentials,
  signal: AbortSignal = new AbortController().signal,
): Promise<Identity> {
  demandWanted(signal);
  return credentials.kind === 'token'
    ? checkToken(client, credentials, signal)
    : exchangePassword(client, credentials, signal);
}

type WithPassword = Extract<Credentials, { kind: 'password' }>;

/** The password becomes a token. */
async function exchangePassword(
  client: PlatformClient,
  credentials: WithPassword,
  signal: AbortSignal,
): Promise<Identity> {
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
    // Given up while the session was being signed out: another one has to do it.
    await inSession(client, credentials, (opened) => deleteCreatedToken(client, opened, identity.proof));
  }
  demandWanted(signal);
  return identity;
}

/** The session that the password opens ends with the work, however that ends. None is cut off while it opens: it would stay. */
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
    throw new Cancelled('Signin', { fateUnknown: false });
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

/** Ends a session. What it was opened for has been settled by then, so a failure is only logged as every request is. */
export async function closeSession(client: PlatformClient, session: string): Promise<void> {
  await undefinedIf('any', client.call('Signout', { session }));
}

/** A token proves itself by a read. One that does not permit this read is a valid token nevertheless. */
async function checkToken(
  client: PlatformClient,
  { token, name }: Extract<Credentials, { kind: 'token' }>,
  signal: AbortSignal,
): Promise<Identity> {
  await undefinedIf('tokenLacksMethod', client.call('GetTokenTemplates', { session: token }, { signal }));
  demandWanted(signal);
  return name === '' ? { proof: { token } } : { name, proof: { token } };
}
