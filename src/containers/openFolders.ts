import { workspace } from 'vscode';
import { scheme } from '../manifest';

/** Whether a container folder is open in the Explorer. */
export function isContainerFolderOpen(): boolean {
  return workspace.workspaceFolders?.some(({ uri }) => uri.scheme === scheme) === true;
}
