import { once } from 'node:events';
import { connect } from 'node:net';
import { channelVariable } from '../events/eventServer';
import { type TestEvent } from '../events/testEvent';

export interface EventChannel {
  send(event: TestEvent): void;
  /** Lets the process end while it is open. */
  unref(): void;
  close(): Promise<void>;
}

/** To the process that started this run. */
export async function openEventChannel(): Promise<EventChannel> {
  const socket = connect(Number(process.env[channelVariable]), '127.0.0.1');
  await once(socket, 'connect');
  return {
    send: (event) => socket.write(`${JSON.stringify(event)}\n`),
    unref: () => socket.unref(),
    close: async () => {
      const closed = once(socket, 'close');
      socket.end();
      await closed;
    },
  };
}
