import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import type { Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { typed } from '../../../support/person';
import {
  commitOnDisk,
  endPeopledProject,
  inAHurry,
  type PeopledProject,
  redeployed,
  startPeopledProject,
  trustPins,
} from '../../../support/projects';

describe('what a redeploy of a project with a commit in its settings shows', () => {
  let at: PeopledProject;
  let second: string;

  inAHurry();
  afterEach(() => endPeopledProject(at));

  const start = async (...args: Parameters<typeof startPeopledProject>) => {
    at = await startPeopledProject(...args);
    await at.setUp.create({ autoResolveConflict: true });
    await at.setUp.succeed('Update', { context: 'ROOT' });
    second = await commit('two');
    await redeploy();
  };
  const commit = (text: string, branch = 'master') =>
    at.setUp.repository.commit({ message: text, branch, files: { 'index.php': `${text}\n` } });
  const redeploy = () => redeployed(at.parts, { place: at.place, consent: 'confirmed' });
  const edit = (wishes: Wishes) =>
    at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true, ...wishes });
  const isPinning = () => at.parts.pins.has({ account: at.account.slug, kind: 'GIT' });
  const disks = () => Promise.all([commitOnDisk(at.setUp, 0), commitOnDisk(at.setUp, 1)]);

  it('is that the platform deploys it, if each node was moved to it although the branch has a newer one', async () => {
    await start();
    assert.equal(isPinning(), false);
    await edit({ repoHash: at.setUp.first });
    await redeploy();
    assert.deepEqual(await disks(), [at.setUp.first, at.setUp.first]);
    assert.equal(isPinning(), true);
    await edit({ repoHash: '' });
    await redeploy();
    const back = [typed(at.setUp.first.slice(0, 7)), 'Roll Back'];
    await at.person.answering(back, () => commands.executeCommand('gantry.project.rollBack', at.place));
    assert.deepEqual(await disks(), [at.setUp.first, at.setUp.first]);
    assert.equal((await at.parts.projects.read(at.place)).settings.branch, 'master');
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    await redeploy();
    assert.deepEqual(await disks(), [second, second]);
    assert.equal(isPinning(), false, 'one redeploy shows that it is ignored');
  });

  it('is that the platform ignores it, also if only a later check can read the nodes', async () => {
    await start();
    await trustPins(at.place);
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    await edit({ repoHash: at.setUp.first });
    const fault = { kind: 'refuse', result: 4037, error: 'permission denied' } as const;
    const hidden = at.setUp.platform.faults.add({ operation: 'Read', times: 'always', fault });
    const record = (await redeploy()) ?? assert.fail('not redeployed');
    assert.equal(record.verdict.kind, 'unverified');
    assert.equal(isPinning(), true);
    hidden.remove();
    const seen = await at.parts.redeploys.lookAgain(record);
    assert.deepEqual(seen.verdict, { kind: 'contradicted', because: 'notPinned' });
    assert.equal(isPinning(), false);
  });

  it("is nothing if it's the newest commit, or if it was deployed already", async () => {
    await start();
    const third = await commit('three');
    await edit({ repoHash: third });
    await redeploy();
    assert.deepEqual(await disks(), [third, third]);
    assert.equal(isPinning(), false);
    await commit('four');
    await redeploy();
    assert.deepEqual(await disks(), [third, third]);
    assert.equal(isPinning(), false);
  });

  it("is nothing on the vendor's platform", async () => {
    await start(vendorDeployments);
    await edit({ repoHash: at.setUp.first });
    assert.deepEqual((await redeploy())?.verdict, { kind: 'contradicted', because: 'notPinned' });
    assert.deepEqual(await disks(), [second, second]);
    assert.equal(isPinning(), false);
  });

  it('is nothing if the branch was changed to one that is at this commit on the nodes', async () => {
    await start(vendorDeployments);
    const next = await commit('next', 'next');
    await edit({ branch: 'next' });
    await redeploy();
    await edit({ branch: 'master' });
    await redeploy();
    await commit('newer', 'next');
    await edit({ branch: 'next', repoHash: next });
    await redeploy();
    assert.deepEqual(await disks(), [next, next]);
    assert.equal(isPinning(), false);
  });

  it('is nothing if a node only failed to pull', async () => {
    await start({ ...vendorDeployments, pullFailures: 'output' });
    // Checks out the commit itself, after which no pull works.
    await edit({ branch: at.setUp.first });
    await redeploy();
    await edit({ branch: at.setUp.first, repoHash: at.setUp.first });
    await redeploy();
    assert.deepEqual(await disks(), [at.setUp.first, at.setUp.first]);
    assert.equal(isPinning(), false);
  });
});
