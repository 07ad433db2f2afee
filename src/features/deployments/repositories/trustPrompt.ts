import { commands, l10n } from 'vscode';
import type { GitExtensionState } from '../../../files/gitExtension';

export async function manageWorkspaceTrust(): Promise<void> {
  await commands.executeCommand('workbench.trust.manage');
}

/** The button that leads out of Restricted Mode, if that's why Gantry can't use Git. */
export function trustButton(state: GitExtensionState | undefined): ReadonlyMap<string, () => Promise<void>> {
  return new Map(state === 'untrusted' ? [[l10n.t('Manage Workspace Trust'), manageWorkspaceTrust]] : []);
}
