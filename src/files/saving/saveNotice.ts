import {
  commands,
  ConfigurationTarget,
  Disposable,
  env,
  l10n,
  type LogOutputChannel,
  type Memento,
  type TextDocument,
  window,
  workspace,
} from 'vscode';
import { type ContainerNames, locationText } from '../../containers/locationText';
import type { Account, Accounts } from '../../accounts/accounts';
import { type FilePlace, filePlaceOf, keyOf, nameOf } from '../../containers/place';
import type { CommandId } from '../../manifest';
import { failureText } from '../../ui/failureMessages';
import { showInformationMessage, showWarningMessage } from '../../ui/notifications';
import type { JournalTrouble } from '../journal/journal';
import { isWritten } from '../text';
import { outcomeText } from './outcomeTexts';
import type { SavedConfigurations } from './savedConfigurations';
import type { LookedUpSave, UncertainSaves } from './uncertainSaves';
import { fileInFront, onDidChangeFront } from '../tabs';
import { openFolders } from '../windowEvents';
import { sizeText } from '../../ui/sizeText';
import { showStatusItem, showStatusMessage } from '../../ui/statusBar';

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

function isDirtyWith(document: TextDocument, text: string): boolean {
  return document.isDirty && isWritten(document.getText(), text);
}

/**
 * When the platform responds again, completes saves that did arrive, and notifies the user of the others. Says which ones
 * can't be checked.
 */
export function concludeUncertainSaves(uncertain: UncertainSaves, report: (error: unknown) => void): Disposable {
  const conclude = async ({ place, text, isSaved, cause }: LookedUpSave) => {
    const document = workspace.textDocuments.find(({ uri }) => {
      const at = filePlaceOf(uri);
      return at !== undefined && keyOf(at) === keyOf(place);
    });
    if (document === undefined || !(isSaved === true ? isDirtyWith(document, text) : document.isDirty)) {
      // The document was reverted or edited further, so this result no longer applies to it.
      return;
    }
    if (isSaved === true) {
      // This finds the text in the container and writes nothing. If VS Code hasn't noticed yet that the earlier save has
      // failed, it only joins that one.
      if (!(await document.save()) && isDirtyWith(document, text)) {
        await document.save();
      }
      return;
    }
    const save = l10n.t('Save');
    const name = nameOf(place);
    const answer =
      isSaved === false
        ? showInformationMessage(l10n.t("The platform is responding again, but {0} still isn't saved.", name), save)
        : showWarningMessage(outcomeText({ kind: 'unknown', cause }, name, 'saved'), save);
    if ((await answer) === save) {
      await document.save();
    }
  };
  return uncertain.onDidLookUp((found) => void conclude(found).catch(report));
}

/**
 * Tells what can't be kept on this computer or was lost there. That unsaved text won't survive this window, because the
 * disk can't store it, is shown once, and logged each time that it begins.
 */
export function showJournalTrouble(
  log: Pick<LogOutputChannel, 'warn'> & { readonly show: () => void },
): (trouble: JournalTrouble) => void {
  let isShown = false;
  let isDamageShown = false;
  return (trouble) => {
    if (trouble.kind === 'damaged') {
      log.warn('Something that Gantry kept on this computer is left out, because its file is damaged.');
      if (!isDamageShown) {
        isDamageShown = true;
        void showWarningMessage(
          l10n.t('Some of what Gantry kept on this computer is left out, because its files are damaged.'),
        );
      }
      return;
    }
    if (trouble.kind === 'full') {
      void offerToFinishSaves(trouble.bytes);
      return;
    }
    const reason = failureText(trouble.error);
    if (trouble.kind === 'editNotNoted') {
      log.warn(`The record of an edit could not be kept on disk: ${reason}`);
      void offerLog(
        l10n.t(
          "Couldn't record an edit in a project on this computer ({0}). Until this is fixed, redeploys may discard edits without asking.",
          reason,
        ),
        log,
      );
      return;
    }
    log.warn(`Unsaved text could not be kept on disk: ${reason}`);
    if (!isShown) {
      isShown = true;
      void offerLog(
        l10n.t(
          "Couldn't back up unsaved text on this computer ({0}). Until this is fixed, save your files before you close the window.",
          reason,
        ),
        log,
      );
    }
  };
}

