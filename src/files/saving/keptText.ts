import * as v from 'valibot';
import type { Base, Version } from './base';

const target = v.object({ nodeGroup: v.string(), nodeId: v.exactOptional(v.number()) });
const place = v.object({
  kind: v.literal('file'),
  account: v.string(),
  environment: v.string(),
  target,
  path: v.string(),
});
const entry = v.object({
  absolutePath: v.string(),
  name: v.string(),
  isDir: v.boolean(),
  lastModified: v.optional(v.string()),
  length: v.optional(v.number()),
});
const version = v.object({ text: v.string(), entry: v.optional(entry), place, at: v.number() });

const keptText = v.object({
  form: v.literal(1),
  place,
  /** The window that edits the file. */
  owner: v.object({ window: v.string(), host: v.string() }),
  /** Milliseconds since the epoch. */
  at: v.number(),
  base: v.variant('kind', [
    v.object({ kind: v.literal('version'), version, approximate: v.exactOptional(v.boolean()) }),
    v.object({ kind: v.literal('anything') }),
    v.object({ kind: v.literal('unknown') }),
  ]),
  /** What VS Code was last told of the file. */
  told: v.optional(v.object({ mtime: v.number(), size: v.number() })),
  /** What was to be saved, from the moment a save begins. */
  text: v.optional(v.string()),
  /** Whether that save writes to one place or to the whole layer. */
  reach: v.optional(v.picklist(['place', 'layer'])),
});

/** An edit as it is kept on disk, to outlive the window it is made in. */
export type KeptText = v.InferOutput<typeof keptText>;

const stored = v.pipe(v.string(), v.parseJson(), keptText);

/** `undefined` where a file is not what this version of Gantry writes. */
export function parseKeptText(text: string): KeptText | undefined {
  const parsed = v.safeParse(stored, text);
  return parsed.success ? parsed.output : undefined;
}

/** Of the listing only what a later save compares. */
export function keptBase(base: Base): KeptText['base'] {
  return base.kind === 'version' ? { ...base, version: keptVersion(base.version) } : base;
}

function keptVersion({ text, entry: listed, place: where, at }: Version): v.InferOutput<typeof version> {
  return {
    text,
    entry: listed && {
      absolutePath: listed.absolutePath,
      name: listed.name,
      isDir: listed.isDir,
      lastModified: listed.lastModified,
      length: listed.length,
    },
    place: where,
    at,
  };
}
