import * as v from 'valibot';

/** Scripts by the moment they run. */
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
  /** Without login and password, wherever they were sent. */
  url: v.string(),
  branch: v.string(),
  keyId: v.optional(v.number()),
  login: v.optional(v.string()),
  /** In clear: auto-update has to send it long after the person has gone. The file is for its owner alone. */
  password: v.optional(v.string()),
  autoupdate: v.boolean(),
  /** Minutes, as the contract has them: text. */
  interval: v.string(),
  autoResolveConflict: v.boolean(),
  zdt: v.boolean(),
  hooks: hooksSchema,
  /** Seconds between the nodes of a layer. */
  delay: v.number(),
  repoHash: v.optional(v.string()),
};
export const settingsSchema = v.strictObject(settingsEntries);
/** What CreateProject and EditProject store. */
export type ProjectSettings = v.InferOutput<typeof settingsSchema>;

export const projectSchema = v.strictObject({
  ...settingsEntries,
  id: v.number(),
  envName: v.string(),
  nodeGroup: v.string(),
  context: v.string(),
  /** The revision that stands on each node, by the node's id. A node without a row gets a fresh checkout. */
  deployed: v.record(v.string(), v.string()),
  /** What the last deployment said. */
  log: v.string(),
  /** When auto-update last looked, in the platform's time. */
  checkedAt: v.number(),
});
export type Project = v.InferOutput<typeof projectSchema>;
