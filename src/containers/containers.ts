import type { Account } from '../accounts/accounts';
import type { AccountCallOptions } from '../accounts/signedInAccount';
import { changeOnce, mayHaveHappened } from '../platform/lostReply';
import type { CallOptions } from '../platform/client';
import type { OperationName } from '../platform/contract';
import { undefinedIf } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import { failed } from '../platform/failureTexts';
import { type FilePlace, nameOf, parentOrSelf } from './place';

interface AccountFinder {
  find(slug: string): Account | undefined;
  /** Why the accounts couldn't be read. */
  readonly unreadable?: Error | undefined;
}

interface ListOptions extends AccountCallOptions {
  /** A regular expression to filter the listing. It's undocumented whether it must match the whole name. */
  readonly filter?: string | undefined;
  /** Something depends on what the list lacks, such as a delete, so two responses without a list aren't an empty folder. */
  readonly isProof?: boolean;
}

interface Creation {
  /** Whether the platform confirmed the creation. If not, the file may have existed before. */
  readonly isConfirmed: boolean;
}

/** A change of a container, or a comparison of its nodes, which the platform may not do safely. */
export interface PlannedChange {
  readonly kind: 'write' | 'append' | 'create' | 'rename' | 'copy' | 'delete' | 'compareNodes' | 'other';
  readonly isLayer: boolean;
  readonly text?: string | undefined;
}

/** Why a change isn't safe, as a sentence, or that it replaces its target without a warning. */
type Danger = { readonly kind: 'refused'; readonly reason: string } | { readonly kind: 'replacesTarget' };

export type FindDanger = (place: FilePlace, change: PlannedChange) => Promise<Danger | undefined>;

/** File operations, addressed by place. Source and target must be in the same container. */
export class Containers {
  /**
   * @param onNodes returns the same place on each node of a layer. Rejects if not all nodes are known, because the
   * change couldn't be verified there. `maxAge` is how old the platform's list may be, in milliseconds.
   */
  constructor(
    private readonly accounts: AccountFinder,
    private readonly onNodes: (
      layer: FilePlace,
      operation: OperationName,
      maxAge?: number,
    ) => Promise<readonly FilePlace[]> = (layer) => Promise.resolve([layer]),
    readonly findDanger: FindDanger = () => Promise.resolve(undefined),
  ) {}

  account(slug: string): Account {
    const account = this.accounts.find(slug);
    if (account === undefined) {
      throw (
        this.accounts.unreadable ??
        failed({ kind: 'unauthenticated', operation: 'Signin', target: slug, obstacle: 'signedOut' })
      );
    }
    return account;
  }

  /** Fails for an operation that's known to be lacking, before the user is asked anything. */
  ensureOffered(operation: OperationName, ...places: readonly FilePlace[]): void {
    for (const { account, path } of places) {
      this.account(account).ensureOffered(operation, { path });
    }
  }

  async list(
    folder: FilePlace,
    { filter, isProof = false, ...options }: ListOptions = {},
  ): Promise<readonly FileEntry[]> {
    const where = { ...addressOf(folder), path: folder.path, ...(filter === undefined ? {} : { filter }) };
    const ask = () => this.account(folder.account).call('GetList', where, options);
    const first = await ask();
    const { entries, isListMissing } = first.isListMissing ? await ask() : first;
    if (isProof && isListMissing) {
      const { path } = folder;
      throw failed({ kind: 'platform', operation: 'GetList', target: path, object: { path }, obstacle: 'listMissing' });
    }
    return entries;
  }

  async read(file: FilePlace, options?: AccountCallOptions): Promise<string> {
    const where = { ...addressOf(file), path: file.path };
    return (await this.account(file.account).call('Read', where, options)).body;
  }

  /** Splits a text into the pieces to write. The first one overwrites the file, the others are appended. */
  pieces(file: FilePlace, body: string): readonly string[] {
    return this.account(file.account).pieces({ ...changeAddressOf(file), path: file.path, body });
  }

