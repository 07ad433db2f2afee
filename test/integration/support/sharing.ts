import type { Account } from '../../../src/accounts/accounts';
import type { Parts, SharingParts } from './parts';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { gantry, signedIn } from './gantry';

/** The setup for tests of favorites and mounts: the sample platform with a signed-in account. */
export interface SharingSetUp {
  readonly platform: LocalPlatform;
  readonly account: Account;
  readonly parts: Parts & SharingParts;
}

export async function startSharing(): Promise<SharingSetUp> {
  const platform = await startPlatform({ withoutProject: true });
  const account = await signedIn(platform);
  const parts = await gantry();
  return { platform, account, parts: { ...parts, ...parts.sharing } };
}
