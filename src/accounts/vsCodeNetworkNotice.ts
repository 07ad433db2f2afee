import type { Disposable } from 'vscode';
import type { PlatformAddress } from '../platform/address';
import type { Accounts } from './accounts';
import type { Connections } from './connections';
import { offerVsCodeNetwork } from './vsCodeNetworkPrompt';

export interface VsCodeNetworkDeps {
  readonly connections: Connections;
  readonly accounts: Pick<Accounts, 'refreshViews'>;
  readonly report: (error: unknown) => void;
  readonly now: () => number;
}

/** How long not to check again after a check, in milliseconds: without any network, every request fails. */
const pause = 60_000;

/** Offers VS Code's network stack when a signed-in account's platform can't be reached without it. */
export function watchConnections({ connections, accounts, report, now }: VsCodeNetworkDeps): Disposable {
  const checked = new Map<string, number>();
  const offer = async (address: PlatformAddress) => {
    if (now() - (checked.get(address.host) ?? -pause) < pause) {
      return;
    }
    // No further check while the question is open.
    checked.set(address.host, Infinity);
    try {
      if (await offerVsCodeNetwork(connections, address, { modal: false })) {
        accounts.refreshViews();
      }
    } finally {
      checked.set(address.host, now());
    }
  };
  return connections.onDidFailToConnect((address) => void offer(address).catch(report));
}
