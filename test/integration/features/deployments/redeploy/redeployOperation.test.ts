import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { severityOf } from '../../../../../src/features/deployments/results';
import { nodesText, redeployResultText } from '../../../../../src/features/deployments/redeploy/redeployResultText';
import { untilFile, webroot } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject, indexFile } from '../../../support/deployedProject';
import { nextEvent } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { listWithoutNode } from '../../../support/hiddenNode';
import { messageOf, assertTruthful, commitOnDisk, inAHurry } from '../../../support/projects';

describe('a redeploy', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it("reports the commit before and after from each node, and the platform's log", async () => {
    const first = await at.deployedOnce();
    const second = await at.secondCommit();
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual(
      record.nodes.map((node) => [node.before, node.after]),
      [
        [first, second],
        [first, second],
      ],
    );
    assert.match(record.log, /deployed [0-9a-f]{40}/);
    assert.match(
      messageOf(record),
      new RegExp(`^Deployed ${second.slice(0, 7)} to ROOT on Saltmarsh Tea \\(was ${first?.slice(0, 7)}\\)\\.$`),
    );
    await assertTruthful(at.setUp, record);
  });

  it("takes Update, one more request, and five for each node, once the logs' folder is found", async () => {
    await at.deployedOnce();
    await at.secondCommit();
    await (await gantry()).environments.of(at.account);
    const sent = async () => {
      at.setUp.platform.journal.reset();
      await at.redeploy();
      return at.setUp.platform.journal.entries.map(({ operation }) => operation).sort();
    };
    const others = ['GetProject', ...Array<string>(8).fill('Read'), 'Update'];
    assert.deepEqual(await sent(), [...Array<string>(4).fill('GetList'), ...others]);
    assert.deepEqual(await sent(), ['GetList', 'GetList', ...others]);
  });

  describe('when the environments were listed a while ago', () => {
    const checkedNodes = async () => {
      const { now } = Date;
      Date.now = () => now() + 60_000;
      const { nodes } = await at.redeploy().finally(() => (Date.now = now));
      return nodes.map(({ nodeId }) => nodeId);
    };
    const both = () => [0, 1].map((node) => at.setUp.nodeId(node));

    it('checks a node, too, that was added since', async () => {
      await at.deployedOnce();
      await listWithoutNode({ platform: at.setUp.platform, account: at.account, parts: at.parts }, at.setUp.nodeId(1));
      assert.deepEqual(await checkedNodes(), both());
    });

    it("checks the nodes that are known if they can't be listed again", async () => {
      await at.deployedOnce();
      await at.parts.environments.of(at.account);
      const fault = { kind: 'refuse', result: 99, error: 'out of order' } as const;
      at.setUp.platform.faults.add({ operation: 'GetEnvs', times: 'always', fault });
      assert.deepEqual(await checkedNodes(), both());
    });
  });

  it('says if there were no new commits', async () => {
    const first = await at.deployedOnce();
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: first });
    assert.match(messageOf(record), /^ROOT on Saltmarsh Tea still runs [0-9a-f]{7}\.$/);
  });

  it('deploys for the first time', async () => {
    await at.setUp.create();
    const record = await at.redeploy();
    assert.equal(record.verdict.kind, 'deployed');
    assert.equal(record.nodes[0]?.before, undefined);
    await assertTruthful(at.setUp, record);
  });

  it("isn't sent after a later sign-in if it was canceled while it waited for one", async () => {
    await at.deployedOnce();
    await at.secondCommit();
    const { accounts } = await gantry();
    const { platform } = at.setUp;
    const updates = () => platform.journal.count(({ operation }) => operation === 'Update');
    platform.faults.add({ operation: 'Update', fault: { kind: 'expireSession' } });
    const { plans, redeploys, history } = at.parts;
    const asked = nextEvent(accounts.onDidChange, () => at.account.isSignedOut);
    const { ended, stop } = redeploys.start(await plans.prepare({ place: at.place }));
    const rejected = assert.rejects(ended, { name: 'AbortError' });
    await asked;
    const before = updates();
    stop();
    await accounts.replaceToken(at.account.slug, { token: await platform.createSession() });
    await rejected;
    assert.equal(updates(), before);
    assert.deepEqual(await history.of(at.place), []);
  });

  it('is for one node only if the user wants that', async () => {
    const first = await at.deployedOnce();
    const second = await at.secondCommit();
    const record = await at.redeploy(at.setUp.nodeId(1));
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [first, second]);
    assert.match(
      messageOf(record),
      new RegExp(`^Deployed ${second.slice(0, 7)} to ROOT on node ${at.setUp.nodeId(1)} of Saltmarsh Tea`),
    );
    assert.match(redeployResultText(record), new RegExp(`node ${at.setUp.nodeId(1)} only`));
  });

  it('says nothing about other nodes when the response to a redeploy of one node is lost', async () => {
    const first = await at.deployedOnce();
    const second = await at.secondCommit();
    const lost = () =>
      at.setUp.platform.faults.add({
        operation: 'Update',
        fault: { kind: 'gatewayError', status: 504, when: 'after' },
      });
    lost();
    const record = await at.redeploy(at.setUp.nodeId(1));
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [first, second]);
    assert.ok(record.verdict.kind === 'answerLost' && record.verdict.commit === second);
    assert.match(messageOf(record), new RegExp(`Node ${at.setUp.nodeId(1)} now runs ${second.slice(0, 7)}\\.`));
    assert.doesNotMatch(messageOf(record), /nodes now run|every node/i);
    lost();
    const again = await at.redeploy(at.setUp.nodeId(1));
    assert.match(messageOf(again), new RegExp(`Node ${at.setUp.nodeId(1)} still runs ${second.slice(0, 7)}\\.`));
    lost();
    const all = await at.redeploy();
    assert.match(messageOf(all), new RegExp(`All nodes now run ${second.slice(0, 7)}\\.`));
  });

  it('says that newer commits are not deployed if the project is pinned to a commit', async () => {
    const first = await at.deployedOnce();
    assert.ok(first);
    await at.secondCommit();
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: first });
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: first });
    assert.equal(
      messageOf(record),
      `ROOT on Saltmarsh Tea still runs ${first.slice(0, 7)}. ` +
        "The project is pinned to this commit, so newer commits aren't deployed.",
    );
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    assert.match(
      messageOf(await at.redeploy()),
      new RegExp(`platform deployed .*, although the project is pinned to ${first.slice(0, 7)}`),
    );
  });

  it("isn't taken for a success if it's pinned to a commit by digits only, unless that's a tag", async () => {
    await at.deployedOnce();
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: '1234567' });
    assert.deepEqual((await at.redeploy()).verdict, { kind: 'contradicted', because: 'notPinned' });
    for (const node of [0, 1]) {
      const folder = at.setUp.file(`${webroot}/ROOT/.git/refs/tags`, { node });
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, '1234567'), `${at.setUp.first}\n`);
    }
    assert.deepEqual((await at.redeploy()).verdict, { kind: 'deployed', commit: at.setUp.first });
    const second = await at.secondCommit();
    const other = await at.redeploy();
    assert.equal(severityOf(other.verdict), 'warning');
    assert.equal(
      messageOf(other),
      `Deployed ${second.slice(0, 7)} to ROOT on Saltmarsh Tea, but couldn't verify that this is 1234567, which the project is pinned to.`,
    );
  });

  it('is judged by the commit that the project was pinned to when it began', async () => {
    await at.deployedOnce();
    const second = await at.secondCommit();
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang', when: 'after' } });
    const { plans, redeploys, projects } = at.parts;
    const { ended } = redeploys.start(await plans.prepare({ place: at.place }));
    await held.reached;
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: 'b'.repeat(40) });
    await projects.read(at.place);
    held.release();
    assert.deepEqual((await ended).verdict, { kind: 'deployed', commit: second });
  });

  describe('if files were edited in the container', () => {
    it('discards the edits if the project says so', async () => {
      await at.deployedOnce({ autoResolveConflict: true });
      await at.setUp.edit(indexFile, 'edited\n');
      await at.secondCommit();
      const record = await at.redeploy();
      assert.equal(record.verdict.kind, 'deployed');
      assert.equal(await at.setUp.read(indexFile), 'two\n');
      await assertTruthful(at.setUp, record);
    });

    it('stops if the project says so, and names the node', async () => {
      const first = await at.deployedOnce();
      await at.setUp.edit(indexFile, 'edited\n', 1);
      const second = await at.secondCommit();
      const record = await at.redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.deepEqual(
        record.nodes.map((node) => node.after),
        [second, first],
      );
      assert.match(nodesText(record), new RegExp(`${at.setUp.nodeId(1)} still runs ${first?.slice(0, 7)}`));
      assert.match(record.log, /overwritten by merge/);
      await assertTruthful(at.setUp, record);
    });
  });

  for (const [hook, stands] of [
    ['preDeploy', 'first'],
    ['preBuild', 'first'],
    ['postBuild', 'second'],
    ['postDeploy', 'second'],
  ] as const) {
    it(`fails if the ${hook} hook fails, and reports that the ${stands} commit is deployed`, async () => {
      const commits = { first: await at.deployedOnce(), second: await at.secondCommit() };
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: JSON.stringify({ [hook]: 'exit 3' }) });
      const record = await at.redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.deepEqual(
        record.nodes.map((node) => node.after),
        [commits[stands], commits[stands]],
      );
      assert.match(record.log, new RegExp(`hook ${hook}`));
      await assertTruthful(at.setUp, record);
    });
  }

  it('detects that auto-update was first', async () => {
    await at.deployedOnce({ autoupdate: true, interval: '1' });
    const second = await at.secondCommit();
    // Git writes the branch's log before the branch.
    for (const node of [0, 1]) {
      const branch = at.setUp.file(`${webroot}/ROOT/.git/refs/heads/master`, { node });
      await untilFile(branch, (text) => text.startsWith(second));
    }
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.match(messageOf(record), /^ROOT on Saltmarsh Tea still runs [0-9a-f]{7}\.$/);
    await assertTruthful(at.setUp, record);
  });

  it("is unverified if a node can't be read, and says so", async () => {
    await at.deployedOnce();
    await at.secondCommit();
    at.setUp.platform.faults.add({
      operation: 'Read',
      parameters: { nodeid: String(at.setUp.nodeId(1)) },
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
    });
    const record = await at.redeploy();
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'unreadable' });
    assert.match(messageOf(record), /^Couldn't verify the commit of ROOT on Saltmarsh Tea \(/);
  });

  describe('that is checked again', () => {
    const hidden = (node: number) =>
      at.setUp.platform.faults.add({
        operation: 'Read',
        parameters: { nodeid: String(at.setUp.nodeId(node)) },
        times: 'always',
        fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
      });

    it('counts as deployed once its nodes can be read, because the platform confirmed it', async () => {
      await at.deployedOnce();
      const second = await at.secondCommit();
      const unreadable = hidden(1);
      const record = await at.redeploy();
      assert.equal(record.verdict.kind, 'unverified');
      unreadable.remove();
      const again = await at.parts.redeploys.lookAgain(record);
      assert.deepEqual(again.verdict, { kind: 'deployed', commit: second });
      await assertTruthful(at.setUp, again);
    });

    it("keeps its own log's lines and no others, although the nodes' logs have later redeploys", async () => {
      await at.deployedOnce();
      const ended = await at.redeploy();
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'nope' });
      assert.match((await at.setUp.update()).log, /nope/);
      const { history, redeploys } = at.parts;
      const lost = { kind: 'answerLost', ended: true } as const;
      for (const [record, log] of [
        // The window was closed while it ran.
        [{ ...ended, verdict: { kind: 'running' }, log: '' }, /deployed [0-9a-f]{40}/],
        [{ ...ended, verdict: lost, log: 'error: mine\n' }, /^error: mine\n$/],
      ] as const) {
        await history.keep(record);
        const again = await redeploys.lookAgain(record);
        assert.match(again.log, log);
        assert.doesNotMatch(again.log, /nope/);
        assert.doesNotMatch(messageOf(again), /nope/);
        const wasClosed = record.verdict.kind === 'running';
        assert.equal(messageOf(again).startsWith('The connection was lost'), !wasClosed, record.verdict.kind);
        assert.equal(messageOf(await redeploys.lookAgain(again)), messageOf(again));
      }
    });

    it("quotes the nodes' log only up to where the next redeploy begins", async () => {
      await at.deployedOnce();
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'nope' });
      // The window was closed while it ran.
      const record = { ...(await at.redeploy()), verdict: { kind: 'running' }, log: '' } as const;
      const { history, redeploys } = at.parts;
      await history.keep(record);
      const once = await redeploys.lookAgain(record);
      assert.match(once.log, /refs\/heads\/nope/);
      assert.doesNotMatch(messageOf(once), /The log says/);
      await at.setUp.update();
      assert.match(messageOf(await redeploys.lookAgain(once)), /The log says: .*refs\/heads\/nope/);
    });

    it("doesn't change if its result is known or if another redeploy followed", async () => {
      await at.deployedOnce();
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
      const failed = await at.redeploy();
      const stored = (record: object) => JSON.parse(JSON.stringify(record)) as object;
      const told: string[] = [];
      const listening = at.parts.redeploys.onDidLookAgain(({ id }) => told.push(id));
      assert.deepEqual(stored(await at.parts.redeploys.lookAgain(failed)), stored(failed));
      // Another window listed it while it ran.
      const running = { ...failed, verdict: { kind: 'running' }, log: '' } as const;
      assert.deepEqual((await at.parts.redeploys.lookAgain(running)).verdict, failed.verdict);
      assert.deepEqual((await at.parts.history.find(failed, failed.id))?.verdict, failed.verdict);
      const unreadable = hidden(1);
      const unverified = await at.redeploy();
      unreadable.remove();
      await at.secondCommit();
      await at.redeploy();
      assert.deepEqual(stored(await at.parts.redeploys.lookAgain(unverified)), stored(unverified));
      assert.deepEqual((await at.parts.history.find(unverified, unverified.id))?.verdict, unverified.verdict);
      listening.dispose();
      assert.deepEqual(told, []);
    });
  });

  it("of one node is verified there even if the platform can't list nodes", async () => {
    await at.deployedOnce();
    const second = await at.secondCommit();
    const { environments } = await gantry();
    environments.refresh();
    at.setUp.platform.faults.add({
      operation: 'GetEnvs',
      times: 'always',
      fault: { kind: 'refuse', result: 8202, error: 'no' },
    });
    const record = await at.redeploy(at.setUp.nodeId(1));
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual(
      record.nodes.map(({ nodeId }) => nodeId),
      [at.setUp.nodeId(1)],
    );
  });
});
