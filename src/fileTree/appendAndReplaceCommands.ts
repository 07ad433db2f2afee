import { commands, FileChangeType, l10n, workspace } from 'vscode';
import { textFlawOf } from '../files/text';
import { changeOnce } from '../platform/changeOnce';
import { type FilePlace, nameOf } from '../containers/place';
import type { Replacement } from '../containers/serverSideOperations';
import { showInformationMessage } from '../ui/notifications';
import { type ProgressHandle, withProgress } from '../ui/progress';
import { askInTurn } from '../ui/prompts';
import type { ShownTexts } from '../ui/shownTexts';
import { type AppendTextDeps, appendText, askTextToAppend } from './appendTextFlow';
import { type CommandTargets, uriOf } from './commandTargets';

export interface AppendAndReplaceDeps extends AppendTextDeps {
  readonly subjects: CommandTargets;
  readonly texts: ShownTexts;
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
          await replace(file, replacement, parts);
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

async function replace(file: FilePlace, replacement: Replacement, parts: AppendAndReplaceDeps): Promise<void> {
  const replacing = async ({ signal }: ProgressHandle) => {
    const was = await readWhole(file, parts, signal);
    try {
      await changeOnce(
        () => parts.work.replace(file, replacement, { signal }),
        // If nothing differs, either nothing matched or nothing happened, so report the lost response.
        async () => (await parts.containers.read(file, { signal })) !== was,
      );
    } finally {
      parts.happened([{ place: file, type: FileChangeType.Changed }]);
    }
    return { before: was, after: await parts.containers.read(file, { signal }) };
  };
  const title = l10n.t('Replacing in {0}', file.path);
  const { before, after } = await withProgress(title, (progress) =>
    parts.turns.take([file], () => replacing(progress)),
  );
  if (before === after) {
    void showInformationMessage(l10n.t('Nothing in {0} matches, and nothing was changed.', nameOf(file)));
    return;
  }
  await offerChanges(file, before, after, parts);
}

/** What cannot be read whole could not be shown before and after, nor taken back. */
async function readWhole(
  file: FilePlace,
  { containers, listings }: AppendAndReplaceDeps,
  signal: AbortSignal,
): Promise<string> {
  const [text, entry] = await Promise.all([containers.read(file, { signal }), listings.lookUp(file)]);
  if (textFlawOf(text, entry) !== undefined) {
    throw new Error(
      l10n.t("{0} isn't UTF-8 text, or it changed while Gantry was reading it. Nothing was replaced.", file.path),
    );
  }
  return text;
}

async function offerChanges(
  file: FilePlace,
  before: string,
  after: string,
  parts: AppendAndReplaceDeps,
): Promise<void> {
  const { texts, containers } = parts;
  const [show, undo] = [l10n.t('Show Changes'), l10n.t('Undo')];
  const lines = changedLines(before, after);
  const said =
    lines === 1
      ? l10n.t('One line of {0} was changed.', nameOf(file))
      : l10n.t('{0} lines of {1} were changed.', lines, nameOf(file));
  const chosen = await showInformationMessage(said, show, undo);
  if (chosen === show) {
    const title = l10n.t('{0}: before and after', nameOf(file));
    await commands.executeCommand('vscode.diff', texts.add(nameOf(file), before), uriOf(file), title);
  } else if (chosen === undo) {
    demandSaved(file);
    if ((await containers.read(file)) !== after) {
      throw new Error(l10n.t('{0} has been changed since, and was left as it is.', nameOf(file)));
    }
    await workspace.fs.writeFile(uriOf(file), new TextEncoder().encode(before));
  }
}

/** Replacements stay within lines, so the same number of lines is compared one by one. */
function changedLines(before: string, after: string): number {
  const [was, is] = [before.split('\n'), after.split('\n')];
  return is.filter((line, index) => line !== was[index]).length + Math.max(0, was.length - is.length);
}
