import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, env, workspace } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import type { ProjectParts } from '../../../support/parts';
import type { DeployRecord } from '../../../../../src/features/deployments/redeploy/redeployResult';
import { severityOf } from '../../../../../src/features/deployments/results';
import { plainly, redeployQuestion } from '../../../../../src/features/deployments/redeploy/ask';
import { summaryOf } from '../../../../../src/features/deployments/redeploy/stakes';
import { replacedFolder } from '../../../../../src/features/deployments/projectText';
import type { RedeployPlan } from '../../../../../src/features/deployments/redeploy/plan';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import { SvnRepository } from '../../../../localPlatform/vcs/svnRepository';
import { startSvnServer, type SvnServer } from '../../../../localPlatform/vcs/svnServer';
import { type VcsSetUp, webroot, type Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { fileUri, gantry } from '../../../support/gantry';
import { type Answer, Person, typed } from '../../../support/person';
import {
  endProject,
  inAHurry,
  inspectionsBeforeUpdate,
  messageOf,
  placeOfShop,
  redeployed,
  startProject,
} from '../../../support/projects';

const run = promisify(execFile);
const credentials = { login: 'marit', password: 'cold tea' };
const index = `${webroot}/ROOT/index.php`;

describe('a redeploy of a Subversion project', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let repository: SvnRepository;
  let server: SvnServer;
  let account: Account;
  let parts: ProjectParts;

  inAHurry();
  before(async function () {
    // Subversion isn't installed on this machine.
    if (!(await SvnRepository.isPossible())) this.skip();
    parts = (await gantry()).projects;
  });
  beforeEach(async () => {
    ({ setUp, account } = await startProject());
    folder = await mkdtemp(join(tmpdir(), 'gantry-svn-'));
    repository = await SvnRepository.create(join(folder, 'tea'), credentials);
    await repository.commit('first', { 'trunk/index.php': 'one\n', 'trunk/about.php': 'about\n' });
    server = await startSvnServer({ folder });
  });
  afterEach(async () => {
    await endProject({ setUp, account, place: placeOfShop(account) });
    await server.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  const svn = () => ({ type: 'SVN', url: `${server.url('tea')}/trunk`, ...credentials });
  const deployedOnce = (wishes: Wishes = {}) => setUp.create({ ...svn(), updateNow: true, ...wishes });
  const secondCommit = () => repository.commit('second', { 'trunk/index.php': 'two\n' });
  const redeploy = async (): Promise<DeployRecord> =>
    parts.redeploys.start(await parts.plans.prepare({ place: placeOfShop(account) })).ended;
  const onDisk = () =>
    Promise.all(
      [0, 1].map(async (node) => {
        const args = ['info', '--show-item', 'revision', setUp.file(`${webroot}/ROOT`, { node })];
        return `r${(await run('svn', args)).stdout.trim()}`;
      }),
    );
  const told = ({ nodes }: DeployRecord) => nodes.map((node) => node.after);

  it('reports the revision from the log of each node, which is the one on its disk', async () => {
    await deployedOnce();
    const revision = await secondCommit();
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'subversion', revision });
    assert.equal(severityOf(record.verdict), 'success');
    assert.match(messageOf(record), new RegExp(`^Deployed revision ${revision} to `));
    assert.match(record.log, new RegExp(`Updated to revision ${revision}\\.`));
    assert.deepEqual(told(record), await onDisk());
    assert.equal(await setUp.read(index, { node: 1 }), 'two\n');
  });

  it('finds the checkout, and takes Update, one more request, and two for each node', async () => {
    await deployedOnce();
    await redeploy();
    assert.equal(parts.known.find(placeOfShop(account))?.folder, `${webroot}/ROOT`);
    setUp.platform.journal.reset();
    await redeploy();
    const operations = setUp.platform.journal.entries.map(({ operation }) => operation).sort();
    assert.deepEqual(operations, ['GetList', 'GetList', 'GetProject', 'Read', 'Read', 'Update']);
  });

  it('is inspected once before its first redeploy', async () => {
    await deployedOnce();
    const { heads } = await inspectionsBeforeUpdate({ setUp, parts }, redeploy);
    assert.equal(heads, 1);
    assert.equal(parts.known.find(placeOfShop(account))?.folder, `${webroot}/ROOT`);
  });

  it('fails if the platform deployed another revision than the one that the project is pinned to', async () => {
    await deployedOnce({ repoHash: '1' });
    const revision = await secondCommit();
    setUp.platform.behaviour.pinnedCommits = 'ignored';
    setUp.platform.journal.reset();
    const record = await redeploy();
    const read = setUp.platform.journal.entries.filter(({ operation }) => operation === 'Read');
    const tags = read.map(({ parameters }) => parameters['path']).filter((path) => path?.includes('refs/tags'));
    assert.deepEqual(tags, [], 'no tag is looked for');
    assert.deepEqual(told(record), [`r${revision}`, `r${revision}`]);
    assert.deepEqual(record.verdict, { kind: 'contradicted', because: 'notPinned' });
    assert.equal(severityOf(record.verdict), 'error');
    assert.match(messageOf(record), new RegExp(`deployed r${revision} to .*, although the project is pinned to 1\\.`));
  });

  it("reports the revision from the vendor's log in the folder of the stack, and of no earlier redeploy", async () => {
    Object.assign(setUp.platform.behaviour, vendorDeployments);
    await deployedOnce();
    const revision = await secondCommit();
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'subversion', revision });
    assert.deepEqual(told(record), await onDisk());
    const again = await redeploy();
    assert.deepEqual(told(again), [`r${revision}`, `r${revision}`]);
  });

  describe('that is to be rolled back', () => {
    const isPinning = () => parts.pins.has({ account: account.slug, kind: 'SVN' });
    const count = (operation: string) => setUp.platform.journal.count((entry) => entry.operation === operation);
    const command = async (id: 'rollBack' | 'deployNewest', ...answers: readonly Answer[]) => {
      const person = new Person();
      try {
        await person.answering(answers, () => commands.executeCommand(`gantry.project.${id}`, placeOfShop(account)));
        return person.seen.join('\n');
      } finally {
        person.leave();
      }
    };
    const first = typed('1', 'Deploy revision 1');

    it('gets the command to copy the revision to a branch, and nothing is deployed', async () => {
      await deployedOnce();
      await secondCommit();
      await redeploy();
      const before = [count('EditProject'), count('Update')];
      assert.match(
        await command('rollBack', first, { presses: 'Copy Commands' }),
        /might deploy only the newest revision\. Copy revision 1 to/,
      );
      const url = server.url('tea');
      assert.equal(
        await env.clipboard.readText(),
        `svn copy "${url}/trunk@1" "${url}/branches/gantry-rollback-1" -m "Roll back to 1"`,
      );
      assert.deepEqual([count('EditProject'), count('Update')], before);
      assert.equal(await setUp.read(index), 'two\n');
    });

    it('gets its revision once a redeploy has shown that the platform deploys it, and the newest one again', async () => {
      await deployedOnce();
      await secondCommit();
      await redeploy();
      await setUp.succeed('EditProject', { ...setUp.editWishes, ...svn(), repoHash: '1' });
      await redeploy();
      assert.equal(isPinning(), true);
      await command('deployNewest', 'Deploy');
      assert.deepEqual(await onDisk(), ['r2', 'r2']);
      await command('rollBack', '1', 'Roll Back');
      assert.deepEqual(await onDisk(), ['r1', 'r1']);
      assert.equal(await setUp.read(index, { node: 1 }), 'one\n');
      setUp.platform.behaviour.pinnedCommits = 'ignored';
      await redeploy();
      assert.equal(isPinning(), false);
    });
  });

  it("isn't verified if only the platform reports the revision", async () => {
    await deployedOnce();
    const revision = await secondCommit();
    const body = JSON.stringify({ result: 0, log: `Updated to revision ${revision}.\n` });
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'answer', body } });
    const record = await redeploy();
    assert.deepEqual(record.verdict, { kind: 'unverified', because: 'revisionUnknown', revision });
    assert.equal(severityOf(record.verdict), 'warning');
    assert.match(messageOf(record), /the logs on the nodes don't show it/);
    assert.equal(await setUp.read(index), 'one\n');
  });

  it('reports the revision on the nodes even if the response is lost', async () => {
    await deployedOnce();
    const revision = await secondCommit();
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504, when: 'after' } });
    const record = await redeploy();
    assert.equal(record.verdict.kind === 'answerLost' && record.verdict.commit, `r${revision}`);
    assert.deepEqual(told(record), await onDisk());
    const again = await parts.redeploys.lookAgain(record);
    assert.deepEqual(again.verdict, record.verdict);
  });

  it('reports the revision of each node if one of two nodes fails', async () => {
    await deployedOnce();
    const revision = await secondCommit();
    setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'failNode', nodeId: setUp.nodeId(0) } });
    const record = await redeploy();
    assert.equal(record.verdict.kind, 'failed');
    assert.deepEqual(told(record), [undefined, `r${revision}`]);
    assert.deepEqual(await onDisk(), ['r1', `r${revision}`]);
  });

  it('fails if the repository rejects the credentials', async () => {
    await deployedOnce({ updateNow: false, password: 'wrong' });
    const record = await redeploy();
    assert.equal(record.verdict.kind, 'failed');
    assert.doesNotMatch(messageOf(record) + record.log, /wrong/);
  });

  describe('that is its first deployment', () => {
    beforeEach(() => setMode('whenRisky'));
    afterEach(() => setMode('always'));

    const setMode = (mode: 'always' | 'whenRisky') =>
      workspace.getConfiguration('gantry').update('redeploy.confirm', mode, ConfigurationTarget.Global);
    const edited = async () => {
      for (const node of [0, 1]) await mkdir(dirname(setUp.file(index, { node })), { recursive: true });
      await setUp.edit(index, 'mine\n');
    };
    const byClick = async () => {
      const asked: RedeployPlan[] = [];
      await redeployed(parts, { place: placeOfShop(account) }, (plan) => {
        asked.push(plan);
        return Promise.resolve(undefined);
      });
      return asked;
    };

    it('asks before it replaces the folder, and then not again', async () => {
      await deployedOnce({ updateNow: false });
      await edited();
      const [plan = assert.fail()] = await byClick();
      assert.equal(plan.editOutcome, 'replaced');
      assert.ok(redeployQuestion(plan).paragraphs.some((text) => text?.includes(replacedFolder()) === true));
      assert.equal(await setUp.read(index), 'mine\n');
      await redeploy();
      assert.deepEqual(await byClick(), []);
    });

    it('says that edits in it are discarded', async () => {
      await deployedOnce({ updateNow: false });
      const place = {
        account: account.slug,
        environment: 'shop',
        target: { nodeGroup: 'cp', nodeId: setUp.nodeId(0) },
      };
      await edited();
      await parts.nodeEditLog.note({ kind: 'file', ...place, path: index }, { what: 'changed', before: 'one\n' });
      const [plan = assert.fail()] = await byClick();
      assert.deepEqual(
        plan.edits.map(({ path, fate }) => [path, fate]),
        [['index.php', 'gone']],
      );
      assert.match(summaryOf(plan), /^The folder will be replaced/);
    });
  });

  for (const autoResolveConflict of [true, false]) {
    it(`says that a conflicting edit is discarded, as by the vendor's code, with auto-resolve ${autoResolveConflict}`, async () => {
      Object.assign(setUp.platform.behaviour, vendorDeployments);
      await deployedOnce({ autoResolveConflict });
      await redeploy();
      const noted = new Promise<void>((resolve) => {
        const listening = parts.nodeEditLog.onDidChange(() => {
          listening.dispose();
          resolve();
        });
      });
      const uri = fileUri(account, 'shop', `cp~${setUp.nodeId(0)}`, index);
      await workspace.fs.writeFile(uri, new TextEncoder().encode('edited\n'));
      await noted;
      await secondCommit();
      const asked: RedeployPlan[] = [];
      const record = await redeployed(parts, { place: placeOfShop(account) }, (plan) => {
        asked.push(plan);
        return Promise.resolve(plainly);
      });
      assert.equal(asked[0]?.editOutcome, 'discarded');
      assert.deepEqual(
        asked[0].edits.map(({ path }) => path),
        ['index.php'],
      );
      assert.equal(record?.verdict.kind, 'unverified');
      assert.equal(await setUp.read(index), 'two\n');
    });
  }
});
