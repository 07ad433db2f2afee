import { type FilePlace, keyOf } from '../../containers/place';

/** How long and how many entries of a cause are kept. */
interface Policy {
  /** In milliseconds. */
  readonly age: number;
  readonly most: number;
  /** What `most` counts for: the texts of a file, or the entries of an environment. */
  readonly per: (place: FilePlace) => string;
  /** The most space for all of an account's entries with this policy. `Infinity`: the code that adds them removes the oldest. */
  readonly bytes: number;
  /** Whether it's kept only for the history of versions, for which the person must have agreed. It's the first to go. */
  readonly needsConsent: boolean;
  /** Whether an unfinished entry may have the only copy of a text, which must survive a loss of power. */
  readonly hasOnlyCopy?: true;
  /** Whether the texts of files that may hold secrets stay in the memory of the window. */
  readonly keepsSecretsInMemory?: true;
}

const day = 86_400_000;
const saves: Policy = {
  ...{ age: 30 * day, most: 50, per: keyOf, bytes: 18_000_000 },
  ...{ needsConsent: true, hasOnlyCopy: true },
};
const environmentOf = ({ account, environment }: FilePlace) => `${account}/${environment}`;
/** What happened on a node, or on a layer. These have no texts. */
const events: Policy = { age: 30 * day, most: 200, per: environmentOf, bytes: 2_000_000, needsConsent: true };

/** What a delete took away that may be the beginning of an overwrite. It's removed once that is certain. */
const overwritten: Policy = {
  ...{ age: 30 * day, most: 50, per: environmentOf, bytes: 18_000_000 },
  ...{ needsConsent: false, hasOnlyCopy: true },
};

/** What a replacement in several files changed, for undoing it. */
const replaced: Policy = {
  ...{ age: Infinity, most: Infinity, per: environmentOf, bytes: Infinity },
  ...{ needsConsent: false, keepsSecretsInMemory: true },
};

/** What is to be known of a file until it's over. These have only the digests of texts, so they need no consent (see marks.ts). */
const marks: Policy = { age: Infinity, most: Infinity, per: keyOf, bytes: Infinity, needsConsent: false };

const policies = {
  ...{ save: saves, restore: saves, replaceInFile: saves, append: saves, overwrite: overwritten, replace: replaced },
  ...{ restart: events, redeploy: events },
  ...{ edited: marks, configured: { ...marks, age: 30 * day } },
} as const satisfies Record<string, Policy>;

/** Why a text changed, or what happened at a place. */
type Cause = keyof typeof policies;
/** `edited`: below a deployed project's folder, since the last deployment. `configured`: since the service was restarted. */
export type MarkCause = 'edited' | 'configured';
export const causes = [
  'save',
  'restore',
  'replaceInFile',
  'append',
  'overwrite',
  'replace',
  'restart',
  'redeploy',
  'edited',
  'configured',
] as const satisfies readonly Cause[];

/** The bytes of texts and records that all accounts may take together. Unfinished texts don't count. */
export interface JournalLimits {
  readonly policies: Readonly<Record<Cause, Policy>>;
  readonly bytes: number;
}

/** What is beyond a limit is removed once it's a tenth beyond, so these are a tenth below what may be on the disk. */
export const usualLimits: JournalLimits = { policies, bytes: 90_000_000 };

/** About as long as a record is. */
const recordBytes = 500;

/** What the limits depend on. */
interface Limited {
  readonly place: FilePlace;
  readonly at: number;
  readonly cause: Cause;
  readonly state: string;
  readonly before?: KeptText | null | undefined;
  readonly after?: KeptText | null | undefined;
}

interface KeptText {
  readonly digest: string;
  readonly bytes: number;
  readonly isInMemory?: true;
}

export function textsOf({ before, after }: Limited): readonly KeptText[] {
  return [before, after].filter((text) => text !== null && text !== undefined);
}

/** Whether it may hold the only copy of a text, or know the only place of something. */
export function isUnfinished(entry: Limited): boolean {
  return entry.state === 'pending' || (entry.state !== 'verified' && textsOf(entry).length > 0);
}

/**
 * Returns the entries that are beyond the limits, the oldest of each kind. Unfinished texts are never among them.
 *
 * @param slack the factor by which numbers and sizes may be exceeded
 */
export function excessOf<E extends Limited>(
  entries: readonly E[],
  { policies: all, bytes: most }: JournalLimits,
  now: number,
  { slack = 1 } = {},
): readonly E[] {
  const sums = new Map<unknown, number>();
  const counted = new Set<string>();
  const keys = new Map(Object.entries(all).map(([cause, policy]) => [policy, cause]));
  const add = (key: unknown, more: number, limit: number): boolean => {
    const sum = (sums.get(key) ?? 0) + more;
    sums.set(key, sum);
    return sum > limit * slack;
  };
  const newestFirst = entries
    .filter((entry) => !isUnfinished(entry) && all[entry.cause].bytes !== Infinity)
    .sort(
      (one, other) => Number(all[one.cause].needsConsent) - Number(all[other.cause].needsConsent) || other.at - one.at,
    );
  return newestFirst.filter((entry) => {
    const { place, at, cause } = entry;
    const policy = all[cause];
    const texts = textsOf(entry);
    if (now - at > policy.age || add(`${keys.get(policy)} ${policy.per(place)}`, texts.length || 1, policy.most)) {
      return true;
    }
    const added = texts.filter(({ digest }) => counted.size < counted.add(place.account + digest).size);
    const size = added.reduce((sum, { bytes }) => sum + bytes, recordBytes);
    const isBeyond = add(`${keys.get(policy)} of ${place.account}`, size, policy.bytes);
    return add('', size, most) || isBeyond;
  });
}
