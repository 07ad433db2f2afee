import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { workspace } from 'vscode';
import { plainly } from '../../../../../src/features/deployments/redeploy/ask';
import type { RedeployPlan } from '../../../../../src/features/deployments/redeploy/plan';
import { summaryOf } from '../../../../../src/features/deployments/redeploy/stakes';
import type { Repair } from '../../../../../src/features/deployments/redeploy/wedgedClones';
import { vendorDeployments } from '../../../../localPlatform/behaviour';
import { webroot, type Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../../support/deployedProject';
import { nextEvent } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { escape, Person } from '../../../support/person';
import { commitOnDisk, inAHurry, messageOf, redeployed } from '../../../support/projects';

const root = `${webroot}/ROOT`;

describe('a project whose nodes cannot pull', () => {
  let at: DeployedProject;
  let person: Person;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start(vendorDeployments);
    person = new Person();
  });
  afterEach(() => {
    person.leave();
    return at.end();
  });

  const edit = (wishes: Wishes) =>
    at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true, ...wishes });
  const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');
  const headOf = (node: number) => at.setUp.read(`${root}/.git/HEAD`, { node });
  const onDisk = () => Promise.all([0, 1].map((node) => commitOnDisk(at.setUp, node)));
  const look = () => at.parts.flow.plan({ place: at.place });
  const told = ({ wedged }: RedeployPlan) => wedged.map(({ goneBranch, attachTo }) => [goneBranch, attachTo]);
  /** Redeploys as the command does, with this repair. */
  const redeploy = (repair: Repair | undefined, meanwhile: () => Promise<unknown> = () => Promise.resolve()) =>
    redeployed(at.parts, { place: at.place, consent: 'byTask' }, async () => {
      await meanwhile();
      return { ...plainly, repair };
    });
  /** Lets a commit as branch detach HEAD, and sets the branch back. */
  const detach = async () => {
    await at.deployedOnce({ branch: at.setUp.first });
    await edit({ branch: 'master' });
    return at.secondCommit();
  };

  it('is recognized by its detached HEAD before anything is sent, and would fail', async () => {
    await detach();
    const plan = await look();
    assert.deepEqual(told(plan), [
      [undefined, 'master'],
      [undefined, 'master'],
    ]);
    assert.match(summaryOf(plan), /^The redeploy would probably fail, because HEAD is detached on /);
    assert.equal(updates(), 0);
    assert.equal((await redeploy(undefined))?.verdict.kind, 'failed');
  });

  it('is asked about, and deploys the newest commit once HEAD is attached again', async () => {
    const second = await detach();
    await person.answering(['Attach HEAD and Redeploy'], () =>
      at.parts.flow.redeploy({ place: at.place, consent: 'byTask' }),
    );
    assert.deepEqual(await onDisk(), [second, second]);
    assert.equal(await headOf(1), 'ref: refs/heads/master\n');
    assert.equal((await at.parts.edits.noted(at.place)).length, 0, 'HEAD is no file of the repository');
    assert.deepEqual(told(await look()), []);
  });

  it('is recorded with the commit that its files had before HEAD was attached', async () => {
    await detach();
    const first = await commitOnDisk(at.setUp, 0);
    assert.deepEqual(
      (await redeploy('attach'))?.nodes.map(({ before }) => before),
      [first, first],
    );
  });

  it('is compared with the commit of its files, also once HEAD is attached to a branch with another one', async () => {
    await at.secondCommit();
    await at.deployedOnce({ branch: at.setUp.first });
    await edit({ branch: 'master' });
    const { flow } = at.parts;
    const usual = flow.plan.bind(flow);
    const deployed: unknown[] = [];
    flow.plan = async (...args) => {
      const plan = await usual(...args);
      deployed.push(plan.deployed);
      return plan;
    };
    await redeploy('attach').finally(() => (flow.plan = usual));
    assert.deepEqual(deployed, [at.setUp.first, at.setUp.first]);
  });

  it('keeps the clones of the other nodes, and sends nothing, if the repair is canceled', async () => {
    await at.deployedOnce({ branch: at.setUp.first });
    const stopping = new AbortController();
    const deleted = at.setUp.platform.journal.nextArrival(({ operation }) => operation === 'Delete');
    const decide = () => Promise.resolve({ ...plainly, repair: 'cloneAgain' } as const);
    const ended = redeployed(at.parts, { place: at.place, consent: 'byTask' }, decide, stopping);
    const canceled = assert.rejects(ended, { name: 'AbortError' });
    await deleted;
    stopping.abort();
    await canceled;
    assert.equal(updates(), 0);
    await assert.rejects(headOf(0));
    assert.equal(await headOf(1), `${at.setUp.first}\n`);
    assert.match(person.seen.join('\n'), /Nothing was redeployed, but the \.git folder on .* is deleted/);
  });

  it("isn't seen in a detached HEAD where the platform deploys the commit in the settings", async () => {
    await detach();
    await at.parts.pins.keep({ account: at.account.slug, kind: 'GIT' });
    assert.deepEqual(told(await look()), []);
  });

  it('sends nothing if HEAD has changed since it was read', async () => {
    await detach();
    const checkOut = () => at.setUp.edit(`${root}/.git/HEAD`, 'ref: refs/heads/other\n');
    await assert.rejects(redeploy('attach', checkOut), /HEAD on .* has changed from \w{7} in the meantime/);
    assert.equal(updates(), 0);
    assert.equal(await headOf(0), 'ref: refs/heads/other\n');
  });

  it('sends nothing if HEAD could not be attached, and says why', async () => {
    await detach();
    const fault = { kind: 'refuse', result: 4099, error: 'the disk is read-only' } as const;
    at.setUp.platform.faults.add({ operation: 'Write', fault });
    await assert.rejects(redeploy('attach'), {
      message: /^Couldn't attach HEAD to master on .*: [^:.]*the disk is read-only[^.]*\. Nothing was redeployed\.$/,
    });
    assert.equal(updates(), 0);
  });

  it('is recognized by a pull that failed because its branch is gone, and follows another branch', async () => {
    await at.setUp.repository.commit({ message: 'next', branch: 'next', files: { 'index.php': 'next\n' } });
    await at.deployedOnce({ branch: 'next' });
    assert.deepEqual(told(await look()), []);
    await at.setUp.repository.setReference('refs/heads/next');
    assert.equal((await at.redeploy()).verdict.kind, 'failed');
    const gone = await look();
    assert.deepEqual(told(gone)[0], ['next', undefined]);
    assert.match(
      summaryOf(gone),
      /^The redeploy would probably fail, because next, the branch on .*, no longer existed in the repository/,
    );
    const second = await at.secondCommit();
    await edit({ branch: 'master' });
    assert.deepEqual(told(await look())[0], ['next', 'master']);
    assert.equal((await redeploy('attach'))?.verdict.kind, 'deployed');
    assert.deepEqual(await onDisk(), [second, second]);
  });

  it("isn't attached to another branch if its branch is a commit in capitals", async () => {
    await at.deployedOnce({ branch: at.setUp.first });
    await edit({ branch: at.setUp.first.toUpperCase() });
    assert.deepEqual(told(await look())[0], [undefined, undefined]);
  });

  it('can only be cloned anew if its branch is a commit, which discards what the repository lacks, after a question', async () => {
    await at.deployedOnce({ branch: at.setUp.first });
    await at.setUp.edit(`${root}/upload.txt`, 'mine\n');
    for (const path of ['index.php', 'new.php']) {
      const noted = nextEvent(at.parts.nodeEditLog.onDidChange);
      const file = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, `${root}/${path}`);
      await workspace.fs.writeFile(file, new TextEncoder().encode('edited\n'));
      await noted;
    }
    assert.deepEqual(told(await look())[0], [undefined, undefined]);
    const ask = (...answers: Parameters<Person['answering']>[0]) =>
      person.answering(answers, () => at.parts.flow.redeploy({ place: at.place, consent: 'byTask' }));
    await ask('Delete Clone and Redeploy…', escape, 'Cancel');
    assert.match(person.seen.join('\n'), /Everything in it that isn't in the repository is lost/);
    assert.equal(updates(), 0);
    assert.equal(await at.setUp.read(`${root}/upload.txt`), 'mine\n');
    await ask('Delete Clone and Redeploy…', 'Delete and Clone Again');
    assert.equal(updates(), 1, 'the edits are not asked about again');
    assert.deepEqual(await onDisk(), [at.setUp.first, at.setUp.first]);
    await assert.rejects(at.setUp.read(`${root}/upload.txt`));
  });

  it("isn't called deployed if edits keep Git from checking out another branch, which is no failure", async () => {
    await at.setUp.repository.commit({ message: 'next', branch: 'next', files: { 'index.php': 'next\n' } });
    await at.deployedOnce();
    await Promise.all([0, 1].map((node) => at.setUp.edit(`${root}/index.php`, 'mine\n', node)));
    await edit({ branch: 'next', autoResolveConflict: false });
    const record = await at.redeploy();
    assert.equal(await headOf(1), 'ref: refs/heads/master\n');
    assert.deepEqual(record.verdict, { kind: 'contradicted', because: 'otherBranch', branch: 'master' });
    assert.match(messageOf(record), /^ROOT on .* runs [0-9a-f]{7} on the branch master instead of next, although/);
  });

  it("isn't attached if edits stay on the nodes, because Git wouldn't pull over the other commit's files", async () => {
    await detach();
    await edit({ branch: 'master', autoResolveConflict: false });
    assert.deepEqual(told(await look())[0], [undefined, undefined]);
  });

  it('reads the commit of a branch after a gc without its log', async () => {
    const first = await at.deployedOnce();
    assert.equal((await at.redeploy()).verdict.kind, 'deployed');
    assert.deepEqual(
      (await at.parts.inspector.heads({ place: at.place })).map(({ head }) => head),
      [0, 1].map(() => ({ kind: 'commit', commit: first, branch: 'master' })),
    );
  });
});
