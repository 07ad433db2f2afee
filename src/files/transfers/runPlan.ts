import { mayHaveHappened } from '../../platform/changeOnce';
import { isCancelled } from '../../platform/errors';
import { runBounded, stopIfAborted } from './bounded';
import type { Plan, PlannedFile } from './plan';
import type { TransferTarget, TransferFailure, TransferReport } from './transfer';

export interface Run {
  /** What happens to files that are there already. */
  readonly existing: 'replace' | 'skip';
  readonly signal: AbortSignal;
  /** How many files at a time. */
  readonly limit?: number;
  onProgress?(path: string, share: number): void;
}

/** Enough to hide the way to the platform, few enough to leave it room for others. */
const usualLimit = 4;

interface Sent {
  readonly file: PlannedFile;
  readonly bytes: number;
  /** The answer was lost: whether it arrived is looked up. */
  readonly lost: unknown;
}

/** Carries out a plan: whatever fails does not stop the rest, and all of it is reported. */
export async function runPlan(plan: Plan, run: Run): Promise<TransferReport> {
  const failures: TransferFailure[] = [...plan.failures];
  const unmade = await makeFolders(plan, run.signal, failures);
  const isWanted = ({ exists }: PlannedFile) => !exists || run.existing === 'replace';
  const reachable = plan.files.filter(({ path }) => !unmade.some((folder) => path.startsWith(`${folder}/`)));
  const sent = await sendFiles(reachable.filter(isWanted), run, failures);
  const done = await lookUp(sent, run.signal, failures);
  const accounted = new Set([...done, ...failures.map(({ path }) => path)]);
  // Every file is in one of the three, also what was never come to because the person stopped it.
  const skipped = plan.files.map(({ path }) => path).filter((path) => !accounted.has(path));
  return { done, skipped, failures };
}

/** Answers the paths of folders that could not be made; nothing in them is tried. */
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
  await runBounded(files, run.limit ?? usualLimit, run.signal, async (file) => {
    try {
      const bytes = await file.source.read(run.signal);
      const lost = await put(file, bytes, run.signal);
      sent.push({ file, bytes: bytes.length, lost });
    } catch (error) {
      if (!run.signal.aborted || !isCancelled(error)) {
        failures.push({ path: file.path, error });
      }
    }
    finished += 1;
    run.onProgress?.(file.path, finished / files.length);
  });
  return sent;
}

/** Answers the error after which it is not known whether the file arrived. */
async function put({ into, source, exists }: PlannedFile, bytes: Uint8Array, signal: AbortSignal): Promise<unknown> {
  try {
    await into.put(source.name, bytes, { replace: exists }, signal);
    return undefined;
  } catch (error) {
    if (mayHaveHappened(error)) {
      return error;
    }
    throw error;
  }
}

/** A transfer is done when every byte of it is seen to be there. Also after cancelling: what arrived by then is told. */
async function lookUp(sent: readonly Sent[], aborted: AbortSignal, failures: TransferFailure[]): Promise<string[]> {
  const done: string[] = [];
  const byFolder = new Map<TransferTarget, Sent[]>();
  for (const one of sent) {
    const others = byFolder.get(one.file.into);
    if (others === undefined) {
      byFolder.set(one.file.into, [one]);
    } else {
      others.push(one);
    }
  }
  const signal = aborted.aborted ? AbortSignal.timeout(lookAfterCancelling) : aborted;
  await runBounded([...byFolder], usualLimit, signal, async ([folder, files]) => {
    const arrived = await arrivals(folder, signal);
    for (const { file, bytes, lost } of files) {
      const problem = problemOf(arrived, file, bytes, lost);
      if (problem === undefined) {
        done.push(file.path);
      } else {
        failures.push({ path: file.path, error: problem, wasSent: true });
      }
    }
  });
  return done;
}

const lookAfterCancelling = 10_000;

type Arrivals = { readonly lengths: ReadonlyMap<string, number | undefined> | undefined } | { readonly error: unknown };

async function arrivals(folder: TransferTarget, signal: AbortSignal): Promise<Arrivals> {
  try {
    return { lengths: await folder.arrived(signal) };
  } catch (error) {
    return { error };
  }
}

function problemOf(
  arrived: Arrivals,
  { source: { name }, exists }: PlannedFile,
  bytes: number,
  lost: unknown,
): unknown {
  if ('error' in arrived) {
    return lost ?? arrived.error;
  }
  if (arrived.lengths === undefined) {
    return lost;
  }
  if (lost !== undefined && exists) {
    // The previous file may have had the same length.
    return lost;
  }
  if (!arrived.lengths.has(name)) {
    return lost ?? new Incomplete(bytes, 0);
  }
  const length = arrived.lengths.get(name);
  return length === bytes || (length === undefined && lost === undefined)
    ? undefined
    : new Incomplete(bytes, length ?? 0);
}

/** Fewer or more bytes arrived than were sent. */
export class Incomplete extends Error {
  override readonly name = 'Incomplete';

  constructor(
    readonly sent: number,
    readonly arrived: number,
  ) {
    super(`${sent} bytes were sent and ${arrived} arrived.`);
  }
}
