import { createHash } from 'node:crypto';
import type { BaseVersion } from '../baseVersion';

const mostKept = 1_000;

/** Digests of the texts that an edit was based on. A node that has one of them is only out of date. */
export class EarlierTexts {
  private readonly digests = new Set<string>();

  add(base: BaseVersion | Promise<BaseVersion>): void {
    if (!('kind' in base) || base.kind !== 'version' || base.approximate === true) {
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
