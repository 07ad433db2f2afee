import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listenOnLoopback } from '../../localPlatform/server/loopback';

export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Script = (arrived: Arrived, response: ServerResponse) => void;

/** A server that responds as a test says, and records its requests. */
export interface ScriptedServer {
  readonly port: number;
  readonly url: string;
  readonly arrived: readonly Arrived[];
  answer(script: Script | string): void;
  close(): Promise<void>;
}

const certificateFolder = join(__dirname, 'certificate');
const certificate = readFileSync(join(certificateFolder, 'certificate.pem'), 'utf8');

export function startScriptedServer(): Promise<ScriptedServer> {
  return start('http', (listener) => createServer(listener));
}

/** With a self-signed certificate. */
export function startTlsServer(): Promise<ScriptedServer> {
  const key = readFileSync(join(certificateFolder, 'key.pem'));
  return start('https', (listener) => createTlsServer({ key, cert: certificate }, listener));
}

async function start(scheme: string, create: (listener: RequestListener) => Server): Promise<ScriptedServer> {
  const arrived: Arrived[] = [];
  const state: { script: Script } = { script: (_, response) => response.end('{"result":0}') };
  const server = create((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const one = { method, url, headers, body: Buffer.concat(chunks).toString() };
      arrived.push(one);
      state.script(one, response);
    });
  });
  const port = await listenOnLoopback(server);
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    arrived,
    answer: (script) => {
      state.script = typeof script === 'string' ? (_, response) => response.end(script) : script;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
