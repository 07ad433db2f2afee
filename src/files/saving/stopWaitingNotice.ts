import { Disposable, l10n, workspace } from 'vscode';
import type { Account } from '../../accounts/accounts';
import type { LookedUpSave, UncertainSaves } from './uncertainSaves';
import { isWritten } from './edits/edit';
import { type FilePlace, filePlaceOf, keyOf, nameOf } from '../../containers/place';
import { showInformationMessage } from '../../ui/notifications';

/** Notifies the user that the platform has stopped responding during a save, and offers to stop waiting. */
export async function offerToStopWaiting(
  account: Account | undefined,
  place: FilePlace,
  stop: () => void,
): Promise<void> {
  const stopWaiting = l10n.t('Stop Waiting');
  const text = l10n.t("{0} isn't responding. {1} isn't saved yet.", account?.host ?? place.account, nameOf(place));
  if ((await showInformationMessage(text, stopWaiting)) === stopWaiting) {
    stop();
  }
}

export interface UncertainSavesNoticeDeps {
  readonly uncertain: UncertainSaves;
  report(error: unknown): void;
}

/** When the platform responds again, completes saves that did arrive, and notifies the user of the others. */
export function concludeUncertainSaves(deps: UncertainSavesNoticeDeps): Disposable {
  const conclude = async ({ place, text, isSaved }: LookedUpSave) => {
    const document = workspace.textDocuments.find(({ uri }) => {
      const at = filePlaceOf(uri);
      return at !== undefined && keyOf(at) === keyOf(place);
    });
    if (document?.isDirty !== true || (isSaved && !isWritten(document.getText(), text))) {
      // The document was reverted or edited further, so this result no longer applies to it.
      return;
    }
    if (isSaved) {
      // This finds the text in the container and writes nothing.
      await document.save();
      return;
    }
    const save = l10n.t('Save');
    const words = l10n.t("The platform is responding again. {0} isn't saved so far.", nameOf(place));
    if ((await showInformationMessage(words, save)) === save) {
      await document.save();
    }
  };
  return Disposable.from(
    deps.uncertain.onDidLookUp((found) => void conclude(found).catch((error: unknown) => deps.report(error))),
  );
}
