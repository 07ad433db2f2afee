import assert from 'node:assert/strict';
import type { LocalPlatform } from '../../platform/localPlatform';

interface TokenRow {
  readonly id: number;
  readonly apiList: readonly string[];
}

/** Takes a method from all tokens of the sample account, as its owner would in the dashboard; and gives it back. */
export async function narrowTokens(platform: LocalPlatform, method: string): Promise<() => Promise<void>> {
  const session = await platform.createSession();
  const ask = async (operation: string, parameters: Readonly<Record<string, string>>) => {
    const response = await fetch(`${platform.origin}/1.0/users/authentication/rest/${operation}`, {
      method: 'POST',
      body: new URLSearchParams({ session, ...parameters }),
    });
    const answer = (await response.json()) as { readonly result: unknown; readonly tokens?: readonly TokenRow[] };
    assert.equal(answer.result, 0);
    return answer;
  };
  const edit = async (permitted: (apiList: readonly string[]) => readonly string[]) => {
    for (const { id, apiList } of tokens) {
      const { password } = platform.sample;
      await ask('edittoken', { id: String(id), tokenTemplate: 'Custom', apiList: permitted(apiList).join(), password });
    }
  };
  const { tokens = [] } = await ask('gettokens', {});
  assert.ok(tokens.every(({ apiList }) => apiList.includes(method)));
  await edit((apiList) => apiList.filter((one) => one !== method));
  return () => edit((apiList) => apiList);
}
