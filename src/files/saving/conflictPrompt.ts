import { type Disposable, FileSystemError, l10n, TextDocumentSaveReason, workspace } from 'vscode';
import { type FilePlace, filePlaceOf, keyOf, nameOf } from '../../containers/place';
import { showWarningMessage } from '../../ui/notifications';
import type { OpenEdits } from './edits/openEdits';
import { conflictText } from './outcomeTexts';
import type { SaveProblems } from './saveProblems';

/**
 * Asks about a conflict while VS Code still waits for the save that has it, so that the choices are buttons of our own, and
 * overwriting doesn't fail first. VS Code wraps the error of a failed save, adds Retry, and lets nobody close it.
 */
export class ConflictPrompt implements Disposable {
  /** The files whose last save a person started. Auto Save must not ask in the middle of typing. */
  private readonly started = new Set<string>();
  private readonly listening = workspace.onWillSaveTextDocument(({ document, reason }) => {
    const place = filePlaceOf(document.uri);
    if (place !== undefined) {
      this.started[reason === TextDocumentSaveReason.Manual ? 'add' : 'delete'](keyOf(place));
    }
  });

  constructor(
    private readonly edits: OpenEdits,
    private readonly problems: SaveProblems,
    private readonly choose: (command: 'gantry.conflict.merge' | 'gantry.conflict.compare', place: FilePlace) => void,
  ) {}

  /** Returns whether to write again, or the error for VS Code; `undefined` if nothing was asked or chosen. */
  async resolve(place: FilePlace): Promise<'overwrite' | FileSystemError | undefined> {
    const isStarted = this.started.delete(keyOf(place));
    const nodes = this.edits.conflictOf(place);
    const isText = nodes.length > 0 && nodes.every(({ found }) => found.kind === 'text');
    if (!isStarted || !isText || this.problems.of(place)?.kind !== 'conflict') {
      return undefined;
    }
    const isBaseKnown = (await this.edits.baseOf(place))?.kind === 'version';
    const [merge, compare, overwrite] = [l10n.t('Merge'), l10n.t('Compare'), l10n.t('Overwrite')];
    const chosen = await showWarningMessage(
      isBaseKnown ? l10n.t('Merge or overwrite {0}?', nameOf(place)) : l10n.t('Overwrite {0}?', nameOf(place)),
      { modal: true, detail: l10n.t('{0} Nothing has been written yet.', conflictText({ place, isBaseKnown }, nodes)) },
      ...(isBaseKnown ? [merge] : []),
      ...[compare, overwrite],
      // If VS Code can't ask, the save's error has the choices.
    ).then(undefined, () => undefined);
    if (chosen === overwrite) {
      this.edits.accept(place, nodes);
      return 'overwrite';
    }
    if (chosen === undefined) {
      return undefined;
    }
    this.choose(chosen === merge ? 'gantry.conflict.merge' : 'gantry.conflict.compare', place);
    return FileSystemError.Unavailable(l10n.t('Nothing has been written yet.'));
  }

  dispose(): void {
    this.listening.dispose();
  }
}
