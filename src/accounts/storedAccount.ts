import * as v from 'valibot';
import { documentedOperations } from '../platform/contract';

/** An account's stored data. It contains the token, so it's kept only in SecretStorage. */
const storedAccount = v.object({
  /** The authority of the account's URIs. It's set at sign-in and never changes. */
  slug: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]*$/)),
  label: v.string(),
  /** When it got its token, in milliseconds since the epoch. A later token replaces an earlier one, never the other way. */
  since: v.optional(v.number()),
  /** The email address or user ID that the password belongs to, if known. */
  login: v.optional(v.string()),
  address: v.pipe(v.string(), v.url()),
  transport: v.picklist(['form', 'query']),
  /** The user agreed to send the password in URLs to this platform. */
  passwordsInUrl: v.optional(v.boolean()),
  token: v.pipe(v.string(), v.minLength(1)),
  /** The platform's ID of the token, for renewing and deleting it. Unknown for a pasted token. */
  tokenId: v.optional(v.number()),
  tokenTemplate: v.optional(v.string()),
  /** The operations that the token is known to lack. Without it, that's learned from each refused call. */
  lacks: v.optional(v.pipe(v.array(v.picklist(documentedOperations)), v.readonly())),
  /** In milliseconds since the epoch. Without it, no expiration is known. */
  expiresAt: v.optional(v.number()),
});
export type StoredAccount = v.InferOutput<typeof storedAccount>;

/** The part of an account that a new sign-in replaces. */
export type TokenData = Pick<StoredAccount, 'token' | 'tokenId' | 'tokenTemplate' | 'lacks' | 'expiresAt'>;

/** Replaces the account's token and all data that belongs to the old one. */
export function withTokenData(account: StoredAccount, tokenData: TokenData): StoredAccount {
  const { slug, label, login, address, transport, passwordsInUrl } = account;
  // Later than before, even if the clock was set back.
  const since = tokenData.token === account.token ? account.since : Math.max(Date.now(), (account.since ?? 0) + 1);
  return { slug, label, login, address, transport, passwordsInUrl, ...tokenData, since };
}

/** Whether two records are about one account. Another account may get the ID of one that was signed out, or can't be read. */
export function isSameAccount(one: AccountIdentity, other: AccountIdentity): boolean {
  return one.slug === other.slug && one.label === other.label && one.address === other.address;
}

type AccountIdentity = Pick<StoredAccount, 'slug' | 'label' | 'address'>;

const everyAccount = v.pipe(v.string(), v.parseJson(), v.record(v.string(), v.unknown()));

/** Returns `undefined` if Gantry didn't write this. */
export function parseAccount(value: unknown): StoredAccount | undefined {
  const parsed = v.safeParse(storedAccount, value);
  return parsed.success ? parsed.output : undefined;
}

/** Returns the accounts by slug, each unparsed, so that one that can't be parsed doesn't lose the others. */
export function parseAccounts(text: string | undefined): ReadonlyMap<string, unknown> {
  const parsed = v.safeParse(everyAccount, text);
  return new Map(parsed.success ? Object.entries(parsed.output) : []);
}

/** Makes a readable authority for URIs. VS Code lower-cases authorities, and `@` would split them. */
export function makeSlug(who: string, platformHost: string, taken: readonly string[]): string {
  const text = [who.replace(/@.*/, ''), platformHost.replace(/^app\./, '')]
    .join('.')
    .toLowerCase()
    .replaceAll(/[^a-z0-9.]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const free = (slug: string) => !taken.includes(slug);
  if (free(text)) {
    return text;
  }
  for (let n = 2; ; n++) {
    if (free(`${text}-${n}`)) {
      return `${text}-${n}`;
    }
  }
}

/** How many days before a token expires to notify the user. */
const noticeDays = 7;
/** How many days before it expires a token is marked. The shortest offered lifetime is a week, and a new token isn't marked. */
const markedDays = 3;
const day = 24 * 60 * 60 * 1000;

/** Returns the days until a token expires, if there are few enough to mention. */
export function daysLeft(expiresAt: Date | undefined, now: number): number | undefined {
  const left = expiresAt === undefined ? undefined : Math.ceil((expiresAt.getTime() - now) / day);
  return left !== undefined && left > 0 && left <= noticeDays ? left : undefined;
}

export function isEndingToken(expiresAt: Date | undefined, now: number): 'none' | 'far' | 'soon' | 'past' {
  if (expiresAt === undefined) {
    return 'none';
  }
  if (expiresAt.getTime() <= now) {
    return 'past';
  }
  return expiresAt.getTime() - now <= markedDays * day ? 'soon' : 'far';
}
