import { ConfigurationTarget, l10n, workspace, type Disposable } from 'vscode';
import type { PlatformAddress } from '../platform/address';
import { showWarningMessage } from '../ui/notifications';
import type { Connections } from './connections';
import type { Accounts } from './accounts';

interface VsCodeNetworkOptions {
  /** A dialog, because a question behind it waits. Otherwise a notification. */
  readonly modal: boolean;
  readonly signal?: AbortSignal;
}

/**
 * If VS Code's network stack reaches a platform that Gantry's own connections don't, asks whether to use it.
 * Returns whether it's now used, so that the caller can try again.
 */
export async function offerVsCodeNetwork(
  connections: Pick<Connections, 'usesOwnNetworkStack' | 'isReachedByVsCode'>,
  address: PlatformAddress,
  { modal, signal }: VsCodeNetworkOptions,
): Promise<boolean> {
  if (!connections.usesOwnNetworkStack || !(await connections.isReachedByVsCode(address, signal))) {
    return false;
  }
  const use = l10n.t("Use VS Code's Network Settings");
  const text = l10n.t("Gantry can't connect to {0}, but VS Code can.", address.host);
  const detail = l10n.t(
    'VS Code also uses the proxy settings and certificates of your operating system. This changes {0} to {1}.',
    'gantry.networkStack',
    'vscode',
  );
  const answer = modal
    ? await showWarningMessage(text, { modal, detail }, use)
    : await showWarningMessage(text, use, l10n.t('Not Now'));
  if (answer !== use || signal?.aborted === true) {
    return false;
  }
  await workspace.getConfiguration('gantry').update('networkStack', 'vscode', ConfigurationTarget.Global);
  return true;
}

/** How long not to check again after a check, in milliseconds: without any network, every request fails. */
const pause = 60_000;

/** Offers VS Code's network stack when a signed-in account's platform can't be reached without it. */
export function watchConnections({
  connections,
  accounts,
  report,
  now,
}: {
  readonly connections: Connections;
  readonly accounts: Pick<Accounts, 'refreshViews'>;
  readonly report: (error: unknown) => void;
  readonly now: () => number;
}): Disposable {
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
