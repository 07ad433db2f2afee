import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Owner } from './keptTexts';

/**
 * Says which windows live. A window listens on a socket of its own for as long as it does, so that nothing has to be
 * cleaned up after a crash and no process id can be taken for another's.
 */
export class WindowPresence {
  readonly owner: Owner = { window: randomUUID(), host: hostname() };
  private listening: Promise<Server> | undefined;

  /** From the first time this settles, other windows see this one. */
  async announce(): Promise<void> {
    this.listening ??= listen(socketOf(this.owner.window));
    await this.listening;
  }

  /** Of a window on another machine that shares the folder nothing can be known: it is taken to live. */
  async isAlive(owner: Owner): Promise<boolean> {
    if (owner.window === this.owner.window || owner.host !== this.owner.host) {
      return true;
    }
    const alive = await answers(socketOf(owner.window));
    if (!alive && process.platform !== 'win32') {
      await rm(socketOf(owner.window), { force: true });
    }
    return alive;
  }

  async dispose(): Promise<void> {
    // Where it could not listen, nothing is left to close.
    const server = await this.listening?.catch(() => undefined);
    await new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve())));
  }
}

function socketOf(window: string): string {
  const name = `gantry-${window}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server));
    server.unref();
  });
}

const deadSocket = new Set<string | undefined>(['ENOENT', 'ECONNREFUSED']);

function answers(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    // Anything else, such as too many who ask at once, says nothing of a window that has ended.
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(!deadSocket.has(error.code)));
  });
}
