import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type TestEvent } from './testEvent';

/** Listens for the events of one run in another process. */
export interface EventServer {
  readonly port: number;
  /** Settles when the run has disconnected, after `end` or without it. */
  readonly disconnected: Promise<void>;
  close(): Promise<void>;
}

export async function listenForEvents(onEvent: (event: TestEvent) => void): Promise<EventServer> {
  const sockets = new Set<Socket>();
  const server = createServer();
  const disconnected = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      sockets.add(socket);
      createInterface(socket).on('line', (line) => onEvent(JSON.parse(line) as TestEvent));
      socket.on('error', () => {
        // The run ended in the middle of a line. `close` follows.
      });
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    disconnected,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
