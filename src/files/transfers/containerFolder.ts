import { l10n, workspace } from 'vscode';
import { uriOf } from '../../containers/uris';
import { ExpectedError } from '../../ui/expectedError';
import { isPlatformError, onPlatformError, PlatformError } from '../../platform/errors';
import { type FileEntry, isReadableType } from '../../platform/wire/fileEntry';
import type { Containers } from '../../containers/containers';
import { looksLikeLoop } from '../../containers/linkLoops';
import type { Listing } from '../../containers/listingCache';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import type { ServerSideOperations } from '../../containers/serverSideOperations';
import { ensureWritable } from '../saving/textObstacle';
import { flawSentence } from '../wholeText';
import { decodeText, encodeText, provenText } from '../text';
import type { TransferTarget, ExistingEntry, ListedVersion, Source } from './transfer';

/** Reads and writes container files for transfers. Always lists again, because old listings may be wrong. */
export class ContainerFolders {
  constructor(
    private readonly containers: Containers,
    private readonly serverOperations: ServerSideOperations,
  ) {}

  /** Links to folders aren't followed, as far as they can be told, except the one that is to be transferred itself. */
  source(place: FilePlace, entry: FileEntry): Source {
    return this.sourceBelow([], place, entry);
  }

  /** @param above the listings that led here */
  private sourceBelow(above: readonly Listing[], place: FilePlace, entry: FileEntry): Source {
    const { name } = entry;
    if (entry.isDir && entry.fileType === 'symbolic link' && above.length > 0) {
      return { kind: 'unreadable', name, reason: linkNotFollowed() };
    }
    if (entry.isDir) {
      const children = async (signal: AbortSignal) => {
        const entries = await this.containers.list(place, { signal, isProof: true });
        const listing = new Map(entries.map((child) => [child.name, child]));
        if (above.some((one) => looksLikeLoop(one, listing))) {
          throw linkNotFollowed();
        }
        return entries.map((child) => this.sourceBelow([...above, listing], childOf(place, child.name), child));
      };
      return { kind: 'folder', name, children };
    }
    return kindOf(entry) === 'file'
      ? { kind: 'file', name, read: (signal) => this.read(place, entry, signal) }
      : {
          kind: 'unreadable',
          name,
          reason: new ExpectedError(l10n.t("It isn't a regular file ({0}).", entry.fileType ?? '')),
        };
  }

  /**
   * On a whole layer, a file exists if one node has it, and has arrived once all nodes have it. A folder below this one
   * is created on the nodes that lack it. This one must exist on every node, because only the person knows why it doesn't.
   */
  destination(folder: FilePlace): TransferTarget {
    return this.targetAt(folder, (lacking) => {
      throw new ExpectedError(
        l10n.t(
          "{0} doesn't exist on node {1}. Create it there, then try again.",
          folder.path,
          lacking.map(({ target }) => target.nodeId).join(', '),
        ),
      );
    });
  }

  /** @param onLacking called if only some nodes have the folder, with the same place on the others */
  private targetAt(folder: FilePlace, onLacking?: (lacking: readonly FilePlace[]) => void): TransferTarget {
    const list = (signal: AbortSignal) => this.listedOnNodes(folder, signal);
    let ensureSameNodes = () => Promise.resolve();
    let lacking: readonly FilePlace[] = [];
    return {
      contents: async (signal) => {
        const check = await this.containers.rememberNodes([folder], 'write');
        let checked: Promise<void> | undefined;
        ensureSameNodes = () => (checked ??= check());
        const listed = await list(signal);
        ({ lacking } = listed);
        if (lacking.length > 0) {
          onLacking?.(lacking);
        }
        return new Map(
          [...listed.entries].map(([name, entries]) => [
            name,
            { kind: kindOnNodes(entries), version: versionOnNodes(entries), isOnAllNodes: isOnAllNodes(entries) },
          ]),
        );
      },
      folder: (name) => this.targetAt(childOf(folder, name)),
      make: async (signal) => {
        // The platform refuses to create a folder that one node of the layer has.
        for (const place of lacking.length > 0 ? lacking : [folder]) {
          await this.containers.createFolder(place, { signal });
        }
      },
      put: async (name, bytes, replaced, signal) => {
        const file = childOf(folder, name);
        ensureWritable(name, bytes);
        if (replaced === undefined) {
          await this.create(file, bytes, signal);
        } else {
          await ensureSameNodes();
          await this.replace(file, bytes, () => this.ensureUnchanged(file, replaced.version, signal), signal);
        }
      },
      arrived: async (signal) =>
        new Map(
          [...(await list(signal)).entries].flatMap(([name, entries]) =>
            entries.every((entry) => entry !== undefined)
              ? [[name, { lengths: entries.map(({ length }) => length) }]]
              : [],
          ),
        ),
    };
  }

