import { spawn, type ChildProcess } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../server/loopback';
import { bareEnvironment } from './bareEnvironment';

export interface SvnServer {
  /** The address of a repository of the folder. */
  url(name: string): string;
  close(): Promise<void>;
}

const secondsPerConnection = 60;

/**
 * Serves the Subversion repositories of a folder on 127.0.0.1. Each connection gets an `svnserve` of its own, the way
 * inetd does it: so any free port will do, and nobody has to wait for a daemon to come up.
 */
export const startSvnServer = async ({ folder }: { readonly folder: string }): Promise<SvnServer> => {
  const children = new Set<ChildProcess>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const child = spawn('svnserve', ['--inetd', '--root', folder], {
      env: bareEnvironment(folder),
      stdio: ['pipe', 'pipe', 'ignore'],
      timeout: secondsPerConnection * 1000,
      killSignal: 'SIGKILL',
    });
    children.add(child);
    child.on('error', () => socket.destroy());
    child.on('close', () => children.delete(child));
    socket.on('close', () => {
      sockets.delete(socket);
      child.kill('SIGKILL');
    });
    // Either side may hang up first; the other one is ended by its own `close`.
    socket.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    socket.pipe(child.stdin);
    child.stdout.pipe(socket);
  });
  const port = await listenOnLoopback(server);
  return {
    url: (name) => `svn://127.0.0.1:${port}/${name}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
        for (const child of children) child.kill('SIGKILL');
      }),
  };
};
