import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type Disposable, EventEmitter } from 'vscode';
import * as v from 'valibot';
import { JsonFolder } from '../storage/jsonFolder';

/**
 * Which accounts were signed out and when, in a folder that all windows share. VS Code in the browser gives each window its
 * own copy of the secrets and tells no other of a change, so a window would go on with an account that another signed out.
 */
export class SignOutMarkers implements Disposable {
  private readonly heard = new EventEmitter<void>();
  private readonly watching: Promise<FSWatcher>;
  private readonly markers: JsonFolder<number>;
  /** An account was signed out in some window. */
  readonly onDidHear = this.heard.event;

  constructor(folder: string, report: (error: unknown) => void) {
    this.markers = new JsonFolder(folder, v.number());
    this.watching = mkdir(folder, { recursive: true, mode: 0o700 }).then(() => {
      const watcher = watch(folder, { persistent: false }, () => this.heard.fire());
      return watcher.on('error', report);
    });
    this.watching.catch(report);
  }

  say(slug: string): Promise<void> {
    return this.markers.write(slug, Date.now());
  }

  takeBack(slug: string): Promise<void> {
    return this.markers.remove(slug);
  }

  /** When each account was signed out, in milliseconds since the epoch. */
  all(): Promise<ReadonlyMap<string, number>> {
    return this.markers.list();
  }

  dispose(): void {
    this.heard.dispose();
    // Where watching failed, that was reported, and nothing is left to close.
    void this.watching.then((watcher) => watcher.close()).catch(() => undefined);
  }
}
