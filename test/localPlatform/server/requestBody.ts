import type { IncomingMessage } from 'node:http';

/** Returns the whole body of a request, or undefined if it is too long. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= limit) pieces.push(piece);
  }
  return length > limit ? undefined : Buffer.concat(pieces);
};
