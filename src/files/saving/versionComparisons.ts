import { commands, l10n, TabInputTextDiff, type TextDocument, type Uri, window } from 'vscode';
import { type FilePlace, nameOf } from '../../containers/place';
import type { ShownTexts } from '../../ui/shownTexts';
import { nodeNames } from './outcomeTexts';
import type { OpenFile } from './saveCommands';
import type { SaveScope } from './saves';
import type { NodeVersion, ServerVersion } from './serverFiles';

/** A text that a node has. */
export interface FoundText extends NodeVersion {
  readonly found: Extract<ServerVersion, { kind: 'text' }>;
}

/**
 * Compares a node's version of a file with another text of it.
 * @param edited names that text
 */
export async function showVersion(
  place: FilePlace,
  shown: Uri,
  theirs: FoundText,
  texts: ShownTexts,
  edited: string,
): Promise<void> {
  const left = texts.add(nameOf(place), theirs.found.text).with({ fragment: fragmentOf(theirs.node) });
  const title = l10n.t('{0}: {1} ↔ {2}', nameOf(place), nodeNames([theirs]), edited);
  await commands.executeCommand('vscode.diff', left, shown, title);
}

/**
 * After an overwrite, what the nodes that it reached have is the document's own text. Comparisons with earlier texts stay as
 * they are.
 */
export function updateComparisons({ place, document }: OpenFile, scope: SaveScope, texts: ShownTexts): void {
  const isOnAll = scope === 'layer' || place.target.nodeId === undefined;
  const isWritten = ({ fragment }: Uri) => (isOnAll ? fragment.startsWith(ofNode) : fragment === fragmentOf(place));
  for (const { input } of window.tabGroups.all.flatMap(({ tabs }) => tabs)) {
    const isOfFile = input instanceof TabInputTextDiff && input.modified.toString() === document.uri.toString();
    if (isOfFile && isWritten(input.original)) {
      texts.replace(input.original, document.getText());
    }
  }
}

/**
 * Whether the active comparison shows another version of the file than the one that was found last, so that a choice in its
 * title would be about something the user hasn't seen. A file that's gone has no version to compare with.
 */
export function isComparisonOutdated({ uri }: TextDocument, found: readonly NodeVersion[], texts: ShownTexts): boolean {
  const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
  if (!(input instanceof TabInputTextDiff) || input.modified.toString() !== uri.toString()) {
    return false;
  }
  const { original } = input;
  const shown = original.fragment.startsWith(ofNode) ? texts.provideTextDocumentContent(original) : undefined;
  const ofSameNode = found.filter(({ node }) => fragmentOf(node) === original.fragment);
  return shown !== undefined && ofSameNode.some(({ found: now }) => now.kind === 'text' && now.text !== shown);
}

const ofNode = 'node-';

/** Marks the side of a comparison that shows a node's text. */
function fragmentOf({ target }: FilePlace): string {
  return `${ofNode}${target.nodeId ?? ''}`;
}
