import { type Failure } from './events/runRecord';

/** A file with failures, by its path below `test`. It's empty if failures belong to no file. */
export interface FailedFile {
  readonly suite: string;
  readonly path: string;
  readonly failures: readonly Failure[];
}

/** What to do about failed files: nothing if none failed. */
type Decision =
  | { readonly kind: 'nothing' }
  /** The run has failed: why these files don't run again. */
  | { readonly kind: 'final'; readonly because: string }
  | { readonly kind: 'again'; readonly files: readonly FailedFile[] };

/** More failed files in a run than this aren't a matter of chance. */
const mostFiles = 3;

/** Unit tests that measure time: another process can slow them down. The others may measure their own processor time. */
export const measureTime: readonly string[] = [
  'unit/containers/environmentPatterns.test.ts',
  'unit/containers/listingCache.test.ts',
  'unit/containers/pathFilter.test.ts',
  'unit/features/deployments/nodeEdits/patch.test.ts',
  'unit/platform/redactSpeed.test.ts',
  'unit/platform/sending/brokenTls.test.ts',
  'unit/platform/sending/callWithRetries.test.ts',
  'unit/platform/sending/fetchSender.test.ts',
  'unit/platform/sending/requestLimit.test.ts',
  'unit/platform/sending/uploader.test.ts',
  'unit/platform/wire/files.test.ts',
  'unit/features/search/goToFile/nameSearch.test.ts',
  'unit/ui/interruptible.test.ts',
  'unit/ui/terminalText.test.ts',
];

/** Tests whose single failure may mean a lost text, a change that wasn't asked for, or a leaked secret. */
export const protective: readonly string[] = [
  'soak/',
  'unit/soak/',
  'unit/platform/redact.test.ts',
  'unit/platform/secrets.test.ts',
  'integration/accounts/limitedToken.test.ts',
  'integration/containers/secretFiles.test.ts',
  'integration/features/agents/agentTasks.test.ts',
  'integration/features/agents/agentTools.test.ts',
  'integration/features/agents/projectTools.test.ts',
  'integration/features/deployments/nodeEdits/applyEdits.test.ts',
  'integration/features/deployments/nodeEdits/nodeEditsAtRisk.test.ts',
  'integration/features/deployments/redeploy/branchSwitches.test.ts',
  'integration/features/deployments/redeploy/redeployConfirmation.test.ts',
  'integration/features/deployments/redeploySequences.test.ts',
  'integration/features/deployments/nodeEdits/keptEdits.test.ts',
  'integration/features/deployments/rollBack/',
  'integration/features/mounts/mountProductionData.test.ts',
  'integration/features/search/replace/replaceInFiles.test.ts',
  'integration/features/tree/changedLayers.test.ts',
  'integration/features/tree/productionQuestions.test.ts',
  'integration/features/variables/variableConflicts.test.ts',
  'integration/files/provider/overwriteBackups.test.ts',
  'integration/files/saving/conflictCommands.test.ts',
  'integration/files/saving/edits/opaqueEdits.test.ts',
  'integration/files/saving/interruptedSavesCommands.test.ts',
  'integration/files/saving/saveFaults.test.ts',
  'integration/files/saving/saves.test.ts',
  'integration/files/saving/uncertainSaves.test.ts',
  'integration/files/provider/conformance/',
  'integration/features/deployments/redeploy/redeployFaults.test.ts',
  'integration/platform/lostAnswers.test.ts',
  'integration/features/restart/restoreAndRestartFlow.test.ts',
  'integration/support/everyRun.ts',
  'integration/features/versions/',
  'e2e/agentTools.test.ts',
  'e2e/saving.test.ts',
  'e2e/secrets.test.ts',
];

/**
 * Decides which failed files run once more, alone. A failure is final if it can't come from a slow machine, or if it
 * must never happen even once.
 *
 * @param before how many files of this run have failed before and ran again
 */
export function chooseReruns(failed: readonly FailedFile[], before = 0): Decision {
  if (failed.length === 0) return { kind: 'nothing' };
  const final = failed.filter((file) => file.failures.some((failure) => isFinal(file, failure)));
  if (final.length > 0) return { kind: 'final', because: `these failures are final: ${final.map(nameOf).join(', ')}` };
  const all = failed.length + before;
  if (all > mostFiles) return { kind: 'final', because: `${all} files failed, too many to be chance` };
  return { kind: 'again', files: failed };
}

/** Whether a file must not run again after this failure. */
export function isFinal({ suite, path }: Omit<FailedFile, 'failures'>, { cause }: Failure): boolean {
  if (path === '') return true;
  if (cause === 'timeout' || cause === 'crash') return false;
  // What a window throws in a test through it says nothing about texts, such as that its page was closed.
  if (protective.some((start) => path.startsWith(start))) return cause === 'assertion' || suite !== 'e2e';
  return suite === 'unit' && !measureTime.includes(path);
}

function nameOf({ suite, path }: FailedFile): string {
  return path === '' ? `${suite} itself` : path;
}
