import { ExpectedError } from '../../ui/expectedError';
import {
  commands,
  l10n,
  TabInputCustom,
  TabInputNotebook,
  type TextDocument,
  window,
  workspace,
  type Uri,
} from 'vscode';
import type { OpenEdits } from './edits/openEdits';
import { nodeNames, ownSide } from './outcomeTexts';
import type { NodeVersion, ReadFiles } from './serverFiles';
import { mergeConflictCommands, showFirstConflict } from './mergeConflicts';
import { mergeTexts } from './mergeTexts';
import { saveDocument, type OpenFile, openFile, savedDocument } from './saveCommands';
import type { SaveProblems } from './saveProblems';
import { replaceText } from '../documents';
import { activeFile, isFrontUnread, isOpaqueTab, tabsOf } from '../tabs';
import { type FilePlace, filePlaceOf, keyOf, nameOf, placeOf, wholeLayer } from '../../containers/place';
import { uriOf } from '../../containers/uris';
import type { Call } from '../../ui/commands/call';
import { command } from '../../ui/commands/command';
import { showInformationMessage, showWarningMessage, confirm } from '../../ui/notifications';
import { askChoice } from '../../ui/quickPick';
import type { ShownTexts } from '../../ui/shownTexts';
import type { Containers } from '../../containers/containers';
import { isWritten, middleMarker } from '../text';
import { findConflicts } from './saveFile';
import { type FoundText, isComparisonOutdated, showVersion, updateComparisons } from './versionComparisons';

/** The commands that resolve a conflict: from the save error, the editor title, or the Command Palette. */
export function conflictCommands(edits: OpenEdits, texts: ShownTexts, problems: SaveProblems) {
  const fileMeant = (call: Call): ConflictFile => {
    const uri = uriMeant(call, problems);
    return opaqueFile(uri, edits) ?? editedFile(uri);
  };
  /** What is chosen in a message's link is about what the message says. */
  const shownFile = (call: Call): ConflictFile => {
    const file = fileMeant(call);
    const { place, document } = file;
    if (call.number === undefined && document && isComparisonOutdated(document, edits.conflictOf(place), texts)) {
      throw new ExpectedError(l10n.t('{0} has changed again since this comparison. Compare it again.', nameOf(place)));
    }
    return file;
  };
  const onFile = (run: (file: ConflictFile) => unknown, fileOf = shownFile) =>
    command('editor', fileOf, async (file) => {
      await run(file);
      problems.noteDecision();
    });
  return {
    ...mergeConflictCommands(),
    'gantry.conflict.compare': onFile(async ({ place, document }) => {
      const notSaved = edits.textNotSaved(place) ?? '';
      const theirs = await selectVersion(edits.conflictOf(place));
      if (theirs !== undefined) {
        const shown = document?.uri ?? texts.add(nameOf(place), notSaved);
        await showVersion(place, shown, theirs, texts, l10n.t('Yours'));
      }
    }, fileMeant),

    'gantry.conflict.merge': onFile(async ({ place, document }) => {
      const file = { place, document: ensureText(document) };
      const theirs = await selectVersion(edits.conflictOf(place));
      if (theirs !== undefined) {
        await merge(file, theirs, edits, texts);
      }
    }),

    'gantry.conflict.overwrite': onFile(async ({ place, document }) => {
      const seen = edits.conflictOf(place);
      if (document === undefined) {
        await showOpaque(place);
      }
      edits.accept(place, seen);
      if (document === undefined) {
        await commands.executeCommand('workbench.action.files.save');
      } else {
        const scope = problems.of(place)?.scope ?? 'place';
        if (await saveDocument(document, scope, edits)) {
          updateComparisons({ place, document }, scope, texts);
        }
      }
    }),

    'gantry.conflict.accept': onFile(async ({ place, document }) => {
      if (document === undefined) {
        await showOpaque(place);
        await commands.executeCommand('workbench.action.files.revert');
        return;
      }
      const theirs = await selectVersion(edits.conflictOf(place));
      if (theirs !== undefined) {
        await acceptTheirs({ place, document }, theirs, edits);
      }
    }),

    'gantry.conflict.saveElsewhere': onFile(async ({ place, document }) => {
      await (document === undefined ? showOpaque(place) : window.showTextDocument(document));
      await commands.executeCommand('workbench.action.files.saveAs');
    }, fileMeant),
  };
}

