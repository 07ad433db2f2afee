import { changeOnce } from '../platform/lostReply';
import type { CallOptions } from '../platform/client';
import type { FileEntry } from '../platform/wire/fileEntry';
import { failed } from '../platform/failureTexts';
import { addressOf, type Containers } from './containers';
import { failedObjectAt, type FilePlace, nameOf } from './place';

export interface Replacement {
  /** A regular expression in sed syntax. */
  readonly pattern: string;
  /** Plain text. */
  readonly replacement: string;
  /** The maximum number of replacements; all if omitted. */
  readonly most?: number | undefined;
}

/** File operations that run on the platform. No content passes through here, except bytes to upload. */
export class ServerSideOperations {
  constructor(private readonly containers: Containers) {}

  /** Lists the container's configuration according to the platform: mostly folders, some files. */
  async configuration(container: FilePlace): Promise<readonly FileEntry[]> {
    const { directoryPathList, entries } = await this.on(container).call('GetList', addressOf(container));
    const known = new Map(entries.map((entry) => [entry.absolutePath, entry]));
    const named = directoryPathList.map(withoutEnd).filter((path) => path.startsWith('/'));
    return named.length === 0 ? entries : [...new Set(named)].map((path) => known.get(path) ?? folderAt(path));
  }

  async replace(file: FilePlace, { pattern, replacement, most }: Replacement, options?: CallOptions): Promise<void> {
    const where = { ...(await this.containers.changeAddress(file)), path: file.path };
    await this.on(file).call('ReplaceInBody', { ...where, pattern, replacement, nth: most }, options);
  }

  /** Makes the platform fetch a file from a URL that it can reach. Overwrites an existing file only on request. */
  async fetchFrom(
    url: string,
    file: FilePlace,
    { overwrite }: { readonly overwrite: boolean },
    options?: CallOptions,
  ): Promise<void> {
    const where = { ...(await this.containers.changeAddress(file)), destPath: file.path };
    await this.on(file).call('Upload', { ...where, sourcePath: url, overwrite }, options);
  }

  /**
   * Writes binary data: uploads it to the platform, which doesn't affect any container, and fetches it from there.
   * Overwrites an existing file.
   * @param prepare called in between, because the upload can take minutes
   */
  async putBytes(
    file: FilePlace,
    bytes: Uint8Array,
    prepare: () => Promise<void>,
    options?: CallOptions,
  ): Promise<void> {
    const uploaded = await this.on(file).upload({ name: nameOf(file), bytes }, options);
    await prepare();
    await changeOnce(
      () => this.fetchFrom(uploaded.file, file, { overwrite: true }, options),
      () => this.shows(file, bytes, options),
    );
  }

  /** Returns the node on which the archive can be unpacked. Throws for one on a whole layer. */
  nodeToUnpackOn(archive: FilePlace): number {
    const { nodeId } = archive.target;
    if (nodeId === undefined) {
      const [target, object] = [archive.path, failedObjectAt(archive)];
      throw failed({ kind: 'invalid', operation: 'UnpackById', target, object, obstacle: 'wholeLayer' });
    }
    return nodeId;
  }

  async unpack(archive: FilePlace, folder: string, options?: CallOptions): Promise<void> {
    const nodeId = this.nodeToUnpackOn(archive);
    await this.containers.changeAddress(archive);
    const envName = archive.environment;
    const what = { envName, nodeId, sourcePath: archive.path, destPath: folder };
    await this.on(archive).call('UnpackById', what, options);
  }

  /** Unpacks on every node of a type. Each node uses its own archive at this path. */
  async unpackOnType(archive: FilePlace, nodeType: string, folder: string, options?: CallOptions): Promise<void> {
    await this.containers.changeAddress(archive);
    const envName = archive.environment;
    const what = { envName, nodeType, sourcePath: archive.path, destPath: folder };
    await this.on(archive).call('UnpackByType', what, options);
  }

  /** Whether every node has these bytes. Binary data is compared as far as the returned text can show it. */
  private async shows(file: FilePlace, bytes: Uint8Array, options?: CallOptions): Promise<boolean> {
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    const nodes = await this.containers.nodes(file);
    const found = await Promise.all(
      nodes.map(async (node) => {
        const length = (await this.containers.entry(node, options))?.length;
        return length === bytes.length && (await this.containers.read(node, { signal: options?.signal })) === text;
      }),
    );
    return found.every((isThere) => isThere);
  }

  private on(place: FilePlace) {
    return this.containers.account(place.account);
  }
}

function folderAt(path: string): FileEntry {
  return { absolutePath: path, name: path.slice(path.lastIndexOf('/') + 1), isDir: true };
}

function withoutEnd(path: string): string {
  return path.replace(/(?<!\/)\/+$/, '');
}
