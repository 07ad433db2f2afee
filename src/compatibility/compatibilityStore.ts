import { type Disposable, EventEmitter } from 'vscode';
import { JsonFolder } from '../storage/jsonFolder';
import { type CheckResult, checkSchema } from './checkSchema';

/** The last check of each account's platform, on this computer. Signing out removes it. */
export class CompatibilityStore implements Disposable {
  private readonly folder: JsonFolder<CheckResult>;
  private readonly known = new Map<string, CheckResult>();
  private readonly changed = new EventEmitter<string>();
  /** Fires with the slug of the account whose platform was checked. */
  readonly onDidChange = this.changed.event;
  /** Resolves once the stored checks are read. Without them, nothing is known to be unsafe, so it rejects if they can't be. */
  readonly loaded: Promise<void>;

  constructor(path: string) {
    this.folder = new JsonFolder(path, checkSchema);
    this.loaded = this.load();
    // Whoever needs the checks gets the error.
    this.loaded.catch(() => undefined);
  }

  /** Returns what is known so far, without waiting. */
  of(slug: string): CheckResult | undefined {
    return this.known.get(slug);
  }

  async save(slug: string, check: CheckResult): Promise<void> {
    await this.folder.write(slug, check);
    this.known.set(slug, check);
    this.changed.fire(slug);
  }

  async forget(slug: string): Promise<void> {
    this.known.delete(slug);
    await this.folder.remove(slug);
  }

  dispose(): void {
    this.changed.dispose();
  }

  private async load(): Promise<void> {
    for (const [slug, check] of await this.folder.list()) {
      // A check that ended meanwhile is newer.
      if (!this.known.has(slug)) {
        this.known.set(slug, check);
        this.changed.fire(slug);
      }
    }
  }
}
