import * as v from 'valibot';

export const accountSchema = v.strictObject({
  uid: v.number(),
  email: v.string(),
  /** The password's scrypt salt and hash. */
  password: v.strictObject({ salt: v.string(), hash: v.string() }),
  /** How the account signs in. With TFA, a password alone opens no session. */
  authType: v.picklist(['PASSWORD', 'TFA']),
  status: v.picklist(['ENABLED', 'SUSPENDED']),
  /** The names of the environments it can use, or `*` for all. */
  environments: v.union([v.literal('*'), v.array(v.string())]),
});
export type Account = v.InferOutput<typeof accountSchema>;

export const sessionSchema = v.strictObject({
  id: v.number(),
  uid: v.number(),
  /** Digest of the session value. A session opened by a token has the token's ID instead. */
  digest: v.optional(v.string()),
  tokenId: v.optional(v.number()),
  host: v.string(),
  userAgent: v.string(),
  createdOn: v.number(),
  lastAccess: v.number(),
});
export type Session = v.InferOutput<typeof sessionSchema>;

export const tokenSchema = v.strictObject({
  id: v.number(),
  uid: v.number(),
  description: v.string(),
  tokenTemplate: v.string(),
  /** The permitted methods if the template is Custom. */
  apiList: v.array(v.string()),
  digest: v.string(),
  createdOn: v.number(),
  lastUsed: v.optional(v.number()),
  expiresAt: v.optional(v.number()),
});
export type Token = v.InferOutput<typeof tokenSchema>;
