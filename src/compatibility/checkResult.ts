import * as v from 'valibot';
import type { ProbeDeps, ProbedContainer, Probed } from './observation';
import { factsSchema } from './facts';
import { probeByReading } from './readProbes';
import { inScratchFolder, scratchName, type ScratchDeps, type ScratchResult } from './scratchFolder';
import { probeByWriting } from './writeProbes';
import { childOf, type FilePlace } from '../containers/place';

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

/** The part of a check that changes nothing. */
export async function checkByReading(deps: ProbeDeps, container: ProbedContainer): Promise<CheckResult> {
  return toResult(await probeByReading(deps, container));
}

/** A check with the part that writes, and the folders that it couldn't remove. */
export interface WrittenCheck {
  readonly result: CheckResult;
  readonly left: readonly FilePlace[];
  /** Why the part that writes ended early. */
  readonly error?: unknown;
}

/** Adds the part that writes, in a new folder below `parents`, one for each node. */
export async function checkByWriting(
  deps: ProbeDeps & Pick<ScratchDeps, 'parents' | 'pauses'>,
  before: CheckResult,
  name = scratchName(),
): Promise<WrittenCheck> {
  const scratch: ScratchResult<Probed> = await inScratchFolder(deps, name, (folders) => probeByWriting(deps, folders));
  const probed = 'value' in scratch ? scratch.value : { facts: {}, observations: [] };
  const result = {
    ...before,
    facts: { ...before.facts, ...probed.facts },
    observations: [...before.observations, ...probed.observations],
    hasWritten: true,
    isIncomplete: 'error' in scratch,
    leftFolders: scratch.left.length,
  };
  return { result, left: scratch.left, ...('error' in scratch ? { error: scratch.error } : {}) };
}

/** The folders that a check would create, to name them in the question. */
export function scratchFolders(parents: readonly FilePlace[], name: string): readonly FilePlace[] {
  return parents.map((parent) => childOf(parent, name));
}

function toResult({ facts, observations }: Probed): CheckResult {
  return {
    ...{ checkedAt: Date.now(), facts, observations: [...observations] },
    ...{ hasWritten: false, isIncomplete: false, leftFolders: 0 },
  };
}
