/** A file to transfer, on any file system. */
export interface SourceFile {
  readonly kind: 'file';
  readonly name: string;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

interface SourceFolder {
  readonly kind: 'folder';
  readonly name: string;
  children(signal: AbortSignal): Promise<readonly Source[]>;
}

/** Something that can't be transferred. It's reported with its reason, not silently skipped. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly name: string;
  readonly reason: Error;
}

export type Source = SourceFile | SourceFolder | Unreadable;

/** What kind of entry already has the name in the target folder. */
export type ExistingEntry = 'file' | 'folder' | 'special';

/** A target folder, on any file system. */
export interface TransferTarget {
  contents(signal: AbortSignal): Promise<ReadonlyMap<string, ExistingEntry>>;
  folder(name: string): TransferTarget;
  /** Creates the folder itself. */
  make(signal: AbortSignal): Promise<void>;
  /** Fails if the file exists, unless `replace` is set. */
  put(name: string, bytes: Uint8Array, how: { readonly replace: boolean }, signal: AbortSignal): Promise<void>;
  /** Returns the sizes of the existing files by name, or `undefined` if `put` already guarantees that they arrived. */
  arrived(signal: AbortSignal): Promise<ReadonlyMap<string, number | undefined> | undefined>;
}

export interface TransferFailure {
  readonly path: string;
  readonly error: unknown;
  /** The file was sent before this failed, so the target may hold only a part of it. */
  readonly wasSent?: boolean;
}

export interface TransferReport {
  /** Paths of the transferred files, relative to the transfer's start. */
  readonly done: readonly string[];
  readonly skipped: readonly string[];
  readonly failures: readonly TransferFailure[];
}
