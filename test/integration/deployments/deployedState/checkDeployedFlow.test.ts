import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { type Answer, Person } from '../../support/person';
import { OpenRepository, withQuietGit } from '../../support/openRepository';
import { commitOnDisk, inAHurry } from '../../support/projects';

describe('Check Deployed Commit', () => {
  let at: OpenRepository;
  let person: Person;

  inAHurry();
  withQuietGit();
  beforeEach(async () => {
    at = await OpenRepository.start();
    await at.create();
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await at.end();
  });

  const check = async (...answers: readonly Answer[]) => {
    await person.answering(answers, () => commands.executeCommand('gantry.project.checkDrift', at.place));
    return person.seen;
  };

  it('says what the nodes run without fetching, and fetches if asked to', async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    assert.deepEqual(await check(), [
      `ROOT on Saltmarsh Tea runs ${commit} on all nodes. ${commit} is the newest commit on master as of the last fetch.`,
    ]);
    const after = (await check({ presses: 'Fetch' })).at(-1);
    assert.equal(after, `ROOT on Saltmarsh Tea runs ${commit} on all nodes. 1 commit on master isn't deployed.`);
  });

  it("says so if it can't fetch", async () => {
    await rm(at.setUp.repository.folder, { recursive: true });
    const after = (await check({ presses: 'Fetch' })).at(-1);
    assert.equal(after, "Couldn't fetch master for ROOT on Saltmarsh Tea, so newer commits may exist.");
  });
});
