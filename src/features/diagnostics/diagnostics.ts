import { commands, env, l10n } from 'vscode';
import { showInformationMessage } from '../ui/notifications';
import type { RecentErrors } from '../ui/recentErrors';
import type { ShownTexts } from '../ui/shownTexts';

export interface DiagnosticsCommandsDeps {
  /** Gets the errors of what the command is called on: a row that shows one, or the details of a batch. */
  readonly recent: RecentErrors;
  readonly texts: ShownTexts;
}

/** @param describe the diagnostics as text, without anything confidential */
export function diagnosticsCommands(describe: () => Promise<string>, { recent, texts }: DiagnosticsCommandsDeps) {
  return {
    async 'gantry.diagnostics.copy'(received: unknown) {
      errorsIn(received).forEach((error) => recent.note(error));
      const text = await describe();
      await env.clipboard.writeText(text);
      // Nothing waits for this.
      void offerToShow(text, texts);
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

/** People may want to read the text before they share it. */
async function offerToShow(text: string, texts: ShownTexts): Promise<void> {
  const show = l10n.t('Show Diagnostics');
  const copied = l10n.t(
    'Copied diagnostics, without environment or file names, paths, addresses, file contents, or secrets.',
  );
  if ((await showInformationMessage(copied, show)) === show) {
    await commands.executeCommand('vscode.open', texts.add(l10n.t('Gantry diagnostics.md'), text));
  }
}
