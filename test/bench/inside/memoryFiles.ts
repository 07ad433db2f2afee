import {
  Disposable,
  EventEmitter,
  type FileChangeEvent,
  FileSystemError,
  type FileStat,
  type FileSystemProvider,
  FileType,
  Uri,
  workspace,
} from 'vscode';
import type { Compared } from '../budgets';
import { bench } from './filesWork';
import type { Work } from './measure';

const many = Array.from({ length: 100 }, (_, n) => n);
const filesInTree = 1000;
const folder = `${bench}/parallel`;
const renamed = (turn: number) => `${bench}/renamed-${turn % 2}`;

/** Work that is done in two file systems, so that what VS Code itself takes for it is known. */
export function comparedWork(at: (path: string) => Uri): Readonly<Record<Compared, Work>> {
  return {
    stats100: { run: () => Promise.all(many.map((n) => workspace.fs.stat(at(`${folder}/${n}.conf`)))) },
    renameFolder: {
      run: (turn) => workspace.fs.rename(at(renamed(turn)), at(renamed(turn + 1)), { overwrite: false }),
    },
  };
}

/** Files in memory: a provider that does as little as possible. Starts with what the compared work needs. */
export class MemoryFiles implements FileSystemProvider {
  private readonly scheme = 'gantry-bench';
  private readonly entries = new Map<string, FileStat>();
  private readonly changed = new EventEmitter<FileChangeEvent[]>();
  private readonly registered: Disposable;
  readonly onDidChangeFile = this.changed.event;

  constructor() {
    const above = bench.split('/').map((_, index, names) => names.slice(0, index + 1).join('/') || '/');
    [...above, folder, renamed(0)].forEach((path) => this.add(path, FileType.Directory));
    many.forEach((n) => this.add(`${folder}/${n}.conf`, FileType.File));
    for (let n = 0; n < filesInTree; n += 1) this.add(`${renamed(0)}/${n}.txt`, FileType.File);
    this.registered = workspace.registerFileSystemProvider(this.scheme, this, { isCaseSensitive: true });
  }

  readonly at = (path: string): Uri => Uri.from({ scheme: this.scheme, path });

  watch(): Disposable {
    return new Disposable(() => undefined);
  }

  stat(uri: Uri): FileStat {
    const entry = this.entries.get(uri.path);
    if (entry === undefined) throw FileSystemError.FileNotFound(uri);
    return entry;
  }

  readDirectory({ path }: Uri): [string, FileType][] {
    const above = `${path}/`;
    return [...this.entries].flatMap(([key, { type }]): [string, FileType][] =>
      key.startsWith(above) && !key.includes('/', above.length) ? [[key.slice(above.length), type]] : [],
    );
  }

  createDirectory({ path }: Uri): void {
    this.add(path, FileType.Directory);
  }

  readFile(): Uint8Array {
    return Buffer.from('');
  }

  writeFile({ path }: Uri): void {
    this.add(path, FileType.File);
  }

  delete({ path }: Uri): void {
    this.entries.delete(path);
  }

  rename(from: Uri, to: Uri): void {
    for (const [path, entry] of [...this.entries]) {
      if (path === from.path || path.startsWith(`${from.path}/`)) {
        this.entries.delete(path);
        this.entries.set(`${to.path}${path.slice(from.path.length)}`, entry);
      }
    }
  }

  dispose(): void {
    this.registered.dispose();
    this.changed.dispose();
  }

  private add(path: string, type: FileType): void {
    this.entries.set(path, { type, ctime: 0, mtime: 0, size: 1 });
  }
}
