import { commands, FileSystemError, l10n } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { showWarningMessage } from '../../ui/notifications';
import type { OpenEdits } from './edits/openEdits';
import { conflictText } from './outcomeTexts';
import type { SaveProblems } from './saveProblems';

/**
 * Asks about a conflict before the save fails. Otherwise, VS Code would show our error in its own words, with a Retry button
 * that can't succeed, and _Overwrite_ would come after that.
 *
 * @param startedSaves the files whose last save a person started: Auto Save must not ask in the middle of typing
 */
export function conflictPrompt(edits: OpenEdits, problems: SaveProblems, startedSaves: Set<string>) {
  /** The choice is about what the question says, whatever a comparison that is open shows. */
  const askedAbout = (place: FilePlace) => problems.of(place)?.id ?? uriOf(place);
  /** Returns whether to write again after a conflict, or the error for VS Code; `undefined` if nothing was asked or chosen. */
  return async (place: FilePlace): Promise<'overwrite' | FileSystemError | undefined> => {
    const isStarted = startedSaves.delete(uriOf(place).toString());
    const nodes = edits.conflictOf(place);
    const isText = nodes.length > 0 && nodes.every(({ found }) => found.kind === 'text');
    if (!isStarted || !isText) {
      return undefined;
    }
    const isBaseKnown = (await edits.baseOf(place))?.kind === 'version';
    const name = nameOf(place);
    const [merge, compare, overwrite] = [l10n.t('Merge'), l10n.t('Compare'), l10n.t('Overwrite')];
    const chosen = await showWarningMessage(
      isBaseKnown ? l10n.t('Merge or overwrite {0}?', name) : l10n.t('Overwrite {0}?', name),
      {
        modal: true,
        detail: l10n.t('{0} Nothing has been written yet.', conflictText({ place, isBaseKnown }, nodes)),
      },
      ...(isBaseKnown ? [merge] : []),
      compare,
      overwrite,
      // If VS Code can't ask, the save's error has the choices.
    ).then(undefined, () => undefined);
    if (chosen === overwrite) {
      edits.accept(place, nodes);
      return 'overwrite';
    }
    if (chosen === undefined) {
      return undefined;
    }
    const merges = chosen === merge;
    const command = merges ? 'gantry.conflict.merge' : 'gantry.conflict.compare';
    // VS Code must first hear that this save failed.
    setTimeout(() => void commands.executeCommand(command, askedAbout(place)));
    return FileSystemError.Unavailable(
      merges
        ? l10n.t('Nothing has been written yet. The editor has both versions: look at them, then save.')
        : l10n.t('Nothing has been written yet.'),
    );
  };
}
