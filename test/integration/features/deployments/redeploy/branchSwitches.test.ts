import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { type Behaviour, vendorDeployments } from '../../../../localPlatform/behaviour';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../../support/deployedProject';
import { commitOnDisk, inAHurry, messageOf } from '../../../support/projects';

describe('a redeploy after the branch of a project was changed, without a clone here', () => {
  let at: DeployedProject;

  inAHurry();
  afterEach(() => at.end());

  const change = (branch: string) => at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch });
  const commit = (text: string) =>
    at.setUp.repository.commit({ message: text, files: { 'index.php': text }, branch: 'next' });
  const unverified = { kind: 'unverified', because: 'unreadable' };
  const failRead = (file: string) =>
    at.setUp.platform.faults.add({
      operation: 'Read',
      parameters: { path: `${webroot}/ROOT/.git/${file}` },
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'denied' },
    });
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
      `ROOT on Saltmarsh Tea runs ${old.slice(0, 7)}, which may not be the newest commit on next. ` +
        'The project was on another branch before. Redeploy it again.',
    );
    // The platform did what it always does.
    const offered = await at.errorShownFor(record);
    assert.ok(offered.includes('Redeploy') && !offered.includes('Copy Diagnostics'), offered.join());
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
    failRead('refs/remotes/origin/master');
    assert.deepEqual((await at.redeploy()).verdict, { kind: 'contradicted', because: 'behind' });
  });

  it("isn't verified, but no error, as long as neither the branch before nor the newest commit is known", async () => {
    const newest = await leftBehind({}, { isKnown: true });
    await at.redeploy();
    failRead('HEAD');
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, unverified);
    at.setUp.platform.faults.clear();
    failRead('refs/remotes/origin/next');
    const doubtful = await at.parts.redeploys.lookAgain(record);
    assert.deepEqual(doubtful.verdict, unverified);
    assert.equal(
      messageOf(doubtful),
      `ROOT on Saltmarsh Tea runs ${newest.slice(0, 7)}, which may not be the newest commit on next.`,
    );
    at.setUp.platform.faults.clear();
    const { verdict } = await at.parts.redeploys.lookAgain(doubtful);
    assert.deepEqual(verdict, { kind: 'deployed', commit: newest });
  });

  it("isn't verified by a later check where the platform pulled the branch before", async () => {
    await leftBehind(vendorDeployments, { isKnown: true });
    const update = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const redeploy = at.redeploy();
    await update.reached;
    failRead('HEAD');
    update.release();
    const record = await redeploy;
    assert.deepEqual(record.verdict, unverified);
    at.setUp.platform.faults.clear();
    assert.deepEqual((await at.parts.redeploys.lookAgain(record)).verdict, unverified);
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
