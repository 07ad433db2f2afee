import type { IncomingHttpHeaders } from 'node:http';
import type { Behaviour } from '../behaviour';

export interface SentParameters {
  readonly values: ReadonlyMap<string, string>;
  readonly inUrl: readonly string[];
}

const isForm = (headers: IncomingHttpHeaders): boolean =>
  /^application\/x-www-form-urlencoded\b/iu.test(headers['content-type'] ?? '');

/** Returns the parameters in the query and the form body that this platform accepts. */
export const sentParameters = (
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
  transport: Behaviour['transport'],
): SentParameters => {
  const query = [...url.searchParams];
  const form = isForm(headers) ? [...new URLSearchParams(body.toString('utf8'))] : [];
  return {
    values: new Map([...(transport === 'query' ? [] : form), ...(transport === 'form' ? [] : query)]),
    inUrl: query.map(([name]) => name),
  };
};
