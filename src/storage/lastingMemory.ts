import type { Memento } from 'vscode';

/** This many milliseconds after a change, a value from before it counts as another window's decision. */
const lossesEndAfter = 10_000;
const attempts = 3;

interface Change {
  /** Values as JSON, because VS Code stores and returns copies. */
  readonly written: string | undefined;
  /** The values before this change and before the changes shortly before it. */
  readonly before: readonly (string | undefined)[];
  readonly at: number;
}

/**
 * The state that all windows share. After a window's change, VS Code resets all values in the window to those at that
 * time. A change made in the meantime is lost, although its promise resolves, so this class stores it again.
 */
export class LastingMemory implements Memento {
  private readonly changes = new Map<string, Change>();

  /** @param lastSignOut when any window signed out, by the same clock as `now`: nothing older is restored */
  public constructor(
    private readonly stored: Memento,
    private readonly lastSignOut: () => Promise<number>,
    private readonly now: () => number = Date.now,
  ) {}

  public keys(): readonly string[] {
    const keys = new Set([...this.stored.keys(), ...this.changes.keys()]);
    return [...keys].filter((key) => this.get(key) !== undefined);
  }

  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- as in `Memento`
  public get<T>(key: string): T | undefined;
  public get<T>(key: string, otherwise: T): T;
  public get<T>(key: string, otherwise?: T): T | undefined {
    const lost = this.lostChange(key);
    // If that fails, the next read tries again.
    if (lost !== undefined) this.restore().catch(() => undefined);
    const value = lost === undefined ? this.stored.get<unknown>(key) : valueOf(lost.written);
    // eslint-disable-next-line @typescript-eslint/no-unsafe-type-assertion -- callers of a `Memento` name the type
    return value === undefined ? otherwise : (value as T);
  }

  public async update(key: string, value: unknown): Promise<void> {
    const earlier = this.lostChange(key) ?? this.changes.get(key);
    const before =
      earlier === undefined ? [toText(this.stored.get(key))] : [...earlier.before, earlier.written].slice(-10);
    const change = { written: toText(value), before, at: this.now() };
    this.changes.set(key, change);
    try {
      await this.stored.update(key, value);
    } catch (error) {
      if (this.changes.get(key) === change) this.changes.delete(key);
      throw error;
    }
    await this.restore();
  }

  /**
   * Stores again what was lost. Storing one value can lose another. What another window removed because of a sign-out
   * looks like a loss, so nothing from before a sign-out is stored again.
   */
  private async restore(): Promise<void> {
    for (let attempt = 0; attempt < attempts && this.isAnyLost; attempt += 1) {
      const signedOut = await this.lastSignOut();
      for (const [key, { at }] of this.changes) {
        if (at <= signedOut) this.changes.delete(key);
      }
      const lost = [...this.changes.keys()].flatMap((key) => {
        const change = this.lostChange(key);
        return change === undefined ? [] : [this.stored.update(key, valueOf(change.written))];
      });
      if (lost.length === 0) return;
      await Promise.all(lost);
    }
  }

  private get isAnyLost(): boolean {
    return [...this.changes.keys()].some((key) => this.lostChange(key) !== undefined);
  }

  /**
   * Returns the change if the value is what it was before it. Forgets a change that lasted or that another window
   * replaced.
   */
  private lostChange(key: string): Change | undefined {
    const change = this.changes.get(key);
    if (change === undefined) return undefined;
    const current = toText(this.stored.get(key));
    const isOurs = current === change.written;
    const isLost = !isOurs && change.before.includes(current);
    if (this.now() - change.at <= lossesEndAfter && (isOurs || isLost)) return isLost ? change : undefined;
    this.changes.delete(key);
    return undefined;
  }
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : JSON.stringify(value);
}

function valueOf(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text);
}
