import { Disposable, EventEmitter, type TextDocumentContentProvider, Uri, workspace } from 'vscode';

const scheme = 'gantry-text';
const maxKept = 50;

/** Texts in read-only editors, such as reports and earlier file contents. Keeps only the most recent ones. */
export class ShownTexts implements TextDocumentContentProvider, Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new EventEmitter<Uri>();
  /** VS Code reads this when the provider is registered. */
  readonly onDidChange = this.changed.event;
  private readonly registration = workspace.registerTextDocumentContentProvider(scheme, this);
  private count = 0;
  /** The number of the last text before those that are being added together. */
  private lastBefore = Infinity;

  /** Adds the texts of one editor. VS Code reads them only later, so none makes room for another, however many they are. */
  addTogether<T>(add: () => T): T {
    this.lastBefore = this.count;
    try {
      return add();
    } finally {
      this.lastBefore = Infinity;
    }
  }

  /**
   * @param name the title of the editor's tab, or an absolute path; its extension determines the highlighting. Two texts
   * of the same name have the same path, so that a comparison doesn't look like a rename.
   */
  add(name: string, text: string): Uri {
    this.count += 1;
    const uri = Uri.from({ scheme, path: name.startsWith('/') ? name : `/${name}`, query: `${this.count}` });
    this.texts.set(uri.query, text);
    for (const oldest of this.texts.keys()) {
      if (this.texts.size <= maxKept || Number(oldest) > this.lastBefore) {
        break;
      }
      this.texts.delete(oldest);
    }
    return uri;
  }

  /** Changes a text that was added earlier. Ignores other URIs. */
  replace(uri: Uri, text: string): void {
    if (uri.scheme === scheme && this.texts.has(uri.query)) {
      this.texts.set(uri.query, text);
      this.changed.fire(uri);
    }
  }

  provideTextDocumentContent(uri: Uri): string | undefined {
    return this.texts.get(uri.query);
  }

  dispose(): void {
    Disposable.from(this.registration, this.changed).dispose();
  }
}
