import { mayHaveHappened } from '../../platform/lostReply';
import { isCanceled } from '../../platform/errors';
import { failed } from '../../platform/failureTexts';
import { workOnAll } from '../../async/taskPool';
import type { Plan, PlannedFile } from './plan';
import {
  type ArrivedFile,
  stopIfAborted,
  type TransferTarget,
  type TransferFailure,
  type TransferReport,
} from './transfer';

interface Run {
  /** Whether the user agreed to replace an existing file. Without this, none is replaced. */
  readonly mayReplace?: (file: PlannedFile) => boolean;
  readonly signal: AbortSignal;
  onProgress?(path: string, share: number): void;
}

/** Enough to hide the latency, but few enough to leave capacity for others. */
const filesAtOnce = 4;

interface Sent {
  readonly file: PlannedFile;
  readonly bytes: number;
  /** The response was lost, so check whether the file arrived. */
  readonly lost: unknown;
}

/** Runs a plan. A failure doesn't stop the rest, and everything is reported. */
export async function runPlan(plan: Plan, run: Run): Promise<TransferReport> {
  const failures: TransferFailure[] = [...plan.failures];
  const unmade = await makeFolders(plan, run.signal, failures);
  const isWanted = (file: PlannedFile) => file.existing === undefined || run.mayReplace?.(file) === true;
  const reachable = plan.files.filter(({ path }) => !unmade.some((folder) => path.startsWith(`${folder}/`)));
  const wanted = reachable.filter(isWanted);
  const sent = await sendFiles(wanted, run, failures);
  const done = await lookUp(sent, run.signal, failures);
  const accounted = new Set([...done, ...failures.map(({ path }) => path)]);
  // Every file is in one of the three lists, even one that wasn't reached because the user stopped.
  const skipped = plan.files.map(({ path }) => path).filter((path) => !accounted.has(path));
  const isCut = wanted.some(({ path }) => !accounted.has(path)) || failures.some(({ error }) => isCanceled(error));
  return { done, skipped, failures, isCanceled: run.signal.aborted && isCut };
}

/** Returns the paths of folders that couldn't be created. Their content is skipped. */
async function makeFolders(plan: Plan, signal: AbortSignal, failures: TransferFailure[]): Promise<readonly string[]> {
  const unmade: string[] = [];
  for (const { at, path } of plan.folders) {
    stopIfAborted(signal);
    if (unmade.some((folder) => path.startsWith(`${folder}/`))) {
      continue;
    }
    try {
      await at.make(signal);
    } catch (error) {
      unmade.push(path);
      failures.push({ path, error });
    }
  }
  return unmade;
}

async function sendFiles(files: readonly PlannedFile[], run: Run, failures: TransferFailure[]): Promise<Sent[]> {
  const sent: Sent[] = [];
  let finished = 0;
  await workOnAll(files, filesAtOnce, run.signal, async (file) => {
    try {
      const bytes = await file.source.read(run.signal);
      const lost = await put(file, bytes, run.signal);
      sent.push({ file, bytes: bytes.length, lost });
    } catch (error) {
      if (!run.signal.aborted || !isCanceled(error)) {
        failures.push({ path: file.path, error });
      }
    }
    finished += 1;
    run.onProgress?.(file.path, finished / files.length);
  });
  return sent;
}

/** Returns an error if it isn't known whether the file arrived. */
async function put({ into, source, existing }: PlannedFile, bytes: Uint8Array, signal: AbortSignal): Promise<unknown> {
  try {
    await into.put(source.name, bytes, existing, signal);
    return undefined;
  } catch (error) {
    if (mayHaveHappened(error)) {
      return error;
    }
    throw error;
  }
}

/** Verifies that every byte arrived. Also after a cancel, to report what arrived before. */
async function lookUp(sent: readonly Sent[], aborted: AbortSignal, failures: TransferFailure[]): Promise<string[]> {
  const done: string[] = [];
  const byFolder = new Map<TransferTarget, Sent[]>();
  for (const one of sent) {
    const others = byFolder.get(one.file.into) ?? [];
    others.push(one);
    byFolder.set(one.file.into, others);
  }
  const signal = aborted.aborted ? AbortSignal.timeout(lookAfterCancelling) : aborted;
  await workOnAll([...byFolder], filesAtOnce, signal, async ([folder, files]) => {
    const arrived = await folder.arrived(signal).then<Arrivals, Arrivals>(
      (now) => ({ files: now }),
      (error: unknown) => ({ error }),
    );
    for (const { file, bytes, lost } of files) {
      const problem = problemOf(arrived, file, bytes, lost);
      if (problem === undefined) {
        done.push(file.path);
      } else {
        failures.push({ path: file.path, error: problem, isSent: true });
      }
    }
  });
  return done;
}

const lookAfterCancelling = 10_000;

type Arrivals = { readonly files: ReadonlyMap<string, ArrivedFile> | undefined } | { readonly error: unknown };

function problemOf(
  arrived: Arrivals,
  { source: { name }, existing, path }: PlannedFile,
  bytes: number,
  lost: unknown,
): unknown {
  if ('error' in arrived) {
    return lost ?? arrived.error;
  }
  if (arrived.files === undefined) {
    return lost;
  }
  if (lost !== undefined && existing !== undefined) {
    // The old file may have had the same length.
    return lost;
  }
  const file = arrived.files.get(name);
  const isWrong = (length: number | undefined) => length !== bytes && (length !== undefined || lost !== undefined);
  if (file?.lengths.some(isWrong) === false) {
    return undefined;
  }
  const incomplete = { kind: 'platform', operation: 'Write', target: path, object: { path } } as const;
  return (file === undefined ? lost : undefined) ?? failed({ ...incomplete, obstacle: 'sizeDiffers' });
}
