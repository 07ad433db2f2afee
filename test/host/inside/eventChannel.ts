import { once } from 'node:events';
import { connect } from 'node:net';
import { type TestEvent } from '../events/testEvent';

export interface EventChannel {
  send(event: TestEvent): void;
  close(): Promise<void>;
}

/** Connects to the process that started this run. */
export async function openEventChannel(port: number): Promise<EventChannel> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return {
    send: (event) => socket.write(`${JSON.stringify(event)}\n`),
    close: async () => {
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
}
