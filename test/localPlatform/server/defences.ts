import type { IncomingHttpHeaders } from 'node:http';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/**
 * Returns why a request gets no answer. The platform runs hooks and fetches URLs, so web pages must not reach it:
 * neither through a name that points to this machine (Host) nor from a browser here (Origin, Sec-Fetch-Site).
 */
export const refusedBecause = (headers: IncomingHttpHeaders, port: number): string | undefined => {
  const own = loopbackNames.map((name) => `${name}:${port}`);
  if (!own.includes(headers.host ?? '')) {
    return `Host ${JSON.stringify(headers.host ?? '')} is not this server's own loopback address`;
  }
  if (headers.origin !== undefined && !own.some((host) => headers.origin === `http://${host}`)) {
    return `Origin ${JSON.stringify(headers.origin)} is not this server's own`;
  }
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') {
    return `the request comes from another site (${site})`;
  }
  return undefined;
};
