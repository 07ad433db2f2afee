import type { ReadableStream } from 'node:stream/web';
import type { IncomingReply, Sender } from './sender';

/** The part of `fetch` in use, so that any environment's fetch works. */
type Fetch = (
  url: string,
  options: {
    method: 'POST';
    headers: Readonly<Record<string, string>>;
    body: string | Uint8Array<ArrayBuffer>;
    signal: AbortSignal;
    redirect: 'manual';
  },
) => Promise<Response>;

/** Sends through the environment's fetch, which supports the system's proxies, PAC files and Kerberos. */
export function createFetchSender(fetch: Fetch): Sender {
  return async ({ url, headers, body, signal, onStart, onProgress, maximumBytes }) => {
    onStart();
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: typeof body === 'string' ? body : new Uint8Array(body),
      signal,
      redirect: 'manual',
    });
    const received = await receive(response, maximumBytes, onProgress);
    if (received === undefined) return { received: 'tooMuch', status: response.status };
    return {
      received: 'answer',
      status: response.status,
      location: response.headers.get('location') ?? undefined,
      date: response.headers.get('date') ?? undefined,
      body: received,
    } satisfies IncomingReply;
  };
}

async function receive(
  response: Response,
  maximumBytes: number,
  onProgress: (bytes: number) => void,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const body: ReadableStream<Uint8Array> | null = response.body;
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    onProgress(part.value.byteLength);
    bytes += part.value.byteLength;
    if (bytes > maximumBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks, bytes);
}