  /** Doesn't verify the result: callers check the text afterwards, even if no response arrived. */
  async write(file: FilePlace, body: string, options?: CallOptions): Promise<void> {
    const where = { ...(await this.changeAddress(file, 'write', { text: body })), path: file.path };
    // Sent explicitly because the default is undocumented.
    const overwriting = { isAppendMode: false };
    await this.account(file.account).call('Write', { ...where, body, ...overwriting }, options);
  }

  /** Like `write`, doesn't verify the result. */
  async append(file: FilePlace, body: string, options?: CallOptions): Promise<void> {
    const where = { ...(await this.changeAddress(file, 'append', { text: body })), path: file.path };
    await this.account(file.account).call('Append', { ...where, body }, options);
  }

  /**
   * Every change asks here for its address. Rejects if the platform is known not to make it safely.
   * @param options.target what a new file or folder will be. It must not exist, which some platforms don't check.
   */
  async changeAddress(
    place: FilePlace,
    kind: keyof typeof operationNames = 'other',
    { text, target }: { readonly text?: string; readonly target?: FilePlace } = {},
  ) {
    const danger = await this.findDanger(place, { kind, isLayer: place.target.nodeId === undefined, text });
    const { path } = target ?? place;
    const subject = { operation: operationNames[kind], target: path, object: { path } };
    if (danger?.kind === 'refused') {
      throw failed({ kind: 'invalid', ...subject, obstacle: 'unsafeHere', detail: danger.reason });
    }
    const isFree = (entry: FileEntry | undefined) => entry === undefined;
    if (danger !== undefined && target !== undefined && !(await this.shows(target, undefined, isFree))) {
      throw failed({ kind: 'exists', ...subject });
    }
    // Rejects if not all nodes of a layer are known.
    await this.nodes(place, operationNames[kind]);
    return changeAddressOf(place);
  }

  /** Returns the same place on each node that a change by the operation affects. */
  async nodes(place: FilePlace, operation: OperationName = 'Write'): Promise<readonly FilePlace[]> {
    return place.target.nodeId === undefined ? this.onNodes(place, operation) : [place];
  }

  /**
   * Returns a check to run between a question and the change: it rejects if a change of these places would reach other
   * nodes by then, because the layer got or lost some. It sends nothing for places on single nodes.
   */
  async rememberNodes(
    places: readonly FilePlace[],
    kind: keyof typeof operationNames = 'other',
  ): Promise<() => Promise<void>> {
    const layers = new Map(
      places
        .filter(({ target }) => target.nodeId === undefined)
        .map((place) => [JSON.stringify([place.account, place.environment, place.target.nodeGroup]), place]),
    );
    const known = await Promise.all(
      [...layers.values()].map(async (layer) => ({ layer, nodes: await this.nodes(layer, operationNames[kind]) })),
    );
    return async () => {
      await Promise.all(known.map(({ layer, nodes }) => this.ensureSameNodes(layer, idsOf(nodes), kind)));
    };
  }

  /** Rejects if the platform lists other nodes of a layer by now. */
  async ensureSameNodes(
    layer: FilePlace,
    known: readonly (number | undefined)[],
    kind: keyof typeof operationNames = 'other',
  ): Promise<void> {
    const now = idsOf(await this.onNodes(layer, operationNames[kind], 0));
    if (now.length !== known.length || !now.every((id) => known.includes(id))) {
      const subject = { operation: operationNames[kind], target: layer.path, object: { path: layer.path } };
      throw failed({ kind: 'invalid', ...subject, obstacle: 'nodesChanged' });
    }
  }

  /** Fails if the file exists. If the response is lost, an empty file counts as the new one. */
  async createFile(file: FilePlace, options?: CallOptions): Promise<Creation> {
    const where = { ...(await this.changeAddress(file, 'create', { target: file })), path: file.path };
    let isConfirmed = true;
    await changeOnce(
      () => this.account(file.account).call('Create', { ...where, isdir: false }, options),
      () => {
        isConfirmed = false;
        return this.shows(file, options, isEmptyFile);
      },
    );
    return { isConfirmed };
  }

