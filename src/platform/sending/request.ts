import type { PlatformAddress } from '../address';
import type { Operation } from '../contract/operation';
import { areas } from '../contract/operation';
import type { PlatformError } from '../errors';
import type { CallSubject } from '../failure';
import { invalidCall, tooLargeToSend } from '../failure';
import type { Pair } from './formEncoding';
import { encodeForm, encodeQuery } from './formEncoding';

/** Where parameters stand: in the body of the request, or in its URL. */
export type Transport = 'form' | 'query';

export interface ComposedRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

export interface Destination {
  readonly address: PlatformAddress;
  readonly transport: Transport;
  readonly passwordsInUrl?: boolean | undefined;
}

/** The longest URL that the platform takes. */
export const longestUrl = 2048;

export function composeRequest(
  { area, path }: Pick<Operation, 'area' | 'path'>,
  pairs: readonly Pair[],
  { address, transport, passwordsInUrl = false }: Destination,
): { readonly ok: ComposedRequest } | { readonly error: (subject: CallSubject) => PlatformError } {
  const endpoint = `${address.baseUrl}/${areas[area]}/${path}`;
  if (transport === 'form') {
    const type = 'application/x-www-form-urlencoded;charset=UTF-8';
    return {
      ok: { url: endpoint, headers: { accept: 'application/json', 'content-type': type }, body: encodeForm(pairs) },
    };
  }
  if (!passwordsInUrl && pairs.some(([name]) => name === 'password')) {
    const problem = 'this platform takes a password only in a URL, where servers on the way may log it';
    return { error: (subject) => invalidCall(subject, problem) };
  }
  const url = `${endpoint}?${encodeQuery(pairs)}`;
  if (url.length > longestUrl) {
    const problem = `as a URL it has ${url.length} characters, and the platform takes ${longestUrl}`;
    return { error: (subject) => tooLargeToSend(subject, problem) };
  }
  return { ok: { url, headers: { accept: 'application/json' }, body: '' } };
}
