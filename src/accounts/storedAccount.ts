import * as v from 'valibot';

/** What is kept of an account. It holds the token, so it lives in SecretStorage and nowhere else. */
const storedAccount = v.object({
  /** The authority of the account's URIs, made at sign-in and kept for good. */
  slug: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]*$/)),
  label: v.string(),
  /** When it was signed in, in milliseconds since the epoch. */
  since: v.optional(v.number()),
  /** Email address or user id, where it is known: what the password belongs to. */
  login: v.optional(v.string()),
  address: v.pipe(v.string(), v.url()),
  transport: v.picklist(['form', 'query']),
  /** The person agreed to send the password in URLs to this platform. */
  passwordsInUrl: v.optional(v.boolean()),
  token: v.pipe(v.string(), v.minLength(1)),
  /** The platform's number of the token, for renewing and deleting it. A token that was pasted does not tell its own. */
  tokenId: v.optional(v.number()),
  tokenTemplate: v.optional(v.string()),
  /** Milliseconds since the epoch; a token without it has no known end. */
  expiresAt: v.optional(v.number()),
});
export type StoredAccount = v.InferOutput<typeof storedAccount>;

/** The part of an account that a new sign-in replaces. */
export type Proof = Pick<StoredAccount, 'token' | 'tokenId' | 'tokenTemplate' | 'expiresAt'>;

/** The account with another token; nothing of the one before it stays. */
export function withProof(account: StoredAccount, proof: Proof): StoredAccount {
  const { slug, since, label, login, address, transport, passwordsInUrl } = account;
  return { slug, since, label, login, address, transport, passwordsInUrl, ...proof };
}

const oneAccount = v.pipe(v.string(), v.parseJson(), storedAccount);
const slugs = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** `undefined` where the text is not what Gantry writes. */
export function parseAccount(text: string): StoredAccount | undefined {
  const parsed = v.safeParse(oneAccount, text);
  return parsed.success ? parsed.output : undefined;
}

export function parseSlugs(text: string): readonly string[] | undefined {
  const parsed = v.safeParse(slugs, text);
  return parsed.success ? parsed.output : undefined;
}

/** A readable authority for URIs: VS Code lower-cases authorities and `@` would split them. */
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
