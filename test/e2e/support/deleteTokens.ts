import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { callPlatform } from './callPlatform';

/** Deletes all tokens of the sample account, as its owner would in the dashboard. */
export async function deleteTokens(platform: LocalPlatform): Promise<void> {
  await callPlatform(platform, 'DeleteTokens', { ids: '*' });
}
