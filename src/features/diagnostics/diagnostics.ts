import { commands, env, l10n } from 'vscode';
import type { Levels } from '../../services';
import type { Call } from '../../ui/commands/call';
import { command } from '../../ui/commands/command';
import { showInformationMessage } from '../../ui/notifications';
import type { ShownTexts } from '../../ui/shownTexts';
import { currentDiagnostics } from './currentDiagnostics';

/** What a person copies for an issue. */
export function createDiagnostics(host: Levels['host']) {
  return {
    commands: {
      'gantry.diagnostics.copy': command('raw', errorsIn, async (errors) => {
        errors.forEach((error) => host.recent.note(error));
        const text = await currentDiagnostics(host);
        await env.clipboard.writeText(text);
        // Nothing waits for this.
        void offerToShow(text, host.texts);
      }),
    },
  };
}

/** Returns the errors of a row that shows one, or of the details of a batch. */
function errorsIn({ object = {} }: Call): readonly unknown[] {
  const errors: unknown = 'errors' in object ? object.errors : 'error' in object ? [object.error] : [];
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
