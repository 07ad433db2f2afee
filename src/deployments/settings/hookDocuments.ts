import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  l10n,
  Uri,
} from 'vscode';
import { hookScheme } from '../../manifest';
import type { ProjectDraft, ProjectDrafts } from './projectDrafts';
import { type HookName, hookNames } from './hooks';
import { hookExample } from './technology';

/** The name in the editor's tab. It says "draft", because saving the document sends nothing. */
const fileName = (hook: HookName): string => `${hook} (draft).sh`;

export function hookUri(draft: string, hook: HookName): Uri {
  return Uri.from({ scheme: hookScheme, path: `/${draft}/${fileName(hook)}` });
}

/** Returns the draft and hook that a document belongs to. */
export function hookOf({ scheme, path }: Uri): { readonly draft: string; readonly hook: HookName } | undefined {
  const hook = hookNames.find((name) => path.endsWith(`/${fileName(name)}`));
  return scheme === hookScheme && hook !== undefined
    ? { draft: path.slice(1, path.lastIndexOf('/')), hook }
    : undefined;
}

/** Provides the hooks of drafts as shell scripts. Saving one only updates the draft, which is sent from its page. */
export class HookDocuments implements FileSystemProvider, Disposable {
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly following: Disposable;
  private readonly savedAt = new Map<string, number>();
  /** The scripts as this window last read or wrote them. */
  private readonly seen = new Map<string, string>();
  readonly onDidChangeFile = this.changed.event;
  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  constructor(private readonly drafts: ProjectDrafts) {
    this.following = drafts.onDidChange((id) => {
      const uris = hookNames.map((hook) => hookUri(id, hook));
      const type = drafts.find(id) === undefined ? FileChangeType.Deleted : FileChangeType.Changed;
      for (const uri of uris) {
        if (type === FileChangeType.Deleted) {
          this.savedAt.delete(uri.path);
          this.seen.delete(uri.path);
        } else if (this.isUnseen(uri)) {
          // So that VS Code asks before it replaces the script with one that was edited meanwhile.
          this.savedAt.set(uri.path, Date.now());
        }
      }
      this.changed.fire(uris.map((uri) => ({ uri, type })));
    });
  }

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  async stat(uri: Uri): Promise<FileStat> {
    await this.drafts.restored();
    if (this.isFolder(uri)) {
      return { type: FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const size = Buffer.byteLength(this.scriptAt(uri));
    return { type: FileType.File, ctime: 0, mtime: this.savedAt.get(uri.path) ?? 0, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    await this.drafts.restored();
    const script = this.scriptAt(uri);
    this.seen.set(uri.path, script);
    return new TextEncoder().encode(script);
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await this.drafts.restored();
    const found = hookOf(uri);
    // The editor may have had unsaved text when another window applied or discarded the draft.
    const { draft, hook } = found !== undefined && this.drafts.isTaken(found.draft) ? found : this.locate(uri);
    if (!this.drafts.isTaken(draft)) {
      this.ensureSeen(uri);
    }
    const script = new TextDecoder().decode(content);
    this.savedAt.set(uri.path, Date.now());
    this.seen.set(uri.path, script);
    this.drafts.changeHook(draft, hook, script);
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }

  private scriptAt(uri: Uri): string {
    const { draft, hook } = this.locate(uri);
    return scriptOf(this.drafts.find(draft), hook);
  }

  /** Whether a script has changed since this window last read or wrote it. */
  private isUnseen(uri: Uri): boolean {
    const seen = this.seen.get(uri.path);
    return seen !== undefined && seen !== this.scriptAt(uri);
  }

  /** Refuses once to replace a script of the same length from another window. VS Code asks about all others. */
  private ensureSeen(uri: Uri): void {
    const [seen = '', now] = [this.seen.get(uri.path), this.scriptAt(uri)];
    if (this.isUnseen(uri) && Buffer.byteLength(seen) === Buffer.byteLength(now)) {
      this.seen.set(uri.path, now);
      throw FileSystemError.Unavailable(
        l10n.t(
          'The script was changed in another window. Save it again to replace that version, or revert the file to use it.',
        ),
      );
    }
  }

  /** VS Code checks the parent folders before it writes a file. */
  private isFolder({ path }: Uri): boolean {
    const parents = path === '/' ? path : `${path}/`;
    return this.drafts.ids.some((id) => `/${id}/`.startsWith(parents));
  }

  private locate(uri: Uri): { readonly draft: string; readonly hook: HookName } {
    const found = hookOf(uri);
    if (found === undefined || this.drafts.find(found.draft) === undefined) {
      throw FileSystemError.FileNotFound(uri);
    }
    return found;
  }
}

/** An empty hook of a new project shows an example, which becomes part of the draft only when it's saved. */
function scriptOf(draft: ProjectDraft | undefined, hook: HookName): string {
  const { isNew, fields, rules } = draft ?? {};
  const example = isNew === true ? hookExample(hook, rules?.technology, fields?.context ?? '') : undefined;
  return fields?.hooks?.[hook] ?? example ?? '';
}

function refuse(uri: Uri): never {
  throw FileSystemError.NoPermissions(uri);
}
