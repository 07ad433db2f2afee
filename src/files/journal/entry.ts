import * as v from 'valibot';
import { type FilePlace, keyOf } from '../../containers/place';
import { digestOf, storedPlace } from '../../storage/stores';

/** How long and how many finished entries are kept. */
interface Limits {
  /** In milliseconds. */
  readonly age: number;
  readonly most: number;
  /** What `most` counts for: the texts of a file, the entries of an environment, or the batches of an account. */
  readonly per: (place: FilePlace) => string;
  /**
   * Whether a batch counts as one, and is kept or removed as a whole. While a part of it is unfinished, it's kept. So is the
   * last batch, until it's too old.
   */
  readonly byBatch?: true;
  /** The most space for all of an account's entries with these limits: for those with texts, and for those without. */
  readonly bytes: number;
}

interface Policy {
  /** Missing if the code that adds the entries removes them. */
  readonly limits?: Limits;
  /** Whether it's kept only for the history of versions, for which the person must have agreed. */
  readonly needsConsent?: true;
  /** Whether an unfinished entry may have the only copy of a text, which must survive a loss of power. */
  readonly hasOnlyCopy?: true;
  /** Whether the texts of files that may hold secrets stay in the memory of the window. */
  readonly keepsSecretsInMemory?: true;
}

const day = 86_400_000;
const saves = {
  limits: { age: 30 * day, most: 50, per: keyOf, bytes: 15_000_000 },
  needsConsent: true,
  hasOnlyCopy: true,
} as const satisfies Policy;
/** A separate limit: many deletions must not evict versions of saved files. */
const deletions = { ...saves, limits: { ...saves.limits, bytes: 1_500_000 } } as const satisfies Policy;
const environmentOf = ({ account, environment }: FilePlace) => `${account}/${environment}`;
/** What happened on a node, or on a layer. These have no texts. */
const events = {
  limits: { age: 30 * day, most: 200, per: environmentOf, bytes: 1_000_000 },
  needsConsent: true,
} as const satisfies Policy;
/** A separate limit: after many restarts, the versions of a file must still be found by the name that it has since. */
const names = { ...events, limits: { ...events.limits } } as const satisfies Policy;

const causes = [
  'save',
  'restore',
  'replaceInFile',
  'append',
  'delete',
  'rename',
  'overwrite',
  'replace',
  'restart',
  'redeploy',
  'edited',
  'configured',
] as const;
/** Why a text changed, or what happened at a place. */
type Cause = (typeof causes)[number];
/** `edited`: below a deployed project's folder, since the last deployment. `configured`: since the service was restarted. */
export type MarkCause = Extract<Cause, 'edited' | 'configured'>;

const policies = {
  save: saves,
  // The texts of a restore are in memory already, so those that may hold secrets don't go to the disk.
  restore: { ...saves, keepsSecretsInMemory: true },
  replaceInFile: saves,
  append: saves,
  delete: deletions,
  rename: names,
  restart: events,
  redeploy: events,
  /** Something deleted that VS Code may be about to overwrite. It's removed once it's certain that nothing needs it. */
  overwrite: { hasOnlyCopy: true },
  /** The texts before a replacement in several files, for undoing it. */
  replace: {
    limits: { age: 30 * day, most: 10, per: ({ account }: FilePlace) => account, byBatch: true, bytes: 40_000_000 },
    keepsSecretsInMemory: true,
  },
  // What must be known of a file without consent. These have only the digests of texts (see marks.ts).
  edited: {},
  configured: {},
} as const satisfies Record<Cause, Policy>;

/** What else limits what is kept, because more than the cause of an entry decides. */
export const retention = {
  /** An unfinished entry of a closed window is removed when it's so old. Only an overwrite stays until it's answered. */
  unfinished: { age: 30 * day },
  /** A longer text has no versions, because it would push out those of many other files. */
  version: { characters: 1_000_000 },
  /** A longer text isn't read before it's deleted, because a deletion of many files must not push out the texts of each other. */
  deleted: { bytes: 100_000 },
  /** After so long, something else has probably restarted the service. The memory of a window holds all texts of a file. */
  configured: { age: 30 * day, files: 100, characters: 500_000 },
  /** A longer text isn't compared with what is deployed. */
  edited: { characters: 2 * 1024 * 1024 },
  /** What waits in memory until the person has agreed to keep versions: texts, and as much of what happened to them. */
  waiting: { texts: 50 },
  /** The texts in memory of saves whose results weren't seen. */
  unseen: { files: 20, ofEach: 5 },
} as const;

/** The bytes of texts and records that all accounts may take together. Unfinished texts don't count. */
export interface JournalLimits {
  readonly policies: Readonly<Record<Cause, Policy>>;
  readonly bytes: number;
}

