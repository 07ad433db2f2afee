import { timingSafeEqual } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createGunzip } from 'node:zlib';
import { limit } from '../../host/limits';
import { listenOnLoopback } from '../server/loopback';
import { bareEnvironment } from './bareEnvironment';
import { type Program, startProgram } from './starter';

export interface Credentials {
  readonly login: string;
  readonly password: string;
}

export interface GitServer {
  /** Returns the URL of a repository in the folder: `storefront` is `storefront.git` on disk. */
  url(name: string): string;
  /** The answered request lines in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

interface Served {
  readonly folder: string;
  readonly credentials: Credentials | undefined;
  readonly children: Set<Program>;
}

/**
 * The capability advertisement of protocol version 2. It's the same for all repositories with SHA-1, because it lists no
 * branches or commits. Many tests start a server of their own, and each process of Git takes time.
 */
let capabilities: Buffer | undefined;

/** One request of Git's HTTP protocol, as https://git-scm.com/docs/http-protocol describes it. */
interface GitRequest {
  readonly repository: string;
  readonly service: 'upload-pack' | 'receive-pack';
  /** Whether the request asks for the service's capabilities or refs, instead of using the service. */
  readonly isDiscovery: boolean;
  readonly protocol: string;
}

const secondsPerRequest = 60;
const requestPath = /^\/(?<name>\w[\w.-]*\.git)\/(?:info\/refs|git-(?<service>[a-z]+-pack))$/u;

const parseRequest = ({ folder }: Served, request: IncomingMessage): GitRequest | undefined => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { name = '', service } = requestPath.exec(pathname)?.groups ?? {};
  const isDiscovery = service === undefined;
  const serviceName = service ?? searchParams.get('service')?.replace(/^git-/u, '');
  const repository = join(folder, name);
  if (serviceName !== 'upload-pack' && serviceName !== 'receive-pack') return undefined;
  if (name === '' || !existsSync(join(repository, 'HEAD'))) return undefined;
  if (request.method !== (isDiscovery ? 'GET' : 'POST')) return undefined;
  return { repository, service: serviceName, isDiscovery, protocol: String(request.headers['git-protocol'] ?? '') };
};

const isAllowed = ({ credentials }: Served, request: IncomingMessage): boolean => {
  if (credentials === undefined) return true;
  const wanted = Buffer.from(`${credentials.login}:${credentials.password}`);
  const sent = Buffer.from((request.headers.authorization ?? '').replace(/^Basic /iu, ''), 'base64');
  return sent.length === wanted.length && timingSafeEqual(sent, wanted);
};

const startGit = (served: Served, { service, isDiscovery, protocol, repository }: GitRequest): Program => {
  const args = ['--stateless-rpc', ...(isDiscovery ? ['--advertise-refs'] : []), repository];
  const child = startProgram('git', ['-c', 'receive.autogc=false', service, ...args], {
    env: { ...bareEnvironment(served.folder), GIT_CONFIG_NOSYSTEM: '1', GIT_PROTOCOL: protocol },
    stderr: 'ignore',
    timeout: limit(secondsPerRequest * 1000),
    killSignal: 'SIGKILL',
  });
  served.children.add(child);
  child.on('close', () => served.children.delete(child));
  // Git may end before it has read the whole request. Its response says why.
  child.stdin.on('error', () => undefined);
  return child;
};

const isVersion2 = ({ protocol }: GitRequest): boolean => protocol.split(':').includes('version=2');

/** Sends the advertisement of a service. Before protocol version 2, it starts with the name of the service. */
const sendAdvertisement = (served: Served, gitRequest: GitRequest, response: ServerResponse): void => {
  const { service } = gitRequest;
  const areCapabilities = isVersion2(gitRequest) && service === 'upload-pack';
  if (areCapabilities && capabilities !== undefined) {
    response.end(capabilities);
    return;
  }
  const child = startGit(served, gitRequest);
  const pieces: Buffer[] = [];
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.on('error', () => response.destroy());
  child.on('close', (code) => {
    const advertised = Buffer.concat(pieces);
    if (areCapabilities && code === 0) capabilities = advertised;
    const line = `# service=git-${service}\n`;
    const heading = isVersion2(gitRequest) ? '' : `${(line.length + 4).toString(16).padStart(4, '0')}${line}0000`;
    response.end(Buffer.concat([Buffer.from(heading), advertised]));
  });
  child.stdin.end();
};

const runService = (
  served: Served,
  gitRequest: GitRequest,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const child = startGit(served, gitRequest);
  const isCompressed = request.headers['content-encoding'] === 'gzip';
  const body = isCompressed ? request.pipe(createGunzip()) : request;
  body.on('error', () => child.kill('SIGKILL'));
  body.pipe(child.stdin);
  child.on('error', () => response.destroy());
  child.stdout.pipe(response);
};

const answer = (served: Served, request: IncomingMessage, response: ServerResponse): void => {
  if (!isAllowed(served, request)) {
    response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="repositories"' }).end();
    return;
  }
  const gitRequest = parseRequest(served, request);
  if (gitRequest === undefined) {
    response.writeHead(404).end();
    return;
  }
  // Pushing requires credentials.
  if (gitRequest.service === 'receive-pack' && served.credentials === undefined) {
    response.writeHead(403).end();
    return;
  }
  const kind = gitRequest.isDiscovery ? 'advertisement' : 'result';
  response.setHeader('content-type', `application/x-git-${gitRequest.service}-${kind}`);
  response.setHeader('cache-control', 'no-cache');
  if (gitRequest.isDiscovery) sendAdvertisement(served, gitRequest, response);
  else runService(served, gitRequest, request, response);
};

/** Serves the bare repositories of a folder over HTTP on 127.0.0.1, only with the credentials if there are any. */
export const startGitServer = async (options: {
  readonly folder: string;
  readonly credentials?: Credentials;
}): Promise<GitServer> => {
  const { folder, credentials } = options;
  const served: Served = { folder, credentials, children: new Set() };
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    answer(served, request, response);
  });
  const port = await listenOnLoopback(server);
  return {
    url: (name) => `http://127.0.0.1:${port}/${name}.git`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        for (const child of served.children) child.kill('SIGKILL');
      }),
  };
};
