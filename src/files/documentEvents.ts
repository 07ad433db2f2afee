import { Disposable, FileChangeType, type TextDocument, workspace } from 'vscode';
import { type FilePlace, placeOf } from '../remote/place';
import type { ContainerFileSystem } from './containerFileSystem';
import type { Edits } from './edits';
import type { ReadOnlyFiles } from './readOnlyFiles';

/** Lets what happens to documents be known to edits. */
export function followDocuments(
  edits: Edits,
  readOnly: ReadOnlyFiles,
  fileSystem: Pick<ContainerFileSystem, 'announce'>,
): Disposable {
  const opened = (document: TextDocument) =>
    inContainer(document, (place) => {
      edits.opened(place, document);
      if (readOnly.reasonFor(place, {}) !== undefined) {
        // It was told of before there was an editor to hear it.
        fileSystem.announce([{ place, type: FileChangeType.Changed }]);
      }
    });
  workspace.textDocuments.forEach(opened);
  return Disposable.from(
    workspace.onDidOpenTextDocument(opened),
    workspace.onDidChangeTextDocument(({ document }) =>
      inContainer(document, (place) => edits.changed(place, document)),
    ),
    workspace.onDidSaveTextDocument((document) => inContainer(document, (place) => edits.changed(place, document))),
    workspace.onDidCloseTextDocument((document) => inContainer(document, (place) => edits.closed(place, document))),
  );
}

function inContainer(document: TextDocument, tell: (place: FilePlace) => void): void {
  const place = placeOf(document.uri);
  if (place?.kind === 'file') {
    tell(place);
  }
}
