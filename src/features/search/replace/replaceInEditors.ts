import { type TextDocument, workspace } from 'vscode';
import { type FilePlace } from '../../../containers/place';
import { uriOf } from '../../../containers/uris';
import { replaceText } from '../../../files/saving/conflictCommands';
import type { ReplaceInFilesDeps } from './replaceInFiles';

/** Adds what is changed in editors instead of on the platform. */
export function withDocuments(deps: Omit<ReplaceInFilesDeps, 'editUnsaved'>): ReplaceInFilesDeps {
  return {
    ...deps,
    editUnsaved: async (file, change) => {
      const document = unsavedDocument(file);
      if (document === undefined) {
        return false;
      }
      const [before, after] = [document.getText(), change(document.getText())];
      if (after !== before) {
        await replaceText(document, after);
      }
      return true;
    },
  };
}

export function unsavedDocument(file: FilePlace): TextDocument | undefined {
  const uri = uriOf(file).toString();
  return workspace.textDocuments.find((document) => document.isDirty && document.uri.toString() === uri);
}
