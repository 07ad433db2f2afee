import * as v from 'valibot';

const shortcutSchema = v.strictObject({ keyword: v.string(), path: v.string(), isDir: v.optional(v.boolean(), true) });

/** What is the same for all nodes of a layer. */
const stackEntries = {
  /** The software stack: `nginxphp`, `mysql`. */
  nodeType: v.string(),
  isVcsSupport: v.optional(v.boolean(), false),
  singleContext: v.optional(v.boolean(), false),
  contextValidatorRegex: v.optional(v.string()),
  /** The restricted user that all work in the container runs as. */
  containerUser: v.string(),
  /** The file manager's own shortcuts, shown by a listing without path. */
  shortcuts: v.optional(v.array(shortcutSchema), []),
};

const nodeSchema = v.strictObject({
  ...stackEntries,
  id: v.number(),
  name: v.string(),
  envName: v.string(),
  nodeGroup: v.string(),
  ismaster: v.boolean(),
  /** Who owns a path and all below it that has no row of its own: files on disk belong to whoever runs the platform. */
  owners: v.record(v.string(), v.picklist(['root', 'user'])),
});
export type Node = v.InferOutput<typeof nodeSchema>;

export const environmentSchema = v.strictObject({
  envName: v.string(),
  displayName: v.string(),
  domain: v.string(),
  /** 1 running, 2 down, 3 launching, 4 sleeping, 6 creating, 7 cloning, 11 broken, 12 updating, 13 stopping. */
  status: v.number(),
  layers: v.array(v.strictObject({ name: v.string(), displayName: v.string(), nodes: v.array(nodeSchema) })),
});
export type Environment = v.InferOutput<typeof environmentSchema>;

const layerDescriptionSchema = v.strictObject({
  ...stackEntries,
  name: v.string(),
  displayName: v.optional(v.string()),
  nodeName: v.optional(v.string()),
  nodes: v.optional(v.number(), 1),
  /** Absolute paths that belong to the container user with all below them; everything else is root's. */
  owned: v.optional(v.array(v.string()), []),
  /** Folders to make, for those that are empty in the sample. */
  folders: v.optional(v.array(v.string()), []),
  /** Links to make: path to target, as the container sees both. */
  links: v.optional(v.record(v.string(), v.string()), {}),
  /** Mode bits in octal, `"/etc/shadow": "600"`, where a checkout cannot carry them. */
  modes: v.optional(v.record(v.string(), v.pipe(v.string(), v.regex(/^[0-7]{3,4}$/u))), {}),
});

/** An environment to make, as in `sample/environments.json`. */
export const environmentDescriptionSchema = v.strictObject({
  envName: v.string(),
  displayName: v.optional(v.string()),
  domain: v.optional(v.string()),
  status: v.optional(v.number(), 1),
  layers: v.array(layerDescriptionSchema),
});
export const sampleSchema = v.strictObject({ environments: v.array(environmentDescriptionSchema) });

export type LayerDescription = v.InferOutput<typeof layerDescriptionSchema>;
export type EnvironmentDescription = v.InferOutput<typeof environmentDescriptionSchema>;
/** The same before the defaults are filled in. */
export type EnvironmentInput = v.InferInput<typeof environmentDescriptionSchema>;
