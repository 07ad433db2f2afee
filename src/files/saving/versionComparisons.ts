import { commands, l10n, TabInputTextDiff, type Uri, window } from 'vscode';
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

const ofNode = 'node-';

/** By this, it's known which of the texts that comparisons show is what a node has. */
function fragmentOf({ target }: FilePlace): string {
  return `${ofNode}${target.nodeId ?? ''}`;
}
