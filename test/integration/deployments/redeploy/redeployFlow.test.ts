import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { window, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { redeployAsTask } from '../../../../src/deployments/redeploy/redeployTaskFlow';
import type { ProjectParts } from '../../../../src/wiring/wireDeployments';
import type { DeployRecord } from '../../../../src/deployments/redeploy/redeployResult';
import { redeployResultText, sentencesOf } from '../../../../src/deployments/redeploy/redeployResultText';
import { type VcsSetUp, untilFile, untilGone, webroot, type Wishes } from '../../../unit/localPlatform/vcsSetUp';
import type { DeploymentElement } from '../../../../src/deployments/view/deploymentElement';
import { nextEvent } from '../../support/event';
import { fileUri, gantry } from '../../support/gantry';
import { assertTruthful, commitOnDisk, endProject, inAHurry, placeOfShop, startProject } from '../../support/projects';

const index = `${webroot}/ROOT/index.php`;

describe('a redeploy', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;

  inAHurry();
  before(async () => {
    parts = (await gantry()).projects;
  });
  beforeEach(async () => {
    ({ setUp, account } = await startProject({ pollingSpeed: 1200 }));
  });
  afterEach(() => endProject({ setUp, account, place: placeOfShop(account) }));

  const redeploy = async (nodeId?: number): Promise<DeployRecord> => {
    const prepared = await parts.redeploys.prepare({ place: placeOfShop(account), nodeId });
    return parts.redeploys.start(prepared).ended;
  };
  const deployedOnce = async (wishes: Wishes = {}) => {
    await setUp.create({ updateNow: true, ...wishes });
    return commitOnDisk(setUp, 0);
  };
  /** Returns the error message for a failed redeploy, and its buttons. */
  const toldOf = async (record: DeployRecord): Promise<readonly string[]> => {
    const told: string[] = [];
    const { showErrorMessage } = window;
    const hear = (...words: readonly string[]) => Promise.resolve(void told.push(...words));
    Object.assign(window, { showErrorMessage: hear });
    await parts.flow.showResult(record).finally(() => Object.assign(window, { showErrorMessage }));
    return told;
  };
  const secondCommit = () => setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });

  it("reports the commit before and after from each node, and the platform's log", async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual(
      record.nodes.map((node) => [node.before, node.after]),
      [
        [first, second],
        [first, second],
      ],
    );
    assert.match(record.log, /deployed [0-9a-f]{40}/);
    assert.match(sentencesOf(record), new RegExp(`deployed ${second.slice(0, 7)} \\(was ${first?.slice(0, 7)}\\)`));
    await assertTruthful(setUp, record);
  });

  it('shows new files in listings', async () => {
    await deployedOnce();
    const folder = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, `${webroot}/ROOT`);
    const pages = async () =>
      (await workspace.fs.readDirectory(folder)).map(([name]) => name).filter((name) => name.endsWith('.php'));
    assert.deepEqual((await pages()).sort(), ['about.php', 'index.php']);
    await setUp.repository.commit({ message: 'second', files: { 'news.php': 'news\n' } });
    const deployed = nextEvent(parts.redeploys.onDidDeploy);
    await redeploy();
    await deployed;
    assert.deepEqual((await pages()).sort(), ['about.php', 'index.php', 'news.php']);
  });

  it('takes Update, one more request, and two for each node', async () => {
    await deployedOnce();
    await secondCommit();
    await (await gantry()).environments.of(account);
    setUp.platform.journal.reset();
    await redeploy();
    const operations = setUp.platform.journal.entries.map(({ operation }) => operation).sort();
    assert.deepEqual(operations, ['GetProject', 'Read', 'Read', 'Read', 'Read', 'Update']);
  });

  it('says if there were no new commits', async () => {
    const first = await deployedOnce();
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: first });
    assert.match(sentencesOf(record), /is already up to date with/);
  });

  it('deploys for the first time', async () => {
    await setUp.create();
    const record = await redeploy();
    assert.equal(record.verdict.kind, 'deployed');
    assert.equal(record.nodes[0]?.before, undefined);
    await assertTruthful(setUp, record);
  });

  it('is called a deployment if it is the first and fails', async () => {
    await setUp.create();
    const fail = () =>
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
    fail();
    const [first, ...offered] = await toldOf(await redeploy());
    assert.match(first ?? '', /: the deployment failed\./);
    assert.deepEqual(offered, ['Show Log', 'Deploy', 'Project Settings']);
    fail();
    assert.match(sentencesOf(await redeploy()), /: the deployment failed\./);
    await redeploy();
    fail();
    assert.match(sentencesOf(await redeploy()), /: the redeploy failed\./);
  });

  it('is for one node only if the user wants that', async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    const record = await redeploy(setUp.nodeId(1));
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual([await commitOnDisk(setUp, 0), await commitOnDisk(setUp, 1)], [first, second]);
    assert.match(sentencesOf(record), new RegExp(`This redeploy was for node ${setUp.nodeId(1)} only\\.`));
    assert.match(redeployResultText(record), new RegExp(`node ${setUp.nodeId(1)} only`));
  });

  it('says nothing about other nodes when the response to a redeploy of one node is lost', async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    const lost = () =>
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504, when: 'after' } });
    lost();
    const record = await redeploy(setUp.nodeId(1));
    assert.deepEqual([await commitOnDisk(setUp, 0), await commitOnDisk(setUp, 1)], [first, second]);
    assert.ok(record.verdict.kind === 'answerLost' && record.verdict.stands === second);
    assert.match(sentencesOf(record), new RegExp(`Node ${setUp.nodeId(1)} now runs ${second.slice(0, 7)}\\.`));
    assert.doesNotMatch(sentencesOf(record), /nodes now run|every node/i);
    lost();
    const again = await redeploy(setUp.nodeId(1));
    assert.match(sentencesOf(again), new RegExp(`Node ${setUp.nodeId(1)} still runs ${second.slice(0, 7)}\\.`));
    lost();
    const all = await redeploy();
    assert.match(sentencesOf(all), new RegExp(`All nodes now run ${second.slice(0, 7)}\\.`));
  });

  it('says that newer commits are not deployed if the project is pinned to a commit', async () => {
    const first = await deployedOnce();
    assert.ok(first);
    await secondCommit();
    await setUp.succeed('EditProject', { ...setUp.editWishes, repoHash: first });
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: first });
    assert.match(sentencesOf(record), new RegExp(`pinned to ${first.slice(0, 7)}, so newer commits aren't deployed`));
    setUp.platform.behaviour.pinnedCommits = 'ignored';
    assert.match(
      sentencesOf(await redeploy()),
      new RegExp(`pinned to ${first.slice(0, 7)}, but the platform deployed`),
    );
  });

  describe('if files were edited in the container', () => {
    it('discards the edits if the project says so', async () => {
      await deployedOnce({ autoResolveConflict: true });
      await setUp.edit(index, 'edited\n');
      await secondCommit();
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'deployed');
      assert.equal(await setUp.read(index), 'two\n');
      await assertTruthful(setUp, record);
    });

    it('stops if the project says so, names the node, and shows the relevant log line', async () => {
      const first = await deployedOnce();
      await setUp.edit(index, 'edited\n', 1);
      const second = await secondCommit();
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.deepEqual(
        record.nodes.map((node) => node.after),
        [second, first],
      );
      assert.match(sentencesOf(record), new RegExp(`${setUp.nodeId(1)} still runs ${first?.slice(0, 7)}`));
      const [said, ...offered] = await toldOf(record);
      assert.match(said ?? '', /: the redeploy failed\. The log says: “.+”\. \S/);
      assert.deepEqual(offered, ['Show Log', 'Redeploy', 'Project Settings']);
      assert.match(record.log, /overwritten by merge/);
      await assertTruthful(setUp, record);
    });
  });

  for (const [hook, stands] of [
    ['preDeploy', 'first'],
    ['preBuild', 'first'],
    ['postBuild', 'second'],
    ['postDeploy', 'second'],
  ] as const) {
    it(`fails if the ${hook} hook fails, and reports that the ${stands} commit is deployed`, async () => {
      const commits = { first: await deployedOnce(), second: await secondCommit() };
      await setUp.succeed('EditProject', { ...setUp.editWishes, hooks: JSON.stringify({ [hook]: 'exit 3' }) });
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.deepEqual(
        record.nodes.map((node) => node.after),
        [commits[stands], commits[stands]],
      );
      assert.match(record.log, new RegExp(`hook ${hook}`));
      await assertTruthful(setUp, record);
    });
  }

  it('detects that auto-update was first', async () => {
    await deployedOnce({ autoupdate: true, interval: '1' });
    const second = await secondCommit();
    await untilFile(setUp.file(`${webroot}/ROOT/.git/logs/HEAD`, { node: 1 }), (text) => text.includes(` ${second} `));
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.match(sentencesOf(record), /is already up to date with/);
    await assertTruthful(setUp, record);
  });

  it("is unverified if a node can't be read, and says so", async () => {
    await deployedOnce();
    await secondCommit();
    setUp.platform.faults.add({
      operation: 'Read',
      parameters: { nodeid: String(setUp.nodeId(1)) },
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
    });
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'unreadable' });
    assert.match(sentencesOf(record), /couldn't check/);
  });

  it('can run in the background while it is watched, and can be checked again', async () => {
    await deployedOnce();
    const second = await secondCommit();
    const lost = setUp.platform.faults.add({
      operation: 'Update',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
    });
    const hidden = setUp.platform.faults.add({
      operation: 'GetProject',
      nth: 2,
      times: 'always',
      fault: { kind: 'gatewayError', status: 502 },
    });
    const running = parts.redeploys.start(await parts.redeploys.prepare({ place: placeOfShop(account) }));
    await new Promise<void>((resolve) => {
      const listening = parts.redeploys.onDidChange(() => {
        if (running.phase === 'following') {
          listening.dispose();
          resolve();
        }
      });
    });
    running.stopFollowing();
    const record = await running.ended;
    assert.equal(record.verdict.kind, 'answerLost');
    assert.equal(lost.hits, 1);
    hidden.remove();
    const again = await parts.redeploys.lookAgain(record);
    assert.equal(again.verdict.kind === 'answerLost' && again.verdict.stands, second);
    assert.deepEqual((await parts.history.last(placeOfShop(account)))?.verdict, again.verdict);
    await assertTruthful(setUp, again);
  });

  describe('that is checked again', () => {
    const hidden = (node: number) =>
      setUp.platform.faults.add({
        operation: 'Read',
        parameters: { nodeid: String(setUp.nodeId(node)) },
        times: 'always',
        fault: { kind: 'refuse', result: 4037, error: 'permission denied' },
      });

    it('counts as deployed once its nodes can be read, because the platform confirmed it', async () => {
      await deployedOnce();
      const second = await secondCommit();
      const unreadable = hidden(1);
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'unverified');
      unreadable.remove();
      const again = await parts.redeploys.lookAgain(record);
      assert.deepEqual(again.verdict, { kind: 'deployed', commit: second });
      await assertTruthful(setUp, again);
    });

    it("doesn't change if its result is known or if another redeploy followed", async () => {
      await deployedOnce();
      setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4000, error: 'no' } });
      const failed = await redeploy();
      assert.deepEqual(await parts.redeploys.lookAgain(failed), failed);
      const unreadable = hidden(1);
      const unverified = await redeploy();
      unreadable.remove();
      await secondCommit();
      await redeploy();
      assert.deepEqual(await parts.redeploys.lookAgain(unverified), unverified);
      assert.deepEqual((await parts.history.find(unverified, unverified.id))?.verdict, unverified.verdict);
    });
  });

  it("of one node is verified there even if the platform can't list nodes", async () => {
    await deployedOnce();
    const second = await secondCommit();
    const { environments } = await gantry();
    environments.refresh();
    setUp.platform.faults.add({
      operation: 'GetEnvs',
      times: 'always',
      fault: { kind: 'refuse', result: 8202, error: 'no' },
    });
    const record = await redeploy(setUp.nodeId(1));
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual(
      record.nodes.map(({ nodeId }) => nodeId),
      [setUp.nodeId(1)],
    );
  });

  it('leaves nothing of an account that was signed out in the meantime', async () => {
    await deployedOnce();
    const place = placeOfShop(account);
    const held = setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const { ended } = parts.redeploys.start(await parts.redeploys.prepare({ place }));
    await held.reached;
    const { accounts } = await gantry();
    await accounts.remove(account.slug);
    held.release();
    await ended;
    // If the folder isn't removed, the test times out.
    await untilGone(join(parts.history.folder, account.slug));
    assert.deepEqual(await parts.history.of(place), []);
    assert.equal(parts.known.find(place), undefined);
  });

  it("isn't overwritten by a check of the nodes that started before it", async () => {
    await deployedOnce();
    const second = await secondCommit();
    const held = setUp.platform.faults.add({ operation: 'Read', fault: { kind: 'hang', when: 'after' } });
    const looking = parts.deployedStates.look(placeOfShop(account));
    await held.reached;
    await redeploy();
    held.release();
    assert.deepEqual(await looking, [{ kind: 'standsAt', commit: second }]);
  });

  it("of one node doesn't satisfy a task that redeploys all nodes", async () => {
    await deployedOnce();
    const second = await secondCommit();
    const held = setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const place = placeOfShop(account);
    const { ended } = parts.redeploys.start(await parts.redeploys.prepare({ place, nodeId: setUp.nodeId(0) }));
    await held.reached;
    const said: string[] = [];
    let task: Promise<unknown> | undefined;
    const waits = new Promise<void>((resolve) => {
      const say = (line: string) => {
        said.push(line);
        if (line.includes('Waiting')) {
          resolve();
        }
      };
      task = redeployAsTask(parts)({ ...place, onDataLoss: 'stop' }, say);
    });
    await waits;
    held.release();
    await ended;
    assert.equal(await task, 'deployed', said.join('\n'));
    assert.deepEqual([await commitOnDisk(setUp, 0), await commitOnDisk(setUp, 1)], [second, second]);
  });

  it("is found by its own row in the project's history", async () => {
    await deployedOnce();
    const older = await redeploy();
    await redeploy();
    const { view } = parts;
    const rowsOf = async (kind: string, above?: DeploymentElement) =>
      (await view.getChildren(above)).filter((row) => row.kind === kind);
    const [environment] = await rowsOf('environment');
    const [project] = await rowsOf('project', environment);
    const [history] = await rowsOf('history', project);
    const row = (await rowsOf('redeploy', history)).at(-1);
    assert.ok(row?.kind === 'redeploy');
    assert.equal(row.record.id, older.id);
    const called: unknown = view.getTreeItem(row).command?.arguments?.[0];
    assert.equal(view.find(called), row, 'the command is told which redeploy is meant');
  });

  it('is shared with a second click', async () => {
    await deployedOnce();
    const held = setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const prepared = await parts.redeploys.prepare({ place: placeOfShop(account) });
    const running = parts.redeploys.start(prepared);
    await held.reached;
    assert.equal(parts.redeploys.running(placeOfShop(account)), running);
    assert.equal(parts.redeploys.start(prepared), running);
    held.release();
    await running.ended;
    assert.equal(
      setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      1,
    );
    assert.equal(parts.redeploys.running(placeOfShop(account)), undefined);
  });
});
