import { l10n, workspace } from 'vscode';
import { type FilePlace, nameOf } from '../containers/place';
import type { Replacement } from '../containers/serverSideOperations';
import { askInTurn } from '../ui/prompts';
import { appendText, askTextToAppend } from './appendTextFlow';
import { type CommandTargets, uriOf } from './commandTargets';
import { type ReplaceInFileDeps, replaceInFile } from './replaceInFileFlow';

export interface AppendAndReplaceDeps extends ReplaceInFileDeps {
  readonly subjects: CommandTargets;
}

/** Changes that the platform makes to a text by itself, without the whole of it being sent. */
export function appendAndReplaceCommands(parts: AppendAndReplaceDeps) {
  const { subjects } = parts;
  return {
    async 'gantry.file.append'(...received: readonly unknown[]) {
      const file = await subjects.file(received);
      const text = file && (await askTextToAppend(file));
      if (file !== undefined && text !== undefined) {
        demandSaved(file);
        await appendText(file, text, parts);
      }
    },

    async 'gantry.file.replace'(...received: readonly unknown[]) {
      const file = await subjects.file(received);
      if (file !== undefined) {
        demandSaved(file);
        const replacement = await askReplacement(file);
        if (replacement !== undefined) {
          // It may have been typed into while the questions were answered.
          demandSaved(file);
          await replaceInFile(file, replacement, parts, () => demandSaved(file));
        }
      }
    },
  };
}

/** The platform would change the file under what was typed and not saved. */
function demandSaved(file: FilePlace): void {
  const uri = uriOf(file).toString();
  if (workspace.textDocuments.some((document) => document.uri.toString() === uri && document.isDirty)) {
    throw new Error(l10n.t('{0} has changes that are not saved. Save it or discard them first.', nameOf(file)));
  }
}

async function askReplacement(file: FilePlace): Promise<Replacement | undefined> {
  const entered = await askInTurn(l10n.t('Replace in {0}', nameOf(file)), [
    { key: 'pattern', prompt: l10n.t('What is to be replaced: a regular expression as sed knows it') },
    { key: 'replacement', prompt: l10n.t('What is put in its place: plain text'), mayBeEmpty: true },
    {
      key: 'most',
      prompt: l10n.t('How many at most? Leave it empty to replace all.'),
      mayBeEmpty: true,
      problem: (text) => (/^([1-9]\d{0,8})?$/.test(text) ? undefined : l10n.t('Enter a number from 1 on, or nothing.')),
    },
  ]);
  if (entered === undefined) {
    return undefined;
  }
  const { pattern = '', replacement = '', most = '' } = entered;
  return { pattern, replacement, most: most === '' ? undefined : Number(most) };
}
