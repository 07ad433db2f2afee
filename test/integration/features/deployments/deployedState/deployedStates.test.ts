import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { EventEmitter } from 'vscode';
import type { LocalRepositories } from '../../../../../src/features/deployments/repositories/localRepositories';
import { nextEvent, until } from '../../../support/event';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { gantry, signedIn } from '../../../support/gantry';
import { listWithoutNode } from '../../../support/hiddenNode';
import { commitOnDisk, maxPolls, messageOf, redeployed } from '../../../support/projects';
import { untilTrue } from '../../../support/untilTrue';
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

  it('is unknown from the sign-out of its account on', async () => {
    await at.create();
    await at.parts.deployedStates.lookAnew(at.place);
    assert.ok(Array.isArray(at.parts.deployedStates.lastCheck(at.place)));
    await (await gantry()).accounts.remove(at.account.slug);
    await untilTrue(
      () => at.parts.deployedStates.last(at.place) === undefined,
      () => 'the state is still known',
    );
    assert.equal(at.parts.deployedStates.lastCheck(at.place), undefined);
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

  it("isn't called updated by someone else if another window of the person redeployed since the nodes were read", async () => {
    await at.create();
    const { deployedStates, history } = at.parts;
    const record = (await at.redeploy()).record ?? assert.fail();
    const kinds = async () => (await deployedStates.look(at.place)).map(({ kind }) => kind);
    assert.deepEqual(await kinds(), ['deployed']);
    const nodes = record.nodes.map((node) => ({ ...node, after: 'f'.repeat(40) }));
    const later = { ...record, id: `${record.id}-later`, startedAt: Date.now() + 60_000, nodes };
    await history.keep(later);
    assert.equal((await history.last(at.place))?.id, later.id);
    assert.deepEqual(await kinds(), ['deployed']);
    await history.keep({ ...later, startedAt: record.startedAt + 1, milliseconds: 0 });
    assert.deepEqual(await kinds(), ['moved', 'deployed'], 'unless that was before');
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

  it('says nothing of a node that was removed from the layer', async () => {
    await at.create();
    const { deployedStates, redeploys, plans } = at.parts;
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    const request = { place: at.place, nodeId: at.setUp.nodeId(1) };
    await redeploys.start(await plans.prepare(request)).ended;
    assert.deepEqual(
      (await deployedStates.lookAnew(at.place)).map(({ kind }) => kind),
      ['nodesDiffer'],
    );
    await listWithoutNode({ platform: at.setUp.platform, account: at.account, parts: at.parts }, at.setUp.nodeId(0));
    await until(deployedStates.onDidChange, () => deployedStates.last(at.place)?.[0]?.kind === 'deployed');
    assert.deepEqual(
      deployedStates.lastNodes(at.place).map(({ after }) => after),
      [second],
    );
  });

  it('stays until all nodes were read that replaced the others, which happens once for many listings', async () => {
    await at.create();
    const { deployedStates, environments } = at.parts;
    await deployedStates.look(at.place);
    const knownLayer = environments.knownLayer.bind(environments);
    const look = deployedStates.look.bind(deployedStates);
    let looks = 0;
    const held = new EventEmitter<void>();
    const released = nextEvent(held.event);
    deployedStates.look = async (...asked) => {
      looks += asked[0].account === at.account.slug && asked[1]?.unattended === true ? 1 : 0;
      await released;
      return look(...asked);
    };
    environments.knownLayer = (...where) => {
      const layer = knownLayer(...where);
      return layer && { ...layer, nodes: layer.nodes.map((node) => ({ ...node, id: node.id + 100_000 })) };
    };
    try {
      environments.refresh();
      await environments.of(at.account);
      environments.refresh();
      await environments.of(at.account);
      assert.equal(looks, 1);
      assert.equal(deployedStates.lastNodes(at.place).length, 2);
    } finally {
      environments.knownLayer = knownLayer;
      deployedStates.look = look;
      held.fire();
      held.dispose();
    }
  });

  describe('if a node has no clone when the redeploy ends', () => {
    /** Removes the second node's clone after the Update, when the nodes from before are checked, and does something else then. */
    const redeployed = async (act: () => unknown) => {
      await at.create();
      const { inspector } = at.parts;
      const heads = inspector.heads.bind(inspector);
      inspector.heads = async (...asked) => {
        if (asked[1]?.nodes !== undefined) {
          inspector.heads = heads;
          await rm(at.setUp.file(`${webroot}/ROOT/.git`, { node: 1 }), { recursive: true });
          await act();
        }
        return heads(...asked);
      };
      const { record = assert.fail() } = await at.redeploy().finally(() => (inspector.heads = heads));
      return { verdict: record.verdict, nodes: record.nodes.map(({ nodeId }) => nodeId) };
    };

    it("isn't contradicted by that node if it was removed from the layer", async () => {
      const stage = { platform: at.setUp.platform, account: at.account, parts: at.parts };
      const { verdict, nodes } = await redeployed(() => listWithoutNode(stage, at.setUp.nodeId(1), 'always'));
      assert.deepEqual(verdict, { kind: 'deployed', commit: at.setUp.first, behind: 0 });
      assert.deepEqual(nodes, [at.setUp.nodeId(0)]);
    });

    it("is kept for both nodes if they can't be listed", async () => {
      const { faults } = at.setUp.platform;
      const fault = { kind: 'gatewayError', status: 502 } as const;
      const { verdict, nodes } = await redeployed(() => faults.add({ operation: 'GetEnvs', fault, times: 9 }));
      faults.clear();
      assert.deepEqual(nodes, [at.setUp.nodeId(0), at.setUp.nodeId(1)]);
      assert.notEqual(verdict.kind, 'deployed');
    });
  });

  it("isn't called updated elsewhere after an own redeploy with a lost response, or through another account", async () => {
    await at.create();
    const { deployedStates, pace } = at.parts;
    const kinds = async () => (await deployedStates.lookAnew(at.place)).map(({ kind }) => kind);
    const { limit } = pace;
    pace.limit = maxPolls.few;
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
    const { record = assert.fail() } = await at.redeploy().finally(() => (pace.limit = limit));
    assert.equal(record.verdict.kind === 'answerLost' && record.verdict.commit, at.setUp.first);
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await at.setUp.update();
    assert.deepEqual(await kinds(), ['deployed']);
    await at.redeploy();
    await at.setUp.repository.commit({ message: 'third', files: { 'index.php': 'three\n' } });
    const other = await signedIn(at.setUp.platform);
    const place = { ...at.place, account: other.slug };
    try {
      const theirs = await redeployed(at.parts, { place, consent: 'byTask' });
      assert.equal(theirs?.verdict.kind, 'deployed');
      const [state, ...others] = await deployedStates.lookAnew(at.place);
      assert.ok(state?.kind === 'deployed' && others.length === 0);
      assert.equal(state.newestAt, theirs.startedAt, 'not the time of the own one before');
    } finally {
      await (await gantry()).accounts.remove(other.slug);
    }
  });

  it('is dropped once the project turns out to be deleted', async () => {
    await at.create();
    const { deployedStates, projects } = at.parts;
    await deployedStates.look(at.place);
    await at.setUp.succeed('DeleteProject', { context: 'ROOT' });
    await assert.rejects(projects.readAgain(at.place));
    assert.equal(deployedStates.last(at.place), undefined);
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
