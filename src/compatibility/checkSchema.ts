import * as v from 'valibot';
import { factsSchema } from './facts';

const optionalNumber = v.optional(v.number());
const optionalText = v.optional(v.string());
/** One request of a check and how it was answered, without any value of either. */
const observation = v.object({
  /** The operation, and what was special about the request. */
  step: v.string(),
  /** The platform's code, 0 for success. Undefined if the response has none. */
  code: optionalNumber,
  status: optionalNumber,
  shape: optionalText,
  /** Why there is no response: the kind of error. */
  failure: optionalText,
});

/** A check of a platform, as stored with the account. Contains no values from the platform or the user. */
export const checkSchema = v.object({
  /** Milliseconds since the epoch. */
  checkedAt: v.number(),
  facts: factsSchema,
  observations: v.array(observation),
  hasWritten: v.boolean(),
  /** Whether the part that writes ended early. */
  isIncomplete: v.boolean(),
  leftFolders: v.number(),
});
export type CheckResult = v.InferOutput<typeof checkSchema>;
