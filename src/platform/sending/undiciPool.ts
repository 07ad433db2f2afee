// How requests get there: through which proxy, and in which pool. This file is bundled on its own and loaded by the first
// request: of ours it imports types, and little that the rest needs, too.
import { pipeline, type Readable } from 'node:stream';
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
  type SenderPool,
  usualMaxConnections,
} from './sender';

// undici's own entry does this, and brings its fetch, caches, mocks and web sockets along: half of the whole, and unused here.
Object.assign(DispatcherClass.prototype, { connect: apiConnect, request: apiRequest });

/** No limits of undici's own: each call brings its deadline, and some take many minutes. */
const limits = { headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: 10_000 } as const;
const connectTimeout = 10_000;

interface Way {
  readonly dispatcher: Dispatcher;
  readonly limit: RequestLimit;
}

/** A pool of connections that are kept alive, one for each target and proxy. */
export function openPool(settings: PoolSettings): SenderPool {
  const ways = new Map<string, Way>();
  const mostRequests = settings.mostRequests ?? (() => usualMaxConnections);
  return {
    send: async (request) => {
      const url = new URL(request.url);
      const proxy = settings.proxyFor(url);
      const key = `${url.origin} ${proxy ?? ''}`;
      const way = ways.get(key) ?? {
        dispatcher: connect(url.origin, proxy, settings),
        limit: new RequestLimit(mostRequests),
      };
      ways.set(key, way);
      const { kind, body, signal } = request;
      return way.limit.run({ kind, path: url.pathname, bytes: body.length }, signal, (ended) =>
        post(way.dispatcher, url, request, ended),
      );
    },
    close: async () => {
      const open = [...ways.values()];
      ways.clear();
      await Promise.all(open.map(({ dispatcher }) => dispatcher.destroy()));
    },
  };
}

function connect(origin: string, proxy: string | undefined, settings: PoolSettings): Dispatcher {
  const tls = { rejectUnauthorized: settings.checkCertificates, timeout: connectTimeout };
  if (proxy === undefined) return new Pool(origin, { ...limits, connect: watched(buildConnector(tls)) });
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
    // A tunnel for https alone: proxies commonly refuse one to a plain http port.
    proxyTunnel: false,
    ...(settings.proxyAuthorization === undefined ? {} : { token: settings.proxyAuthorization }),
  });
}

/** Marks a request as never sent if it got no connection, and closes a connection that broke. */
function watched(connector: connectors.connector): connectors.connector {
  return (options, callback) =>
    connector(options, (error, socket) => {
      if (error !== null) {
        callback(Object.assign(new Error('no connection', { cause: error }), { code: notConnected }), null);
        return;
      }
      // Node reports broken encryption and leaves the socket open, and undici waits for it to be closed.
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
    request.onProgress();
    bytes += chunk.byteLength;
    if (bytes > request.maximumBytes) return { received: 'tooMuch', status: statusCode };
    chunks.push(chunk);
  }
  // The connection is free one turn later; a caller that goes on at once would have another one opened.
  await nextTurn();
  const location = headers['location'];
  return {
    received: 'answer',
    status: statusCode,
    location: Array.isArray(location) ? location[0] : location,
    body: Buffer.concat(chunks, bytes),
  };
}

/** Names of encodings are compared without case, and this one has an old second name. */
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
    const response = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...request.headers, 'accept-encoding': 'gzip' },
      body: request.body,
      signal: request.signal,
    });
    ended({ kind: 'answer', status: response.statusCode, milliseconds: performance.now() - began });
    return response;
  } catch (error) {
    ended({ kind: isTimeout(request.signal) ? 'timeout' : 'broken' });
    throw error;
  }
}

function isTimeout({ reason }: AbortSignal): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}

/** What comes out counts against the limit, so a small answer cannot unpack into a huge one unseen. */
function unpacked(body: Readable): AsyncIterable<Buffer> {
  // Whatever breaks reaches the reader of the end of the pipeline, where it is handled.
  return pipeline(body, createGunzip(), () => undefined);
}

/** The proxy settings of the editor and of the environment. */
export interface ProxySettings {
  /** The editor's own setting; it comes before the environment's variables. */
  readonly proxy?: string | undefined;
  readonly noProxy?: readonly string[] | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Which proxy leads to a target, as the usual tools decide it; undefined to connect directly. */
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

/** An exception covers a host and all below it; with a port, only that port. */
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
