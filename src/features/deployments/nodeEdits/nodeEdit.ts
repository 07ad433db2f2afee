import * as v from 'valibot';
import type { FilePlace } from '../../../containers/place';

export const nodeEditSchema = v.object({
  account: v.string(),
  environment: v.string(),
  layer: v.string(),
  nodeId: v.optional(v.number()),
  path: v.string(),
  /**
   * `added`: nothing was there before. `removed`: it was deleted, or has another name now. `unpacked`: the path is the
   * folder that an archive was unpacked into; which files came with it isn't known.
   */
  what: v.optional(v.picklist(['changed', 'added', 'removed', 'unpacked']), 'changed'),
  archive: v.optional(v.string()),
  /** The file's text before the first edit, if it was read. */
  before: v.optional(v.string()),
  at: v.number(),
  /** When it was edited last, later with each edit. */
  lastAt: v.optional(v.number()),
  /** What was applied to the local clone: a digest of the node's text then, and of the texts there that didn't have it. */
  applied: v.optional(v.object({ node: v.string(), without: v.array(v.string()) })),
  /** When it was last checked, the deployed commit didn't have the file, so redeploys leave it alone. */
  isUntracked: v.optional(v.boolean()),
});
/** A file or folder below a project's folder that was edited through Gantry since the last deployment. */
export type NodeEdit = v.InferOutput<typeof nodeEditSchema>;
export type NodeEditKind = Pick<NodeEdit, 'what' | 'before' | 'archive'>;

export function placeOfEdit({ account, environment, layer, nodeId, path }: NodeEdit): FilePlace {
  const target = nodeId === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId };
  return { kind: 'file', account, environment, target, path };
}

export function mergeNodeEdits<T extends NodeEditKind>(
  earlier: T | undefined,
  doing: NodeEditKind,
): T | NodeEditKind | 'nothing' {
  const { what } = doing;
  if (earlier === undefined) {
    return doing;
  }
  switch (earlier.what) {
    case 'added':
      return what === 'removed' ? 'nothing' : earlier;
    case 'changed':
      return what === 'removed' ? { what, before: earlier.before } : earlier;
    case 'removed':
      return what === 'removed' ? earlier : { what: 'changed', before: earlier.before };
    case 'unpacked':
      return earlier;
  }
}
