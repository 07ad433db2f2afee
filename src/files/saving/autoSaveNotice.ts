import { ConfigurationTarget, type Disposable, l10n, type Memento, window, workspace } from 'vscode';
import { scheme } from '../../manifest';
import { showWarningMessage } from '../../ui/notifications';

const key = 'gantry.saidAutoSave';

/** Warns once that Auto Save writes to a running container after each pause in typing, and offers to turn it off. */
export function warnAboutAutoSave(memento: Memento): Disposable {
  const look = () => void warnOnce(memento);
  look();
  return window.onDidChangeActiveTextEditor(look);
}

async function warnOnce(memento: Memento): Promise<void> {
  const document = window.activeTextEditor?.document;
  if (document?.uri.scheme !== scheme || memento.get<boolean>(key) === true) {
    return;
  }
  const files = workspace.getConfiguration('files', document);
  const isInFolder = workspace.getWorkspaceFolder(document.uri) !== undefined;
  const onlyInFolders = files.get<boolean>('autoSaveWorkspaceFilesOnly') === true;
  if (files.get<string>('autoSave', 'off') === 'off' || (onlyInFolders && !isInFolder)) {
    return;
  }
  await memento.update(key, true);
  const turnOff = l10n.t('Turn Off for These Files');
  const said = l10n.t(
    'Auto Save is on: whenever you pause in typing, the file is saved to the running container {0}.',
    document.uri.path.split('/').slice(1, 3).join(' · ').replace('~', ' · '),
  );
  if ((await showWarningMessage(said, turnOff, l10n.t('Keep'))) === turnOff) {
    await turnOffAutoSave();
    window.setStatusBarMessage(l10n.t('$(check) Auto Save leaves files of containers alone'), 10_000);
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
  if (workspace.workspaceFolders?.some(({ uri }) => uri.scheme === scheme) === true) {
    const hasOwnFile = workspace.workspaceFile !== undefined;
    const target = hasOwnFile ? ConfigurationTarget.Workspace : ConfigurationTarget.Global;
    await files.update('autoSave', 'off', target);
  }
}
