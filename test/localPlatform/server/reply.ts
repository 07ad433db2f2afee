import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export interface Reply {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  /** The `result` of a JSON response, for the journal. */
  readonly result?: unknown;
}

export interface Sending {
  /** Cuts the connection after this many bytes of the body. */
  readonly cutAfter?: number;
  readonly bytesPerSecond?: number;
  /** Sends single bytes, with a pause of so many milliseconds after each. */
  readonly pauseAfterByte?: number;
  readonly signal: AbortSignal;
  /** Called before the last piece is sent. */
  readonly beforeLast?: () => void;
}

const jsonType = 'application/json;charset=UTF-8';

const withoutNulls = (_: string, value: unknown): unknown => (value === null ? undefined : value);

export const jsonReply = (answer: Readonly<Record<string, unknown>>): Reply => ({
  status: 200,
  contentType: jsonType,
  body: Buffer.from(JSON.stringify(answer, withoutNulls)),
  result: answer['result'],
});

/** A page of a web server in front of the platform. */
export const htmlReply = (status: number, title: string): Reply => ({
  status,
  contentType: 'text/html',
  body: Buffer.from(
    `<html>\n<head><title>${status} ${title}</title></head>\n<body>\n<center><h1>${status} ${title}</h1></center>\n<hr><center>nginx</center>\n</body>\n</html>\n`,
  ),
});

export const gatewayReply = (status: 502 | 504): Reply =>
  htmlReply(status, status === 502 ? 'Bad Gateway' : 'Gateway Time-out');

const piecesPerSecond = 20;

const pieces = (body: Buffer, { bytesPerSecond, pauseAfterByte }: Sending): readonly Buffer[] => {
  const usual = bytesPerSecond === undefined ? body.length : Math.ceil(bytesPerSecond / piecesPerSecond);
  const size = pauseAfterByte === undefined ? usual : 1;
  const starts = Array.from({ length: Math.ceil(body.length / Math.max(1, size)) }, (_, index) => index * size);
  return starts.map((start) => body.subarray(start, start + size));
};

/** Sends a response as slowly and incompletely as the options say. */
export const send = async (response: ServerResponse, reply: Reply, how: Sending): Promise<void> => {
  response.writeHead(reply.status, { 'Content-Type': reply.contentType, 'Content-Length': reply.body.length });
  const body = how.cutAfter === undefined ? reply.body : reply.body.subarray(0, how.cutAfter);
  const parts = pieces(body, how);
  for (const part of parts.slice(0, -1)) {
    response.write(part);
    await pause(how.pauseAfterByte ?? 1000 / piecesPerSecond, undefined, { signal: how.signal });
  }
  how.beforeLast?.();
  const last = parts.at(-1) ?? Buffer.alloc(0);
  if (how.cutAfter === undefined) response.end(last);
  else response.write(last, () => response.destroy());
};