  /**
   * Deletes the empty file that was created for a write that then failed, unless the write may still arrive. Call it only if the
   * platform confirmed that it created the file.
   */
  async removeUnwritten(file: FilePlace, failure: unknown): Promise<void> {
    if (mayHaveHappened(failure)) {
      return;
    }
    // Report why the write failed, not an error here.
    if ((await undefinedIf('any', this.shows(file, undefined, isEmptyFile))) === true) {
      await undefinedIf('any', this.delete(file));
    }
  }

  async createFolder(folder: FilePlace, options?: CallOptions): Promise<void> {
    const where = { ...(await this.changeAddress(folder, 'create', { target: folder })), path: folder.path };
    await changeOnce(
      () => this.account(folder.account).call('Create', { ...where, isdir: true }, options),
      () => this.shows(folder, options, (entry) => entry?.isDir === true),
    );
  }

  /** Deletes recursively. */
  async delete(place: FilePlace, options?: CallOptions): Promise<void> {
    const where = { ...(await this.changeAddress(place, 'delete')), path: place.path };
    await changeOnce(
      () => this.account(place.account).call('Delete', where, options),
      () => this.shows(place, options, (entry) => entry === undefined),
    );
  }

  /** Fails if the target exists. */
  async rename(from: FilePlace, to: FilePlace, options?: CallOptions): Promise<void> {
    const paths = { oldPath: from.path, newPath: to.path };
    const where = await this.changeAddress(from, 'rename', { target: to });
    await changeOnce(
      () => this.account(from.account).call('Rename', { ...where, ...paths }, options),
      async () =>
        (await this.shows(from, options, (entry) => entry === undefined)) &&
        (await this.shows(to, options, (entry) => entry !== undefined)),
    );
  }

  /** Fails if the target exists. If the response is lost, only `copyOnce` can tell whether the copy is complete. */
  async copy(from: FilePlace, to: FilePlace, options?: CallOptions): Promise<void> {
    const paths = { src: from.path, dest: to.path };
    const where = await this.changeAddress(from, 'copy', { target: to });
    await this.account(from.account).call('Copy', { ...where, ...paths }, options);
  }

  /** Whether the place now has this state on every node. */
  async shows(
    place: FilePlace,
    options: CallOptions | undefined,
    asWanted: (entry: FileEntry | undefined) => boolean,
  ): Promise<boolean> {
    const found = await Promise.all((await this.nodes(place)).map((node) => this.entry(node, options)));
    return found.every(asWanted);
  }

  /** Lists the folder again for one entry. Returns `undefined` if it or the folder doesn't exist. */
  async entry(place: FilePlace, { signal }: CallOptions = {}): Promise<FileEntry | undefined> {
    const entries = await undefinedIf('notFound', this.list(parentOrSelf(place), { signal, isProof: true }));
    return entries?.find(({ name }) => name === nameOf(place));
  }
}

const operationNames = {
  write: 'Write',
  append: 'Append',
  create: 'Create',
  rename: 'Rename',
  copy: 'Copy',
  delete: 'Delete',
  other: 'Write',
} as const;

function idsOf(places: readonly FilePlace[]): readonly (number | undefined)[] {
  return places.map(({ target }) => target.nodeId);
}

function isEmptyFile(entry: FileEntry | undefined): boolean {
  return entry?.isDir === false && entry.length === 0;
}

/** Addresses a change. States explicitly that a whole layer means every node, because the default is undocumented. */
function changeAddressOf(place: FilePlace) {
  return place.target.nodeId === undefined ? { ...addressOf(place), masterOnly: false } : addressOf(place);
}

/** Converts a place to the platform's address parameters. */
export function addressOf({ environment, target }: FilePlace) {
  const layer = { envName: environment, nodeGroup: target.nodeGroup };
  return target.nodeId === undefined ? layer : { ...layer, nodeid: target.nodeId };
}
