import { randomInt } from 'node:crypto';
import { mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type FilePlace, isPathWithin, keyOf, wholeLayer } from '../../containers/place';
import { KeyedQueue } from '../../async/waiting';
import { PendingWork } from '../../async/sharedCalls';
import { digestOf, unlessMissing } from '../../storage/jsonFolder';
import type { WindowOwner, Presence } from '../../storage/windowPresence';

/**
 * Queues changes to the same file, or to a folder that contains it. The nodes of a layer share a queue, so that a save to all
 * nodes doesn't overlap with a save to one of them. Other windows on this computer also wait for changes to the same file.
 */
export class FileQueue {
  private readonly turns = new KeyedQueue(isSameOrInside);

  constructor(private readonly locks: Pick<FileLocks, 'hold'>) {}

  take<T>(places: readonly FilePlace[], work: () => Promise<T>): Promise<T> {
    const keys = places.map((place) => keyOf(wholeLayer(place)));
    return this.turns.take(keys, () => this.locks.hold(keys, work));
  }
}

function isSameOrInside(one: string, other: string): boolean {
  return isPathWithin(one, other) || isPathWithin(other, one);
}

/** How long to wait for another window, in milliseconds. */
const longestWait = 120_000;

/**
 * Locks between the windows on this computer. A window that wants a lock creates a file, then looks for the files of
 * others, so of two windows that want the same lock, at least one sees the other. The one with the greater ID backs
 * off. Locks of closed windows are ignored.
 */
export class FileLocks {
  private readonly suffix: string;
  private readonly underway = new PendingWork();
  private listing: Promise<unknown> = Promise.resolve();
  private nextListing: Promise<readonly string[]> | undefined;

  constructor(
    private readonly deps: {
      /** A folder shared by all windows on this computer. */
      readonly folder: string;
      readonly presence: Presence & { isAlive(owner: WindowOwner): Promise<boolean> };
      /** Creates the error for a lock that another window holds too long. */
      inUse(): Error;
      /** Called if the lock can't be created. Work continues anyway: a full disk must not prevent a save. */
      onDidFail(error: unknown): void;
    },
  ) {
    const { window, host } = deps.presence.owner;
    this.suffix = `.${digestOf(host)}.${window}`;
  }

  hold<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    return this.underway.add('', this.holdAll(keys, work));
  }

  /** Resolves when this window neither holds nor wants a lock. */
  async settled(): Promise<void> {
    while (!this.underway.isEmpty) {
      await Promise.all(this.underway.in(''));
    }
  }

  private async holdAll<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const names = [...new Set(keys)].map(digestOf);
    try {
      await this.acquire(names);
      return await work();
    } finally {
      await this.release(names);
    }
  }

  private async acquire(names: readonly string[]): Promise<void> {
    const deadline = performance.now() + longestWait;
    for (;;) {
      const rivals = await this.claim(names).catch((error: unknown) => this.deps.onDidFail(error));
      if (rivals === undefined || rivals.length === 0) {
        return;
      }
      if (performance.now() > deadline) {
        throw this.deps.inUse();
      }
      if (rivals.some((window) => window < this.deps.presence.owner.window)) {
        await this.release(names);
      }
      await pause(randomInt(5, 30));
    }
  }

  /** Returns the other open windows that hold or want one of the locks. */
  private async claim(names: readonly string[]): Promise<readonly string[]> {
    const { folder, presence } = this.deps;
    await presence.announce();
    const create = () => Promise.all(names.map((name) => writeFile(this.fileOf(name), '', { mode: 0o600 })));
    await create().catch(async () => {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await create();
    });
    const rivals: string[] = [];
    for (const file of await this.list()) {
      const [name = '', host, window = ''] = file.split('.');
      if (!names.includes(name) || host !== digestOf(presence.owner.host) || window === presence.owner.window) {
        continue;
      }
      if (await presence.isAlive({ window, host: presence.owner.host })) {
        rivals.push(window);
      } else {
        await rm(join(folder, file), { force: true });
      }
    }
    return rivals;
  }

  /**
   * Lists the folder after the call. Calls made while it's being listed share the next listing, because a hundred files
   * that are written at once would otherwise list a hundred names each.
   */
  private list(): Promise<readonly string[]> {
    this.nextListing ??= this.listing.then(() => {
      this.nextListing = undefined;
      const names = readdir(this.deps.folder);
      this.listing = names.catch(() => undefined);
      return names;
    });
    return this.nextListing;
  }

  private async release(names: readonly string[]): Promise<void> {
    await Promise.all(names.map((name) => unlessMissing(unlink(this.fileOf(name))))).catch((error: unknown) =>
      this.deps.onDidFail(error),
    );
  }

  private fileOf(name: string): string {
    return join(this.deps.folder, `${name}${this.suffix}`);
  }
}
