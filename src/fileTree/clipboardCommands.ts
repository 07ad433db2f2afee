import { l10n, window } from 'vscode';
import { nameOf } from '../containers/place';
import { setContextKey } from '../ui/contextKeys';
import type { CommandTarget, CommandTargets } from './commandTargets';
import { copyInto, moveInto, type PasteFilesDeps } from './pasteFilesFlow';

interface Clipboard {
  readonly subjects: readonly CommandTarget[];
  readonly intent: 'cut' | 'copy';
}

export function clipboardCommands(subjects: CommandTargets, transporting: PasteFilesDeps) {
  const held: { clipboard: Clipboard | undefined } = { clipboard: undefined };
  const hold = async (clipboard: Clipboard | undefined) => {
    held.clipboard = clipboard;
    await setContextKey('gantry.clipboard', clipboard === undefined ? 'empty' : 'filled');
  };
  const take = async (received: readonly unknown[], intent: Clipboard['intent']) => {
    const taken = (await subjects.all(received)).filter(({ place }) => place.path !== '/');
    if (taken.length > 0) {
      await hold({ subjects: taken, intent });
      window.setStatusBarMessage(heldText(taken, intent), 3000);
    }
  };
  return {
    'gantry.file.cut': (...received: readonly unknown[]) => take(received, 'cut'),

    'gantry.file.copy': (...received: readonly unknown[]) => take(received, 'copy'),

    async 'gantry.folder.paste'(...received: readonly unknown[]) {
      const folder = await subjects.folder(received);
      const { clipboard } = held;
      if (folder === undefined || clipboard === undefined) {
        return;
      }
      if (clipboard.intent === 'copy') {
        await copyInto(folder, clipboard.subjects, transporting);
        return;
      }
      await hold(undefined);
      await moveInto(folder, clipboard.subjects, transporting);
    },
  };
}

function heldText([first, ...more]: readonly CommandTarget[], intent: Clipboard['intent']): string {
  const what = first === undefined || more.length > 0 ? l10n.t('{0} items', more.length + 1) : nameOf(first.place);
  return intent === 'cut'
    ? l10n.t('$(clippy) {0} to be moved: paste into a folder', what)
    : l10n.t('$(clippy) {0} to be copied: paste into a folder', what);
}
