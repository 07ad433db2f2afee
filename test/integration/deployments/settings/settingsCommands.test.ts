import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import {
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../support/projects';

describe('Delete Project', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.work.create(at.place, wantedFrom(at.setUp));
    // Lists the environments with the display name that must be entered.
    await at.parts.view.getChildren();
  });
  afterEach(() => endPeopledProject(at));

  const deletes = () =>
    at.person.answering(['Saltmarsh Tea'], () => commands.executeCommand('gantry.project.delete', at.place));
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
  /** Another person's change after the name was entered. */
  const changedThen = (url: string) => {
    const { work } = at.parts;
    const usual = work.delete.bind(work);
    work.delete = async (...args) => {
      work.delete = usual;
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, url });
      return usual(...args);
    };
  };

  it("doesn't delete what someone else has made of the project since the question, and says what changed", async () => {
    changedThen(`${at.setUp.url}/other.git`);
    await deletes();
    assert.match(at.person.seen.at(-1) ?? '', /Nothing was sent, .*: Repository URL: \S+ → \S+other\.git\. Try again/);
    assert.equal(count('DeleteProject'), 0);
    await deletes();
    assert.equal(count('DeleteProject'), 1);
    assert.match(at.person.seen.at(-1) ?? '', /Deleted ROOT from Saltmarsh Tea/);
  });
});
