import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { type Answer, Person } from '../../../support/person';
import { OpenRepository, withQuietGit } from '../../../support/openRepository';
import { commitOnDisk, inAHurry } from '../../../support/projects';
import { descriptionOf, rowsBelow } from '../../../support/trees';
import { untilTrue } from '../../../support/untilTrue';

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

  const row = async () => {
    const { view } = at.parts;
    const project = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    return descriptionOf(view, project ?? assert.fail('no project'));
  };

  /** Repositories and settings that are read meanwhile change what is known. The row follows each change. */
  const untilRow = async (wanted: string): Promise<void> => {
    let shown = await row();
    const again = async (): Promise<void> => {
      shown = await row();
    };
    const listening = at.parts.deployedStates.onDidChange(() => void again());
    const isShown = (): boolean => shown === wanted;
    await untilTrue(isShown, () => `the row says ${shown}`).finally(() => {
      listening.dispose();
    });
  };

  it("shows in the project's row that it checks, and then what it found until something is deployed", async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    // Other views of the window may have read the environments before the project was created.
    at.parts.environments.refresh();
    await row();
    await at.parts.deployedStates.look(at.place);
    await untilRow('master · up to date');
    const checking = check();
    assert.equal(await row(), 'checking…');
    await checking;
    assert.equal(await row(), `2 nodes at ${commit}, the newest commit on master`);
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await check({ presses: 'Fetch' });
    assert.equal(await row(), `2 nodes at ${commit}, 1 commit behind master`);
    await at.redeploy();
    await untilRow('master · up to date');
  });

  it('says what the nodes run without fetching, and fetches if asked to', async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    assert.deepEqual(await check(), [
      `ROOT on Saltmarsh Tea runs ${commit} on all nodes. ${commit} is the newest commit on master as of the last fetch.`,
    ]);
    const after = (await check({ presses: 'Fetch' })).at(-1);
    assert.equal(after, `ROOT on Saltmarsh Tea runs ${commit} on all nodes. 1 commit on master isn't deployed.`);
  });

  it("doesn't say that the nodes differ if one of them can't be read", async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    const [first, second] = [at.setUp.nodeId(0), at.setUp.nodeId(1)];
    at.setUp.platform.faults.add({
      operation: 'Read',
      parameters: { nodeid: String(second) },
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
    });
    assert.deepEqual(await check(), [
      `Couldn't read the deployed commit of some nodes of ROOT on Saltmarsh Tea (nginxphp ${first}: ${commit}, nginxphp ${second}: permission denied).`,
    ]);
  });

  it('names each node if they differ, also one without a clone', async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    const [first, second] = [at.setUp.nodeId(0), at.setUp.nodeId(1)];
    await rm(at.setUp.file(`${webroot}/ROOT/.git`, { node: 1 }), { recursive: true });
    assert.deepEqual(await check(), [
      `The nodes of ROOT on Saltmarsh Tea run different commits (nginxphp ${first}: ${commit}, nginxphp ${second}: no commit).`,
    ]);
  });

  it('says how far the commit is behind, even if files were edited on a node', async () => {
    const commit = (await commitOnDisk(at.setUp, 0))?.slice(0, 7) ?? '';
    await at.setUp.repository.commit({ message: 'second', files: { 'about.php': 'two\n' } });
    await at.edit('index.php', 'edited\n');
    const after = (await check({ presses: 'Fetch' })).at(-1);
    assert.equal(
      after,
      `ROOT on Saltmarsh Tea runs ${commit} on all nodes. 1 commit on master isn't deployed. ` +
        '1 file has been edited on a node.',
    );
  });

  it("says which branch it can't fetch because Git takes no such name", async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'no..branch' });
    const seen = (await check({ presses: 'Fetch' })).join('\n');
    assert.match(seen, /Git can't use this as a name: no\.\.branch\./);
    assert.doesNotMatch(seen, /Couldn't fetch/);
  });

  it("says so if it can't fetch", async () => {
    await rm(at.setUp.repository.folder, { recursive: true });
    const after = (await check({ presses: 'Fetch' })).at(-1);
    assert.equal(after, "Couldn't fetch master for ROOT on Saltmarsh Tea, so newer commits may exist.");
  });
});
