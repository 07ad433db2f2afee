import { commands, l10n, type TextDocument, Uri, window, workspace } from 'vscode';
import type { Environments } from '../environments/environments';
import type { Edits } from '../files/edits';
import { nodesOf } from '../files/layerNodes';
import type { PieceWriting } from '../files/pieceWriting';
import type { ReadOnlyFiles } from '../files/readOnlyFiles';
import { type Reach, wholeLayer } from '../files/saving/saves';
import { encodeText } from '../files/text';
import type { Containers } from '../remote/containers';
import { filePlaceOf } from '../remote/place';
import { showInformationMessage } from '../ui/notifications';

export interface Saving {
  readonly edits: Edits;
  readonly readOnly: ReadOnlyFiles;
  readonly pieces: PieceWriting;
  readonly environments: Environments;
  readonly containers: Containers;
}

/** Commands on the file in front: how far its saves reach, and whether it may be edited after all. */
export function saveCommands(parts: Saving) {
  return {
    async 'gantry.file.saveToAllNodes'(received: unknown) {
      const document = documentOf(received);
      const place = document && filePlaceOf(document.uri);
      if (place === undefined) {
        void showInformationMessage(l10n.t('Open a file of a container first.'));
        return;
      }
      const layer = wholeLayer(place);
      const nodes = await nodesOf(layer, parts.containers.account(place.account), parts.environments);
      if (nodes.length < 2) {
        void showInformationMessage(
          l10n.t('The layer {0} has one node: saving the file saves it everywhere.', place.target.nodeGroup),
        );
        return;
      }
      if (await saveDocument(document, 'layer', parts.edits)) {
        window.setStatusBarMessage(l10n.t('$(check) Saved to {0} nodes', nodes.length), 5000);
      }
    },

    async 'gantry.file.saveInPieces'(received: unknown, reach: unknown) {
      const document = documentOf(typeof received === 'string' ? Uri.parse(received) : received);
      const place = document && filePlaceOf(document.uri);
      if (place !== undefined) {
        parts.pieces.agree(place);
        await saveDocument(document, reach === 'layer' ? 'layer' : 'place', parts.edits);
      }
    },

    async 'gantry.file.readAgain'() {
      await commands.executeCommand('workbench.action.files.revert');
    },

    'gantry.file.tryWriting'() {
      const document = window.activeTextEditor?.document;
      const place = document && filePlaceOf(document.uri);
      if (place !== undefined) {
        parts.readOnly.tryAgain(place);
      }
    },
  };
}

/** Saves a document, changed or not, as far as it is to reach. A failure is shown by VS Code, or thrown. */
export async function saveDocument(document: TextDocument | undefined, reach: Reach, edits: Edits): Promise<boolean> {
  const place = document && filePlaceOf(document.uri);
  if (document === undefined || place === undefined) {
    return false;
  }
  try {
    edits.reach(place, reach);
    while (document.isDirty) {
      const isSaved = await document.save();
      if (!isSaved || reach === 'place' || edits.hasReached(place, reach)) {
        return isSaved;
      }
      // VS Code was saving the same text already, to the place alone.
      edits.reach(place, reach);
    }
    const base = await edits.baseOf(place);
    const isExact = base?.kind === 'version' && base.approximate !== true;
    await workspace.fs.writeFile(document.uri, encodeText(isExact ? base.version.text : document.getText()));
    return true;
  } finally {
    edits.reach(place, 'place');
  }
}

function documentOf(received: unknown): TextDocument | undefined {
  const uri = received instanceof Uri ? received.toString() : undefined;
  return uri === undefined
    ? window.activeTextEditor?.document
    : workspace.textDocuments.find((document) => document.uri.toString() === uri);
}
