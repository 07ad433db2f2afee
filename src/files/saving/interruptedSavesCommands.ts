import { ExpectedError } from '../../ui/expectedError';
import { commands, l10n, type QuickPickItem, type TextDocument, Uri, window, workspace } from 'vscode';
import type { OpenEdits } from './edits/openEdits';
import type { InterruptedSaves, InterruptedSave } from './interruptedSaves';
import { nameOf, uriParts } from '../../containers/place';
import { nodeNames } from './saveErrors';
import { normalizeText } from '../text';
import { confirm, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import { replaceText } from './conflictCommands';
import { failureText } from '../../ui/failureMessages';

export interface InterruptedSavesCommandsDeps {
  readonly recovery: InterruptedSaves;
  readonly edits: OpenEdits;
  readonly texts: ShownTexts;
}

export function interruptedSavesCommands(parts: InterruptedSavesCommandsDeps) {
  return {
    async 'gantry.recovery.show'() {
      const unfinished = await parts.recovery.unfinished();
      if (unfinished.length === 0) {
        void showInformationMessage(l10n.t('There are no interrupted saves.'));
        return;
      }
      const chosen = await window.showQuickPick(unfinished.map(choiceOf), {
        canPickMany: true,
        title: l10n.t('Interrupted Saves'),
        placeHolder: l10n.t("Select the files to open. Your text isn't saved in the container yet."),
      });
      for (const { one } of chosen ?? []) {
        await open(one, parts);
      }
    },
  };
}

/** Asks once after the window opens. */
export async function offerInterruptedSaves(parts: InterruptedSavesCommandsDeps): Promise<void> {
  const unfinished = await parts.recovery.unfinished();
  const [only] = unfinished;
  if (only === undefined) {
    return;
  }
  if (unfinished.length > 1) {
    const show = l10n.t('Show Interrupted Saves');
    const text = l10n.t('{0} saves were interrupted when the window closed, but your text is kept.', unfinished.length);
    if ((await showWarningMessage(text, show)) === show) {
      await commands.executeCommand('gantry.recovery.show');
    }
    return;
  }
  const [openIt, discard] = [l10n.t('Open'), l10n.t('Discard')];
  const text = l10n.t(
    'The window closed before {0} was saved, but your text is kept. {1}',
    titleOf(only),
    stateOf(only),
  );
  const answer = await showWarningMessage(text, openIt, discard);
  if (answer === openIt) {
    await open(only, parts);
  } else if (answer === discard && (await confirmDiscard(only))) {
    await parts.recovery.discard(only);
  }
}

/** The kept text may be the only copy. If it isn't discarded, it's offered again in the next window. */
function confirmDiscard(one: InterruptedSave): Promise<boolean> {
  const question = l10n.t('Discard your unsaved text for {0}?', titleOf(one));
  const consequence = l10n.t("This deletes the text that Gantry kept on this computer. It can't be undone.");
  return confirm(question, [consequence], l10n.t('Discard'));
}

interface Choice extends QuickPickItem {
  readonly one: InterruptedSave;
}

function choiceOf(one: InterruptedSave): Choice {
  const { at } = one.kept;
  // Rows of a quick pick have no tooltip for the exact time.
  const description = l10n.t('{0} ({1})', formatRelativeTime(at), formatExactTime(at));
  return { label: titleOf(one), detail: stateOf(one), description, one };
}

function titleOf({ place, found }: InterruptedSave): string {
  return `${nameOf(place)} (${nodeNames([{ node: place, found: found ?? { kind: 'absent' } }])})`;
}

function stateOf({ now }: InterruptedSave): string {
  switch (now) {
    case 'asBefore':
      return l10n.t("The file in the container hasn't changed.");
    case 'changed':
      return l10n.t('The file in the container has changed since, and it differs from your text.');
    case 'unreachable':
      return l10n.t("Couldn't check the file in the container.");
  }
}

/** Restores the text as an unsaved change next to the server version. Saving it is checked as usual. */
async function open(one: InterruptedSave, { recovery, edits, texts }: InterruptedSavesCommandsDeps): Promise<void> {
  const uri = Uri.from(uriParts(one.place));
  const document = await openedAt(uri, one);
  if (document === undefined) {
    return;
  }
  if (document.isDirty && normalizeText(document.getText()) !== normalizeText(one.text)) {
    throw new ExpectedError(
      l10n.t(
        '{0} has newer unsaved changes in its editor. Save or discard them, then open the interrupted save again.',
        titleOf(one),
      ),
    );
  }
  const before = document.getText();
  edits.remember(one.place);
  await replaceText(document, one.text.replace(/^\uFEFF/, ''));
  edits.rebase(one.place, one.kept.base);
  edits.remember(one.place);
  const left = texts.add(nameOf(one.place), one.found?.kind === 'text' ? one.found.text : before);
  const title = l10n.t('{0}: Server Version ↔ Your Text', nameOf(one.place));
  await commands.executeCommand('vscode.diff', left, uri, title);
  // This editor saves only to its own node, so keep offering the text until the other nodes have it.
  if (!one.isMissingElsewhere) {
    await recovery.discard(one);
  }
}

/** If the file is missing or unreachable, shows the text in its own editor and keeps the backup. */
async function openedAt(uri: Uri, one: InterruptedSave): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri);
  } catch (error) {
    await window.showTextDocument(await workspace.openTextDocument({ content: one.text }));
    const text = l10n.t(
      "Couldn't open {0}: {1} Your text is kept, and is open in a separate editor.",
      titleOf(one),
      failureText(error),
    );
    void showWarningMessage(text);
    return undefined;
  }
}
