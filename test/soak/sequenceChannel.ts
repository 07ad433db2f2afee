import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import type { SeedRange, SeedResult } from './runSeeds';
import type { SoakName } from './soakTest';

const variable = 'GANTRY_SOAK';

/** The tests that run in the extension host. */
export type HostTestName = Extract<SoakName, 'sequences' | 'redeploys'>;

/** The sequences that the extension host runs. */
export interface Sequences extends SeedRange {
  readonly name: HostTestName;
}

interface SequenceTask extends Sequences {
  readonly port: number;
}

/** Receives the result of each sequence from a VS Code that is started with `env`, and can stop it. */
export interface ResultServer {
  readonly env: Readonly<Record<string, string>>;
  /** Prevents further sequences from starting. */
  stop(): void;
  close(): Promise<void>;
}

/** Problems arrive as text, because only the extension host can map their stacks to sources. */
export async function listenForResults(
  sequences: Sequences,
  onResult: (result: SeedResult) => void,
): Promise<ResultServer> {
  // The extension host still sends results after a stop.
  const server = createServer({ allowHalfOpen: true });
  const stopped = { is: false };
  const stops = new Set<() => void>();
  server.on('connection', (socket) => {
    const stop = () => socket.end();
    stops.add(stop);
    createInterface(socket).on('line', (line) => onResult(JSON.parse(line) as SeedResult));
    socket.on('error', () => {
      // VS Code ended in the middle of a line. `close` follows.
    });
    socket.on('end', stop);
    socket.on('close', () => stops.delete(stop));
    if (stopped.is) stop();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  return {
    env: { [variable]: JSON.stringify({ ...sequences, port } satisfies SequenceTask) },
    stop: () => {
      stopped.is = true;
      for (const stop of stops) stop();
    },
    close: async () => {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The extension host's end of the connection. */
export interface ResultChannel {
  send(result: SeedResult): void;
  /** Whether no further sequence may start. */
  isStopped(): boolean;
  close(): Promise<void>;
}

export function sequenceTask(): SequenceTask {
  const task = process.env[variable];
  if (task === undefined) {
    throw new Error('Run the sequences with `npm run soak`.');
  }
  return JSON.parse(task) as SequenceTask;
}

export async function openResultChannel(port: number): Promise<ResultChannel> {
  const stopped = { is: false };
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.once('end', () => (stopped.is = true));
  socket.resume();
  await once(socket, 'connect');
  return {
    send: (result) => socket.write(`${JSON.stringify(result)}\n`),
    isStopped: () => stopped.is,
    close: async () => {
      // Wait until both sides have closed, so that the server has received all results.
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
}
