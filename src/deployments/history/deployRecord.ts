import * as v from 'valibot';
import { redeployResultSchema } from '../redeploy/redeployResult';

const nodeChange = v.object({
  name: v.string(),
  nodeId: v.optional(v.number()),
  before: v.optional(v.string()),
  after: v.optional(v.string()),
  unreadable: v.optional(v.string()),
});

/** One redeploy from here: when, from which commit to which, how long, how it ended, and what the platform's log said. */
export const deployRecord = v.object({
  id: v.string(),
  account: v.string(),
  environment: v.string(),
  layer: v.string(),
  context: v.string(),
  /** One node only. */
  nodeId: v.optional(v.number()),
  branch: v.optional(v.string()),
  /** Nothing was deployed before. */
  isFirst: v.optional(v.boolean()),
  /** The commit that the project asks for instead of the branch's newest. */
  pinnedTo: v.optional(v.string()),
  startedAt: v.number(),
  milliseconds: v.number(),
  verdict: redeployResultSchema,
  nodes: v.array(nodeChange),
  log: v.string(),
});
export type DeployRecord = v.InferOutput<typeof deployRecord>;

/** Whether it deployed something to the nodes, according to the platform. */
export function hasDeployed({ verdict }: DeployRecord): boolean {
  return verdict.kind === 'deployed' || verdict.kind === 'unverified';
}
