import type { Base, Version } from './saving/base';

/**
 * What an editor may show whose text VS Code doesn't tell: a text that was read since it opened, was saved or became dirty. If
 * there were several, nobody knows which.
 */
export class UnsyncedText {
  private readonly texts = new Map<string, Version>();
  /** What it tried to save last. */
  attempted: string | undefined;

  constructor(first: Version | undefined) {
    if (first !== undefined) {
      this.read(first);
    }
  }

  get base(): Base {
    const [only, ...more] = this.texts.values();
    return only === undefined || more.length > 0 ? { kind: 'unknown' } : { kind: 'version', version: only };
  }

  read(version: Version): void {
    // Two are as good as many.
    if (this.texts.size < 2) {
      this.texts.set(version.text, version);
    }
  }

  /** An edit begins. Returns what it begins with, or undefined if nothing was read since the last one. */
  begin(): Base | undefined {
    const base = this.texts.size === 0 ? undefined : this.base;
    this.texts.clear();
    return base;
  }

  saved(version: Version): void {
    this.texts.clear();
    this.read(version);
  }
}
