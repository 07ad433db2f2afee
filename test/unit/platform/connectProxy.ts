import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { listenOnLoopback } from '../../localPlatform/server/loopback';

/** A real tunneling proxy that connects every host to one port of this machine. */
export interface ConnectProxy {
  readonly url: string;
  /** The hosts it was asked to connect to, with the authorization of each request. */
  readonly tunnels: readonly { readonly target: string; readonly authorization: string | undefined }[];
  close(): Promise<void>;
}

export async function startConnectProxy(
  leadsTo: number,
  { requires }: { readonly requires?: string } = {},
): Promise<ConnectProxy> {
  const tunnels: { target: string; authorization: string | undefined }[] = [];
  const open = new Set<Duplex>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request, client: Duplex) => {
    const authorization = request.headers['proxy-authorization'];
    tunnels.push({ target: request.url ?? '', authorization });
    if (requires !== undefined && authorization !== requires) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const upstream = connect(leadsTo, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(client).pipe(upstream);
    });
    for (const side of [client, upstream]) {
      open.add(side);
      side.on('error', () => side.destroy());
      side.on('close', () => open.delete(side));
    }
  });
  const port = await listenOnLoopback(server);
  return {
    url: `http://127.0.0.1:${port}`,
    tunnels,
    close: () => {
      for (const side of open) side.destroy();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
