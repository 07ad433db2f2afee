import { Disposable, EventEmitter, type TextDocumentContentProvider, type Uri, workspace } from 'vscode';
import type { Feature } from './feature';

/** Provides a scheme's read-only documents. Their code is loaded when the first one is opened. */
export function registerLazyText<T>(
  scheme: string,
  feature: Feature<T>,
  providerOf: (feature: T) => TextDocumentContentProvider,
): Disposable {
  const changed = new EventEmitter<Uri>();
  feature.whenLoaded((loaded) => providerOf(loaded).onDidChange?.((uri) => changed.fire(uri)));
  return Disposable.from(
    changed,
    workspace.registerTextDocumentContentProvider(scheme, {
      onDidChange: changed.event,
      provideTextDocumentContent: (uri, token) =>
        feature.use((loaded) => providerOf(loaded).provideTextDocumentContent(uri, token)),
    }),
  );
}
