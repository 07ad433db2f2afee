import { addressOf } from '../containers/containers';
import type { FilePlace } from '../containers/place';
import type { SignedInParametersOf } from '../platform/contract';
import { isPlatformError, onPlatformError, type PlatformError } from '../platform/errors';
import type { FileEntry } from '../platform/wire/fileEntry';
import { type ProbeDeps, Recorder } from './observation';

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
