import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LocalRepositories } from '../../../../../src/features/deployments/repositories/localRepositories';
import { until } from '../../../support/event';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { commitOnDisk, maxPolls, messageOf } from '../../../support/projects';
import { webroot } from '../../../../unit/localPlatform/vcsSetUp';

describe('the state of a deployed project', () => {
  let at: OpenRepository;

  withOpenRepository((one) => (at = one));

  it("isn't overwritten by a check of the nodes that started before it", async () => {
    await at.create();
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const held = at.setUp.platform.faults.add({ operation: 'Read', fault: { kind: 'hang', when: 'after' } });
    const looking = at.parts.deployedStates.look(at.place);
    await held.reached;
    await at.redeploy();
    held.release();
    const [state, ...others] = await looking;
    assert.ok(state?.kind === 'deployed' && others.length === 0);
    assert.equal(state.commit, second);
  });

  it('is behind after a push, without a request to the platform', async () => {
    await at.create();
    assert.deepEqual(
      (await at.parts.deployedStates.look(at.place)).map(({ kind }) => kind),
      ['deployed'],
    );
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    at.setUp.platform.journal.reset();
    await at.clone.git('push', '--quiet');
    await at.status();
    await until(
      at.parts.deployedStates.onDidChange,
      () => at.parts.deployedStates.last(at.place)?.[0]?.kind === 'behind',
    );
    assert.deepEqual(at.parts.deployedStates.last(at.place), [{ kind: 'behind', commits: 1, branch: 'master' }]);
    assert.equal(at.setUp.platform.journal.entries.length, 0);
    await at.redeploy();
    await until(
      at.parts.deployedStates.onDidChange,
      () => at.parts.deployedStates.last(at.place)?.[0]?.kind === 'deployed',
    );
  });

  it('detects that the platform updated the project by itself', async () => {
    await at.create({ autoupdate: true, interval: '5' });
    await at.redeploy();
    const left = await commitOnDisk(at.setUp, 0);
    const commit = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await at.setUp.update();
    assert.deepEqual(await at.parts.deployedStates.lookAnew(at.place), [
      { kind: 'moved', because: 'autoUpdate', from: left, to: commit },
      { kind: 'deployed', commit },
    ]);
    assert.deepEqual(await at.parts.deployedStates.fetch(at.place), [
      { kind: 'moved', because: 'autoUpdate', from: left, to: commit },
      { kind: 'deployed', commit, behind: 0, branch: 'master' },
    ]);
  });

  it('is what Check Redeploy Result finds on the nodes, and without the edits that are gone by then', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    await at.edit('about.php', 'edited\n');
    const second = await at.clone.commit('second', { 'index.php': 'two\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    const { deployedStates, pace, redeploys } = at.parts;
    const { limit } = pace;
    pace.limit = maxPolls.few;
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
    const redeploying = at.redeploy({ push: false, savesPatch: false });
    const { record = assert.fail() } = await redeploying.finally(() => (pace.limit = limit));
    assert.equal(record.verdict.kind === 'answerLost' && record.verdict.commit, at.setUp.first);
    await at.setUp.succeed('Update', { context: 'ROOT' });
    // A pull by hand leaves the edits of files that it doesn't change.
    await at.setUp.edit(`${webroot}/ROOT/about.php`, 'edited\n');
    await redeploys.lookAgain(record);
    await until(deployedStates.onDidChange, () => {
      const [state, ...others] = deployedStates.last(at.place) ?? [];
      return state?.kind === 'edited' && state.files === 1 && others.length === 0;
    });
    assert.deepEqual(
      deployedStates.lastNodes(at.place).map(({ after }) => after),
      [second, second],
    );
    const left = await at.parts.nodeEditLog.of(at.account.slug);
    assert.deepEqual(
      left.map(({ path }) => path),
      [`${webroot}/ROOT/about.php`],
    );
  });

  it("isn't up to date, and not called deployed, if its branch was moved back", async () => {
    await at.create({ autoResolveConflict: false });
    const second = await at.clone.commit('second', { 'index.php': 'two\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    assert.equal((await at.redeploy()).record?.verdict.kind, 'deployed');
    await at.clone.git('reset', '--quiet', '--hard', at.setUp.first);
    await at.clone.git('push', '--quiet', '--force');
    await at.status();
    const isUpToDate = async () =>
      (await at.parts.deployedStates.look(at.place)).some((one) => one.kind === 'deployed' && one.behind === 0);
    assert.equal(await isUpToDate(), false);
    const { record = assert.fail() } = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'contradicted', because: 'movedBack' });
    assert.match(messageOf(record), new RegExp(`still runs ${second.slice(0, 7)}, because master was moved back`));
    assert.equal(await isUpToDate(), false);
  });

  it("isn't shown as edited if the edits are forgotten during the check", async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    at.parts.deployedStates.forget();
    const { edits, nodeEditLog } = at.parts;
    const read = edits.read.bind(edits);
    // Forget the edits after each count, even after a count for earlier findings.
    edits.read = async (project) => {
      const before = await read(project);
      await nodeEditLog.forget(await nodeEditLog.of(at.account.slug));
      return before;
    };
    await at.parts.deployedStates.look(at.place).finally(() => (edits.read = read));
    const kinds = () => at.parts.deployedStates.last(at.place)?.map(({ kind }) => kind);
    await until(at.parts.deployedStates.onDidChange, () => kinds() !== undefined);
    assert.deepEqual(kinds(), ['deployed']);
  });

  it('computes drift once for many simultaneous edits, and asks Git once whether it knows the commit', async () => {
    await at.create({ autoResolveConflict: true });
    await at.parts.deployedStates.look(at.place);
    const pages = Array.from({ length: 8 }, (_, page) => `page${page}.php`);
    const { edits } = at.parts;
    const read = edits.read.bind(edits);
    let computations = 0;
    const allNoted = at.noting(pages, () => Promise.all(pages.map((page) => at.save(page, 'new\n'))));
    edits.read = async (project) => {
      computations += 1;
      await allNoted;
      return read(project);
    };
    const isEdited = () =>
      at.parts.deployedStates.last(at.place)?.some((one) => one.kind === 'edited' && one.files === 8) === true;
    await until(at.parts.deployedStates.onDidChange, isEdited).finally(() => (edits.read = read));
    // Git tells of changes at any time, which is one more reason to compute.
    assert.ok(computations <= pages.length / 2, `drift was computed ${computations} times`);
    const questions = countQuestions(at.parts.repositories);
    const { kept } = await at.parts.flow.plan({ place: at.place, consent: 'byTask' });
    assert.equal(kept.length, 8);
    assert.equal(questions(), 1);
  });
});

/** Counts how often a repository is asked whether it knows a commit, until the returned function is called. */
function countQuestions(repositories: LocalRepositories): () => number {
  const withAddress = repositories.withAddress.bind(repositories);
  let times = 0;
  repositories.withAddress = (url) => {
    const found = withAddress(url);
    const commit = found?.commit.bind(found);
    return found && commit && Object.assign(found, { commit: (reference: string) => (times++, commit(reference)) });
  };
  return () => {
    repositories.withAddress = withAddress;
    return times;
  };
}
