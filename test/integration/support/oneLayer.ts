import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from './parts';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving } from './editing';
import { gantry, signedIn } from './gantry';

/**
 * The setup for tests of editors: a signed-in account and an environment `shop` with one layer `cp` and a writable
 * `/srv`.
 */
export interface OneLayer {
  readonly platform: LocalPlatform;
  readonly account: Account;
  readonly parts: Parts;
  /** The IDs of its nodes. */
  readonly nodes: readonly number[];
}

interface OneLayerOptions {
  readonly nodes?: number;
  readonly shortcuts?: { keyword: string; path: string }[];
}

export async function startOneLayer({ nodes = 1, shortcuts = [] }: OneLayerOptions = {}): Promise<OneLayer> {
  const layer = { name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'], nodes, shortcuts };
  const platform = await startPlatform({ environments: [{ envName: 'shop', layers: [layer] }] });
  return {
    platform,
    account: await signedIn(platform),
    parts: await gantry(),
    nodes: platform.nodes('shop', 'cp').map(({ id }) => id),
  };
}

/** Call this after each test. */
export async function clearOneLayer(platform: LocalPlatform): Promise<void> {
  platform.faults.clear();
  await closeWithoutSaving();
}

export async function endOneLayer({ platform, account, parts }: Omit<OneLayer, 'nodes'>): Promise<void> {
  await parts.accounts.remove(account.slug);
  await platform.dispose();
}
