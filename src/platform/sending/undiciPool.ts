// Proxies and connection pools. Bundled separately and loaded by the first request, because undici is slow to load, so
// import little except types here.
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { createGunzip } from 'node:zlib';
import type { buildConnector as connectors, Dispatcher } from 'undici';
import apiConnect from 'undici/lib/api/api-connect';
import apiRequest from 'undici/lib/api/api-request';
import buildConnector from 'undici/lib/core/connect';
import DispatcherClass from 'undici/lib/dispatcher/dispatcher';
import Pool from 'undici/lib/dispatcher/pool';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent';
import { isLoopback } from '../address';
import { type RequestEnd, RequestLimit } from './requestLimit';
import {
  type IncomingReply,
  notConnected,
  type OutgoingRequest,
  type PoolSettings,
  type Sender,
  type SenderPool,
  usualMaxConnections,
} from './sender';

// undici's own entry point also includes its fetch, caches, mocks and WebSockets: half its size, unused here.
Object.assign(DispatcherClass.prototype, { connect: apiConnect, request: apiRequest });

/** Disables undici's timeouts, because each call has its own and some take many minutes. */
const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 } as const;
const connectTimeout = 10_000;

interface Route {
  readonly dispatcher: Dispatcher;
  readonly limit: RequestLimit;
}