  /**
   * Returns each entry as each node lists it, `undefined` if a node lacks it, and the nodes that lack the folder. Rejects
   * if every node lacks it.
   */
  private async listedOnNodes(
    folder: FilePlace,
    signal: AbortSignal,
  ): Promise<{ readonly entries: ReadonlyMap<string, EntryOnNodes>; readonly lacking: readonly FilePlace[] }> {
    const nodes = await this.containers.nodes(folder);
    const outcomes = await Promise.all(
      nodes.map((node) => this.containers.list(node, { signal }).catch(onPlatformError((error) => error, 'notFound'))),
    );
    const lacking = nodes.filter((_, index) => isPlatformError(outcomes[index]));
    const [first] = outcomes;
    if (isPlatformError(first) && lacking.length === nodes.length) {
      throw first;
    }
    const listings = outcomes.map(
      (outcome) => new Map(isPlatformError(outcome) ? [] : outcome.map((entry) => [entry.name, entry])),
    );
    const names = new Set(listings.flatMap((listing) => [...listing.keys()]));
    const entries = new Map([...names].map((name) => [name, listings.map((listing) => listing.get(name))]));
    return { entries, lacking };
  }

  /** Reads a file. Throws if the platform's text can't be proven to be exactly the file. */
  private async read(file: FilePlace, entry: FileEntry, signal: AbortSignal): Promise<Uint8Array> {
    const read = () => this.containers.read(file, { signal });
    const measure = async () =>
      (await this.containers.list(parentOrSelf(file), { signal })).find(({ name }) => name === nameOf(file));
    const { text, flaw } = await provenText(await read(), entry, { read, measure });
    if (flaw !== undefined) {
      throw new ExpectedError(flawSentence(flaw));
    }
    return encodeText(text);
  }

  /** The question whether to replace files may have been open for long. */
  private async ensureUnchanged(file: FilePlace, version: ListedVersion, signal: AbortSignal): Promise<void> {
    const nodes = await this.containers.nodes(file);
    const now = await Promise.all(nodes.map((node) => this.containers.entry(node, { signal })));
    if (versionOnNodes(now) !== version) {
      throw new ExpectedError(l10n.t("It was changed in the meantime, so it wasn't replaced."));
    }
  }

  /** Creates a file first: the platform skips an upload to a name that's taken by now, and reports success. */
  private async create(file: FilePlace, bytes: Uint8Array, signal: AbortSignal): Promise<void> {
    const text = this.textToWrite(file, bytes);
    const created = { isConfirmed: false };
    const create = async () => {
      created.isConfirmed = (await this.containers.createFile(file, { signal })).isConfirmed;
    };
    try {
      if (text === undefined) {
        await this.putBytes(file, bytes, { prepare: create, signal });
        return;
      }
      await create();
      if (text !== '') {
        await this.containers.write(file, text, { signal });
      }
    } catch (error) {
      if (created.isConfirmed) {
        await this.containers.removeUnwritten(file, error);
      }
      throw error;
    }
  }

  /** @param ensureUnchanged runs right before the file is replaced */
  private async replace(
    file: FilePlace,
    bytes: Uint8Array,
    ensureUnchanged: () => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    if (this.textToWrite(file, bytes) === undefined) {
      await this.putBytes(file, bytes, { prepare: ensureUnchanged, signal });
      return;
    }
    await ensureUnchanged();
    // Save it like an edit, so that unsaved text in an editor and its conflicts aren't lost.
    await workspace.fs.writeFile(uriOf(file), bytes);
  }

