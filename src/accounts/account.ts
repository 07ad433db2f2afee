import * as v from 'valibot';

/** What is kept of an account. It holds the token, so it lives in SecretStorage and nowhere else. */
const storedAccount = v.object({
  /** The authority of the account's URIs, made at sign-in and kept for good. */
  slug: v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9.-]*$/)),
  label: v.string(),
  address: v.string(),
  transport: v.picklist(['form', 'query']),
  token: v.pipe(v.string(), v.minLength(1)),
});
export type StoredAccount = v.InferOutput<typeof storedAccount>;

const storedAccounts = v.pipe(v.string(), v.parseJson(), v.array(storedAccount));

/** `undefined` where the text is not what this version of Gantry writes. */
export function parseAccounts(text: string): readonly StoredAccount[] | undefined {
  const parsed = v.safeParse(storedAccounts, text);
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