/** What is beyond a limit is removed once it's a tenth beyond, so these are a tenth below what may be on the disk. */
export const usualLimits = { policies, bytes: 90_000_000 } as const satisfies JournalLimits;

/** A text on the disk, which is stored once, however many entries have it. A mark names one that only others may have. */
const storedText = v.object({
  digest: v.string(),
  bytes: v.number(),
  /** Only the window that noted it has the text. */
  isInMemory: v.exactOptional(v.literal(true)),
});

const windowOwner = v.object({ window: v.string(), host: v.string(), workspace: v.optional(v.string()) });

export const entrySchema = v.object({
  id: v.string(),
  at: v.number(),
  place: storedPlace,
  cause: v.picklist(causes),
  state: v.picklist(['pending', 'verified', 'failed', 'unknown']),
  /** The window that noted it. */
  owner: windowOwner,
  /** What was done at once has the same batch. */
  batch: v.optional(v.string()),
  /** The text before, or `null` if there was no file. */
  before: v.nullish(storedText),
  after: v.nullish(storedText),
  /** What another window needs to go on with an edit. */
  edit: v.optional(
    v.object({
      /** What the edit is based on. The text of a version is the one before. */
      base: v.variant('kind', [
        v.object({ kind: v.literal('version'), place: storedPlace, approximate: v.exactOptional(v.boolean()) }),
        v.object({ kind: v.literal('anything') }),
        v.object({ kind: v.literal('unknown') }),
      ]),
      /** The file's last stat reported to VS Code. */
      reportedStat: v.optional(v.object({ mtime: v.number(), size: v.number() })),
      /** Whether the save targets one place or the whole layer. */
      scope: v.optional(v.picklist(['place', 'layer'])),
    }),
  ),
  /** The saves of a configuration file that its service hasn't read yet, oldest first, and what it was before each, if that's known. */
  saves: v.optional(v.array(v.object({ at: v.number(), before: v.nullish(storedText) }))),
  /** What is known of an edit that a redeploy would discard. */
  deployed: v.optional(
    v.object({
      /**
       * `added`: nothing was there before. `removed`: it was deleted, or has another name now. `unpacked`: the path is the
       * folder that an archive was unpacked into; which files came with it isn't known.
       */
      what: v.picklist(['changed', 'added', 'removed', 'unpacked']),
      archive: v.optional(v.string()),
      /** When it was first edited. */
      at: v.number(),
      /** When it was edited last, later with each edit. */
      lastAt: v.number(),
      /** What was applied to the local clone: digests of the node's text then, and of what the clone's file became by it. */
      applied: v.optional(v.object({ node: v.string(), made: v.optional(v.string()) })),
      /** When it was last checked, the deployed commit didn't have the file, so redeploys leave it alone. */
      isUntracked: v.optional(v.boolean()),
      /** The projects' folders that were redeployed since an archive was unpacked in a folder above them. */
      redeployed: v.optional(v.array(v.string())),
    }),
  ),
  /** Where something is that was deleted here, or the name that it has since. */
  movedTo: v.optional(storedPlace),
  /** When it was first found to be older than such entries are kept. */
  foundOldAt: v.optional(v.number()),
  /** The window that offered it to the person, because its own was closed. */
  offeredBy: v.optional(windowOwner),
});
const dropped = v.object({ dropped: v.string() });

/** What a text was before it changed, and after. */
export type Entry = v.InferOutput<typeof entrySchema>;
export type KeptText = v.InferOutput<typeof storedText>;
/** A line of a log: an entry, or that one isn't needed anymore. */
export type JournalRecord = Entry | v.InferOutput<typeof dropped>;

const schema = v.pipe(v.string(), v.parseJson(), v.union([entrySchema, dropped]));
const sumLength = digestOf('').length;

/** Begins with a line break, too, so that a damaged end of the previous record doesn't damage this one. */
export function lineOf(record: JournalRecord): string {
  const json = JSON.stringify(record);
  return `\n${digestOf(json)} ${json}\n`;
}

interface ParsedLog {
  readonly records: readonly JournalRecord[];
  /** What another version of Gantry wrote. */
  readonly foreign: readonly string[];
  /** What isn't what was written. */
  readonly damaged: readonly string[];
}

export function parseLog(text: string): ParsedLog {
  const [records, foreign, damaged]: [JournalRecord[], string[], string[]] = [[], [], []];
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const json = line.slice(sumLength + 1);
    const parsed = v.safeParse(schema, json);
    if (!line.startsWith(digestOf(json))) {
      damaged.push(line);
    } else if (parsed.success) {
      records.push(parsed.output);
    } else {
      foreign.push(line);
    }
  }
  return { records, foreign, damaged };
}

