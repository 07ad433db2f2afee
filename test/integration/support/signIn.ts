import { accountOf, type Credentials, obtainToken } from '../../../src/features/signIn/credentials';
import type { StoredAccount } from '../../../src/accounts/storedAccount';
import type { PlatformClient } from '../../../src/platform/client';

/** Proves the credentials to the platform; what comes back is ready to be stored. */
export async function signIn(
  client: PlatformClient,
  credentials: Credentials,
  taken: readonly string[],
): Promise<StoredAccount> {
  return accountOf(client, await obtainToken(client, credentials, new AbortController().signal), taken);
}
