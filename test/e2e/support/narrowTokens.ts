import assert from 'node:assert/strict';
import type { LocalPlatform } from '../../localPlatform/localPlatform';
import { callPlatform } from './callPlatform';

/**
 * Removes a method from all tokens of the sample account, as its owner would in the dashboard. Returns a function that
 * restores it.
 */
export async function narrowTokens(platform: LocalPlatform, method: string): Promise<() => Promise<void>> {
  const { tokens } = await callPlatform(platform, 'GetTokens', {});
  const edit = async (permitted: (apiList: readonly string[]) => readonly string[]) => {
    for (const { id, apiList } of tokens) {
      const { password } = platform.sample;
      const list = permitted(apiList).join();
      await callPlatform(platform, 'EditToken', { id, tokenTemplate: 'Custom', apiList: list, password });
    }
  };
  assert.ok(tokens.every(({ apiList }) => apiList.includes(method)));
  await edit((apiList) => apiList.filter((one) => one !== method));
  return () => edit((apiList) => apiList);
}
