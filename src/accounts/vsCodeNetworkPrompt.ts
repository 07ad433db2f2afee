import { ConfigurationTarget, l10n, workspace } from 'vscode';
import type { PlatformAddress } from '../platform/address';
import { showWarningMessage } from '../ui/notifications';
import type { Connections } from './connections';

export interface VsCodeNetworkOptions {
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
    'VS Code also uses the proxy settings and certificates of your operating system. This changes the setting {0} to {1}.',
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
