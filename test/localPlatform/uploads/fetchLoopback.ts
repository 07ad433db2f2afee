import { get, type IncomingMessage } from 'node:http';
import { codes, Refusal } from '../refusal';

const mostRedirects = 3;
const deadline = 60_000;
const mostBytes = 1024 * 1024 * 1024;

/** Returns the URL if it points to this machine, because the platform fetches from nowhere else. */
const loopbackUrl = (address: string): URL => {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isHere = url !== undefined && /^(127(\.\d+){3}|localhost|\[::1\])$/u.test(url.hostname);
  if (!isHere || url.protocol !== 'http:') {
    throw new Refusal(codes.invalidParameter, 'invalid parameter [sourcePath]: only http on this machine is fetched');
  }
  return url;
};

const respond = (url: URL, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(deadline)]), agent: false }, resolve).on(
      'error',
      reject,
    );
  });

const bodyOf = async (response: IncomingMessage): Promise<Buffer> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > mostBytes) throw new Refusal(codes.unknown, 'the file to fetch is too large');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

const fetchOnce = async (url: URL, signal: AbortSignal): Promise<Buffer | { readonly location: string }> => {
  const response = await respond(url, signal);
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.resume();
    return { location: new URL(headers.location, url).href };
  }
  if (statusCode !== 200) {
    response.resume();
    throw new Refusal(codes.unknown, `[${url.href}] cannot be fetched: HTTP ${statusCode}`);
  }
  return bodyOf(response);
};

/** Fetches an HTTP URL of this machine. */
export const fetchLoopback = async (address: string, signal: AbortSignal): Promise<Buffer> => {
  let url = loopbackUrl(address);
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    try {
      const fetched = await fetchOnce(url, signal);
      if (Buffer.isBuffer(fetched)) return fetched;
      url = loopbackUrl(fetched.location);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      throw new Refusal(codes.unknown, `[${url.href}] cannot be fetched`);
    }
  }
  throw new Refusal(codes.unknown, `[${address}] redirects too often`);
};
