import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import {
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../../support/projects';

describe('Delete Project', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
    // Lists the environments with the display name that must be entered.
    await at.parts.view.getChildren();
  });
  afterEach(() => endPeopledProject(at));

  const deletes = () =>
    at.person.answering(['Saltmarsh Tea'], () => commands.executeCommand('gantry.project.delete', at.place));
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
  /** Another person's change after the name was entered. */
  const changedThen = (wishes: Wishes) => {
    const { projectOperations } = at.parts;
    const usual = projectOperations.delete.bind(projectOperations);
    projectOperations.delete = async (...args) => {
      projectOperations.delete = usual;
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, ...wishes });
      return usual(...args);
    };
  };

  it("doesn't delete what someone else has made of the project since the question, and says what changed", async () => {
    changedThen({ url: `${at.setUp.url}/other.git` });
    await deletes();
    assert.match(at.person.seen.at(-1) ?? '', /Nothing was sent, .*: Repository URL: \S+ → \S+other\.git\. Try again/);
    assert.equal(count('DeleteProject'), 0);
    await deletes();
    assert.equal(count('DeleteProject'), 1);
    assert.match(at.person.seen.at(-1) ?? '', /Deleted ROOT from Saltmarsh Tea/);
  });

  it("doesn't delete hooks that someone else has entered since the question", async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"make"}' });
    changedThen({ hooks: '{"preDeploy":"make","postDeploy":"theirs"}' });
    await deletes();
    assert.match(at.person.seen.at(-1) ?? '', /Nothing was sent, .*: Post-deploy hook: changed\. Try again/);
    assert.equal(count('DeleteProject'), 0);
    await deletes();
    assert.equal(count('DeleteProject'), 1);
  });

  it("is possible although the hooks can't be read, as long as that's so from the start", async () => {
    const denied = { kind: 'refuse', result: 4037, error: 'denied' } as const;
    at.setUp.platform.faults.add({ operation: 'GetList', nth: 2, times: 'always', fault: denied });
    await deletes();
    assert.match(
      at.person.seen.at(-1) ?? '',
      /^Nothing was deleted, because Gantry couldn't compare the hooks again: .*denied/,
    );
    assert.equal(count('DeleteProject'), 0);
    await deletes();
    assert.equal(count('DeleteProject'), 1);
  });
});
