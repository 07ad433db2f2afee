import assert from 'node:assert/strict';
import { cp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
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

/** Performs a random sequence on Gantry and on a disk, and compares the results and the trees. */
export async function checkSequence(
  seed: number,
  { gantry, file }: { readonly gantry: Subject; readonly file: Subject },
): Promise<void> {
  let runs = 0;
  const property = fc.asyncProperty(sequences, async (steps) => {
    runs += 1;
    const { actual, expected } = await perform(steps, gantry, file, `${seed}-${runs}`);
    assert.deepEqual(actual, expected);
  });
  await fc.assert(property, { numRuns: 1, seed: fastCheckSeed(seed), interruptAfterTimeLimit: shrinkLimit });
}

interface Outcome {
  readonly results: readonly string[];
  readonly tree: Tree;
}

async function perform(
  steps: readonly Step[],
  gantry: Subject,
  file: Subject,
  folder: string,
): Promise<{ readonly actual: Outcome; readonly expected: Outcome }> {
  const [disk, own] = [join(file.disk, folder), join(gantry.disk, folder)];
  await Promise.all([plant(disk, {}), plant(own, {})]);
  await gantry.forget();
  gantry.kept();
  const [actual, expected]: [string[], string[]] = [[], []];
  try {
    for (const one of steps) {
      const result = await resultOf(one, Uri.joinPath(gantry.root, folder));
      const wanted = await resultOf(one, Uri.joinPath(file.root, folder));
      actual.push(isKnownDifference(one, wanted, result) ? wanted : result);
      expected.push(wanted);
      // A disk loses a target that a failed move or copy was replacing. Gantry keeps it, and shows it from then on.
      for (const kept of gantry.kept()) {
        await cp(kept, join(disk, relative(own, kept)), { recursive: true });
      }
    }
    await gantry.settled();
    return {
      actual: { results: actual, tree: await treeOf(own) },
      expected: { results: expected, tree: await treeOf(disk) },
    };
  } finally {
    // Otherwise the listing of the parent folder would grow with each sequence.
    await Promise.all([disk, own].map((path) => rm(path, { recursive: true, force: true })));
  }
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