  /**
   * Returns `undefined` for binary data, and for a text too long for a platform that accepts texts only in URLs, which is
   * uploaded, too.
   */
  private textToWrite(file: FilePlace, bytes: Uint8Array): string | undefined {
    const text = decodeText(bytes);
    return text !== undefined && this.containers.pieces(file, text).length === 1 ? text : undefined;
  }

  /**
   * Uploads binary data, or a text too long for one request. Changes nothing if the token may not call the methods.
   * Overwrites an existing file.
   * @param options.prepare called right before the file is written
   */
  async putBytes(
    file: FilePlace,
    bytes: Uint8Array,
    {
      prepare = () => Promise.resolve(),
      signal,
    }: { readonly prepare?: () => Promise<void>; readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    const account = this.containers.account(file.account);
    const lacking = (['Uploader', 'Upload'] as const).find((operation) => account.lacks(operation));
    if (lacking !== undefined) {
      throw cannotCarryBytes(lacking, file, bytes);
    }
    try {
      await this.serverOperations.putBytes(file, bytes, prepare, { signal });
    } catch (error) {
      if (!isPlatformError(error)) {
        throw error;
      }
      if (error.kind === 'tokenLacksMethod') {
        throw cannotCarryBytes(error.operation, file, bytes, error);
      }
      throw error.operation === 'Uploader' && error.kind === 'protocol' ? hasNoUploader(file, bytes, error) : error;
    }
  }
}

/** The version of a file as its folder's listing shows it. */
export function versionOf({ length, lastModified }: FileEntry): ListedVersion {
  return `${length ?? ''} ${lastModified ?? ''}`;
}

/** The same entry on each node of a layer, or on one. */
type EntryOnNodes = readonly (FileEntry | undefined)[];

/** Differs if the file has changed on any node, or was created or deleted there. */
function versionOnNodes(entries: EntryOnNodes): ListedVersion {
  return entries.map((entry) => (entry === undefined ? 'absent' : versionOf(entry))).join(', ');
}

/** What's a file on one node and a folder on another can't be replaced by either. */
function kindOnNodes(entries: EntryOnNodes): ExistingEntry['kind'] {
  const [kind, ...others] = new Set(entries.flatMap((entry) => (entry === undefined ? [] : kindOf(entry))));
  return kind === undefined || others.length > 0 ? 'special' : kind;
}

function isOnAllNodes(entries: EntryOnNodes): boolean {
  return entries.every((entry) => entry !== undefined);
}

function kindOf(entry: FileEntry): ExistingEntry['kind'] {
  return entry.isDir ? 'folder' : isReadableType(entry) ? 'file' : 'special';
}

function linkNotFollowed(): Error {
  return new ExpectedError(l10n.t("Links to folders aren't followed."));
}

function hasNoUploader({ path }: FilePlace, bytes: Uint8Array, cause: PlatformError): PlatformError {
  const message = isText(bytes)
    ? l10n.t(
        '{0} is too long for one request, and this platform has no upload service. To send the text in pieces, create the file in the container, paste the text, and save it.',
        path,
      )
    : l10n.t(
        "{0} isn't UTF-8 text, and this platform has no upload service for other files. Use SFTP or the platform's dashboard.",
        path,
      );
  return new PlatformError({ kind: 'invalid', operation: cause.operation, message, cause });
}

function cannotCarryBytes(operation: string, { path }: FilePlace, bytes: Uint8Array, cause?: Error): PlatformError {
  const message = isText(bytes)
    ? l10n.t(
        "{0} is too long for one request, and this token doesn't permit {1}. To send the text in pieces, create the file in the container, paste the text, and save it.",
        path,
        operation,
      )
    : l10n.t(
        "{0} isn't UTF-8 text, so it needs {1}, which this token doesn't permit. Sign in with a token that permits it.",
        path,
        operation,
      );
  return new PlatformError({ kind: 'tokenLacksMethod', operation, message, cause });
}

function isText(bytes: Uint8Array): boolean {
  return decodeText(bytes) !== undefined;
}
