import * as v from 'valibot';

const target = v.object({ nodeGroup: v.string(), nodeId: v.exactOptional(v.number()) });
const place = v.object({
  kind: v.literal('file'),
  account: v.string(),
  environment: v.string(),
  target,
  path: v.string(),
});
const version = v.object({ text: v.string(), place });

const keptText = v.object({
  form: v.literal(1),
  place,
  /** The window that edits the file. */
  owner: v.object({ window: v.string(), host: v.string() }),
  /** Milliseconds since the epoch. */
  at: v.number(),
  /** When it was first found to have expired. */
  foundOldAt: v.optional(v.number()),
  base: v.variant('kind', [
    v.object({ kind: v.literal('version'), version, approximate: v.exactOptional(v.boolean()) }),
    v.object({ kind: v.literal('anything') }),
    v.object({ kind: v.literal('unknown') }),
  ]),
  /** What VS Code was last told of the file. */
  told: v.optional(v.object({ mtime: v.number(), size: v.number() })),
  /** What was to be saved, from the moment a save begins. */
  text: v.optional(v.string()),
  /** Where what was deleted here is now. */
  aside: v.exactOptional(place),
  /** Whether that save writes to one place or to the whole layer. */
  reach: v.optional(v.picklist(['place', 'layer'])),
});

/** An edit as it is kept on disk, to outlive the window it is made in. */
export type Backup = v.InferOutput<typeof keptText>;

const stored = v.pipe(v.string(), v.parseJson(), keptText);

/** `undefined` where a file is not what this version of Gantry writes. */
export function parseBackup(text: string): Backup | undefined {
  const parsed = v.safeParse(stored, text);
  return parsed.success ? parsed.output : undefined;
}
