import { commands, l10n, type Memento } from 'vscode';
import type { CommandId } from '../manifest';
import { isLoopback } from '../platform/address';
import { showInformationMessage } from '../ui/notifications';
import type { Account } from './accounts';

/** The Memento key for the hosts whose check was offered. */
const key = 'gantry.compatibilityOffered';

/** Offers the check once per platform, after the first sign-in there. One on this computer is for trying things out. */
export async function offerCompatibilityCheck(
  { slug, host, address }: Pick<Account, 'slug' | 'host' | 'address'>,
  memory: Memento,
): Promise<void> {
  const offered = memory.get<readonly string[]>(key, []);
  if (offered.includes(host) || isLoopback(new URL(address).hostname)) {
    return;
  }
  await memory.update(key, [...offered, host]);
  const text = l10n.t('Check what {0} supports? At first, Gantry only reads and changes nothing.', host);
  const check = l10n.t('Check Compatibility…');
  if ((await showInformationMessage(text, check)) === check) {
    const command: CommandId = 'gantry.platform.checkCompatibility';
    await commands.executeCommand(command, slug);
  }
}