/** About as long as a record is. */
const recordBytes = 500;

/** What the limits depend on. */
interface Limited {
  readonly place: FilePlace;
  readonly at: number;
  readonly cause: Cause;
  readonly batch?: string | undefined;
  readonly state: string;
  readonly before?: KeptText | null | undefined;
  readonly after?: KeptText | null | undefined;
}

export function textsOf({ before, after }: Limited): readonly KeptText[] {
  return [before, after].filter((text) => text !== null && text !== undefined);
}

/** Whether it may hold the only copy of a text, or know the only place of something. */
export function isUnfinished(entry: Limited): boolean {
  return entry.state === 'pending' || (entry.state !== 'verified' && textsOf(entry).length > 0);
}

/**
 * Returns the entries that are beyond the limits, the oldest of each kind. If all of them take too much space, versions go
 * first, the oldest of all accounts. Unfinished texts are never among them.
 *
 * @param slack the factor by which sizes, and numbers other than of batches, may be exceeded
 */
export function excessOf<E extends Limited>(
  entries: readonly E[],
  { policies: all, bytes: mostBytes }: JournalLimits,
  now: number,
  { slack = 1 } = {},
): readonly E[] {
  const sums = new Map<unknown, number>();
  const counted = new Set<string>();
  const keys = new Map(Object.entries(all).map(([cause, { limits }]) => [limits, cause]));
  const add = (key: unknown, more: number, limit: number): boolean => {
    const sum = (sums.get(key) ?? 0) + more;
    sums.set(key, sum);
    return sum > limit;
  };
  return groupsIn(entries, all).flatMap(({ group, limits, at, isUnfinishedInPart }): readonly E[] => {
    const [{ place }] = group;
    const texts = group.flatMap(textsOf);
    const added = texts.filter(({ digest }) => counted.size < counted.add(place.account + digest).size);
    const size = added.reduce((sum, { bytes }) => sum + bytes, recordBytes * group.length);
    const isBatch = limits.byBatch === true;
    const [number, most] = isBatch ? [1, limits.most] : [texts.length || 1, limits.most * slack];
    const key = `${keys.get(limits)} ${limits.per(place)}`;
    const addNumber = () => add(key, number, most);
    // That a file with versions was deleted takes little space, and must not go because of what other files had.
    const kind = texts.length === 0 ? 'names' : 'texts';
    const addSize = () => add(`${keys.get(limits)} ${kind} of ${place.account}`, size, limits.bytes * slack);
    const isOld = now - at > limits.age;
    // The last batch may be going on, and a person may want to undo it right after, however much it is.
    if (isUnfinishedInPart || (isBatch && !isOld && !sums.has(key))) {
      // What stays anyway pushes out only others of its kind.
      addNumber();
      addSize();
      return [];
    }
    if (!isOld && !addNumber() && !addSize() && !add('', size, mostBytes * slack)) {
      return [];
    }
    // Other entries that stay, and have one of these texts, count it.
    added.forEach(({ digest }) => counted.delete(place.account + digest));
    return group;
  });
}

/** What is kept or removed as a whole: a batch, or one entry. */
interface Group<E> {
  readonly group: [E, ...E[]];
  readonly limits: Limits;
  /** When the last of them was noted. */
  readonly at: number;
  readonly isUnfinishedInPart: boolean;
  readonly isVersion: boolean;
}

/** Returns the finished entries that have limits, newest first, but all of the versions after everything else. */
function groupsIn<E extends Limited>(entries: readonly E[], all: JournalLimits['policies']): readonly Group<E>[] {
  const keyOfGroup = (entry: E) =>
    all[entry.cause].limits?.byBatch === true ? `${entry.cause} ${entry.place.account} ${entry.batch}` : entry;
  const unfinished = new Set<unknown>(entries.filter(isUnfinished).map(keyOfGroup));
  const groups = new Map<unknown, [E, ...E[]]>();
  for (const entry of entries.filter((one) => !isUnfinished(one))) {
    const key = keyOfGroup(entry);
    const group = groups.get(key);
    if (group === undefined) {
      groups.set(key, [entry]);
    } else {
      group.push(entry);
    }
  }
  const found = [...groups].flatMap(([key, group]) => {
    const { limits, needsConsent: isVersion = false } = all[group[0].cause];
    const at = group.reduce((latest, one) => Math.max(latest, one.at), -Infinity);
    return limits === undefined ? [] : [{ group, limits, at, isUnfinishedInPart: unfinished.has(key), isVersion }];
  });
  return found.sort((one, other) => Number(one.isVersion) - Number(other.isVersion) || other.at - one.at);
}
