import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from '../../../src/extension';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving } from './editing';
import { gantry, signedIn } from './gantry';

/** What a test of editors begins with: an environment `shop` with one layer `cp`, signed in to. In `/srv` it may write. */
export interface OneLayer {
  readonly platform: LocalPlatform;
  readonly account: Account;
  readonly parts: Parts;
  /** The numbers of its nodes. */
  readonly nodes: readonly number[];
}

export async function startOneLayer({ nodes = 1 } = {}): Promise<OneLayer> {
  const layer = { name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'], nodes };
  const platform = await startPlatform({ environments: [{ envName: 'shop', layers: [layer] }] });
  return {
    platform,
    account: await signedIn(platform),
    parts: await gantry(),
    nodes: platform.nodes('shop', 'cp').map(({ id }) => id),
  };
}

/** After each test. */
export async function clearOneLayer(platform: LocalPlatform): Promise<void> {
  platform.faults.clear();
  await closeWithoutSaving();
}

export async function endOneLayer({ platform, account, parts }: Omit<OneLayer, 'nodes'>): Promise<void> {
  await parts.accounts.remove(account.slug);
  await platform.dispose();
}
