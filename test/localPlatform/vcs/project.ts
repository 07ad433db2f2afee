import * as v from 'valibot';

/** Scripts by hook name. */
export const hooksSchema = v.strictObject({
  preDeploy: v.optional(v.string()),
  postDeploy: v.optional(v.string()),
  preBuild: v.optional(v.string()),
  postBuild: v.optional(v.string()),
});
export type Hooks = v.InferOutput<typeof hooksSchema>;
export type HookName = keyof Hooks;

const settingsEntries = {
  type: v.picklist(['GIT', 'SVN']),
  /** The URL without credentials. */
  url: v.string(),
  branch: v.string(),
  keyId: v.optional(v.number()),
  login: v.optional(v.string()),
  /** Not encrypted, because auto-update needs it later. Only the owner can read the file. */
  password: v.optional(v.string()),
  autoupdate: v.boolean(),
  /** Minutes, as text in the contract. */
  interval: v.string(),
  /** Without it, conflicts are resolved, as in the vendor's container. */
  autoResolveConflict: v.optional(v.boolean()),
  zdt: v.boolean(),
  hooks: hooksSchema,
  /** Seconds between the nodes of a layer. */
  delay: v.number(),
  repoHash: v.optional(v.string()),
};
export const settingsSchema = v.strictObject(settingsEntries);
/** The fields that CreateProject and EditProject store. */
export type ProjectSettings = v.InferOutput<typeof settingsSchema>;

/** Returns the settings of a project, to add others like it. */
export const settingsOf = (project: ProjectSettings): ProjectSettings => v.parse(v.object(settingsEntries), project);

export const projectSchema = v.strictObject({
  ...settingsEntries,
  id: v.number(),
  envName: v.string(),
  nodeGroup: v.string(),
  context: v.string(),
  /** The deployed revision of each node, by node ID. A node without an entry gets a new checkout. */
  deployed: v.record(v.string(), v.string()),
  /** The log of the last deployment. */
  log: v.string(),
  /** When auto-update last checked, in the platform's time. */
  checkedAt: v.number(),
});
export type Project = v.InferOutput<typeof projectSchema>;
