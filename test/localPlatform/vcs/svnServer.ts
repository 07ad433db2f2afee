import { createServer, type Socket } from 'node:net';
import { limit } from '../../host/limits';
import { listenOnLoopback } from '../server/loopback';
import { bareEnvironment } from './bareEnvironment';
import { type Program, startProgram } from './starter';

export interface SvnServer {
  /** Returns the URL of a repository in the folder. */
  url(name: string): string;
  close(): Promise<void>;
}

const secondsPerConnection = 60;

/**
 * Serves the Subversion repositories of a folder on 127.0.0.1. Each connection gets a separate `svnserve`, as with
 * inetd, so any free port works and no daemon has to start.
 */
export const startSvnServer = async ({ folder }: { readonly folder: string }): Promise<SvnServer> => {
  const children = new Set<Program>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const child = startProgram('svnserve', ['--inetd', '--root', folder], {
      env: bareEnvironment(folder),
      stderr: 'ignore',
      timeout: limit(secondsPerConnection * 1000),
      killSignal: 'SIGKILL',
    });
    children.add(child);
    child.on('error', () => socket.destroy());
    child.on('close', () => children.delete(child));
    socket.on('close', () => {
      sockets.delete(socket);
      child.kill('SIGKILL');
    });
    // Either side can disconnect first. The other one is ended by its own `close`.
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
