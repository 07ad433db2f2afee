import { type CustomDocument, type Disposable, type WebviewPanel, window } from 'vscode';
import { binaryFileViewType } from '../manifest';
import type { Feature } from './feature';

interface PageEditor {
  resolveCustomEditor(document: CustomDocument, panel: WebviewPanel): Promise<void>;
}

/** Registers the page of binary files. Its code is loaded when the first one is opened. */
export function registerBinaryFileEditor<T>(feature: Feature<T>, editorOf: (feature: T) => PageEditor): Disposable {
  return window.registerCustomEditorProvider(
    binaryFileViewType,
    {
      openCustomDocument: (uri) => ({ uri, dispose: () => undefined }),
      resolveCustomEditor: (document, panel) =>
        feature.use((loaded) => editorOf(loaded).resolveCustomEditor(document, panel)),
    },
    { supportsMultipleEditorsPerDocument: true },
  );
}
