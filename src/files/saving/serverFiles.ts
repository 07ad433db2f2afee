import type { CallOptions } from '../../platform/client';
import { isPlatformError, Canceled, isCanceled, PlatformError } from '../../platform/errors';
import { type FileEntry, type FileType, isProvenSame } from '../../platform/wire/fileEntry';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';
import { entryOfText, isWhole, mayNotBeListed } from '../text';
import type { Containers } from '../../containers/containers';
import type { Listings } from '../../containers/listings';

/** A file's content on one node. */
export type ServerVersion =
  | { readonly kind: 'absent' }
  /** `whole`: its length proves that the text is exactly the file. */
  | { readonly kind: 'text'; readonly text: string; readonly whole: boolean; readonly entry: FileEntry }
  /** A folder, a pipe, or something else that can't be read as a file. */
  | { readonly kind: 'noFile'; readonly entry: FileEntry };

export interface NodeVersion {
  readonly node: FilePlace;
  readonly found: ServerVersion;
}

/** The platform operations that a save needs. They must not answer from a cache. */
export interface SavingFiles {
  read(file: FilePlace, options?: CallOptions): Promise<string>;
  lookUp(file: FilePlace): Promise<FileEntry | undefined>;
  write(file: FilePlace, text: string, options?: CallOptions): Promise<void>;
}

export type ReadFiles = Pick<SavingFiles, 'read' | 'lookUp'>;

/** If Read and the listing disagree whether the file exists, it just appeared or disappeared, so check once more. */
const looks = 2;

async function readServerVersion(files: ReadFiles, node: FilePlace): Promise<ServerVersion> {
  for (let look = 1; ; look++) {
    const [text, entry] = await bothOf(files, node);
    if (entry !== undefined && (entry.isDir || isSpecial(entry))) {
      return { kind: 'noFile', entry };
    }
    if (text === undefined && entry === undefined) {
      return { kind: 'absent' };
    }
    if (text !== undefined && entry !== undefined) {
      return { kind: 'text', text, whole: isWhole(text, entry), entry };
    }
    if (look >= looks) {
      return entry === undefined ? { kind: 'absent' } : { kind: 'noFile', entry };
    }
  }
}

export function readNodeVersions(files: ReadFiles, nodes: readonly FilePlace[]): Promise<readonly NodeVersion[]> {
  return Promise.all(nodes.map(async (node) => ({ node, found: await readServerVersion(files, node) })));
}

export function isSameVersion(one: ServerVersion, other: ServerVersion): boolean {
  switch (one.kind) {
    case 'absent':
      return other.kind === 'absent';
    case 'text':
      return other.kind === 'text' && one.text === other.text && isAsWhole(one, other);
    case 'noFile':
      return other.kind === 'noFile' && isProvenSame(one.entry, other.entry);
  }
}

export function holdsText(found: ServerVersion, text: string): boolean {
  return found.kind === 'text' && mayBeWhole(found) && found.text === text;
}

/** Whether the text may be the whole file. An empty text can't be proven if its folder may not be listed. */
export function mayBeWhole({ text, whole, entry }: FoundText): boolean {
  return whole || (text === '' && entry.length === undefined);
}

type FoundText = Extract<ServerVersion, { kind: 'text' }>;

/** For damaged texts, the listing must show that the bytes are the same. */
function isAsWhole(one: FoundText, other: FoundText): boolean {
  return (one.whole && other.whole) || isProvenSame(one.entry, other.entry);
}

async function bothOf(
  files: ReadFiles,
  node: FilePlace,
): Promise<[text: string | undefined, entry: FileEntry | undefined]> {
  const [text, entry] = await Promise.allSettled([files.read(node), files.lookUp(node)]);
  if (entry.status === 'rejected' && !mayNotBeListed(entry.reason)) {
    throw entry.reason;
  }
  const listed = entry.status === 'fulfilled' ? entry.value : undefined;
  if (text.status === 'fulfilled') {
    return [text.value, entry.status === 'fulfilled' ? listed : entryOfText(node, text.value)];
  }
  const isThere = listed !== undefined && (listed.isDir || isSpecial(listed));
  if (isThere || (isPlatformError(text.reason) && text.reason.kind === 'notFound')) {
    return [undefined, listed];
  }
  throw text.reason;
}

const specialTypes: ReadonlySet<FileType> = new Set(['named pipe', 'socket', 'character device', 'block device']);

/** Whether it's a pipe or a device, whose reading might never end. */
export function isSpecial({ fileType }: FileEntry): boolean {
  return fileType !== undefined && specialTypes.has(fileType);
}

/** A verified write as the file system announces it: one for each URI of the file. */
export interface AnnouncedSave {
  readonly place: FilePlace;
  /** The file certainly didn't exist before. */
  readonly isNew: boolean;
  /** The text that the edit began with, or that another node had, if it's known, and the one that was written instead. */
  readonly base: string | undefined;
  readonly text: string | undefined;
  /** Another URI of the same file was announced before. */
  readonly isAgain?: boolean;
}

