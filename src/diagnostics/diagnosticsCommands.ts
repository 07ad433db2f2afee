import { env, l10n } from 'vscode';
import { showInformationMessage } from '../ui/notifications';
import type { RecentErrors } from '../ui/recentErrors';

/**
 * @param describe the diagnostics as text, without anything confidential
 * @param recent gets the errors of what the command is called on: a row that shows one, or the details of a batch
 */
export function diagnosticsCommands(describe: () => Promise<string>, recent: RecentErrors) {
  return {
    async 'gantry.diagnostics.copy'(received: unknown) {
      errorsIn(received).forEach((error) => recent.note(error));
      await env.clipboard.writeText(await describe());
      // Nothing waits for this.
      void showInformationMessage(
        l10n.t('Copied diagnostics, without environment or file names, paths, addresses, file contents, or secrets.'),
      );
    },
  };
}

function errorsIn(received: unknown): readonly unknown[] {
  if (typeof received !== 'object' || received === null) {
    return [];
  }
  const errors: unknown = 'errors' in received ? received.errors : 'error' in received ? [received.error] : [];
  return Array.isArray(errors) ? errors : [];
}
