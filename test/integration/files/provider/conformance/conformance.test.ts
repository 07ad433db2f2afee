import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import { skipOn } from '../../../../host/skipOn';
import { type Case, cases, codeOf, fixture, modes, under } from './cases';
import { differences } from './differences';
import { fileSubject, type GantrySubject, gantrySubject, plant, type Subject, type Tree, treeOf } from './subject';
import { Uri } from 'vscode';

interface Result {
  readonly answer: string;
  readonly tree: Tree;
}

describe('the file system compared with VS Code’s own for the disk', () => {
  let gantry: GantrySubject;
  let file: Subject;
  let count = 0;

  before(async function () {
    skipOn(this, 'win32');
    [gantry, file] = [await gantrySubject(), await fileSubject()];
  });

  after(async () => {
    await gantry.dispose();
    await file.dispose();
  });

  async function resultOf(one: Case, subject: Subject): Promise<Result> {
    count += 1;
    const folder = `case-${count}`;
    const disk = join(subject.disk, folder);
    await plant(disk, fixture);
    await setModes(disk, one);
    await subject.forget();
    const run = async () => describeAnswer(await one.run(under(Uri.joinPath(subject.root, folder)), subject));
    const answer = await (one.needsRights === true ? subject.unprivileged(run) : run()).catch(codeOf);
    await subject.settled();
    await openAgain(disk, one);
    return { answer, tree: await treeOf(disk) };
  }

  for (const one of cases) {
    it(one.title, async () => {
      const expected = await resultOf(one, file);
      const actual = await resultOf(one, gantry);
      const known = differences[one.title];
      if (known === undefined) {
        assert.deepEqual(actual, expected);
      } else {
        assert.deepEqual({ file: expected.answer, gantry: actual.answer }, { file: known.file, gantry: known.gantry });
      }
    });
  }

  it('has no documented difference without a test case', () => {
    const titles = cases.map(({ title }) => title);
    assert.deepEqual(
      Object.keys(differences).filter((title) => !titles.includes(title)),
      [],
    );
  });
});

function describeAnswer(answer: unknown): string {
  return answer === undefined ? 'done' : JSON.stringify(answer);
}

async function setModes(disk: string, { needsRights }: Case): Promise<void> {
  for (const [path, mode] of needsRights === true ? Object.entries(modes) : []) {
    await chmod(join(disk, path), mode);
  }
}

async function openAgain(disk: string, { needsRights }: Case): Promise<void> {
  for (const path of needsRights === true ? Object.keys(modes) : []) {
    // A deleted or moved path needs no new permissions.
    await chmod(join(disk, path), path.includes('.') ? 0o644 : 0o755).catch(() => undefined);
  }
}
