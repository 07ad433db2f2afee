import { type FSWatcher, watch } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Disposable, EventEmitter } from 'vscode';
import { namesIn, readIfThere } from '../storage/privateFiles';

/**
 * Which accounts were signed out and when, in a folder that all windows share. VS Code in the browser gives each window its
 * own copy of the secrets and tells no other of a change, so a window would go on with an account that another signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly heard = new EventEmitter<void>();
  private readonly watching: Promise<FSWatcher>;
  /** An account was signed out in some window. */
  readonly onDidHear = this.heard.event;

  constructor(
    private readonly folder: string,
    report: (error: unknown) => void,
  ) {
    this.watching = mkdir(folder, { recursive: true }).then(() => {
      const watcher = watch(folder, { persistent: false }, () => this.heard.fire());
      return watcher.on('error', report);
    });
    this.watching.catch(report);
  }

  async say(slug: string): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await writeFile(join(this.folder, slug), String(Date.now()));
  }

  async takeBack(slug: string): Promise<void> {
    await rm(join(this.folder, slug), { force: true });
  }

  /** When each account was signed out, in milliseconds since the epoch. */
  async all(): Promise<ReadonlyMap<string, number>> {
    const slugs = await namesIn(this.folder);
    const said = await Promise.all(slugs.map(async (slug) => [slug, await this.when(slug)] as const));
    return new Map(said);
  }

  dispose(): void {
    this.heard.dispose();
    // Where watching failed, that was reported, and nothing is left to close.
    void this.watching.then((watcher) => watcher.close()).catch(() => undefined);
  }

  private async when(slug: string): Promise<number> {
    // Without a file, it was taken back between listing and reading: the account is signed in again.
    return Number(await readIfThere(join(this.folder, slug))) || 0;
  }
}
