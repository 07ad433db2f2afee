import { reportFailures, runEach } from '../../ui/batchOutcomes';
import { fileCount } from '../../ui/countText';
import type { Accounts } from '../../accounts/accounts';
import { ExpectedError } from '../../ui/expectedError';
import { commands, FileSystemError, l10n, type TextDocument, type Uri, workspace } from 'vscode';
import type { OpenEdits } from './edits/openEdits';
import type { InterruptedSaves, InterruptedSave } from './interruptedSaves';
import { nameOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { nodeNames } from './outcomeTexts';
import { normalizeText } from '../text';
import { commandOnNothing } from '../../ui/commands/command';
import { failureText } from '../../ui/failureMessages';
import { confirm, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { askChoice, type Choice, showPick } from '../../ui/quickPick';
import { formatExactTime, formatRelativeTime } from '../../ui/relativeTime';
import type { ShownTexts } from '../../ui/shownTexts';
import { untilReloaded } from '../../storage/windows';
import { replaceText, showNewDocument, tryReplaceText } from '../documents';
import type { BaseVersion } from './serverFiles';

interface InterruptedSavesCommandsDeps {
  readonly accounts: Accounts;
  readonly recovery: InterruptedSaves;
  readonly edits: OpenEdits;
  readonly texts: ShownTexts;
}

export function interruptedSavesCommands(deps: InterruptedSavesCommandsDeps) {
  return {
    'gantry.recovery.show': commandOnNothing(async () => {
      // Those of accounts that aren't known aren't offered.
      await deps.accounts.demandRead();
      const unfinished = await deps.recovery.unfinished();
      if (unfinished.length === 0 && deps.accounts.unreadable !== undefined) {
        throw deps.accounts.unreadable;
      }
      if (unfinished.length === 0) {
        void showInformationMessage(l10n.t('There are no interrupted saves.'));
        return;
      }
      const chosen = await askWhich(unfinished);
      const answer = chosen.length === 0 ? undefined : await askWhatToDo(chosen);
      if (answer === 'discard') {
        const discarded = (await confirmDiscard(chosen)) ? chosen : [];
        await Promise.all(discarded.map((one) => deps.recovery.discard(one)));
      } else if (answer !== undefined) {
        const { outcomes } = await runEach(chosen, (one) => open(one, one[answer] ?? onlyTextOf(one), deps));
        await reportFailures(outcomes, titleOf, (failed, all) =>
          l10n.t("Couldn't open {0} of {1} interrupted saves.", failed, all),
        );
      }
    }),
  };
}

async function toOffer(recovery: InterruptedSaves): Promise<readonly InterruptedSave[]> {
  const { offered, mayMoreFollow } = await recovery.toOffer();
  if (offered.length > 0 || !mayMoreFollow) {
    return offered;
  }
  await untilReloaded();
  return (await recovery.toOffer()).offered;
}

/** Asks once after the window opens. The command also shows what another window asks about. */
export async function offerInterruptedSaves(deps: InterruptedSavesCommandsDeps): Promise<void> {
  const unfinished = await toOffer(deps.recovery);
  const [only] = unfinished;
  if (only === undefined) {
    return;
  }
  if (unfinished.length > 1) {
    const show = l10n.t('Show Interrupted Saves');
    const text = l10n.t(
      '{0} saves were interrupted when the window closed, but Gantry kept your text.',
      unfinished.length,
    );
    if ((await showWarningMessage(text, show)) === show) {
      await commands.executeCommand('gantry.recovery.show');
    }
    return;
  }
  const [openIt, openEarlier, discard] = [l10n.t('Open'), l10n.t('Open Earlier Text'), l10n.t('Discard')];
  const text =
    only.text === undefined
      ? l10n.t('The window closed while {0} was being changed. {1}', titleOf(only), stateOf(only))
      : l10n.t('The window closed before {0} was saved, but Gantry kept your text. {1}', titleOf(only), stateOf(only));
  const buttons = textsIn(only).map((which) => (which === 'text' ? openIt : openEarlier));
  const answer = await showWarningMessage(text, ...buttons, discard);
  if (answer === openIt || answer === openEarlier) {
    await open(only, (answer === openIt ? only.text : only.earlier) ?? '', deps);
  } else if (answer === discard && (await confirmDiscard([only]))) {
    await deps.recovery.discard(only);
  }
}

/** The texts that can be opened: the one to save, and the one before a change that the container doesn't have anymore. */
type Which = 'text' | 'earlier';

/** Each has at least one. */
function onlyTextOf({ text, earlier }: InterruptedSave): string {
  return text ?? earlier ?? '';
}

function textsIn(one: InterruptedSave): readonly Which[] {
  return (['text', 'earlier'] as const).filter((which) => one[which] !== undefined);
}

async function askWhich(unfinished: readonly InterruptedSave[]): Promise<readonly InterruptedSave[]> {
  const look = {
    items: unfinished.map(choiceOf),
    canSelectMany: true,
    title: l10n.t('Interrupted Saves'),
    placeholder: l10n.t('Select interrupted saves to open or discard.'),
  };
  const chosen = await showPick<Choice<InterruptedSave>, readonly Choice<InterruptedSave>[]>(look, (pick, resolve) => [
    pick.onDidAccept(() => resolve(pick.selectedItems)),
  ]);
  return (chosen ?? []).map(({ value }) => value);
}

function askWhatToDo(chosen: readonly InterruptedSave[]): Promise<Which | 'discard' | undefined> {
  const [first, ...others] = chosen.map(titleOf);
  const names = others.length === 0 ? (first ?? '') : fileCount(chosen.length);
  const opening: Readonly<Record<Which, Choice<Which>>> = {
    text: { label: l10n.t('Open'), detail: l10n.t('Compares your version with the server version.'), value: 'text' },
    earlier: {
      label: l10n.t('Open Earlier Text'),
      detail: l10n.t('Compares the text before the change with the server version.'),
      value: 'earlier',
    },
  };
  const choices: readonly Choice<Which | 'discard'>[] = [
    ...new Set(chosen.flatMap(textsIn).map((which) => opening[which])),
    {
      label: l10n.t('Discard'),
      detail: l10n.t('Deletes the unsaved changes that Gantry kept on this computer.'),
      value: 'discard',
    },
  ];
  return askChoice(choices, {
    title: l10n.t('Interrupted Saves'),
    placeHolder: l10n.t('Select what to do with {0}', names),
  });
}

/** The kept text may be the only copy. If it isn't discarded, it's offered again in the next window. */
function confirmDiscard(chosen: readonly InterruptedSave[]): Promise<boolean> {
  const [first, ...others] = chosen;
  const question =
    first !== undefined && others.length === 0
      ? l10n.t('Discard unsaved changes to {0}?', titleOf(first))
      : l10n.t('Discard unsaved changes to {0} files?', chosen.length);
  const consequence = l10n.t("This deletes the text that Gantry kept on this computer. It can't be undone.");
  return confirm(question, [consequence, ...(others.length === 0 ? [] : chosen.map(pathOf))], l10n.t('Discard'));
}

function choiceOf(one: InterruptedSave): Choice<InterruptedSave> {
  const { at } = one.backup.entry;
  // Rows of a quick pick have no tooltip for the exact time.
  const description = l10n.t('{0} · {1} ({2})', one.place.path, formatRelativeTime(at), formatExactTime(at));
  return { label: titleOf(one), detail: stateOf(one), description, value: one };
}

function titleOf(one: InterruptedSave): string {
  return `${nameOf(one.place)} (${whereOf(one)})`;
}

function pathOf(one: InterruptedSave): string {
  return `${one.place.path} (${whereOf(one)})`;
}

function whereOf({ place, found }: InterruptedSave): string {
  return nodeNames([{ node: place, found: found ?? { kind: 'absent' } }]);
}

function stateOf({ text, now }: InterruptedSave): string {
  if (text === undefined) {
    return now === 'unreachable'
      ? l10n.t("Gantry kept the text before the change. Couldn't check the file in the container.")
      : l10n.t('Gantry kept the text before the change, which the container no longer has.');
  }
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
async function open(
  one: InterruptedSave,
  kept: string,
  { recovery, edits, texts }: InterruptedSavesCommandsDeps,
): Promise<void> {
  const uri = uriOf(one.place);
  const document = await openedAt(uri, one, kept);
  if (document === undefined) {
    return;
  }
  ensureNothingNewer(document, one, kept);
  const before = document.getText();
  edits.remember(one.place);
  const text = kept.replace(/^\uFEFF/, '');
  // A document that was open before may be reloaded right now, and then takes the second edit.
  if (!(await tryReplaceText(document, text))) {
    ensureNothingNewer(document, one, kept);
    await replaceText(document, text);
  }
  // Saving the earlier text overwrites what the comparison shows. If it were its own base, a merge would drop it.
  const base = kept === one.text ? one.backup.base : versionOf(one);
  // This editor saves only to its own node, so keep offering the text until the other nodes have it. If there are two, the
  // other one is still needed.
  const isOver = !one.isMissingElsewhere && textsIn(one).length === 1;
  // Until VS Code has stored the unsaved text, which takes a moment, the editor's own backup has it.
  const rebased = edits.rebase(one.place, base, isOver ? kept : undefined);
  edits.remember(one.place);
  const left = texts.add(nameOf(one.place), one.found?.kind === 'text' ? one.found.text : before);
  const title =
    kept === one.text
      ? l10n.t('{0}: Server Version ↔ Your Text', nameOf(one.place))
      : l10n.t('{0}: Server Version ↔ Earlier Text', nameOf(one.place));
  await commands.executeCommand('vscode.diff', left, uri, title);
  if ((await rebased) && isOver) {
    await recovery.discard(one);
  }
}

function versionOf({ place, found }: InterruptedSave): BaseVersion {
  return found?.kind === 'text' ? { kind: 'version', version: { text: found.text, place } } : { kind: 'unknown' };
}

function ensureNothingNewer(document: TextDocument, one: InterruptedSave, kept: string): void {
  if (document.isDirty && normalizeText(document.getText()) !== normalizeText(kept)) {
    throw new ExpectedError(
      l10n.t(
        '{0} has newer unsaved changes in its editor. Save or revert them, then open the interrupted save again.',
        titleOf(one),
      ),
    );
  }
}

/** If the file is missing or unreachable, shows the text in its own editor and keeps the backup. */
async function openedAt(uri: Uri, one: InterruptedSave, kept: string): Promise<TextDocument | undefined> {
  try {
    return await workspace.openTextDocument(uri);
  } catch {
    await showNewDocument(kept);
    // VS Code's own error contains the URI.
    const cause = await workspace.fs.stat(uri).then(() => '', causeText);
    void showWarningMessage(
      l10n
        .t("Couldn't open {0}. Gantry kept your text, and opened it in a separate editor. {1}", titleOf(one), cause)
        .trimEnd(),
    );
    return undefined;
  }
}

function causeText(error: unknown): string {
  // Its message is only the URI.
  const isGone = error instanceof FileSystemError && error.code === 'FileNotFound';
  return isGone ? l10n.t('The file no longer exists.') : failureText(error);
}
