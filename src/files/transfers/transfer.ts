/** A file to be transferred, wherever it lies. */
export interface SourceFile {
  readonly kind: 'file';
  readonly name: string;
  read(signal: AbortSignal): Promise<Uint8Array>;
}

export interface SourceFolder {
  readonly kind: 'folder';
  readonly name: string;
  children(signal: AbortSignal): Promise<readonly Source[]>;
}

/** Something that cannot be transferred, with the reason: it is reported, not left out in silence. */
export interface Unreadable {
  readonly kind: 'unreadable';
  readonly name: string;
  readonly reason: Error;
}

export type Source = SourceFile | SourceFolder | Unreadable;

/** What a name stands for in a folder that files are put into. */
export type Occupant = 'file' | 'folder' | 'special';

/** A folder that files are put into, wherever it lies. */
export interface TransferTarget {
  contents(signal: AbortSignal): Promise<ReadonlyMap<string, Occupant>>;
  folder(name: string): TransferTarget;
  /** Makes the folder itself. */
  make(signal: AbortSignal): Promise<void>;
  /** Without `replace` it refuses what exists. */
  put(name: string, bytes: Uint8Array, how: { readonly replace: boolean }, signal: AbortSignal): Promise<void>;
  /** What has arrived, in bytes by name; `undefined` where whatever was put is known to be there. */
  arrived(signal: AbortSignal): Promise<ReadonlyMap<string, number | undefined> | undefined>;
}

export interface TransferFailure {
  readonly path: string;
  readonly error: unknown;
  /** The file was sent before this failed, so the target may hold only a part of it. */
  readonly wasSent?: boolean;
}

export interface TransferReport {
  /** Paths of the files that arrived, from where the transfer began. */
  readonly done: readonly string[];
  readonly skipped: readonly string[];
  readonly failures: readonly TransferFailure[];
}
