import * as v from 'valibot';
import { factsSchema } from './facts';

const optionalNumber = v.optional(v.number());
const optionalText = v.optional(v.string());
const observation = v.object({
  step: v.string(),
  code: optionalNumber,
  status: optionalNumber,
  shape: optionalText,
  failure: optionalText,
});

/** A check of a platform, as stored with the account. Contains no value that the platform or a person gave. */
export const checkSchema = v.object({
  /** Milliseconds since the epoch. */
  checkedAt: v.number(),
  facts: factsSchema,
  observations: v.array(observation),
  /** Whether the check also wrote. */
  hasWritten: v.boolean(),
  /** Whether the part that writes ended early. */
  isIncomplete: v.boolean(),
  /** How many scratch folders couldn't be removed. */
  leftFolders: v.number(),
});
export type CheckResult = v.InferOutput<typeof checkSchema>;
