import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Behaviour, vendorDeployments } from '../../../localPlatform/behaviour';
import { webroot } from '../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../support/deployedProject';
import { commitOnDisk, inAHurry, messageOf } from '../../support/projects';

describe('a redeploy after the branch of a project was changed, without a clone here', () => {
  let at: DeployedProject;

  inAHurry();
  afterEach(() => at.end());

  const change = (branch: string) => at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch });
  const commit = (text: string) =>
    at.setUp.repository.commit({ message: text, files: { 'index.php': text }, branch: 'next' });
  const onDisks = () => Promise.all([commitOnDisk(at.setUp, 0), commitOnDisk(at.setUp, 1)]);

  /** Deploys master, and first `next` if the nodes are to know it. Then pushes to `next`, and returns that commit. */
  const leftBehind = async (behaviour: Partial<Behaviour>, { isKnown }: { readonly isKnown: boolean }) => {
    at = await DeployedProject.start(behaviour);
    await commit('next');
    await at.setUp.create({ updateNow: true, branch: isKnown ? 'next' : 'master' });
    await change('master');
    await at.setUp.succeed('Update', { context: 'ROOT' });
    const newest = await commit('newer');
    await change('next');
    return newest;
  };

  it("isn't called deployed where the platform pulled the branch before, until a second one", async () => {
    const newest = await leftBehind(vendorDeployments, { isKnown: true });
    const record = await at.redeploy();
    const [old = ''] = await onDisks();
    assert.notEqual(old, newest);
    assert.deepEqual(record.verdict, { kind: 'contradicted', because: 'behind' });
    assert.equal(
      messageOf(record),
      `ROOT on Saltmarsh Tea runs ${old.slice(0, 7)}, but that may not be the newest commit on next, ` +
        'because its branch was changed. Redeploy again.',
    );
    assert.deepEqual((await at.redeploy()).verdict, { kind: 'deployed', commit: newest });
    assert.deepEqual(await onDisks(), [newest, newest]);
  });

  it('of one node is checked on that node', async () => {
    const newest = await leftBehind(vendorDeployments, { isKnown: true });
    const node = at.setUp.nodeId(1);
    assert.deepEqual((await at.redeploy(node)).verdict, { kind: 'contradicted', because: 'behind' });
    assert.deepEqual((await at.redeploy(node)).verdict, { kind: 'deployed', commit: newest });
  });

  for (const [title, behaviour, isKnown] of [
    ['is up to date by one redeploy', {}, true],
    ['is up to date by one redeploy, and the nodes never had the branch', {}, false],
    ['gets a branch that the nodes never had', vendorDeployments, false],
  ] as const) {
    it(`is called deployed where it ${title}`, async () => {
      const newest = await leftBehind(behaviour, { isKnown });
      assert.deepEqual((await at.redeploy()).verdict, { kind: 'deployed', commit: newest });
      assert.deepEqual(await onDisks(), [newest, newest]);
    });
  }

  it("isn't called deployed if the clone doesn't say which commit is the newest", async () => {
    await leftBehind({}, { isKnown: true });
    await at.redeploy();
    await change('master');
    at.setUp.platform.faults.add({
      operation: 'Read',
      parameters: { path: `${webroot}/ROOT/.git/refs/remotes/origin/master` },
      times: 'always',
      fault: { kind: 'refuse', result: 8, error: 'denied' },
    });
    assert.deepEqual((await at.redeploy()).verdict, { kind: 'contradicted', because: 'behind' });
  });

  const remoteBranchesRead = async () => {
    at.setUp.platform.journal.reset();
    await at.redeploy();
    const read = at.setUp.platform.journal.entries.map(({ parameters }) => parameters['path'] ?? '');
    return read.filter((path) => path.includes('refs/remotes'));
  };

  it('reads nothing more if the branch is the same', async () => {
    await leftBehind(vendorDeployments, { isKnown: true });
    await at.redeploy();
    assert.deepEqual(await remoteBranchesRead(), []);
  });

  it('reads nothing more if the project is pinned', async () => {
    const newest = await leftBehind(vendorDeployments, { isKnown: true });
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'next', repoHash: newest });
    assert.deepEqual(await remoteBranchesRead(), []);
  });
});
