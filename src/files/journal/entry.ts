import * as v from 'valibot';
import { digestOf, storedPlace } from '../../storage/jsonFolder';
import { causes } from './policies';

/** A text on the disk, which is stored once, however many entries have it. */
const storedText = v.object({ digest: v.string(), bytes: v.number() });

const entry = v.object({
  id: v.string(),
  at: v.number(),
  place: storedPlace,
  cause: v.picklist(causes),
  state: v.picklist(['pending', 'verified', 'failed', 'unknown']),
  /** The window that noted it. */
  window: v.string(),
  /** What was done at once has the same batch. */
  batch: v.exactOptional(v.string()),
  /** The text before, or `null` if there was no file. */
  before: v.nullish(storedText),
  after: v.nullish(storedText),
});
const dropped = v.object({ dropped: v.string() });

/** What a text was before it changed, and after. */
export type Entry = v.InferOutput<typeof entry>;
export type KeptText = v.InferOutput<typeof storedText>;
/** A line of a log: an entry, or that one isn't needed anymore. */
export type JournalRecord = Entry | v.InferOutput<typeof dropped>;

const schema = v.pipe(v.string(), v.parseJson(), v.union([entry, dropped]));
const sumLength = digestOf('').length;

/** A line break before it, too, so that damage to the record before, even to its end, doesn't reach this one. */
export function lineOf(record: JournalRecord): string {
  const json = JSON.stringify(record);
  return `\n${digestOf(json)} ${json}\n`;
}

/** Returns the records of a log, and the lines that aren't what was written. */
export function parseLog(text: string): { readonly records: JournalRecord[]; readonly damaged: readonly string[] } {
  const records: JournalRecord[] = [];
  const damaged = text.split('\n').filter((line) => {
    const json = line.slice(sumLength + 1);
    const parsed = line.startsWith(digestOf(json)) ? v.safeParse(schema, json) : undefined;
    if (parsed?.success === true) {
      records.push(parsed.output);
    }
    return line !== '' && parsed?.success !== true;
  });
  return { records, damaged };
}