/** Without a document, it's a notebook's file or one in a custom editor. */
interface ConflictFile {
  readonly place: FilePlace;
  readonly document?: TextDocument;
}

function uriMeant({ number, uri }: Call, problems: SaveProblems): Uri | undefined {
  if (number !== undefined) {
    const problem = problems.find(number);
    return problem && uriOf(problem.place);
  }
  return uri ?? activeFile();
}

function opaqueFile(uri: Uri | undefined, edits: OpenEdits): ConflictFile | undefined {
  const place = uri && filePlaceOf(uri);
  return place !== undefined && edits.textNotSaved(place) !== undefined ? { place } : undefined;
}

/** Throws if no such editor shows the file, because VS Code's command that follows acts on whatever is active. */
async function showOpaque(place: FilePlace): Promise<void> {
  const tabs = tabsOf(place).filter(isOpaqueTab);
  const { input, group } = tabs.find(({ isDirty }) => isDirty) ?? tabs[0] ?? {};
  if (!(input instanceof TabInputNotebook || input instanceof TabInputCustom)) {
    throw conflictGone();
  }
  const kind = input instanceof TabInputNotebook ? input.notebookType : input.viewType;
  await commands.executeCommand('vscode.openWith', input.uri, kind, group?.viewColumn);
}

/** Throws if the file was closed or the conflict resolved, because a link in an error can be clicked much later. */
function editedFile(uri: Uri | undefined): OpenFile {
  const place = uri && placeOf(uri);
  const document = workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri?.toString());
  if (place?.kind !== 'file' || document === undefined) {
    throw conflictGone();
  }
  return { place, document };
}

function conflictGone(): ExpectedError {
  return new ExpectedError(
    l10n.t('The conflict no longer exists, or the file is closed. Open the file and save it again.'),
  );
}

function ensureText(document: TextDocument | undefined): TextDocument {
  if (document === undefined) {
    throw new ExpectedError(
      l10n.t(
        "Gantry can't merge notebooks or files in custom editors. Compare the versions, then overwrite or revert the file.",
      ),
    );
  }
  return document;
}

/** Returns the node's version. Asks which one if several nodes differ. */
async function selectVersion(conflict: readonly NodeVersion[]): Promise<FoundText | undefined> {
  const choices = conflict.flatMap(({ node, found }) =>
    found.kind === 'text' ? [{ label: nodeNames([{ node, found }]), value: { node, found } }] : [],
  );
  const [only, ...more] = choices;
  if (only === undefined) {
    const absent = conflict.filter(({ found }) => found.kind === 'absent');
    throw new ExpectedError(
      absent.length > 0
        ? l10n.t("The file doesn't exist on {0}.", nodeNames(absent))
        : l10n.t('The conflict no longer exists. Save the file again.'),
    );
  }
  return more.length === 0 ? only.value : askChoice(choices, { placeHolder: l10n.t('Select a node') });
}

/** Puts the merged text into the editor without saving, next to theirs, so that the user sees it first. */
async function merge(file: OpenFile, theirs: FoundText, edits: OpenEdits, texts: ShownTexts): Promise<void> {
  const { place, document } = file;
  const yours = document.getText();
  const { base, accepted } = await edits.jobFor(place, yours, 'document');
  if (base.kind !== 'version') {
    throw new ExpectedError(
      l10n.t(
        "Couldn't merge: the base version is no longer available. Compare the versions and copy the changes you need.",
      ),
    );
  }
  const names = { yours: ownSide(), theirs: nodeNames([theirs]) };
  // What a save left there is the beginning of the user's own text. Nobody deleted the rest of it.
  const isOwn = accepted.includes(theirs.found);
  const sides = { base: base.version.text, yours, theirs: isOwn ? yours : theirs.found.text };
  const merged = mergeTexts(sides, names, middleMarker(names.theirs));
  await replaceAndRebase(file, theirs, { before: yours, after: merged.text }, edits);
  await (merged.conflicts === 0
    ? showVersion(place, document.uri, theirs, texts, l10n.t('Merged'))
    : showFirstConflict(document));
  reportMerge(nameOf(place), merged.conflicts);
}

