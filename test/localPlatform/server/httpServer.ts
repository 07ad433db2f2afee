import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { operationRows, uploader } from '../contractTable';
import { answerControl } from '../control/control';
import { diskConditions, endOfLongWork } from '../faults/playFaults';
import type { OperationTable } from '../operation';
import type { Platform } from '../platform';
import { answerUploader, downloadReply } from '../uploads/uploader';
import { downloadPath, type Uploads } from '../uploads/uploads';
import { refusedBecause } from './defences';
import { answerExchange } from './exchange';
import { contractSpelling } from './lenientRequest';
import { listenOnLoopback } from './loopback';
import { perform } from './perform';
import { htmlReply, send, type Reply } from './reply';
import { readBody } from './requestBody';
import { sentParameters } from './sentParameters';

const rowsByPath = new Map(operationRows.map((row) => [row.path, row]));

interface Running {
  readonly platform: Platform;
  readonly operations: OperationTable;
  readonly uploads: Uploads;
}

const clientOf = (request: IncomingMessage): { host: string; userAgent: string } => ({
  host: request.socket.remoteAddress ?? '127.0.0.1',
  userAgent: request.headers['user-agent'] ?? '',
});

const answerOperation = async (
  running: Running,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  body: Buffer,
): Promise<Reply | undefined> => {
  const { platform, operations } = running;
  const row = rowsByPath.get(url.pathname);
  const handler = row === undefined ? undefined : operations[row.name];
  const hidden = row?.area === 'extra' && platform.behaviour.extras === 'absent';
  if (row === undefined || handler === undefined || hidden) return htmlReply(404, 'Not Found');
  // A sign-in with GET would leave the password in logs.
  const methods = row.name === 'Signin' ? ['POST'] : ['GET', 'POST'];
  if (!methods.includes(request.method ?? '')) return htmlReply(405, 'Not Allowed');
  const { values, inUrl } = sentParameters(url, request.headers, body, platform.behaviour.transport);
  const client = clientOf(request);
  await answerExchange(platform, request, response, {
    operation: row.name,
    values: platform.behaviour.requests === 'lenient' ? contractSpelling(row, values) : values,
    inUrl,
    requestBytes: (request.url ?? '').length + body.length,
    act: (left, plays) => {
      const end = endOfLongWork(plays, platform.periodic.signal);
      return perform(platform, { row, handler, values: left, client, disk: diskConditions(plays), end });
    },
  });
  return undefined;
};

/** Responds to a request, or returns a simple page to send. */
const route = async (
  running: Running,
  port: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Reply | undefined> => {
  const { platform, uploads } = running;
  const foreign = refusedBecause(request.headers, port);
  if (foreign !== undefined) return htmlReply(403, `Forbidden: ${foreign}`);
  if ((request.url ?? '').length > platform.behaviour.urlLength) return htmlReply(414, 'Request-URI Too Large');
  const body = await readBody(request, platform.behaviour.bodyBytes);
  if (body === undefined) return htmlReply(413, 'Request Entity Too Large');
  const url = new URL(request.url ?? '/', platform.origin());
  if (url.pathname.startsWith('/control/')) return answerControl(platform, request.method ?? '', url, body);
  if (url.pathname.startsWith(downloadPath)) return downloadReply(uploads, url.pathname);
  if (url.pathname === uploader.path && platform.behaviour.extras === 'present') {
    return answerUploader(platform, uploads, { request, response, url, body, client: clientOf(request) });
  }
  return answerOperation(running, request, response, url, body);
};

export interface ListeningServer {
  readonly port: number;
  /** Settles when all connections are closed and the journal contains all requests of clients that have ended. */
  disconnected(): Promise<void>;
  close(): Promise<void>;
}

/** Serves the platform on 127.0.0.1; port 0 takes any free one. */
export const startServer = async (running: Running, wantedPort: number): Promise<ListeningServer> => {
  let port = wantedPort;
  const server = createServer((request, response) => {
    const { signal } = running.platform.periodic;
    const answer = async (): Promise<void> => {
      const reply = await route(running, port, request, response);
      if (reply !== undefined) await send(response, reply, { signal });
    };
    answer().catch((error: unknown) => {
      // A connection that the client cut while sending isn't an error of the platform.
      if (!signal.aborted && !request.destroyed) console.error('a request could not be answered:', error);
      response.destroy();
    });
  });
  server.requestTimeout = 0;
  // As nginx by default. Node's five seconds would end connections just when a process uses them that was stalled.
  server.keepAliveTimeout = 75_000;
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  port = await listenOnLoopback(server, wantedPort);
  return {
    port,
    disconnected: async () => {
      // A pending connection is accepted within this turn of the event loop.
      await nextTurn();
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