/** Opens a pool of keep-alive connections for each target and proxy. */
export function openPool(settings: PoolSettings): SenderPool {
  const routes = new Map<string, Route>();
  const maxRequests = settings.maxRequests ?? (() => usualMaxConnections);
  return {
    send: async (request) => {
      const url = new URL(request.url);
      const proxy = settings.proxyFor(url);
      const key = `${url.origin} ${proxy ?? ''}`;
      const route = routes.get(key) ?? {
        dispatcher: connect(url.origin, proxy, settings),
        limit: new RequestLimit(maxRequests),
      };
      routes.set(key, route);
      const { kind, body, signal } = request;
      return route.limit.run({ kind, path: url.pathname, bytes: body.length }, signal, (ended) =>
        post(route.dispatcher, url, request, ended),
      );
    },
    close: async () => {
      const open = [...routes.values()];
      routes.clear();
      await Promise.all(open.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

/** Limits another sender's requests at once to each platform. Measures each until its whole answer is there. */
export function limitRequests(send: Sender, maxRequests: () => number): Sender {
  const byOrigin = new Map<string, RequestLimit>();
  return (request) => {
    const { origin, pathname: path } = new URL(request.url);
    const limit = byOrigin.get(origin) ?? new RequestLimit(maxRequests);
    byOrigin.set(origin, limit);
    const { kind, body, signal } = request;
    return limit.run({ kind, path, bytes: body.length }, signal, async (ended) => {
      const began = performance.now();
      try {
        const reply = await send(request);
        ended({ kind: 'answer', status: reply.status, milliseconds: performance.now() - began });
        return reply;
      } catch (error) {
        ended({ kind: isTimeout(signal) ? 'timeout' : 'broken' });
        throw error;
      }
    });
  };
}

function connect(origin: string, proxy: string | undefined, settings: PoolSettings): Dispatcher {
  const tls = { rejectUnauthorized: settings.checkCertificates, timeout: connectTimeout };
  if (proxy === undefined) return new Pool(origin, { ...limits, connect: watched(buildConnector(tls)) });
  if (/^socks/i.test(proxy)) return new Pool(origin, { connect: watched(rejectSocks) });
  return new ProxyAgent({
    ...limits,
    uri: proxy,
    factory: (target, options: Pool.Options) =>
      new Pool(
        target,
        typeof options.connect === 'function' ? { ...options, connect: watched(options.connect) } : options,
      ),
    requestTls: tls,
    proxyTls: tls,
    // Tunnel only for https, because proxies commonly reject a tunnel to a plain http port.
    proxyTunnel: false,
    ...(settings.proxyAuthorization === undefined ? {} : { token: settings.proxyAuthorization }),
  });
}

/** VS Code's network stack supports SOCKS, and Gantry offers it if its own can't connect. */
const rejectSocks: connectors.connector = (_options, callback) => {
  callback(new Error("Gantry's own network stack doesn't support SOCKS proxies"), null);
};

/** Marks a request as never sent if it got no connection, and closes a broken connection. */
function watched(connector: connectors.connector): connectors.connector {
  return (options, callback) =>
    connector(options, (error, socket) => {
      if (error !== null) {
        callback(Object.assign(new Error('no connection', { cause: error }), { code: notConnected }), null);
        return;
      }
      // After a TLS error, Node leaves the socket open and undici waits for it to be closed.
      socket.on('error', () => socket.destroy());
      callback(null, socket);
    });
}

async function post(
  dispatcher: Dispatcher,
  url: URL,
  request: OutgoingRequest,
  ended: (end: RequestEnd) => void,
): Promise<IncomingReply> {
  const { statusCode, headers, body } = await answered(dispatcher, url, request, ended);
  const chunks: Buffer[] = [];
  let bytes = 0;
  const content: AsyncIterable<Buffer> = isGzip(headers['content-encoding']) ? unpacked(body) : body;
  for await (const chunk of content) {
    request.onProgress(chunk.byteLength);
    bytes += chunk.byteLength;
    if (bytes > request.maximumBytes) return { received: 'tooMuch', status: statusCode };
    chunks.push(chunk);
  }
  // The connection becomes free in the next turn. Without this, an immediate request would open another one.
  await nextTurn();
  const location = headers['location'];
  return {
    received: 'answer',
    status: statusCode,
    location: Array.isArray(location) ? location[0] : location,
    date: typeof headers['date'] === 'string' ? headers['date'] : undefined,
    body: Buffer.concat(chunks, bytes),
  };
}

/** Compares the encoding without case, including an old alias. */
function isGzip(encoding: string | string[] | undefined): boolean {
  return /^(x-)?gzip$/i.test(String(encoding).trim());
}

async function answered(
  dispatcher: Dispatcher,
  url: URL,
  request: OutgoingRequest,
  ended: (end: RequestEnd) => void,
): Promise<Dispatcher.ResponseData> {
  request.onStart();
  const began = performance.now();
  try {
    const { body, onSent } = request;
    const isLong = typeof body !== 'string' && body.length > partLength;
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: {
        ...request.headers,
        'accept-encoding': 'gzip',
        ...(isLong ? { 'content-length': String(body.length) } : {}),
      },
      body: isLong ? Readable.from(partsOf(body, onSent)) : body,
      signal: request.signal,
    });
    ended({ kind: 'answer', status: response.statusCode, milliseconds: performance.now() - began });
    return response;
  } catch (error) {
    ended({ kind: isTimeout(request.signal) ? 'timeout' : 'broken' });
    throw error;
  }
}

const partLength = 64 * 1024;

/** Each part is asked for once the connection took the one before, which shows how much of a body was sent. */
function* partsOf(bytes: Uint8Array, onSent: OutgoingRequest['onSent']): Generator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += partLength) {
    onSent?.(false);
    yield bytes.subarray(start, start + partLength);
  }
  onSent?.(true);
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** Applies the size limit to the unpacked data, so that a small response can't unpack into a huge one. */
function unpacked(body: Readable): AsyncIterable<Buffer> {
  // Errors are handled by the reader at the end of the pipeline.
  return pipeline(body, createGunzip(), () => undefined);
}

interface ProxySettings {
  /** The editor's setting. It takes precedence over environment variables. */
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Selects the proxy for a target like common tools do; undefined to connect directly. */
export function chooseProxy({ proxy, noProxy, environment }: ProxySettings): (target: URL) => string | undefined {
  const variable = (name: string): string => environment[name.toLowerCase()] ?? environment[name] ?? '';
  const exceptions = [...(noProxy ?? []), ...variable('NO_PROXY').split(/[\s,]+/)].filter((entry) => entry !== '');
  const anywhere = proxy?.trim() ?? '';
  return (target) => {
    if (isLoopback(target.hostname) || exceptions.some((entry) => covers(entry, target))) return undefined;
    const ofScheme = target.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY';
    return usable(anywhere === '' ? variable(ofScheme) : anywhere);
  };
}

/** An exception applies to a host and its subdomains; with a port, only to that port. */
function covers(entry: string, target: URL): boolean {
  if (entry === '*') return true;
  const [, host = '', port] = /^(?:\*?\.)?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase()) ?? [];
  if (port !== undefined && port !== portOf(target)) return false;
  return target.hostname === host || target.hostname.endsWith(`.${host}`);
}

function portOf({ port, protocol }: URL): string {
  if (port !== '') return port;
  return protocol === 'https:' ? '443' : '80';
}

function usable(proxy: string): string | undefined {
  const url = proxy === '' || proxy.includes('://') ? proxy : `http://${proxy}`;
  return URL.canParse(url) ? url : undefined;
}
