import {
  commands,
  l10n,
  type QuickPickItem,
  Range,
  TabInputCustom,
  TabInputNotebook,
  type TextDocument,
  Uri,
  window,
  workspace,
  WorkspaceEdit,
} from 'vscode';
import type { Edits } from '../files/edits';
import { nodeNames } from '../files/saveErrors';
import type { Found, NodeFinding } from '../files/saving/found';
import { mergeTexts } from '../files/saving/mergeTexts';
import type { Reach } from '../files/saving/saves';
import { tabsOf, uriOfTab } from '../files/tabs';
import { type FilePlace, filePlaceOf, keyOf, nameOf, placeOf } from '../remote/place';
import { showInformationMessage, showWarningMessage } from '../ui/notifications';
import type { ShownTexts } from '../ui/shownTexts';

export interface Conflicts {
  readonly edits: Edits;
  readonly texts: ShownTexts;
  /** Saves a document, changed or not, as far as it is to reach. */
  save(document: TextDocument, reach: Reach): Promise<unknown>;
}

interface FoundText extends NodeFinding {
  readonly found: Extract<Found, { kind: 'text' }>;
}

/** What can be done where a save found something else than the edit began with. The error of the save leads here. */
export function conflictCommands(parts: Conflicts) {
  const { edits } = parts;
  return {
    async 'gantry.conflict.compare'(received: unknown) {
      const opaque = opaqueFile(received, edits);
      const { place, shown } =
        opaque === undefined
          ? fileShown(editedFile(received))
          : { place: opaque, shown: parts.texts.add(nameOf(opaque), edits.opaque.find(opaque)?.attempted ?? '') };
      const theirs = await choose(edits.conflictOf(place));
      if (theirs !== undefined) {
        await showBoth({ place, shown }, theirs, parts, l10n.t('Yours'));
      }
    },

    async 'gantry.conflict.merge'(received: unknown) {
      if (opaqueFile(received, edits) !== undefined) {
        throw new Error(
          l10n.t(
            "Gantry can't merge notebooks or files in custom editors. Compare the versions, then overwrite or revert the file.",
          ),
        );
      }
      const file = editedFile(received);
      const theirs = await choose(edits.conflictOf(file.place));
      if (theirs !== undefined) {
        await merge(file, theirs, parts);
      }
    },

    async 'gantry.conflict.overwrite'(received: unknown, reach: unknown) {
      const opaque = opaqueFile(received, edits);
      if (opaque !== undefined) {
        edits.accept(opaque);
        await showOpaque(opaque);
        await commands.executeCommand('workbench.action.files.save');
        return;
      }
      const file = editedFile(received);
      edits.accept(file.place);
      await parts.save(file.document, reach === 'layer' ? 'layer' : 'place');
    },

    async 'gantry.conflict.saveElsewhere'(received: unknown) {
      const opaque = opaqueFile(received, edits);
      if (opaque === undefined) {
        await window.showTextDocument(editedFile(received).document);
      } else {
        await showOpaque(opaque);
      }
      await commands.executeCommand('workbench.action.files.saveAs');
    },
  };
}

interface EditedFile {
  readonly place: FilePlace;
  readonly document: TextDocument;
}

function uriMeant(received: unknown): Uri | undefined {
  return typeof received === 'string'
    ? Uri.parse(received)
    : (window.activeTextEditor?.document.uri ?? uriOfTab(window.tabGroups.activeTabGroup.activeTab));
}

/** A notebook, or a file in a custom editor. */
function opaqueFile(received: unknown, edits: Edits): FilePlace | undefined {
  const uri = uriMeant(received);
  const place = uri && filePlaceOf(uri);
  return place !== undefined && edits.opaque.find(place)?.attempted !== undefined ? place : undefined;
}

async function showOpaque(place: FilePlace): Promise<void> {
  const tab = tabsOf(place)[0];
  const { input } = tab ?? {};
  if (input instanceof TabInputNotebook || input instanceof TabInputCustom) {
    const kind = input instanceof TabInputNotebook ? input.notebookType : input.viewType;
    await commands.executeCommand('vscode.openWith', input.uri, kind, tab?.group.viewColumn);
  }
}

