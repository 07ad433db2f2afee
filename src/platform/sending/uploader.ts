import type * as v from 'valibot';
import { randomUUID } from 'node:crypto';
import type { PlatformAddress } from '../address';
import { uploaderMethod } from '../contract';
import type { Pace } from '../contract/operation';
import type { CallSubject } from '../failure';
import { callWithRetries } from './callWithRetries';
import { timeToSend } from './request';
import type { Sender, TrafficLog } from './sender';
import { answer, intField, neededText, record, textField } from '../wire/fields';

export interface UploadParameters {
  readonly session: string;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const uploaded = record({ file: neededText, name: textField, size: intField });
/** `file` is a URL that Upload accepts as `sourcePath`. It's a secret, because anyone with it can fetch the file. */
export type UploadedFile = v.InferOutput<typeof uploaded>;

/** Sends bytes to the platform's uploader, which isn't in the contract but in the vendor's own plugins. */
export async function uploadFile(
  parameters: UploadParameters,
  deps: {
    readonly address: PlatformAddress;
    readonly send: Sender;
    readonly log: TrafficLog | undefined;
    readonly secrets: () => readonly string[];
    readonly requestTimeouts: Readonly<Record<Pace, number>>;
    readonly maximumBytes: number;
    readonly userAgent: string;
    readonly signal?: AbortSignal | undefined;
    readonly deadline?: number | undefined;
  },
): Promise<UploadedFile> {
  const boundary = `gantry-${randomUUID()}`;
  const subject: CallSubject = {
    operation: 'Uploader',
    method: uploaderMethod,
    target: parameters.name,
    object: { path: parameters.name },
    address: deps.address.baseUrl,
    // It doesn't change a container, so a duplicate does no harm.
    writes: false,
    confidential: { secrets: [parameters.session, ...deps.secrets()], texts: [] },
  };
  const body = multipart(boundary, parameters);
  return callWithRetries({
    subject,
    request: {
      url: `${deps.address.baseUrl}/1.0/storage/uploader/rest/upload`,
      headers: {
        accept: 'application/json',
        'user-agent': deps.userAgent,
        // The uploader only recognizes the boundary as the last parameter.
        'content-type': `multipart/form-data; boundary=${boundary}`,
      },
      body,
      kind: 'long',
      maximumBytes: deps.maximumBytes,
    },
    expected: { success: 'zero', answer: answer(uploaded), parameters: {} },
    send: deps.send,
    log: deps.log,
    milliseconds: deps.deadline ?? deps.requestTimeouts.long,
    toSend: deps.deadline === undefined ? timeToSend(body.length) : 0,
    firstPause: 0,
    signal: deps.signal,
  });
}

function multipart(boundary: string, { session, name, bytes }: UploadParameters): Uint8Array {
  const field = (field: string, value: string): string =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${field}"\r\n\r\n${value}\r\n`;
  const quoted = name.replace(/["\r\n]/g, (character) => encodeURIComponent(character));
  const file =
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${quoted}"\r\n` +
    'Content-Type: application/octet-stream\r\n\r\n';
  const head = field('fid', randomUUID()) + field('session', session) + file;
  return Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)]);
}
