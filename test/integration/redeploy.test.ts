import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import type { Account } from '../../src/accounts/accounts';
import type { ProjectParts } from '../../src/parts/projectParts';
import { DeployHistory } from '../../src/projects/deployHistory';
import type { DeployRecord } from '../../src/projects/deployRecord';
import type { Verdict } from '../../src/projects/verdict';
import { sentencesOf } from '../../src/projects/verdictWords';
import type { FaultRule } from '../platform/faults/fault';
import { untilFile, VcsSetUp, webroot, type Wishes } from '../unit/localPlatform/vcsSetUp';
import { gantry, signedIn } from './support/gantry';
import { assertTruthful, commitOnDisk, inAHurry, placeOfShop } from './support/projects';

const index = `${webroot}/ROOT/index.php`;

describe('a redeploy', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: ProjectParts;
  let slowDown: () => void;

  before(async () => {
    parts = (await gantry()).projects;
    slowDown = await inAHurry();
  });
  beforeEach(async () => {
    setUp = await VcsSetUp.start({ pollingSpeed: 1200 });
    account = await signedIn(setUp.platform);
  });
  afterEach(async () => {
    await parts.history.forget(placeOfShop(account));
    await (await gantry()).accounts.remove(account.slug);
    await setUp.stop();
  });
  after(() => slowDown());

  const redeploy = async (nodeId?: number): Promise<DeployRecord> => {
    const prepared = await parts.redeploys.prepare({ place: placeOfShop(account), nodeId });
    return parts.redeploys.start(prepared).ended;
  };
  const deployedOnce = async (wishes: Wishes = {}) => {
    await setUp.create({ updateNow: true, ...wishes });
    return commitOnDisk(setUp, 0);
  };
  const secondCommit = () => setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });

  it('tells the commit before and after, from each node, and what the platform logged', async () => {
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
    assert.match(sentencesOf(record), new RegExp(`${first?.slice(0, 7)} → ${second.slice(0, 7)}`));
    await assertTruthful(setUp, record);
  });

  it('costs Update, one request more, and two for each node', async () => {
    await deployedOnce();
    await secondCommit();
    await (await gantry()).environments.of(account);
    setUp.platform.journal.reset();
    await redeploy();
    const operations = setUp.platform.journal.entries.map(({ operation }) => operation).sort();
    assert.deepEqual(operations, ['GetProject', 'Read', 'Read', 'Read', 'Read', 'Update']);
  });

  it('says that nothing was new where nothing was', async () => {
    const first = await deployedOnce();
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: first });
    assert.match(sentencesOf(record), /nothing new/);
  });

  it('deploys for the first time', async () => {
    await setUp.create();
    const record = await redeploy();
    assert.equal(record.verdict.kind, 'deployed');
    assert.equal(record.nodes[0]?.before, undefined);
    await assertTruthful(setUp, record);
  });

  it('goes to one node alone where that is wished', async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    const record = await redeploy(setUp.nodeId(1));
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.deepEqual([await commitOnDisk(setUp, 0), await commitOnDisk(setUp, 1)], [first, second]);
  });

  it('keeps its history across restarts, the newest first, with the log', async () => {
    await deployedOnce();
    await secondCommit();
    const first = await redeploy();
    const second = await redeploy();
    const restarted = new DeployHistory(parts.history.folder);
    assert.deepEqual(await restarted.of(placeOfShop(account)), JSON.parse(JSON.stringify([second, first])));
  });

  describe('where files were edited in the container', () => {
    it('throws them away if the project says so', async () => {
      await deployedOnce({ autoResolveConflict: true });
      await setUp.edit(index, 'edited\n');
      await secondCommit();
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'deployed');
      assert.equal(await setUp.read(index), 'two\n');
      await assertTruthful(setUp, record);
    });

    it('stops if the project says so, names the node, and shows the line that matters', async () => {
      const first = await deployedOnce();
      await setUp.edit(index, 'edited\n', 1);
      const second = await secondCommit();
      const record = await redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.deepEqual(
        record.nodes.map((node) => node.after),
        [second, first],
      );
      assert.match(sentencesOf(record), new RegExp(`${setUp.nodeId(1)} still has ${first?.slice(0, 7)}`));
      assert.match(record.log, /overwritten by merge/);
      await assertTruthful(setUp, record);
    });
  });

  it('fails with a failing hook, before and after the sources came', async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    await setUp.succeed('EditProject', { ...setUp.editWishes, hooks: JSON.stringify({ preDeploy: 'exit 3' }) });
    const early = await redeploy();
    assert.equal(early.verdict.kind, 'failed');
    assert.deepEqual(
      early.nodes.map((node) => node.after),
      [first, first],
    );
    await setUp.succeed('EditProject', { ...setUp.editWishes, hooks: JSON.stringify({ postDeploy: 'exit 3' }) });
    const late = await redeploy();
    assert.equal(late.verdict.kind, 'failed');
    assert.deepEqual(
      late.nodes.map((node) => node.after),
      [second, second],
    );
    assert.match(late.log, /hook postDeploy/);
    await assertTruthful(setUp, late);
  });

  it('sees that auto-update came first', async () => {
    await deployedOnce({ autoupdate: true, interval: '1' });
    const second = await secondCommit();
    await untilFile(setUp.file(`${webroot}/ROOT/.git/logs/HEAD`, { node: 1 }), (text) => text.includes(` ${second} `));
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'deployed', commit: second });
    assert.match(sentencesOf(record), /nothing new/);
    await assertTruthful(setUp, record);
  });

  interface Troubled {
    readonly when: string;
    readonly fault: FaultRule['fault'];
    readonly expected: Verdict['kind'];
    readonly failing?: boolean;
    readonly ended?: boolean;
  }

  const troubled: readonly Troubled[] = [
    {
      when: '504 after success',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
      expected: 'answerLost',
      ended: true,
    },
    {
      when: '502 after success',
      fault: { kind: 'gatewayError', status: 502, when: 'after' },
      expected: 'answerLost',
      ended: true,
    },
    {
      when: '504 after failure',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
      expected: 'answerLost',
      failing: true,
      ended: true,
    },
    {
      when: '504 and it never happened',
      fault: { kind: 'gatewayError', status: 504 },
      expected: 'answerLost',
      ended: false,
    },
    {
      when: 'the connection reset after success',
      fault: { kind: 'reset', when: 'after' },
      expected: 'answerLost',
      ended: true,
    },
    { when: 'the connection reset before', fault: { kind: 'reset' }, expected: 'answerLost', ended: false },
    { when: 'an answer cut short', fault: { kind: 'truncate', bytes: 20 }, expected: 'answerLost', ended: true },
    {
      when: 'a web page with status 200',
      fault: { kind: 'answer', body: '<html>ok</html>', contentType: 'text/html' },
      expected: 'answerLost',
      ended: false,
    },
    {
      when: 'JSON without a result',
      fault: { kind: 'answer', body: '{"log":"deployed"}', when: 'after' },
      expected: 'answerLost',
      ended: true,
    },
    { when: 'success as text', fault: { kind: 'textResult' }, expected: 'deployed' },
    {
      when: 'success that is a lie',
      fault: { kind: 'answer', body: '{"result":0,"log":"deployed"}' },
      expected: 'deployed',
    },
    { when: 'a nested failure', fault: { kind: 'nestedFailure', shape: 'response' }, expected: 'failed' },
    {
      when: 'a nested failure after it happened',
      fault: { kind: 'nestedFailure', shape: 'responses', when: 'after' },
      expected: 'failed',
    },
    { when: 'a refusal', fault: { kind: 'refuse', result: 4000, error: 'no' }, expected: 'failed' },
    {
      when: 'a time-out inside the platform',
      fault: { kind: 'refuse', result: 17, error: 'timeout', when: 'after' },
      expected: 'answerLost',
      ended: true,
    },
    { when: 'a missing right', fault: { kind: 'refuse', result: 8202, error: 'no' }, expected: 'failed' },
  ];

  for (const { when, fault, expected, failing, ended } of troubled) {
    it(`tells nothing that is not so: ${when}`, async () => {
      await deployedOnce();
      const second = await secondCommit();
      if (failing === true) {
        await setUp.succeed('EditProject', { ...setUp.editWishes, hooks: JSON.stringify({ preBuild: 'exit 1' }) });
      }
      const rule = setUp.platform.faults.add({ operation: 'Update', fault });
      const record = await redeploy();
      assert.equal(rule.hits, 1);
      assert.equal(record.verdict.kind, expected, sentencesOf(record));
      if (record.verdict.kind === 'answerLost') {
        assert.equal(record.verdict.ended, ended);
      }
      await assertTruthful(setUp, record);
      const stands = [await commitOnDisk(setUp, 0), await commitOnDisk(setUp, 1)];
      const isTold = sentencesOf(record).includes(second.slice(0, 7));
      assert.ok(!isTold || stands.every((commit) => commit === second), sentencesOf(record));
    });
  }

  it('of two nodes of which one fails is told for each of them', async () => {
    const first = await deployedOnce();
    const second = await secondCommit();
    const nodeId = setUp.nodeId(0);
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'failNode', nodeId } });
    const record = await redeploy();
    assert.equal(record.verdict.kind, 'failed');
    assert.deepEqual(
      record.nodes.map((node) => node.after),
      [first, second],
    );
    assert.match(
      sentencesOf(record),
      new RegExp(`${nodeId} still has .* ${setUp.nodeId(1)} has ${second.slice(0, 7)} now`),
    );
    await assertTruthful(setUp, record);
  });

  it('is not verified where a node cannot be read, and says so', async () => {
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
    assert.match(sentencesOf(record), /could not be checked/);
  });

  it('can be left alone while it is watched, and looked at again', async () => {
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

  it('is joined by a second click', async () => {
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
