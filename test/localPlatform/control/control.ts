import * as v from 'valibot';
import { behaviourSchema } from '../behaviour';
import { faultRuleSchema } from '../faults/fault';
import type { FinishedEntry } from '../journal';
import type { Platform } from '../platform';
import { htmlReply, jsonReply, type Reply } from '../server/reply';

type Control = (platform: Platform, request: { readonly url: URL; readonly body: unknown }) => Promise<Reply> | Reply;

const missing = (): Reply => htmlReply(404, 'Not Found');

const faultId = (url: URL): number => Number(url.pathname.split('/').at(3));

const faultRows = (platform: Platform): object[] => platform.faults.all.map(({ id, hits }) => ({ id, hits }));

/**
 * Returns the first answered request after number `after`, of one operation if `operation` is given. Waits for it if
 * necessary.
 */
const nextEntry: Control = async ({ journal }, { url }) => {
  const operation = url.searchParams.get('operation');
  const after = Number(url.searchParams.get('after') ?? journal.arrivals.at(-1)?.id ?? 0);
  const wanted = (entry: FinishedEntry): boolean =>
    entry.id > after && (operation === null || entry.operation === operation);
  return jsonReply({ entry: journal.entries.find(wanted) ?? (await journal.next(wanted)) });
};

/** Handlers by method and path. `*` matches the ID of a fault. */
const controls: Readonly<Record<string, Control>> = {
  'GET /control/journal': ({ journal }) => jsonReply({ entries: journal.entries, arrivals: journal.arrivals.length }),
  'DELETE /control/journal': ({ journal }) => {
    journal.reset();
    return jsonReply({});
  },
  'GET /control/journal/next': nextEntry,
  'GET /control/faults': (platform) => jsonReply({ faults: faultRows(platform) }),
  'POST /control/faults': ({ faults }, { body }) => jsonReply({ id: faults.add(v.parse(faultRuleSchema, body)).id }),
  'DELETE /control/faults': ({ faults }) => {
    faults.clear();
    return jsonReply({});
  },
  'DELETE /control/faults/*': ({ faults }, { url }) => {
    const fault = faults.find(faultId(url));
    fault?.remove();
    return fault === undefined ? missing() : jsonReply({});
  },
  'POST /control/faults/*/release': ({ faults }, { url }) => {
    const fault = faults.find(faultId(url));
    fault?.release();
    return fault === undefined ? missing() : jsonReply({});
  },
  'GET /control/behaviour': ({ behaviour }) => jsonReply({ ...behaviour }),
  'PATCH /control/behaviour': ({ behaviour }, { body }) => {
    Object.assign(behaviour, v.parse(v.partial(behaviourSchema), body));
    return jsonReply({ ...behaviour });
  },
};

/** Lets a test in another process read the journal, add faults, and change switches. */
export const answerControl = async (platform: Platform, method: string, url: URL, body: Buffer): Promise<Reply> => {
  const control = controls[`${method} ${url.pathname.replace(/\/\d+(?=\/|$)/u, '/*')}`];
  if (control === undefined) return missing();
  try {
    return await control(platform, { url, body: body.length === 0 ? {} : JSON.parse(body.toString('utf8')) });
  } catch (error) {
    if (!(error instanceof v.ValiError) && !(error instanceof SyntaxError)) throw error;
    return { ...jsonReply({ error: error.message }), status: 400 };
  }
};
