import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Client } from '../accounts/accounts';
import { uploader } from '../contractTable';
import type { Answer } from '../operation';
import type { Platform } from '../platform';
import { codes, Refusal } from '../refusal';
import { answerExchange } from '../server/exchange';
import { htmlReply, type Reply } from '../server/reply';
import { parseMultipart, type MultipartField } from './multipart';
import type { Uploads } from './uploads';

interface UploadRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly url: URL;
  readonly body: Buffer;
  readonly client: Client;
}

const store = async (
  platform: Platform,
  uploads: Uploads,
  { values, file, client }: { values: ReadonlyMap<string, string>; file: MultipartField | undefined; client: Client },
): Promise<Answer> => {
  try {
    const session = values.get('session') ?? '';
    if (session === '') throw new Refusal(codes.invalidParameter, 'invalid parameter [session]');
    platform.accounts.recognise(session, uploader.method, client);
    if (file === undefined) throw new Refusal(codes.invalidParameter, 'invalid parameter [file]');
    const path = await uploads.add(file.body);
    return { result: 0, file: platform.origin() + path, name: file.filename, size: file.body.length };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { result: error.result, error: error.message, source: error.source };
  }
};

/** The platform's uploader. Accepts a multipart file and returns the URL from which Upload can fetch it. */
export const answerUploader = async (
  platform: Platform,
  uploads: Uploads,
  { request, response, url, body, client }: UploadRequest,
): Promise<Reply | undefined> => {
  if (request.method !== 'POST') return htmlReply(405, 'Not Allowed');
  const fields = parseMultipart(request.headers['content-type'] ?? '', body);
  if (fields === undefined) return htmlReply(400, 'Bad Request');
  const file = fields.find(({ name }) => name === 'file');
  const texts = fields.filter((field) => field !== file);
  await answerExchange(platform, request, response, {
    operation: uploader.name,
    values: new Map([...url.searchParams, ...texts.map((field) => [field.name, field.body.toString('utf8')] as const)]),
    inUrl: [...url.searchParams.keys()],
    requestBytes: body.length,
    act: (values) => store(platform, uploads, { values, file, client }),
  });
  return undefined;
};

/** Serves the file at the uploader's URL. */
export const downloadReply = async (uploads: Uploads, path: string): Promise<Reply> => {
  const bytes = await uploads.find(path);
  if (bytes === undefined) return htmlReply(404, 'Not Found');
  return { status: 200, contentType: 'application/octet-stream', body: bytes };
};
