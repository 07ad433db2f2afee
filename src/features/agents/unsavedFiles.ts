import { type Uri, window, workspace } from 'vscode';
import { type FilePlace, filePlaceOf, keyOf, wholeLayer } from '../../containers/place';
import { uriOfTab } from '../../files/tabs';

/** Whether an editor has unsaved changes to the file on this node, or on all nodes of its layer. */
export function isUnsaved(file: FilePlace): boolean {
  const tabs = window.tabGroups.all.flatMap((group) => group.tabs).filter((tab) => tab.isDirty);
  const documents = workspace.textDocuments.filter(({ isDirty }) => isDirty);
  const unsaved = [...tabs.map(uriOfTab), ...documents.map(({ uri }) => uri)];
  return unsaved.some((uri) => uri !== undefined && isSameFile(uri, file));
}

function isSameFile(uri: Uri, file: FilePlace): boolean {
  const place = filePlaceOf(uri);
  if (place === undefined || keyOf(wholeLayer(place)) !== keyOf(wholeLayer(file))) {
    return false;
  }
  const [one, other] = [place.target.nodeId, file.target.nodeId];
  return one === undefined || other === undefined || one === other;
}
