import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { failuresFolder } from './folders';

/** Writes files that help to diagnose a failed test, such as screenshots and logs, to the folder. */
export type EvidenceSource = (folder: string) => Promise<void>;

/** Says that files run again, so that the evidence of their first run stays. Started processes get it, too. */
export const attemptVariable = 'GANTRY_ATTEMPT';

const sources = new Set<EvidenceSource>();
const pending = new Set<Promise<void>>();

/**
 * Registers a source that is called when a test fails. The returned function removes it and waits for pending evidence.
 */
export function offerEvidence(source: EvidenceSource): () => Promise<void> {
  sources.add(source);
  return async () => {
    sources.delete(source);
    await evidenceKept();
  };
}

/**
 * Stores screenshots and logs of everything that is open in a folder named after the test. Returns undefined if nothing
 * is open.
 */
export function keepEvidence(title: string): string | undefined {
  if (sources.size === 0) return undefined;
  const folder = newFolder(join(failuresFolder, process.env[attemptVariable] ?? 'first'), folderName(title));
  const kept = gather(folder).catch((error: unknown) => console.error(`Could not keep all of ${folder}:`, error));
  pending.add(kept);
  void kept.then(() => pending.delete(kept));
  return folder;
}

export async function evidenceKept(): Promise<void> {
  await Promise.all(pending);
}

/** A test that fails in several runs of an attempt keeps the evidence of each. */
function newFolder(parent: string, name: string): string {
  mkdirSync(parent, { recursive: true });
  for (let count = 1; ; count += 1) {
    const folder = join(parent, count === 1 ? name : `${name}-${count}`);
    if (existsSync(folder)) continue;
    mkdirSync(folder, { recursive: true });
    return folder;
  }
}

async function gather(folder: string): Promise<void> {
  await Promise.all([...sources].map((source) => source(folder)));
}

function folderName(title: string): string {
  return title
    .replaceAll(/[^\w.]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100);
}
