import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { AccountCallOptions } from '../../accounts/signedInAccount';
import type { ScratchRecord } from '../../compatibility/compatibilityStore';
import { addressOf } from '../../containers/containers';
import { childOf, type FilePlace, nameOf, parentOrSelf } from '../../containers/place';
import { isPlatformError, onPlatformError, type PlatformError } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import type { ProbeDeps, Recorder } from './report';
import type { SignedInParametersOf } from '../../platform/contract';
import type { FileEntry } from '../../platform/wire/fileEntry';

interface Asked {
  readonly account: ProbeDeps['account'];
}

interface Removal extends Asked {
  /** The pauses before each retry of the removal, in milliseconds. */
  readonly pauses?: readonly number[];
}

/** A folder that a check creates on every node of a layer and removes afterwards. */
export interface ScratchDeps extends Removal {
  readonly record: ScratchRecord;
  /** Where to create it, on each node. */
  readonly parents: readonly FilePlace[];
  readonly signal: AbortSignal;
}

type ScratchResult<T> = {
  /** The folders that couldn't be removed, or that may still exist. */
  readonly left: readonly FilePlace[];
} & ({ readonly value: T } | { readonly error: unknown });

/** A name that no other file or folder has. */
export function scratchName(): string {
  return `gantry-check-${randomBytes(4).toString('hex')}`;
}

export function isScratchName(name: string): boolean {
  return /^gantry-check-[0-9a-f]{8}$/.test(name);
}

/** What a folder had on a node before, or undefined if it couldn't be listed. */
type Names = ReadonlySet<string> | undefined;

export interface ScratchFolders {
  /** Those that were created, each on its node. */
  readonly created: readonly FilePlace[];
  /** Those of nodes that already showed the folder that was created on another one. */
  readonly shown: readonly FilePlace[];
  /** Those that can only be on another node, because the change that created them didn't go where it was sent. */
  readonly misdirected: readonly FilePlace[];
  /** The names in the parent folder of each, before. */
  readonly namesBefore: ReadonlyMap<FilePlace, Names>;
}

/** Is filled while the folders are created, so that what exists by then is removed if creating another one fails. */
type Found = Readonly<Record<'created' | 'shown' | 'misdirected', FilePlace[]>>;

/**
 * Creates the folder, does the work in it, and removes it on every node, also if the work fails or is canceled. Doesn't
 * touch a folder that already has this name.
 */
export async function inScratchFolder<T>(
  deps: ScratchDeps,
  name: string,
  work: (folders: ScratchFolders) => Promise<T>,
): Promise<ScratchResult<T>> {
  const found: Found = { created: [], shown: [], misdirected: [] };
  const folders = deps.parents.map((parent) => childOf(parent, name));
  let outcome: { readonly value: T } | { readonly error: unknown };
  await deps.record.begin(folders);
  try {
    const namesBefore = new Map<FilePlace, Names>();
    for (const folder of folders) {
      namesBefore.set(folder, await namesBeside(deps, folder));
    }
    ensureFree(folders, namesBefore);
    await createEach(deps, folders, namesBefore, found);
    outcome = { value: await work({ ...found, namesBefore }) };
  } catch (error) {
    outcome = { error };
  }
  const left = await removeAll(deps, found);
  // If this fails, a later window finds that the folders are gone.
  await deps.record.end(left).catch(() => undefined);
  return { ...outcome, left };
}

/** Creates the folder on each node. If this fails, `found` has what may exist by then. */
async function createEach(
  deps: ScratchDeps,
  folders: readonly FilePlace[],
  namesBefore: ScratchFolders['namesBefore'],
  { created, shown, misdirected }: Found,
): Promise<void> {
  for (const folder of folders) {
    if (created.length > 0 && (await isThere(deps, folder)) === true) {
      shown.push(folder);
    } else if (!(await isCreated(deps, folder, namesBefore, () => created.push(folder)))) {
      misdirected.push(folder);
    }
  }
  const [first] = created;
  if (shown.length > 0 && first !== undefined && (await isThere(deps, first)) === false) {
    misdirected.push(first);
  }
}

/** Returns the folders that couldn't be removed, or that may still exist. */
async function removeAll(deps: ScratchDeps, { created, shown }: Found): Promise<readonly FilePlace[]> {
  const left: FilePlace[] = [];
  for (const folder of [...created, ...shown]) {
    // Removing the first one may have removed those that other nodes showed.
    const isGone = shown.includes(folder) && (await isThere(deps, folder)) === false;
    if (!isGone && !(await isRemoved(deps, folder))) {
      left.push(folder);
    }
  }
  return left;
}

/** Rejects if something has the name already, so that nothing of someone else's is removed afterwards. */
function ensureFree(folders: readonly FilePlace[], names: ReadonlyMap<FilePlace, Names>): void {
  const taken = folders.find((folder) => names.get(folder)?.has(nameOf(folder)) === true);
  if (taken !== undefined) {
    const { path } = taken;
    throw failed({ kind: 'exists', operation: 'Create', target: path, object: { path } });
  }
}

