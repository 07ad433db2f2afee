import assert from 'node:assert/strict';
import type { Account } from '../../../src/accounts/accounts';
import type { Environments } from '../../../src/containers/environments';
import type { LocalPlatform } from '../../localPlatform/localPlatform';

interface Stage {
  readonly platform: LocalPlatform;
  readonly account: Account;
  readonly parts: { readonly environments: Environments };
}

/** Has the window list the environments without a node, as before it was added to its layer: once, or from now on. */
export async function listWithoutNode(
  { platform, account, parts }: Stage,
  nodeId: number,
  times?: 'always',
): Promise<void> {
  const response = await fetch(`${platform.origin}/1.0/environment/control/rest/getenvs`, {
    method: 'POST',
    body: new URLSearchParams({ session: await platform.createSession() }),
  });
  const answer = (await response.json()) as { infos: { nodes: { id: number }[] }[] };
  const all = answer.infos.flatMap(({ nodes }) => nodes).length;
  for (const info of answer.infos) {
    info.nodes = info.nodes.filter(({ id }) => id !== nodeId);
  }
  assert.equal(answer.infos.flatMap(({ nodes }) => nodes).length, all - 1);
  const body = JSON.stringify(answer);
  platform.faults.add({ operation: 'GetEnvs', ...(times && { times }), fault: { kind: 'answer', body } });
  parts.environments.refresh();
  const listed = await parts.environments.of(account);
  assert.ok(!listed.some(({ layers }) => layers.some(({ nodes }) => nodes.some(({ id }) => id === nodeId))));
}
