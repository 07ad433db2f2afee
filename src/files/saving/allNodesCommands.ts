import { l10n, type TextDocument } from 'vscode';
import type { Containers } from '../../containers/containers';
import { type FilePlace, keyOf, nameOf, wholeLayer } from '../../containers/place';
import { ExpectedError } from '../../ui/expectedError';
import { command } from '../../ui/commands/command';
import { confirm, showInformationMessage, showWarningMessage } from '../../ui/notifications';
import { type ConflictCommandsDeps, selectVersion, showVersion, updateComparisons } from './conflictCommands';
import { isWritten } from './edits/edit';
import { type OpenFile, openFile, savedDocument, saveDocument } from './saveCommands';
import { nodeNames } from './outcomeTexts';
import { ownSide } from './saveErrors';
import { findConflicts } from './saveFile';
import type { NodeVersion, ServerFiles } from './serverFiles';

interface AllNodesDeps extends ConflictCommandsDeps {
  readonly containers: Containers;
  readonly files: ServerFiles;
}

/** Saves a file to all nodes of its layer, and asks first about the nodes that have another version. */
export function allNodesCommands(deps: AllNodesDeps) {
  const { containers, edits } = deps;
  const onFile = (run: (file: OpenFile) => unknown) =>
    command(
      'editor',
      ({ uri }) => {
        const file = openFile(savedDocument(uri));
        if (file === undefined) {
          void showInformationMessage(l10n.t('Open a container file first.'));
        }
        return file;
      },
      run,
    );
  return {
    'gantry.file.saveToAllNodes': onFile(async ({ document, place }) => {
      containers.ensureOffered('Write', place);
      const nodes = await containers.nodes(wholeLayer(place));
      if (nodes.length < 2) {
        void showInformationMessage(
          l10n.t('Layer {0} has only one node, so saving the file is enough.', place.target.nodeGroup),
        );
        return;
      }
      const others = await conflictsElsewhere(document, place, nodes, deps);
      if (others.length > 0 && !(await confirmOverwrite(document, place, others, deps))) {
        return;
      }
      edits.accept(place, others);
      if (await saveDocument(document, 'layer', edits)) {
        updateComparisons(document, deps.texts);
      }
    }),
  };
}

/**
 * Finds the nodes whose version the save would overwrite. Checked before VS Code saves: its error names the file in the
 * editor and marks it as unsaved, although that one may have been saved long ago. The save checks again. Empty if the
 * file in the editor has a conflict itself, because that's what the save's error is about.
 */
async function conflictsElsewhere(
  document: TextDocument,
  place: FilePlace,
  nodes: readonly FilePlace[],
  { edits, files }: AllNodesDeps,
): Promise<readonly NodeVersion[]> {
  const text = document.getText();
  const job = await edits.jobFor(place, text, 'document');
  const conflicts = (await findConflicts({ ...job, nodes }, files)).filter(
    // An encoding with a byte-order mark adds it when it saves.
    ({ found }) => found.kind !== 'text' || !isWritten(text, found.text),
  );
  const isOwn = ({ node }: NodeVersion) => keyOf(node) === keyOf(place);
  return place.target.nodeId === undefined || conflicts.some(isOwn) ? [] : conflicts;
}

async function confirmOverwrite(
  document: TextDocument,
  place: FilePlace,
  others: readonly NodeVersion[],
  deps: AllNodesDeps,
): Promise<boolean> {
  const of = (kind: NodeVersion['found']['kind']) => others.filter(({ found }) => found.kind === kind);
  const [different, absent, noFile] = [of('text'), of('absent'), of('noFile')];
  if (noFile.length > 0) {
    throw new ExpectedError(
      l10n.t("Couldn't save to all nodes: {0} isn't a file on {1}.", place.path, nodeNames(noFile)),
    );
  }
  const name = nameOf(place);
  if (different.length === 0) {
    return confirm(
      l10n.t('Create {0} on {1}?', name, nodeNames(absent)),
      [l10n.t("The file doesn't exist there. Nothing has been written yet.")],
      l10n.t('Create'),
    );
  }
  const question = l10n.t('Overwrite {0} on {1}?', name, nodeNames(different));
  const isDifferent = l10n.t('The file is different there. Nothing has been written yet.');
  const detail =
    absent.length > 0 ? `${isDifferent} ${l10n.t("The file doesn't exist on {0}.", nodeNames(absent))}` : isDifferent;
  const overwrite = l10n.t('Overwrite');
  const compare = l10n.t('Compare');
  const chosen = await showWarningMessage(question, { modal: true, detail }, compare, overwrite);
  if (chosen !== compare) {
    return chosen === overwrite;
  }
  const theirs = await selectVersion(different);
  if (theirs === undefined) {
    return false;
  }
  await showVersion(
    place,
    document.uri,
    theirs,
    deps,
    document.isDirty ? ownSide() : nodeNames([{ ...theirs, node: place }]),
  );
  // Not modal, so that the user can read the comparison first.
  return (await showWarningMessage(question, overwrite)) === overwrite;
}
