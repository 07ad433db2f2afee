import * as v from 'valibot';

const shortcutSchema = v.strictObject({ keyword: v.string(), path: v.string(), isDir: v.optional(v.boolean(), true) });

/** The common properties of all nodes in a layer. */
const stackEntries = {
  /** The software stack, such as `nginxphp` or `mysql`. */
  nodeType: v.string(),
  isVcsSupport: v.optional(v.boolean(), false),
  singleContext: v.optional(v.boolean(), false),
  contextValidatorRegex: v.optional(v.string()),
  /** The restricted user for all work in the container. */
  containerUser: v.string(),
  /** The file manager's shortcuts, which a listing without a path returns. */
  shortcuts: v.optional(v.array(shortcutSchema), []),
  /** The container's variables. A change has no effect before a restart. */
  variables: v.optional(v.record(v.string(), v.string()), {}),
};

const nodeSchema = v.strictObject({
  ...stackEntries,
  id: v.number(),
  name: v.string(),
  envName: v.string(),
  nodeGroup: v.string(),
  ismaster: v.boolean(),
  /** As that of an environment: 1 is running. */
  status: v.optional(v.number(), 1),
  /** Whether its main service runs. */
  service: v.optional(v.picklist(['running', 'stopped']), 'running'),
  /**
   * The owners of paths and everything below them without an entry. Files on disk belong to the user who runs the
   * platform.
   */
  owners: v.record(v.string(), v.picklist(['root', 'user'])),
  /** The sample environment with the node's files. The node gets them when they are first needed. */
  filesOf: v.optional(v.string()),
  /** The variables that the service was started with. Missing before the first restart. */
  effectiveVariables: v.optional(v.record(v.string(), v.string())),
});
export type Node = v.InferOutput<typeof nodeSchema>;

export const environmentSchema = v.strictObject({
  envName: v.string(),
  displayName: v.string(),
  domain: v.string(),
  /** Whether its domain has a certificate. */
  sslstate: v.optional(v.boolean()),
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
  /** Absolute paths that belong to the container user, with everything below them. Everything else belongs to root. */
  owned: v.optional(v.array(v.string()), []),
  /** Folders to create, for those that are empty in the sample. */
  folders: v.optional(v.array(v.string()), []),
  /** Links to create: path to target, as the container sees both. */
  links: v.optional(v.record(v.string(), v.string()), {}),
  /** Octal mode bits that a checkout can't store, such as `"/etc/shadow": "600"`. */
  modes: v.optional(v.record(v.string(), v.pipe(v.string(), v.regex(/^[0-7]{3,4}$/u))), {}),
});

/** The input for an environment, as in `sample/environments.json`. */
export const environmentDescriptionSchema = v.strictObject({
  envName: v.string(),
  displayName: v.optional(v.string()),
  domain: v.optional(v.string()),
  sslstate: v.optional(v.boolean()),
  status: v.optional(v.number(), 1),
  layers: v.array(layerDescriptionSchema),
});
export const sampleSchema = v.strictObject({ environments: v.array(environmentDescriptionSchema) });

export type LayerDescription = v.InferOutput<typeof layerDescriptionSchema>;
export type EnvironmentDescription = v.InferOutput<typeof environmentDescriptionSchema>;
/** The input before defaults are filled in. */
export type EnvironmentInput = v.InferInput<typeof environmentDescriptionSchema>;
