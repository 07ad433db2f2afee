import type { ProbeDeps, ProbedContainer, Probed } from './observation';
import type { CheckResult } from './checkSchema';
import { probeByReading } from './readProbes';
import { inScratchFolder, type ScratchDeps, type ScratchResult } from './scratchFolder';
import { probeByWriting } from './writeProbes';
import type { FilePlace } from '../containers/place';

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
  name: string,
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

function toResult({ facts, observations }: Probed): CheckResult {
  return {
    ...{ checkedAt: Date.now(), facts, observations: [...observations] },
    ...{ hasWritten: false, isIncomplete: false, leftFolders: 0 },
  };
}
