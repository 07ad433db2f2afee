import * as v from 'valibot';

const target = v.object({ nodeGroup: v.string(), nodeId: v.exactOptional(v.number()) });
export const storedPlace = v.object({
  kind: v.literal('file'),
  account: v.string(),
  environment: v.string(),
  target,
  path: v.string(),
});
