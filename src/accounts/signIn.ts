import type { PlatformClient } from '../platform/client';
import { isPlatformError, PlatformError } from '../platform/errors';
import { makeSlug, type StoredAccount } from './account';

export type Credentials =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'password'; readonly login: string; readonly password: string };

/** Proves the credentials to the platform; what comes back is ready to be stored. */
export async function signIn(
  client: PlatformClient,
  credentials: Credentials,
  taken: readonly string[],
): Promise<StoredAccount> {
  const identity =
    credentials.kind === 'token' ? await checkToken(client, credentials) : await signInWith(client, credentials);
  return {
    slug: makeSlug(identity.who, client.address.host, taken),
    label: identity.who === '' ? client.address.host : identity.who,
    address: client.address.baseUrl,
    transport: client.transport,
    token: identity.token,
  };
}

interface Identity {
  readonly who: string;
  readonly token: string;
}

async function signInWith(
  client: PlatformClient,
  { login, password }: { login: string; password: string },
): Promise<Identity> {
  const { session, email } = await client.call('Signin', { login, password });
  if (session === undefined) {
    throw new PlatformError({
      kind: 'unauthenticated',
      operation: 'Signin',
      message: 'This account asks for a second factor: make an access token in the dashboard and sign in with it.',
    });
  }
  return { who: email ?? login, token: session };
}

/** A token proves itself by a read. One that does not permit this read is a valid token nevertheless. */
async function checkToken(client: PlatformClient, { token }: { token: string }): Promise<Identity> {
  try {
    await client.call('GetEnvs', { session: token });
  } catch (error) {
    if (!isPlatformError(error) || error.kind !== 'tokenLacksMethod') {
      throw error;
    }
  }
  return { who: '', token };
}
