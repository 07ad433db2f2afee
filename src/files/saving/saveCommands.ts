import { ExpectedError } from '../../ui/expectedError';
import { commands, l10n, type TextDocument, type Uri, window, workspace } from 'vscode';
import type { OpenEdits } from './edits/openEdits';
import type { ServerFiles } from './serverFiles';
import type { SaveProblems } from './saveProblems';
import { tabsOf } from '../tabs';
import type { ReadOnlyFiles } from '../provider/readOnlyFiles';
import type { SaveScope } from './saves';
import type { Containers } from '../../containers/containers';
import { type FilePlace, filePlaceOf } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import { command, commandOnNothing } from '../../ui/commands/command';
import { showStatusMessage } from '../../ui/statusBar';

/** Commands for the active file: the scope of its saves, and whether it may be edited. */
export function saveCommands(deps: {
  readonly containers: Pick<Containers, 'ensureOffered'>;
  readonly edits: OpenEdits;
  readonly readOnly: ReadOnlyFiles;
  readonly files: ServerFiles;
  readonly problems: SaveProblems;
}) {
  return {
    'gantry.file.saveInPieces': command(
      'editor',
      ({ number, uri }) => openFile(number === undefined ? savedDocument(uri) : linkedDocument(number, deps.problems)),
      ({ document, place }) => {
        deps.containers.ensureOffered('Write', place);
        deps.containers.ensureOffered('Append', place);
        deps.files.agreeToPieces(place);
        return saveDocument(document, deps.problems.of(place)?.scope ?? 'place', deps.edits);
      },
    ),

    'gantry.file.reload': commandOnNothing(() => commands.executeCommand('workbench.action.files.revert')),

    'gantry.file.allowEditing': command(
      'editor',
      () => openFile(window.activeTextEditor?.document),
      ({ place }) => deps.readOnly.tryAgain(place),
    ),
  };
}

/** A file of a container in an editor. */
export interface OpenFile {
  readonly document: TextDocument;
  readonly place: FilePlace;
}

export function openFile(document: TextDocument | undefined): OpenFile | undefined {
  const place = document && filePlaceOf(document.uri);
  return document && place && { document, place };
}

/** Saves a document even if it has no changes. VS Code shows an error, and removes it after the next save. */
export async function saveDocument(document: TextDocument, scope: SaveScope, edits: OpenEdits): Promise<boolean> {
  const place = filePlaceOf(document.uri);
  if (place === undefined) {
    return false;
  }
  try {
    // VS Code may already be saving the same text to this node only, and another save waits for that one.
    for (let attempt = 0; attempt < 2; attempt += 1) {
      edits.setScope(place, scope);
      if (!(await saveInEditor(document))) {
        return false;
      }
      const nodes = edits.savedNodes(place);
      if (scope === 'layer' && nodes !== undefined) {
        showStatusMessage('check', l10n.t('Saved on all nodes'), 5000);
      }
      if (scope === 'place' || nodes !== undefined) {
        return true;
      }
    }
    return false;
  } finally {
    edits.setScope(place, 'place');
  }
}

/** Saves even a document without changes, unlike `TextDocument.save`. */
async function saveInEditor(document: TextDocument): Promise<boolean> {
  if (document.isDirty) {
    return document.save();
  }
  const place = filePlaceOf(document.uri);
  if (place === undefined || tabsOf(place).length === 0) {
    await window.showTextDocument(document, { preview: false });
  }
  return (await workspace.save(document.uri)) !== undefined;
}

export function savedDocument(uri: Uri | undefined): TextDocument | undefined {
  return uri === undefined
    ? window.activeTextEditor?.document
    : workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
}

/** Throws if the document was saved or closed, because links stay clickable. Never uses the active editor. */
function linkedDocument(id: number, problems: SaveProblems): TextDocument {
  const problem = problems.find(id);
  const document = problem?.kind === 'pieces' ? savedDocument(uriOf(problem.place)) : undefined;
  if (document === undefined) {
    throw new ExpectedError(
      l10n.t("The file no longer needs to be saved in pieces, or it's closed. Open it and save it again."),
    );
  }
  return document;
}
