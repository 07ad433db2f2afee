import { l10n, type Uri, window } from 'vscode';
import { textFlawOf } from '../files/text';
import { type FilePlace, nameOf } from '../containers/place';
import { withProgress } from '../ui/progress';
import type { ShownTexts } from '../ui/shownTexts';
import type { FileTreeDeps } from './fileTreeDeps';

export function readOnlyTextCommands({ targets, containers, texts }: FileTreeDeps) {
  return {
    'gantry.file.showAsText': targets.onFile(async (file) => {
      const title = l10n.t('Reading {0}…', file.path);
      const text = await withProgress(title, ({ signal }) => containers.read(file, { signal }));
      await window.showTextDocument(readOnlyText(file, text, texts), { preview: true });
    }),
  };
}

/** Opens a text as the platform returned it. It can't be saved, and its tab says if it isn't exactly the file. */
export function readOnlyText(file: FilePlace, text: string, texts: ShownTexts): Uri {
  // No need for the exact length: most damage shows in the text, and this tab can't be saved.
  const isDamaged = textFlawOf(text, undefined) === 'bytes';
  return texts.add(isDamaged ? l10n.t('(damaged text) {0}', nameOf(file)) : nameOf(file), text);
}