/** Puts the server version into the editor, where Undo brings back the user's text. Saving it then writes nothing. */
async function acceptTheirs(file: OpenFile, theirs: FoundText, edits: OpenEdits): Promise<void> {
  const { place, document } = file;
  const after = theirs.found.text.replace(/^\uFEFF/, '');
  await replaceAndRebase(file, theirs, { before: document.getText(), after }, edits);
  // The editor decides about line endings and the byte-order mark, whatever their text has.
  const mark = document.encoding === 'utf8bom' ? '\uFEFF' : '';
  edits.keepExact(place, theirs.found.text, `${mark}${document.getText()}`);
  if (keyOf(theirs.node) === keyOf(place)) {
    await saveDocument(document, 'place', edits);
  }
}

/** Replaces the text of the editor, if nothing was typed meanwhile. Their version is the base version from now on. */
async function replaceAndRebase(
  { place, document }: OpenFile,
  theirs: FoundText,
  { before, after }: { readonly before: string; readonly after: string },
  edits: OpenEdits,
): Promise<void> {
  edits.remember(place);
  await replaceText(document, after, before);
  if (keyOf(theirs.node) === keyOf(place)) {
    edits.merged(place, { kind: 'version', version: { text: theirs.found.text, place } });
  } else {
    edits.accept(place, [theirs]);
  }
  edits.remember(place);
}

export function reportMerge(name: string, conflicts: number): void {
  if (conflicts === 0) {
    void showInformationMessage(l10n.t('Merged {0}. Review it, then save.', name));
    return;
  }
  void showWarningMessage(
    conflicts === 1
      ? l10n.t('Merged {0} with 1 conflict. Resolve it, then save.', name)
      : l10n.t('Merged {0} with {1} conflicts. Resolve them, then save.', name, conflicts),
  );
}

/** Saves a file to all nodes of its layer, and asks first about the nodes that have another version. */
export function allNodesCommands(edits: OpenEdits, texts: ShownTexts, files: ReadFiles, containers: Containers) {
  const onFile = (run: (file: OpenFile) => unknown) =>
    command(
      'editor',
      ({ uri }) => {
        const file = uri === undefined && isFrontUnread() ? undefined : openFile(savedDocument(uri));
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
        void showInformationMessage(l10n.t('The layer has only one node, so saving the file is enough.'));
        return;
      }
      const others = await conflictsElsewhere({ document, place }, nodes, edits, files);
      if (others.length > 0 && !(await confirmOverwrite({ document, place }, others, texts))) {
        return;
      }
      edits.accept(place, others);
      if (await saveDocument(document, 'layer', edits)) {
        updateComparisons({ place, document }, 'layer', texts);
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
  { document, place }: OpenFile,
  nodes: readonly FilePlace[],
  edits: OpenEdits,
  files: ReadFiles,
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
  { document, place }: OpenFile,
  others: readonly NodeVersion[],
  texts: ShownTexts,
): Promise<boolean> {
  const of = (kind: NodeVersion['found']['kind']) => others.filter(({ found }) => found.kind === kind);
  const [different, absent, noFile] = [of('text'), of('absent'), of('noFile')];
  if (noFile.length > 0) {
    throw new ExpectedError(
      l10n.t(
        "Couldn't save to all nodes: {0} isn't a file on {1}. Rename or delete it there, then try again.",
        place.path,
        nodeNames(noFile),
      ),
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
  const shown = document.isDirty ? ownSide() : nodeNames([{ ...theirs, node: place }]);
  await showVersion(place, document.uri, theirs, texts, shown);
  // Not modal, so that the user can read the comparison first.
  return (await showWarningMessage(question, overwrite)) === overwrite;
}
