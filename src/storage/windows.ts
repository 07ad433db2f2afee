import { randomUUID, randomInt } from 'node:crypto';
import { mkdir, readdir, rm, unlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SharedCalls, PendingWork } from '../async/sharedCalls';
import { setTimeout as pause } from 'node:timers/promises';
import { digestOf, unlessMissing } from './stores';

export interface WindowOwner {
  readonly window: string;
  readonly host: string;
  /** What is open in it, by which VS Code finds the unsaved texts again. Missing in what earlier versions stored. */
  readonly workspace?: string | undefined;
}

/** Makes the window that owns a stored text visible to other windows before they find the text. */
export interface Presence {
  readonly owner: WindowOwner;
  announce(): Promise<void>;
}

/** In milliseconds. */
const reloadLasts = 10_000;

/** Resolves when a window that is reloaded has ended: it may do so only after the next one has begun. */
export async function untilReloaded(): Promise<void> {
  await pause(reloadLasts, undefined, { ref: false });
}

/** The lowest limit for a socket path on any system, without the NUL. Longer paths are silently truncated. */
const longestPath = 103;

/**
 * Tells which windows are open. Each window listens on its own socket while it's open, so there's nothing to clean up
 * after a crash, and a reused process ID can't be mistaken for a window.
 */
export class WindowPresence {
  readonly owner: WindowOwner;
  private readonly listening = new SharedCalls<Server>('untilForgotten');

  /** @param folder shared by all windows that may find this window's texts, even with other environment variables */
  constructor(
    private readonly folder: string,
    workspace?: string,
  ) {
    this.owner = { window: randomUUID(), host: hostname(), workspace };
  }

  /** Makes this window visible to others. If it fails, the next call tries again. */
  async announce(): Promise<void> {
    await this.listening.share(this.owner.window, () => this.listen());
  }

  /** A window on another machine that shares the folder can't be checked, so it counts as open. */
  async isAlive(owner: WindowOwner): Promise<boolean> {
    if (owner.window === this.owner.window || owner.host !== this.owner.host) {
      return true;
    }
    for (const socket of this.socketsOf(owner.window)) {
      if (await answers(socket)) {
        return true;
      }
    }
    return false;
  }

  async dispose(): Promise<void> {
    const listening = this.listening.get(this.owner.window);
    this.listening.forgetAll();
    // If listening failed, there's nothing to close.
    const server = await listening?.catch(() => undefined);
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }

  private async listen(): Promise<Server> {
    const [preferred = '', other] = this.socketsOf(this.owner.window);
    if (other === undefined) {
      return listenOn(preferred);
    }
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      return await listenOn(preferred);
    } catch {
      // Not every file system supports sockets.
      return listenOn(other);
    }
  }

  /** The socket path of a window: in the folder or, if that isn't possible, independent of TMPDIR. */
  private socketsOf(window: string): readonly string[] {
    const name = digestOf(window);
    if (process.platform === 'win32') {
      return [`\\\\.\\pipe\\gantry-${name}`];
    }
    const inFolder = join(this.folder, `${name}.sock`);
    const elsewhere = `/tmp/gantry-${name}.sock`;
    return Buffer.byteLength(inFolder) <= longestPath ? [inFolder, elsewhere] : [elsewhere];
  }
}

function listenOn(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server));
    server.unref();
  });
}

const deadSocket = new Set<string | undefined>(['ENOENT', 'ENOTDIR', 'ECONNREFUSED']);

async function answers(path: string): Promise<boolean> {
  const problem = await new Promise<string | undefined>((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(undefined);
    });
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'));
  });
  if (problem === 'ECONNREFUSED' && process.platform !== 'win32') {
    // Left over from a crash.
    await rm(path, { force: true });
  }
  // Any other error, such as too many connections at once, doesn't mean that the window has closed.
  return problem === undefined || !deadSocket.has(problem);
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
