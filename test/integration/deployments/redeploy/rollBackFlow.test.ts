import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Answer } from '../../support/person';
import {
  commitOnDisk,
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../support/projects';

describe('Roll Back', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.work.create(at.place, wantedFrom(at.setUp));
  });
  afterEach(() => endPeopledProject(at));

  const rollBack = (...answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand('gantry.project.rollBack', at.place));
  const settings = async () => (await at.parts.projects.read(at.place)).settings;
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);

  it('can undo a setting that the platform accepted but ignores', async () => {
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    await at.setUp.update();
    const first = await commitOnDisk(at.setUp, 0);
    assert.ok(first);
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const choosesHash = ['Enter commit hash', first] as const;
    const takesBack = { presses: 'Restore Settings' };
    await rollBack(...choosesHash, 'Roll Back', takesBack);
    assert.match(at.person.seen.join('\n'), /The platform deployed \S+ instead of/);
    assert.equal(count('EditProject'), 2);
    assert.equal((await settings()).repoHash ?? '', '');
    assert.equal((await settings()).branch, 'master');
  });
});
