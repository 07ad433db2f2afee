import * as v from 'valibot';
import {
  answer,
  enumeration,
  flagField,
  intField,
  list,
  number,
  optionalRecord,
  record,
  textField,
  time,
  uniqueList,
} from './fields';
import { asksForSecondFactor, isJsonObject } from './scalars';

/** The timing data of accounts responses. */
export const debug = optionalRecord({ cpu: optionalRecord({ usage: number, time: intField }), time: intField });

/** The user's account. Only its ID is used, because platforms may leave out any field. */
export const userInfo = answer(record({ uid: intField }));

/** A successful sign-in: a session, or what the account requires before it gets one. */
export const signedIn = answer(
  v.pipe(
    v.unknown(),
    v.transform((body) => (isJsonObject(body) ? { ...body, needsSecondFactor: asksForSecondFactor(body) } : body)),
    record({
      session: textField,
      uid: intField,
      email: textField,
      accessType: enumeration({ FULL_ACCESS: 0, RESTRICTED: 1 }),
      status: enumeration({ ENABLED: 0, SUSPENDED: 1 }),
      data: optionalRecord({ lang: textField }),
      authConfig: optionalRecord({ type: textField }),
      needsSecondFactor: flagField,
      debug,
    }),
    v.check(
      ({ session, needsSecondFactor }) => (session ?? '') !== '' || needsSecondFactor === true,
      'neither contains a session nor asks for a second factor',
    ),
  ),
);

export const signedOut = answer(record({ debug }));
export const tokensDeleted = answer(record({ debug }));

const session = record({
  id: intField,
  uid: intField,
  current: flagField,
  host: textField,
  userAgent: textField,
  lastAccess: time,
  createdOn: time,
});
export type SessionEntry = v.InferOutput<typeof session>;
export const sessions = answer(record({ sessions: uniqueList(session, ({ id }) => id), debug }));

export const policyMethods = answer(
  record({
    behavior: enumeration({ ALLOW: 0, DENY: 1 }),
    roleId: intField,
    tokenPermissions: list(
      record({
        id: intField,
        method: textField,
        isCollaborationAccessible: flagField,
        isSafe: flagField,
        useObjectHash: flagField,
      }),
    ),
  }),
);
