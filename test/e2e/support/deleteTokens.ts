import assert from 'node:assert/strict';
import type { LocalPlatform } from '../../platform/localPlatform';

/** Deletes all tokens of the sample account, as its owner would in the dashboard. */
export async function deleteTokens(platform: LocalPlatform): Promise<void> {
  const session = await platform.createSession();
  const response = await fetch(`${platform.origin}/1.0/users/authentication/rest/deletetokens`, {
    method: 'POST',
    body: new URLSearchParams({ session, ids: '*' }),
  });
  const answer = (await response.json()) as { readonly result: unknown };
  assert.equal(answer.result, true);
}
