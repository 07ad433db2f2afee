import { once } from 'node:events';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A relay between VS Code and a platform that records every secret that either of them sends. */
export interface Eavesdropper {
  readonly origin: string;
  /** Sessions, tokens, and passwords, as they were sent. */
  readonly secrets: ReadonlySet<string>;
  /** From now on, the operation fails with an error that quotes the whole request. */
  quoteFrom(operation: string): void;
  close(): Promise<void>;
}

const secretParameters = ['session', 'password'];
const secretFields = /"(?:session|key)":"([^"]+)"/g;

export async function eavesdrop(platform: string): Promise<Eavesdropper> {
  const secrets = new Set<string>();
  const careless = new Set<string>();
  const { host } = new URL(platform);

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await textOf(incoming);
    const sent = new URLSearchParams(body);
    for (const name of secretParameters) secrets.add(sent.get(name) ?? '');
    const operation = (incoming.url ?? '').replace(/.*\//, '');
    if (careless.has(operation)) {
      outgoing.end(JSON.stringify({ result: 99, error: `cannot do ${decodeURIComponent(body)} (${body})` }));
      return;
    }
    const headers = { ...incoming.headers, host };
    const asking = forward(`${platform}${incoming.url ?? ''}`, { method: 'POST', headers });
    asking.end(body);
    const [answer] = (await once(asking, 'response')) as [IncomingMessage];
    const text = await textOf(answer);
    for (const [, secret = ''] of text.matchAll(secretFields)) secrets.add(secret);
    outgoing.writeHead(answer.statusCode ?? 200, { 'content-type': answer.headers['content-type'] ?? 'text/plain' });
    outgoing.end(text);
  }

  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch(() => outgoing.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    secrets,
    quoteFrom: (operation) => careless.add(operation.toLowerCase()),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function textOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
