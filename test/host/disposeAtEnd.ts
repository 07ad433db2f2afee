type Dispose = () => Promise<void>;

const atEnd = new Set<Dispose>();
const afterJob = new Set<Dispose>();
let hasMoreFiles = false;

/** Registers a function that disposes of a resource shared by the test files of this process. It runs after the last file. */
export function disposeAtEnd(dispose: Dispose): void {
  atEnd.add(dispose);
}

export async function disposeShared(): Promise<void> {
  await disposeOf(atEnd);
}

/** Registers a function that disposes of what a file left open for the next files of its job. It runs after the last of them. */
export function disposeAfterJob(dispose: Dispose): void {
  afterJob.add(dispose);
}

/** Whether other files follow in the job, which use what this one leaves open. */
export function othersFollow(): boolean {
  return hasMoreFiles;
}

/** Runs a file of a job. */
export async function inJob(isLast: boolean, runFile: () => Promise<unknown>): Promise<void> {
  hasMoreFiles = !isLast;
  await runFile();
  if (isLast) await disposeOf(afterJob);
}

async function disposeOf(disposals: Set<Dispose>): Promise<void> {
  const all = [...disposals];
  disposals.clear();
  await Promise.all(all.map((dispose) => dispose()));
}
