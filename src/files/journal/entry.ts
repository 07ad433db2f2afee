import * as v from 'valibot';
import { digestOf, storedPlace } from '../../storage/jsonFolder';
import { causes } from './policies';

/** A text on the disk, which is stored once, however many entries have it. A mark names one that only others may have. */
const storedText = v.object({
  digest: v.string(),
  bytes: v.number(),
  /** Only the window that noted it has the text. */
  isInMemory: v.exactOptional(v.literal(true)),
});

const entry = v.object({
  id: v.string(),
  at: v.number(),
  place: storedPlace,
  cause: v.picklist(causes),
  state: v.picklist(['pending', 'verified', 'failed', 'unknown']),
  /** The window that noted it. */
  owner: v.object({ window: v.string(), host: v.string() }),
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
      /** What was applied to the local clone: a digest of the node's text then, and of the texts there that didn't have it. */
      applied: v.optional(v.object({ node: v.string(), without: v.array(v.string()) })),
      /** When it was last checked, the deployed commit didn't have the file, so redeploys leave it alone. */
      isUntracked: v.optional(v.boolean()),
    }),
  ),
  /** Where something is that was deleted here. */
  movedTo: v.optional(storedPlace),
  /** When it was first found to be older than such entries are kept. */
  foundOldAt: v.optional(v.number()),
});
const dropped = v.object({ dropped: v.string() });

/** What a text was before it changed, and after. */
export type Entry = v.InferOutput<typeof entry>;
export type KeptText = v.InferOutput<typeof storedText>;
/** A line of a log: an entry, or that one isn't needed anymore. */
export type JournalRecord = Entry | v.InferOutput<typeof dropped>;

const schema = v.pipe(v.string(), v.parseJson(), v.union([entry, dropped]));
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