async function offerLog(text: string, log: { readonly show: () => void }): Promise<void> {
  const showLog = l10n.t('Show Gantry Log');
  if ((await showWarningMessage(text, showLog)) === showLog) {
    log.show();
  }
}

async function offerToFinishSaves(bytes: number): Promise<void> {
  const show = l10n.t('Show Interrupted Saves');
  const text = l10n.t(
    "Texts of changes that aren't finished take more than {0} on this computer. Restore or discard interrupted saves that you no longer need.",
    sizeText(bytes, env.language),
  );
  if ((await showWarningMessage(text, show)) === show) {
    await commands.executeCommand('gantry.recovery.show');
  }
}

const key = 'gantry.saidAutoSave';

/** Warns once that Auto Save writes to a running container after each pause in typing, and offers to turn it off. */
export function warnAboutAutoSave(memento: Memento, environments: ContainerNames): Disposable {
  const look = () => void warnOnce(memento, environments);
  look();
  return window.onDidChangeActiveTextEditor(look);
}

async function warnOnce(memento: Memento, environments: ContainerNames): Promise<void> {
  const document = window.activeTextEditor?.document;
  const place = document && filePlaceOf(document.uri);
  if (document === undefined || place === undefined || memento.get<boolean>(key) === true) {
    return;
  }
  const files = workspace.getConfiguration('files', document);
  const isInFolder = workspace.getWorkspaceFolder(document.uri) !== undefined;
  const onlyInFolders = files.get<boolean>('autoSaveWorkspaceFilesOnly') === true;
  if (files.get<string>('autoSave', 'off') === 'off' || (onlyInFolders && !isInFolder)) {
    return;
  }
  await memento.update(key, true);
  const turnOff = l10n.t('Turn Off for Container Files');
  const said = l10n.t(
    'Auto Save is on, so edits are saved automatically to the running container ({0}).',
    locationText(place, environments),
  );
  if ((await showWarningMessage(said, turnOff, l10n.t('Keep On'))) === turnOff) {
    await turnOffAutoSave();
    showStatusMessage('check', l10n.t('Auto Save is off for container files'), 10_000);
  }
}

/**
 * For files outside the workspace, which includes those opened from the Environments view, a VS Code setting is enough.
 * If a container folder is open, Auto Save itself is turned off: in the workspace file if there is one, or else in the
 * user settings, so that nothing is written to the container.
 */
async function turnOffAutoSave(): Promise<void> {
  const files = workspace.getConfiguration('files');
  await files.update('autoSaveWorkspaceFilesOnly', true, ConfigurationTarget.Global);
  if (openFolders().length > 0) {
    const hasOwnFile = workspace.workspaceFile !== undefined;
    const target = hasOwnFile ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    await files.update('autoSave', 'off', target);
  }
}

/** Offers a restart for a configuration file that was saved, because a running service doesn't read it again. */
export function offerRestart(
  saved: Pick<SavedConfigurations, 'has' | 'onDidChange'>,
  accounts: Pick<Accounts, 'find' | 'onDidChangeRights'>,
): Disposable {
  let offer: Disposable | undefined;
  let offered: string | undefined;
  const hide = (): void => {
    offer?.dispose();
    offer = undefined;
  };
  const update = (): void => {
    const uri = fileInFront();
    const place = uri && filePlaceOf(uri);
    const isAbsent = place !== undefined && accounts.find(place.account)?.lacks('RestartServices') === true;
    const file = place !== undefined && saved.has(place) && !isAbsent ? uri : undefined;
    if (file?.toString() === offered) {
      // VS Code ignores a click on an item that is just being recreated.
      return;
    }
    hide();
    offered = file?.toString();
    if (file !== undefined) {
      offer = showStatusItem('gantry.restart', {
        name: l10n.t('Gantry: Restart Service'),
        icon: 'debug-restart',
        text: l10n.t('Restart Service…'),
        tooltip: l10n.t('Restart the service so that the saved configuration takes effect'),
        command: {
          command: 'gantry.service.restart' satisfies CommandId,
          title: l10n.t('Restart Service…'),
          arguments: [file],
        },
      });
    }
  };
  return Disposable.from(
    new Disposable(hide),
    onDidChangeFront(update),
    saved.onDidChange(update),
    accounts.onDidChangeRights(update),
  );
}
