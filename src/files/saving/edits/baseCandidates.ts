import type { BaseVersion, TextVersion } from '../baseVersion';

/** A read this short before an editor becomes clean was made by its revert, in milliseconds. */
const revertTime = 1_000;

/**
 * The texts that an editor may show, if VS Code doesn't expose its text: those read since it opened, was saved or became dirty. If
 * there are several, the base version is unknown.
 */
export class BaseCandidates {
  private readonly texts = new Map<string, TextVersion>();
  private readAt = 0;

  constructor(
    first: TextVersion | undefined,
    private readonly now: () => number = Date.now,
  ) {
    if (first !== undefined) {
      this.read(first);
    }
  }

  get base(): BaseVersion {
    const [only, ...more] = this.texts.values();
    return only === undefined || more.length > 0 ? { kind: 'unknown' } : { kind: 'version', version: only };
  }

  read(version: TextVersion): void {
    this.readAt = this.now();
    this.add(version);
  }

  /** An edit begins. Returns its base, or undefined if nothing is known to be shown. */
  begin(): BaseVersion | undefined {
    const base = this.texts.size === 0 ? undefined : this.base;
    this.texts.clear();
    return base;
  }

  /** The edit was undone or reverted. After a revert, the editor shows what was just read. */
  end(base: BaseVersion): void {
    const isReverted = this.texts.size > 0 && this.now() - this.readAt < revertTime;
    if (base.kind === 'version' && !isReverted) {
      this.add(base.version);
    }
  }

  saved(version: TextVersion): void {
    this.texts.clear();
    this.read(version);
  }

  private add(version: TextVersion): void {
    // Two different texts already make the base version unknown.
    if (this.texts.size < 2) {
      this.texts.set(version.text, version);
    }
  }
}
