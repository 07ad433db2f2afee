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

/** An editor of a text as the platform returned it. It can't be saved, and its tab says when it isn't exactly the file. */
export function readOnlyText(file: FilePlace, text: string, texts: ShownTexts): Uri {
  // The length isn't asked for: most damage shows in the text, and a tab that can't be saved promises nothing.
  const isDamaged = textFlawOf(text, undefined) === 'bytes';
  return texts.add(isDamaged ? l10n.t('(damaged text) {0}', nameOf(file)) : nameOf(file), text);
}
