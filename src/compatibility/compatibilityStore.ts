import { type Disposable, EventEmitter } from 'vscode';
import { KeyedQueue } from '../async/keyedQueue';
import { JsonFolder } from '../storage/jsonFolder';
import { watchFolder } from '../storage/watchFolder';
import { type CheckResult, checkSchema } from './checkSchema';

const everything = '';

/**
 * The last check of each account's platform, in a folder that all windows share. Signing out removes it. A check that
 * can't be read counts as none.
 */
export class CompatibilityStore implements Disposable {
  private readonly folder: JsonFolder<CheckResult>;
  private readonly known = new Map<string, CheckResult>();
  private readonly damaged = new Set<string>();
  private isFolderReadable = true;
  private readonly changed = new EventEmitter<string>();
  /** Fires with the slug of the account whose platform any window checked, or whose check it removed. */
  readonly onDidChange = this.changed.event;
  /** A read that began before a save must not replace what was saved. */
  private readonly queue = new KeyedQueue();
  private readonly watching: Pick<Disposable, 'dispose'>;
  /** Resolves once the stored checks are read: whether all could be. */
  readonly loaded: Promise<boolean>;

  /** @param onDidFail gets the error if changes by other windows can't be watched */
  constructor(path: string, onDidFail: (error: unknown) => void) {
    this.folder = new JsonFolder(path, checkSchema, { isStrict: true });
    this.loaded = this.read();
    this.watching = watchFolder(path, () => void this.read(), onDidFail);
  }

  /** Returns what is known so far, without waiting. */
  of(slug: string): CheckResult | undefined {
    return this.known.get(slug);
  }

  /** Whether a check may be stored that can't be read, so that nothing is switched off because of it. */
  isUnreadable(slug: string): boolean {
    return !this.known.has(slug) && (this.damaged.has(slug) || !this.isFolderReadable);
  }

  save(slug: string, check: CheckResult): Promise<void> {
    return this.queue.take(everything, async () => {
      await this.folder.write(slug, check);
      this.set(slug, check);
    });
  }

  forget(slug: string): Promise<void> {
    return this.queue.take(everything, async () => {
      await this.folder.remove(slug);
      this.set(slug, undefined);
    });
  }

  dispose(): void {
    this.changed.dispose();
    this.watching.dispose();
  }

  private read(): Promise<boolean> {
    return this.queue.take(everything, async () => {
      const slugs = await this.folder.keys().catch(() => undefined);
      this.isFolderReadable = slugs !== undefined;
      for (const slug of slugs ?? []) {
        const check = await this.folder.read(slug).catch(() => 'damaged' as const);
        if (check !== 'damaged') {
          this.set(slug, check);
        } else if (!this.known.has(slug)) {
          // A check that was read before it was damaged still counts.
          this.damaged.add(slug);
        }
      }
      const removed = slugs === undefined ? [] : [...this.known.keys()].filter((slug) => !slugs.includes(slug));
      for (const slug of removed) {
        this.set(slug, undefined);
      }
      return this.isFolderReadable && this.damaged.size === 0;
    });
  }

  private set(slug: string, check: CheckResult | undefined): void {
    this.damaged.delete(slug);
    if (JSON.stringify(this.known.get(slug)) === JSON.stringify(check)) {
      return;
    }
    if (check === undefined) {
      this.known.delete(slug);
    } else {
      this.known.set(slug, check);
    }
    this.changed.fire(slug);
  }
}
