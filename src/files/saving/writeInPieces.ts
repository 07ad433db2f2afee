import type { CallOptions } from '../../platform/client';
import { Cancelled, isCancelled, isPlatformError, PlatformError } from '../../platform/errors';
import { type Containers } from '../../containers/containers';
import { type FilePlace, keyOf, wholeLayer } from '../../containers/place';

/** A text that this platform takes only in several requests, between which the file is incomplete. The person has not agreed to that. */
export class NeedsPieces extends PlatformError {
  constructor(
    { path }: FilePlace,
    readonly pieces: number,
  ) {
    super({ kind: 'tooLarge', operation: 'Write', target: path, message: `Write (${path}): too long for one request` });
  }
}

/** Writes texts; those too long for one request in pieces, where the person agreed to it. */
export class WriteInPieces {
  private readonly agreed = new Set<string>();

  constructor(private readonly containers: Containers) {}

  /** Holds for this file as long as the window does. */
  agree(file: FilePlace): void {
    this.agreed.add(fileKey(file));
  }

  async write(file: FilePlace, text: string, options?: CallOptions): Promise<void> {
    const [first, ...rest] = this.containers.pieces(file, text);
    if (first === undefined || (rest.length > 0 && !this.agreed.has(fileKey(file)))) {
      throw new NeedsPieces(file, first === undefined ? 0 : rest.length + 1);
    }
    await this.containers.write(file, first, options);
    for (const piece of rest) {
      await this.append(file, piece, options);
    }
  }

  private async append(file: FilePlace, body: string, options?: CallOptions): Promise<void> {
    try {
      const where = { ...(await this.containers.changeAddress(file)), path: file.path };
      await this.containers.account(file.account).call('Append', { ...where, body }, options);
    } catch (error) {
      if (isCancelled(error)) {
        throw new Cancelled(error.operation, { fateUnknown: true });
      }
      if (!isPlatformError(error)) {
        throw error;
      }
      // However it failed, the pieces before it are there: what the file holds is to be looked up.
      const { kind, operation, target, detail, words, result, message } = error;
      throw new PlatformError({
        ...{ kind, operation, target, detail, words, result, message },
        fateUnknown: true,
        cause: error,
      });
    }
  }
}

function fileKey(file: FilePlace): string {
  return keyOf(wholeLayer(file));
}
