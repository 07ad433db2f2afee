import { connect, createServer, type Socket } from 'node:net';
import { listenOnLoopback } from '../../localPlatform/server/loopback';

/** Relays between a client and a TLS server, and can corrupt the data without closing the connection. */
export interface TlsRelay {
  readonly port: number;
  /** From now on, clients get these bytes instead of the server's, and the server gets nothing. */
  intercept(bytes: string): void;
  close(): Promise<void>;
}

export async function startTlsRelay(leadsTo: number): Promise<TlsRelay> {
  const clients = new Set<Socket>();
  const upstreams = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(leadsTo, '127.0.0.1');
    upstream.pipe(client).pipe(upstream);
    for (const [side, all] of [[client, clients] as const, [upstream, upstreams] as const]) {
      all.add(side);
      side.on('error', () => side.destroy());
      side.on('close', () => all.delete(side));
    }
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    intercept: (bytes) => {
      for (const upstream of upstreams) upstream.unpipe().resume();
      for (const client of clients) client.unpipe().resume().write(bytes);
    },
    close: () => {
      for (const side of [...clients, ...upstreams]) side.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
