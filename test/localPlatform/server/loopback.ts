import type { Server } from 'node:net';

/** Makes a server reachable from this machine only, and returns its port. Port 0 takes any free one. */
export const listenOnLoopback = (server: Server, port = 0): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
