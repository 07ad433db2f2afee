import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { Uri, workspace } from 'vscode';
import { encodeText } from '../../src/files/text';
import { codeOf } from '../integration/files/provider/conformance/cases';
import {
  fileSubject,
  gantrySubject,
  plant,
  type Subject,
  type Tree,
  treeOf,
} from '../integration/files/provider/conformance/subject';
import { fastCheckSeed } from './seededRandom';
import type { SoakTest } from './soakTest';

const { fs } = workspace;

/** Random file and folder operations inside the extension host: Gantry returns the same results as a disk and ends with the same tree. */
export const treeSequences: SoakTest = {
  name: 'sequences',
  concurrency: 1,
  timeLimit: 40_000,
  setUp: async () => {
    const subjects = { gantry: await gantrySubject(), file: await fileSubject() };
    return {
      runCase: (seed) => checkSequence(seed, subjects),
      dispose: async () => {
        await subjects.gantry.dispose();
        await subjects.file.dispose();
      },
    };
  },
};

type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'makeFolder' | 'read' | 'list' | 'stat'; readonly path: string }
  | { readonly do: 'delete'; readonly path: string; readonly recursive: boolean }
  | { readonly do: 'rename' | 'copy'; readonly path: string; readonly to: string; readonly overwrite: boolean };

// Few names, so that steps often use the same paths.
const path = fc.constantFrom('a', 'b', 'f', 'f/a', 'f/b', 'f/g', 'f/g/a', 'a/x');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom('', 'x', 'ü\r\n', '🏗️') }),
  fc.record({ do: fc.constantFrom('makeFolder' as const, 'read' as const, 'list' as const, 'stat' as const), path }),
  fc.record({ do: fc.constant('delete' as const), path, recursive: fc.boolean() }),
  fc.record({ do: fc.constantFrom('rename' as const, 'copy' as const), path, to: path, overwrite: fc.boolean() }),
);
const sequences = fc.noBias(fc.array(step, { minLength: 5, maxLength: 25 }));

/** The time limit for shrinking a failed sequence, in milliseconds. */
const shrinkLimit = 15_000;

/** A documented difference: on a disk, recursively deleting a missing path succeeds. */
const isKnownDifference = (one: Step, file: string, gantry: string) =>
  one.do === 'delete' && one.recursive && file === 'done' && gantry === 'FileNotFound';

/** Performs a random sequence on a disk and on Gantry, and compares the results and the trees. */
export async function checkSequence(
  seed: number,
  { gantry, file }: { readonly gantry: Subject; readonly file: Subject },
): Promise<void> {
  let runs = 0;
  const property = fc.asyncProperty(sequences, async (steps) => {
    runs += 1;
    const folder = `${seed}-${runs}`;
    const expected = await perform(steps, file, folder);
    const actual = await perform(steps, gantry, folder);
    const results = actual.results.map((result, index) => {
      const [one, wanted] = [steps[index], expected.results[index] ?? ''];
      return one !== undefined && isKnownDifference(one, wanted, result) ? wanted : result;
    });
    assert.deepEqual({ ...actual, results }, expected);
  });
  await fc.assert(property, { numRuns: 1, seed: fastCheckSeed(seed), interruptAfterTimeLimit: shrinkLimit });
}

async function perform(
  steps: readonly Step[],
  subject: Subject,
  folder: string,
): Promise<{ results: string[]; tree: Tree }> {
  const disk = join(subject.disk, folder);
  await plant(disk, {});
  await subject.forget();
  try {
    const root = Uri.joinPath(subject.root, folder);
    const results: string[] = [];
    for (const one of steps) {
      results.push(await resultOf(one, root));
    }
    await subject.settled();
    const tree = await treeOf(disk);
    const mayShow = (index: number) => steps[index]?.do === 'list' && mayKeepBackup(steps.slice(0, index), results);
    return {
      results: results.map((result, index) => (mayShow(index) ? withoutBackupNames(result) : result)),
      tree: mayKeepBackup(steps, results) ? withoutBackups(tree) : tree,
    };
  } finally {
    // Otherwise the listing of the parent folder would grow with each sequence.
    await rm(disk, { recursive: true, force: true });
  }
}

/** Whether something failed that Gantry can take for the second half of an overwrite. */
function mayKeepBackup(steps: readonly Step[], results: readonly string[]): boolean {
  const isDeleted = (one: Step): boolean => one.do === 'delete' && one.recursive;
  const firstDelete = steps.findIndex(isDeleted);
  const changes = new Set(['write', 'makeFolder', 'rename', 'copy']);
  return steps.some((one, index) => {
    const overwrites = 'overwrite' in one && one.overwrite;
    const followsDelete = firstDelete >= 0 && index > firstDelete && changes.has(one.do);
    return results[index] !== 'done' && (overwrites || followsDelete);
  });
}

/** Gantry's name for what it keeps next to a target. */
const backupName = /^\.[^/]+\.[0-9a-f]{8}~$/;

/** A disk loses a target that a failed move or copy was replacing. Gantry keeps it next to the target, and shows it. */
function withoutBackups(tree: Tree): Tree {
  const isBackup = (path: string) => path.split('/').some((name) => backupName.test(name));
  return Object.fromEntries(Object.entries(tree).filter(([path]) => !isBackup(path)));
}

function withoutBackupNames(listed: string): string {
  return listed
    .split(',')
    .filter((name) => !backupName.test(name))
    .join();
}

async function resultOf(one: Step, root: Uri): Promise<string> {
  try {
    return (await performStep(one, root)) ?? 'done';
  } catch (error) {
    return codeOf(error);
  }
}

async function performStep(one: Step, root: Uri): Promise<string | undefined> {
  const at = Uri.joinPath(root, one.path);
  switch (one.do) {
    case 'write':
      await fs.writeFile(at, encodeText(one.text));
      return undefined;
    case 'makeFolder':
      await fs.createDirectory(at);
      return undefined;
    case 'read':
      return new TextDecoder().decode(await fs.readFile(at));
    case 'list':
      return (await fs.readDirectory(at))
        .map(([name]) => name)
        .sort()
        .join();
    case 'stat':
      return String((await fs.stat(at)).type);
    case 'delete':
      await fs.delete(at, { recursive: one.recursive, useTrash: false });
      return undefined;
    case 'rename':
      await fs.rename(at, Uri.joinPath(root, one.to), { overwrite: one.overwrite });
      return undefined;
    case 'copy':
      await fs.copy(at, Uri.joinPath(root, one.to), { overwrite: one.overwrite });
      return undefined;
  }
}
