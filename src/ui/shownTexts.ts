import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from 'vscode';

const scheme = 'gantry-text';
const mostKept = 50;

/** Texts shown in read-only editors: reports, and what a file held before. They are kept in memory, the last so many. */
export class ShownTexts implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  /** VS Code reads this when the provider is registered. */
  readonly onDidChange = this.changed.event;
  private readonly registration = workspace.registerTextDocumentContentProvider(scheme, this);
  private count = 0;

  /** The name is what the editor's tab shows; its extension decides the colours. */
  add(name: string, text: string): Uri {
    this.count += 1;
    const uri = Uri.from({ scheme, path: `/${this.count}/${name}` });
    this.texts.set(uri.path, text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= mostKept) {
        break;
      }
      this.texts.delete(oldest);
    }
    return uri;
  }

  /** Shows another text in the editors of one that was added. Other URIs are left alone. */
  replace(uri: Uri, text: string): void {
    if (uri.scheme === scheme && this.texts.has(uri.path)) {
      this.texts.set(uri.path, text);
      this.changed.fire(uri);
    }
  }

  provideTextDocumentContent(uri: Uri): string | undefined {
    return this.texts.get(uri.path);
  }

  dispose(): void {
    Disposable.from(this.registration, this.changed).dispose();
  }
}
