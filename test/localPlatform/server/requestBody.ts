import type { IncomingMessage } from 'node:http';

/** The whole body of a request, or undefined when it is longer than allowed. */
export const readBody = async (request: IncomingMessage, limit: number): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length <= limit) pieces.push(piece);
  }
  return length > limit ? undefined : Buffer.concat(pieces);
};