function fileShown({ place, document }: EditedFile): FileShown {
  return { place, shown: document.uri };
}

/** The links of an error can be followed long after: what was edited may be closed by then. */
function editedFile(received: unknown): EditedFile {
  const uri = uriMeant(received);
  const place = uri && placeOf(uri);
  const document = workspace.textDocuments.find((candidate) => candidate.uri.toString() === uri?.toString());
  if (place?.kind !== 'file' || document === undefined) {
    throw new Error(l10n.t('The file is no longer open. Open it and save it to see what stands against it.'));
  }
  return { place, document };
}

interface NodeChoice extends QuickPickItem {
  readonly finding: FoundText;
}

/** The node whose text it is about; where several differ, the person says which. */
async function choose(conflict: readonly NodeFinding[]): Promise<FoundText | undefined> {
  const choices: NodeChoice[] = conflict.flatMap(({ node, found }) =>
    found.kind === 'text' ? [{ label: nodeNames([{ node, found }]), finding: { node, found } }] : [],
  );
  const [only, ...more] = choices;
  if (only === undefined) {
    throw new Error(l10n.t('Nothing stands against saving any more, or what does is no text. Save the file again.'));
  }
  return more.length === 0
    ? only.finding
    : (await window.showQuickPick(choices, { placeHolder: l10n.t('The text of which node?') }))?.finding;
}

interface FileShown {
  readonly place: FilePlace;
  /** The editor with the person's text. */
  readonly shown: Uri;
}

async function showBoth(
  { place, shown }: FileShown,
  theirs: FoundText,
  { texts }: Conflicts,
  edited: string,
): Promise<void> {
  const left = texts.add(nameOf(place), theirs.found.text);
  const title = l10n.t('{0}: {1} ↔ {2}', nameOf(place), nodeNames([theirs]), edited);
  await commands.executeCommand('vscode.diff', left, shown, title);
}

/** Puts the merged text into the editor, unsaved and next to theirs: nothing is written before the person has seen it. */
async function merge(file: EditedFile, theirs: FoundText, parts: Conflicts): Promise<void> {
  const { place, document } = file;
  const { edits } = parts;
  const base = await edits.baseOf(place);
  if (base?.kind !== 'version') {
    throw new Error(
      l10n.t('What the edit began with is not known any more. Compare, and take over what you need by hand.'),
    );
  }
  const names = { yours: l10n.t('Yours'), theirs: nodeNames([theirs]) };
  const sides = { base: base.version.text, yours: document.getText(), theirs: theirs.found.text };
  const merged = mergeTexts(sides, names);
  edits.remember(place);
  await replaceText(document, merged.text);
  const { text } = theirs.found;
  if (keyOf(theirs.node) === keyOf(place)) {
    edits.rebase(place, { kind: 'version', version: { text, place } });
  } else {
    edits.accept(place, [theirs]);
  }
  edits.remember(place);
  await showBoth(fileShown(file), theirs, parts, l10n.t('Merged'));
  tell(place, merged.conflicts);
}

function tell(place: FilePlace, conflicts: number): void {
  if (conflicts === 0) {
    void showInformationMessage(l10n.t('{0} is merged. Look it over, and save it.', nameOf(place)));
    return;
  }
  void showWarningMessage(
    conflicts === 1
      ? l10n.t(
          '{0} is merged but for one place that both sides changed. It is marked: settle it, and save.',
          nameOf(place),
        )
      : l10n.t(
          '{0} is merged but for {1} places that both sides changed. They are marked: settle them, and save.',
          nameOf(place),
          conflicts,
        ),
  );
}

export async function replaceText(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  if (!(await workspace.applyEdit(edit))) {
    throw new Error(l10n.t('The text could not be put into the editor of {0}.', document.uri.path));
  }
}
