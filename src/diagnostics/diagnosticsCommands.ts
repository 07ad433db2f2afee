import { env, l10n } from 'vscode';
import { showInformationMessage } from '../ui/notifications';

/** @param describe the diagnostics as text, without anything confidential */
export function diagnosticsCommands(describe: () => Promise<string>) {
  return {
    async 'gantry.diagnostics.copy'() {
      await env.clipboard.writeText(await describe());
      // Nothing waits for this.
      void showInformationMessage(
        l10n.t('Copied diagnostics, without environment or file names, paths, addresses, file contents, or secrets.'),
      );
    },
  };
}
