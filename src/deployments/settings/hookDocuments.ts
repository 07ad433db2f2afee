import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileChangeType,
  type FileStat,
  FileSystemError,
  type FileSystemProvider,
  FileType,
  Uri,
} from 'vscode';
import { hookScheme } from '../../manifest';
import type { ProjectDraft, ProjectDrafts } from './projectDrafts';
import { type HookName, hookNames } from './projectFields';
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
  readonly onDidChangeFile = this.changed.event;
  readonly createDirectory = refuse;
  readonly delete = refuse;
  readonly rename = refuse;

  constructor(private readonly drafts: ProjectDrafts) {
    this.following = drafts.onDidChange((id) => {
      const uris = hookNames.map((hook) => hookUri(id, hook));
      const type = drafts.find(id) === undefined ? FileChangeType.Deleted : FileChangeType.Changed;
      if (type === FileChangeType.Deleted) {
        uris.forEach(({ path }) => this.savedAt.delete(path));
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
    const size = (await this.readFile(uri)).length;
    return { type: FileType.File, ctime: 0, mtime: this.savedAt.get(uri.path) ?? 0, size };
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    await this.drafts.restored();
    const { draft, hook } = this.locate(uri);
    return new TextEncoder().encode(scriptOf(this.drafts.find(draft), hook));
  }

  async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
    await this.drafts.restored();
    const { draft, hook } = this.locate(uri);
    this.savedAt.set(uri.path, Date.now());
    this.drafts.changeHook(draft, hook, new TextDecoder().decode(content));
  }

  readDirectory(uri: Uri): never {
    throw FileSystemError.FileNotADirectory(uri);
  }

  dispose(): void {
    Disposable.from(this.following, this.changed).dispose();
  }

  /** VS Code checks the parent folders before it writes a file. */
  private isFolder({ path }: Uri): boolean {
    return this.drafts.all.some(({ id }) => `/${id}/`.startsWith(path === '/' ? path : `${path}/`));
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
