import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { type TestEvent } from './testEvent';

/** Listens for the events of one run. It is given to the run by its address, in the environment. */
export interface EventServer {
  readonly env: Readonly<Record<string, string>>;
  /** Settles when the run has said all it had to say: after `end`, or when it went away without. */
  readonly disconnected: Promise<void>;
  close(): Promise<void>;
}

export const channelVariable = 'GANTRY_TEST_CHANNEL';

export async function listenForEvents(hear: (event: TestEvent) => void): Promise<EventServer> {
  const sockets = new Set<Socket>();
  const server = createServer();
  const disconnected = new Promise<void>((resolve) => {
    server.on('connection', (socket) => {
      sockets.add(socket);
      createInterface(socket).on('line', (line) => hear(JSON.parse(line) as TestEvent));
      socket.on('error', () => {
        // The run was ended in the middle of a line; `close` follows.
      });
      socket.on('close', () => {
        sockets.delete(socket);
        resolve();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    env: { [channelVariable]: String(port) },
    disconnected,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