/** Returns whether the folder was created on its node, or false if the platform looked for it on another one. */
async function isCreated(
  deps: ScratchDeps,
  folder: FilePlace,
  namesBefore: ScratchFolders['namesBefore'],
  onMayExist: () => void,
): Promise<boolean> {
  try {
    await create(deps, folder, onMayExist);
    return true;
  } catch (error) {
    // Its name was free, and still is where reads look, so the folder of another node is in the way.
    const isFree = namesBefore.get(folder) !== undefined && (await isThere(deps, folder)) === false;
    if (isPlatformError(error) && error.kind === 'exists' && isFree) {
      return false;
    }
    throw error;
  }
}

/** Calls `onMayExist` if this created the folder, or may have. */
async function create({ account, signal }: ScratchDeps, folder: FilePlace, onMayExist: () => void): Promise<void> {
  signal.throwIfAborted();
  try {
    // Not canceled, because it must be known whether there is something to remove.
    await account.call('Create', { ...addressOf(folder), path: folder.path, isdir: true });
  } catch (error) {
    if (!isPlatformError(error) || error.isOutcomeUnknown) {
      onMayExist();
    }
    throw error;
  }
  onMayExist();
}

/** Removes a folder and checks that it's gone. Retries, because a lost connection may come back. */
export async function isRemoved(deps: Removal, folder: FilePlace): Promise<boolean> {
  const pauses = deps.pauses ?? [1_000, 3_000, 10_000];
  for (let attempt = 0; ; attempt++) {
    await deps.account
      .call('Delete', { ...addressOf(folder), path: folder.path })
      // The next listing shows whether it was deleted, whatever the response was.
      .catch(onPlatformError(() => undefined));
    if ((await isThere(deps, folder)) === false) {
      return true;
    }
    const wait = pauses[attempt];
    if (wait === undefined) {
      return false;
    }
    await pause(wait);
  }
}

/** Returns undefined if the platform can't be asked. */
export async function isThere(
  deps: Asked,
  place: FilePlace,
  options?: AccountCallOptions,
): Promise<boolean | undefined> {
  return (await namesBeside(deps, place, options))?.has(nameOf(place));
}

/** Returns the names in a place's parent folder, none if that doesn't exist, or undefined if the platform can't be asked. */
export async function namesBeside({ account }: Asked, place: FilePlace, options?: AccountCallOptions): Promise<Names> {
  const parent = parentOrSelf(place);
  return account
    .call('GetList', { ...addressOf(parent), path: parent.path }, options)
    .then(({ entries, isListMissing }) => (isListMissing ? undefined : new Set(entries.map(({ name }) => name))))
    .catch(onPlatformError(({ kind }) => (kind === 'notFound' ? new Set<string>() : undefined)));
}

/** Changes and reads files in the scratch folder, and records what each change got. */
export class ScratchFiles {
  readonly account: ProbeDeps['account'];
  readonly signal: AbortSignal;

  /** @param folders the scratch folder on each node of the layer; `folder` is the first one */
  constructor(
    { account, signal }: ProbeDeps,
    readonly recorder: Recorder,
    readonly folder: FilePlace,
    readonly folders: readonly FilePlace[],
  ) {
    this.account = account;
    this.signal = signal;
  }

  /**
   * Changes something in the folder. Not canceled while it runs, so that nothing arrives after the folder was removed.
   * Stops the check if the response was lost.
   */
  async change<N extends 'Write' | 'Append' | 'Create' | 'Rename' | 'Copy' | 'Delete'>(
    step: string,
    operation: N,
    values: SignedInParametersOf<N>,
  ): Promise<boolean | undefined> {
    this.signal.throwIfAborted();
    const lost: PlatformError[] = [];
    const done = await this.recorder.attempt(step, () =>
      this.account.call(operation, values).catch((error: unknown) => {
        lost.push(...(isPlatformError(error) && error.isOutcomeUnknown ? [error] : []));
        throw error;
      }),
    );
    const [error] = lost;
    if (error !== undefined) {
      throw error;
    }
    return done;
  }

  /** Writes a new file, which another change then meets. */
  async write(file: FilePlace, body: string): Promise<void> {
    await this.change('Write, new file', 'Write', { ...addressOf(file), path: file.path, body, isAppendMode: false });
  }

  async text(file: FilePlace): Promise<string | undefined> {
    const { account, signal } = this;
    return account
      .call('Read', { ...addressOf(file), path: file.path }, { signal })
      .then(({ body }) => body)
      .catch(onPlatformError(() => undefined));
  }

  async entries(folder: FilePlace): Promise<readonly FileEntry[] | undefined> {
    const { account, signal } = this;
    return account
      .call('GetList', { ...addressOf(folder), path: folder.path }, { signal })
      .then(({ entries }) => entries)
      .catch(onPlatformError(() => undefined));
  }
}
