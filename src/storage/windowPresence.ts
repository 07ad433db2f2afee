import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { SharedCalls } from '../async/sharedCalls';
import { digestOf } from './jsonFolder';

export interface WindowOwner {
  readonly window: string;
  readonly host: string;
}

/** Makes the window that owns a stored text visible to other windows before they find the text. */
export interface Presence {
  readonly owner: WindowOwner;
  announce(): Promise<void>;
}

/** The lowest limit for a socket path on any system, without the NUL. Longer paths are silently truncated. */
const longestPath = 103;

/**
 * Tells which windows are open. Each window listens on its own socket while it's open, so there's nothing to clean up
 * after a crash, and a reused process ID can't be mistaken for a window.
 */
export class WindowPresence {
  readonly owner: WindowOwner = { window: randomUUID(), host: hostname() };
  private readonly listening = new SharedCalls<Server>('untilForgotten');

  /** @param folder shared by all windows that may find this window's texts, even with other environment variables */
  constructor(private readonly folder: string) {}

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
