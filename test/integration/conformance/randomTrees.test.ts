import assert from 'node:assert/strict';
import { join } from 'node:path';
import fc from 'fast-check';
import { after, before, describe, it } from 'mocha';
import { Uri, workspace } from 'vscode';
import { encodeText } from '../../../src/files/text';
import { codeOf } from './cases';
import { fileSubject, gantrySubject, plant, type Subject, type Tree, treeOf } from './subject';

const { fs } = workspace;
/** GANTRY_SEQUENCES=1000 for a long night, GANTRY_SEED for others than usual. */
const sequences = Number(process.env['GANTRY_SEQUENCES'] ?? 60);
const firstSeed = Number(process.env['GANTRY_SEED'] ?? 1);
const portion = 20;

type Step =
  | { readonly do: 'write'; readonly path: string; readonly text: string }
  | { readonly do: 'makeFolder' | 'read' | 'list' | 'stat'; readonly path: string }
  | { readonly do: 'delete'; readonly path: string; readonly recursive: boolean }
  | { readonly do: 'rename' | 'copy'; readonly path: string; readonly to: string; readonly overwrite: boolean };

// Few names, so that steps meet.
const path = fc.constantFrom('a', 'b', 'f', 'f/a', 'f/b', 'f/g', 'f/g/a', 'a/x');
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('write' as const), path, text: fc.constantFrom('', 'x', 'ü\r\n', '🏗️') }),
  fc.record({ do: fc.constantFrom('makeFolder' as const, 'read' as const, 'list' as const, 'stat' as const), path }),
  fc.record({ do: fc.constant('delete' as const), path, recursive: fc.boolean() }),
  fc.record({ do: fc.constantFrom('rename' as const, 'copy' as const), path, to: path, overwrite: fc.boolean() }),
);

/** What the table of differences names: deleting what is not there is done on a disk. */
const isKnownDifference = (one: Step, file: string, gantry: string) =>
  one.do === 'delete' && one.recursive && file === 'done' && gantry === 'FileNotFound';

describe('sequences of operations', () => {
  let gantry: Subject;
  let file: Subject;
  let count = 0;

  before(async function () {
    if (process.platform === 'win32') {
      this.skip();
    }
    [gantry, file] = [await gantrySubject(), await fileSubject()];
  });

  after(async () => {
    await gantry.dispose();
    await file.dispose();
  });

  async function perform(steps: readonly Step[], subject: Subject): Promise<{ answers: string[]; tree: Tree }> {
    count += 1;
    const folder = `run-${count}`;
    const disk = join(subject.disk, folder);
    await plant(disk, {});
    await subject.forget();
    const root = Uri.joinPath(subject.root, folder);
    const answers: string[] = [];
    for (const one of steps) {
      answers.push(await answer(one, root));
    }
    return { answers, tree: await treeOf(disk) };
  }

  for (let first = 0; first < sequences; first += portion) {
    const numRuns = Math.min(portion, sequences - first);
    it(`${first + 1} to ${first + numRuns} end in the same tree with the same answers as on a disk`, async function () {
      this.timeout(60_000);
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
          const expected = await perform(steps, file);
          const actual = await perform(steps, gantry);
          const answers = actual.answers.map((given, index) => {
            const [one, wanted] = [steps[index], expected.answers[index] ?? ''];
            return one !== undefined && isKnownDifference(one, wanted, given) ? wanted : given;
          });
          assert.deepEqual({ ...actual, answers }, expected);
        }),
        { numRuns, seed: firstSeed + first },
      );
    });
  }
});

async function answer(one: Step, root: Uri): Promise<string> {
  try {
    return (await take(one, root)) ?? 'done';
  } catch (error) {
    return codeOf(error);
  }
}

async function take(one: Step, root: Uri): Promise<string | undefined> {
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
