import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { addressOf } from '../containers/containers';
import { childOf, type FilePlace, nameOf, parentOf } from '../containers/place';
import { isPlatformError, onPlatformError, type PlatformError } from '../platform/errors';
import { type ProbeDeps, Recorder } from './observation';
import type { SignedInParametersOf } from '../platform/contract';
import type { FileEntry } from '../platform/wire/fileEntry';

/** A folder that a check creates on every node of a layer and removes afterwards. */
export interface ScratchDeps {
  readonly account: ProbeDeps['account'];
  /** Where to create it, on each node. */
  readonly parents: readonly FilePlace[];
  readonly signal: AbortSignal;
  /** The pauses before each retry of the removal, in milliseconds. */
  readonly pauses?: readonly number[];
}

export type ScratchResult<T> = {
  /** The folders that couldn't be removed, or that may still exist. */
  readonly left: readonly FilePlace[];
} & ({ readonly value: T } | { readonly error: unknown });

/** A name that no other file or folder has. */
export function scratchName(): string {
  return `gantry-check-${randomBytes(4).toString('hex')}`;
}

/**
 * Creates the folder, does the work in it, and removes it on every node, also if the work fails or is canceled. Doesn't
 * touch a folder that already has this name.
 */
export async function inScratchFolder<T>(
  deps: ScratchDeps,
  name: string,
  work: (folders: readonly FilePlace[]) => Promise<T>,
): Promise<ScratchResult<T>> {
  const created: FilePlace[] = [];
  let outcome: { readonly value: T } | { readonly error: unknown };
  try {
    for (const parent of deps.parents) {
      const folder = childOf(parent, name);
      await create(deps, folder, () => created.push(folder));
    }
    outcome = { value: await work(created) };
  } catch (error) {
    outcome = { error };
  }
  const left: FilePlace[] = [];
  for (const folder of created) {
    if (!(await isRemoved(deps, folder))) {
      left.push(folder);
    }
  }
  return { ...outcome, left };
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
async function isRemoved(deps: ScratchDeps, folder: FilePlace): Promise<boolean> {
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
  { account }: Pick<ScratchDeps, 'account'>,
  place: FilePlace,
): Promise<boolean | undefined> {
  const parent = parentOf(place) ?? place;
  return account
    .call('GetList', { ...addressOf(parent), path: parent.path })
    .then(({ entries }) => entries.some(({ name }) => name === nameOf(place)))
    .catch(onPlatformError(({ kind }) => (kind === 'notFound' ? false : undefined)));
}

/** Changes and reads files in the scratch folder, and records what each change got. */
export class ScratchFiles {
  readonly recorder = new Recorder();

  readonly account: ProbeDeps['account'];
  readonly signal: AbortSignal;

  /** @param folders the scratch folder on each node of the layer; `folder` is the first one */
  constructor(
    { account, signal }: ProbeDeps,
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
