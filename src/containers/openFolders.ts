import { workspace } from 'vscode';
import { scheme } from '../manifest';

export function isContainerFolderOpen(): boolean {
  return workspace.workspaceFolders?.some(({ uri }) => uri.scheme === scheme) === true;
}
