import { spawn, type ChildProcess } from 'node:child_process';
import { timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listenOnLoopback } from '../server/loopback';
import { bareEnvironment } from './bareEnvironment';

export interface Credentials {
  readonly login: string;
  readonly password: string;
}

export interface GitServer {
  /** The address of a repository of the folder: `storefront` is `storefront.git` on disk. */
  url(name: string): string;
  /** The request lines that were answered, in their order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

interface Served {
  readonly folder: string;
  readonly credentials: Credentials | undefined;
}

const secondsPerRequest = 60;

const isAllowed = ({ credentials }: Served, request: IncomingMessage): boolean => {
  if (credentials === undefined) return true;
  const wanted = Buffer.from(`${credentials.login}:${credentials.password}`);
  const sent = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /iu, ''), 'base64');
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
};

/** What the CGI of git needs to know of a request. */
const cgiEnvironment = (served: Served, request: IncomingMessage): Record<string, string> => {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const header = (name: string): string => [request.headers[name] ?? ''].flat().join(', ');
  return {
    ...bareEnvironment(served.folder),
    GIT_PROJECT_ROOT: served.folder,
    GIT_HTTP_EXPORT_ALL: '1',
    GIT_CONFIG_NOSYSTEM: '1',
    PATH_INFO: decodeURIComponent(url.pathname),
    QUERY_STRING: url.search.slice(1),
    REQUEST_METHOD: request.method ?? 'GET',
    CONTENT_TYPE: header('content-type'),
    ...(header('content-length') === '' ? {} : { CONTENT_LENGTH: header('content-length') }),
    HTTP_CONTENT_ENCODING: header('content-encoding'),
    HTTP_GIT_PROTOCOL: header('git-protocol'),
    REMOTE_ADDR: '127.0.0.1',
    // Only somebody with a name may push.
    ...(served.credentials === undefined ? {} : { REMOTE_USER: served.credentials.login }),
  };
};

/** Turns the head that the CGI writes into a status and headers. */
const writeHead = (response: ServerResponse, head: string): void => {
  const fields = head.split(/\r?\n/u).map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const status = fields.find(([name]) => name.toLowerCase() === 'status')?.[1] ?? '200';
  for (const [name, value] of fields) if (name.toLowerCase() !== 'status') response.setHeader(name, value);
  response.writeHead(Number.parseInt(status, 10));
};

const headEnd = '\r\n\r\n';

const passOn = (child: ChildProcess, response: ServerResponse): void => {
  let head: Buffer | undefined = Buffer.alloc(0);
  child.stdout?.on('data', (piece: Buffer) => {
    if (head === undefined) {
      response.write(piece);
      return;
    }
    head = Buffer.concat([head, piece]);
    const end = head.indexOf(headEnd);
    if (end < 0) return;
    writeHead(response, head.toString('latin1', 0, end));
    response.write(head.subarray(end + headEnd.length));
    head = undefined;
  });
  child.on('close', () => {
    if (!response.headersSent) response.writeHead(500);
    response.end();
  });
};

const answer = (
  served: Served,
  children: Set<ChildProcess>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  if (!isAllowed(served, request)) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="repositories"' }).end();
    return;
  }
  const child = spawn('git', ['http-backend'], {
    env: cgiEnvironment(served, request),
    stdio: ['pipe', 'pipe', 'ignore'],
    timeout: secondsPerRequest * 1000,
    killSignal: 'SIGKILL',
  });
  children.add(child);
  child.on('close', () => children.delete(child));
  child.on('error', () => response.destroy());
  // The CGI may end before it has read all that a client sends; its answer says why.
  child.stdin.on('error', () => undefined);
  request.pipe(child.stdin);
  passOn(child, response);
};

/** Serves the bare repositories of a folder over HTTP on 127.0.0.1, to one login if there is one. */
export const startGitServer = async (options: {
  readonly folder: string;
  readonly credentials?: Credentials;
}): Promise<GitServer> => {
  const served: Served = { folder: options.folder, credentials: options.credentials };
  const children = new Set<ChildProcess>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(served, children, request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}.git`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const child of children) child.kill('SIGKILL');
      }),
  };
};
