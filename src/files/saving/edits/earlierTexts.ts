import { createHash } from 'node:crypto';
import type { BaseVersion } from '../baseVersion';

const mostKept = 1_000;

/** Digests of the texts that an edit was based on. A node that has one of them is only out of date. */
export class EarlierTexts {
  private readonly digests = new Set<string>();

  /** A base version that is still being looked up is added as soon as it's known. */
  add(base: BaseVersion | Promise<BaseVersion>): void {
    if (!('kind' in base)) {
      base.then(
        (found) => this.add(found),
        // Nothing to add. Whoever saves the edit waits for its base version, too, and gets the error.
        () => undefined,
      );
      return;
    }
    if (base.kind !== 'version' || base.approximate === true) {
      return;
    }
    this.digests.add(digestOf(base.version.text));
    for (const oldest of this.digests) {
      if (this.digests.size <= mostKept) {
        break;
      }
      this.digests.delete(oldest);
    }
  }

  has(text: string): boolean {
    return this.digests.has(digestOf(text));
  }

  clear(): void {
    this.digests.clear();
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
