import type { IncomingHttpHeaders } from 'node:http';

const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'] as const;

/**
 * Why a request is not answered at all. The platform runs hooks and fetches addresses, so a page of the web must not
 * reach it: neither by a name that was pointed at this machine (Host), nor from a browser here (Origin, Sec-Fetch-Site).
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
