import { Canceled } from '../../platform/errors';

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
interface Unreadable {
  readonly kind: 'unreadable';
  readonly name: string;
  readonly reason: Error;
}

export type Source = SourceFile | SourceFolder | Unreadable;

/** An entry that already has the name in the target folder. */
export interface ExistingEntry {
  /** Nothing is written through a link, which may lead out of the folder that the user selected. */
  readonly kind: 'file' | 'folder' | 'link' | 'special';
  readonly version?: ListedVersion;
  /** `false` if some nodes of a layer lack it. */
  readonly isOnAllNodes?: boolean;
}

/** Differs if a file has changed, as far as its time and size show it. `undefined` if there's no file. */
export type ListedVersion = string | undefined;

export interface ArrivedFile {
  /** One for each node of a layer. */
  readonly lengths: readonly (number | undefined)[];
}

/** A target folder, on any file system. */
export interface TransferTarget {
  /** @param names what is to be transferred: only these entries need their versions */
  contents(signal: AbortSignal, names: ReadonlySet<string>): Promise<ReadonlyMap<string, ExistingEntry>>;
  folder(name: string): TransferTarget;
  /** Creates the folder itself, on a layer only on the nodes that lacked it when its contents were listed. */
  make(signal: AbortSignal): Promise<void>;
  /** Fails if the file exists, or, if it's to be replaced, has another version by now. */
  put(
    name: string,
    bytes: Uint8Array,
    replaced: Pick<ExistingEntry, 'version'> | undefined,
    signal: AbortSignal,
  ): Promise<void>;
  /** Returns the existing files by name, or `undefined` if `put` already guarantees that they arrived. */
  arrived(signal: AbortSignal): Promise<ReadonlyMap<string, ArrivedFile> | undefined>;
}

export interface TransferFailure {
  readonly path: string;
  readonly error: unknown;
  /** The file was sent, so the target may have its content. */
  readonly isSent?: true;
}

export interface TransferReport {
  /** Paths of the transferred files, relative to the transfer's start. */
  readonly done: readonly string[];
  readonly skipped: readonly string[];
  readonly failures: readonly TransferFailure[];
  /** The user stopped it before every wanted file was transferred. */
  readonly isCanceled: boolean;
}

export function stopIfAborted(signal: AbortSignal): void {
  if (signal.aborted) {
    throw new Canceled('Transfer', { isOutcomeUnknown: false });
  }
}

/** Characters that are allowed in container names, but that Windows treats as a path, a stream or a pattern. */
const special = /[<>:"|?*\\\p{Cc}]|[. ]$/u;
/** Device names, also with an extension or trailing spaces. */
const devices = /^(con|conin\$|conout\$|prn|aux|nul|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** Whether a container's file name only names an entry of its folder here, and nothing else. */
export function isLocalName(name: string, system: NodeJS.Platform = process.platform): boolean {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
    return false;
  }
  return system !== 'win32' || !(special.test(name) || devices.test(name));
}