interface SeenNodes {
  /** What each node has now. */
  readonly nodes: readonly NodeVersion[];
  /** What each had before. Empty if that wasn't checked. */
  readonly before: readonly NodeVersion[];
}

/** The other URIs of a file that was written on these nodes: the one of its layer, and those of the nodes. */
export function otherPlacesOf(place: FilePlace, nodes: readonly NodeVersion[]): readonly FilePlace[] {
  const all = [wholeLayer(place), ...nodes.map(({ node }) => node)];
  return all.filter(({ target }) => target.nodeId !== place.target.nodeId);
}

/** @param before what the save found; empty if it didn't check that */
export function wasAbsent(before: readonly NodeVersion[]): boolean | undefined {
  return before.length > 0 ? before.every(({ found }) => found.kind === 'absent') : undefined;
}

/** What a save has written on each node, over what the node had. */
export function savedOnNodes({ nodes, before }: SeenNodes): readonly AnnouncedSave[] {
  return nodes.map(({ node, found }) => {
    const earlier = before.find((one) => keyOf(one.node) === keyOf(node))?.found;
    const [base, text] = [earlier, found].map((version) =>
      version?.kind === 'text' && mayBeWhole(version) ? version.text : undefined,
    );
    return { place: node, isNew: earlier?.kind === 'absent', base, text };
  });
}

/** The same save by the other URIs. A node may have had another text than the one that the edit began with. */
export function savedAgain(saved: AnnouncedSave, seen: SeenNodes): readonly AnnouncedSave[] {
  const isSeen = !saved.isNew && seen.before.length > 0;
  const onNodes = new Map((isSeen ? savedOnNodes(seen) : []).map((one) => [keyOf(one.place), one] as const));
  return otherPlacesOf(saved.place, seen.nodes).map((place) => ({
    ...saved,
    ...onNodes.get(keyOf(place)),
    place,
    isAgain: true,
  }));
}

export interface TextVersion {
  readonly text: string;
  readonly place: FilePlace;
}

/** What the server must still have for a save not to be a conflict. */
export type BaseVersion =
  /** The text that the edit is based on. `approximate` if only the editor's version of it is known. */
  | { readonly kind: 'version'; readonly version: TextVersion; readonly approximate?: boolean }
  /** The writer wants to overwrite any content. */
  | { readonly kind: 'anything' }
  /** The base version of the edit isn't known, so any content other than the new text is a conflict. */
  | { readonly kind: 'unknown' };

/** The platform takes this text only in several requests, with a partial file in between. The user must agree. */
export class NeedsSeveralWritesError extends PlatformError {
  constructor(
    { path }: FilePlace,
    readonly pieces: number,
  ) {
    super({ kind: 'tooLarge', operation: 'Write', target: path, message: `Write (${path}): too long for one request` });
  }
}

/** Saves don't wait for writes of texts longer than this, in characters. */
const longestAwaited = 64 * 1024;

/** The platform's files. Writes a text that's too long for one request in pieces, if the user agreed to that. */
export class ServerFiles implements SavingFiles {
  private readonly agreed = new Set<string>();

  constructor(
    private readonly containers: Containers,
    private readonly listings: Listings,
  ) {}

  /** Allows this for the file until the window closes. */
  agreeToPieces(file: FilePlace): void {
    this.agreed.add(keyOf(wholeLayer(file)));
  }

  read(file: FilePlace, options?: CallOptions): Promise<string> {
    return this.containers.read(file, options);
  }

  lookUp(file: FilePlace): Promise<FileEntry | undefined> {
    return this.listings.lookUp(file);
  }

  write(file: FilePlace, text: string, options?: CallOptions): Promise<void> {
    const write = () => this.writeInPieces(file, text, options);
    return text.length > longestAwaited ? write() : this.listings.whileWriting(file, write);
  }

  private async writeInPieces(file: FilePlace, text: string, options?: CallOptions): Promise<void> {
    const [first, ...rest] = this.containers.pieces(file, text);
    if (rest.length > 0) {
      // Before anything is sent or asked, because the first piece overwrites the file.
      this.containers.ensureOffered('Append', file);
    }
    if (first === undefined || (rest.length > 0 && !this.agreed.has(keyOf(wholeLayer(file))))) {
      throw new NeedsSeveralWritesError(file, first === undefined ? 0 : rest.length + 1);
    }
    await this.containers.write(file, first, options);
    for (const piece of rest) {
      await this.append(file, piece, options);
    }
  }

  private async append(file: FilePlace, body: string, options?: CallOptions): Promise<void> {
    try {
      await this.containers.append(file, body, options);
    } catch (error) {
      if (isCanceled(error)) {
        throw new Canceled(error.operation, { isOutcomeUnknown: true });
      }
      if (!isPlatformError(error)) {
        throw error;
      }
      // The earlier pieces are already there, so the file's content must be checked in any case.
      const { kind, operation, method, target, object, detail, words, result, message } = error;
      throw new PlatformError({
        kind,
        operation,
        method,
        target,
        object,
        detail,
        words,
        result,
        message,
        isOutcomeUnknown: true,
        cause: error,
      });
    }
  }
}
