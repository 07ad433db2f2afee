import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { Uri, window } from 'vscode';
import { pushWithProgress } from '../../../../../src/features/deployments/redeploy/plan';
import { ExpectedError } from '../../../../../src/ui/expectedError';
import { cancelProgress } from '../../../support/cancelProgress';
import { until } from '../../../support/event';
import { type OpenRepository, withOpenRepository } from '../../../support/openRepository';
import { assertTruthful, commitOnDisk, redeployed, refusedTake } from '../../../support/projects';

describe('a redeploy of a project whose repository is open here', () => {
  let at: OpenRepository;

  withOpenRepository((one) => (at = one));

  it('asks nothing if nothing would be missing or lost', async () => {
    await at.create();
    await at.status();
    const { record, asked } = await at.redeploy();
    assert.equal(asked, undefined);
    assert.equal(record?.verdict.kind, 'deployed');
  });

  it('names what it would miss: unpushed commits, local changes, and a different checked-out branch', async () => {
    await at.create();
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.clone.write('about.php', 'changed\n');
    await at.clone.write('new.php', 'new\n');
    await at.status();
    await until(at.parts.repositories.onDidChange, async () => (await at.missed()).uncommitted.length === 2);
    const { asked, record } = await at.redeploy();
    assert.equal(record, undefined, 'it was decided against');
    assert.deepEqual(asked?.local?.unpushed, ['Darker tea']);
    assert.deepEqual(asked.local.uncommitted.map(({ path }) => path.split('/').at(-1)).sort(), [
      'about.php',
      'new.php',
    ]);
    assert.equal(asked.local.otherBranch, undefined);
    await at.clone.git('checkout', '--quiet', '-b', 'experiment');
    await at.status();
    await until(at.parts.repositories.onDidChange, () => at.repository.currentBranch === 'experiment');
    assert.equal((await at.redeploy()).asked?.local?.otherBranch, 'experiment');
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  it('knows what was changed, committed, and pushed in a terminal a moment ago', async () => {
    await at.create();
    await at.status();
    await at.clone.write('about.php', 'changed\n');
    assert.equal((await at.redeploy()).asked?.local?.uncommitted.length, 1);
    await at.clone.git('commit', '--quiet', '--all', '--message', 'Changed');
    const { local } = (await at.redeploy()).asked ?? {};
    assert.deepEqual([local?.uncommitted, local?.unpushed], [[], ['Changed']]);
    await at.clone.git('push', '--quiet');
    const { asked, record } = await at.redeploy();
    assert.deepEqual([asked, record?.verdict.kind], [undefined, 'deployed']);
  });

  it('pushes, and deploys exactly the pushed commit', async () => {
    await at.create();
    const commit = await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.status();
    await until(at.parts.repositories.onDidChange, async () => (await at.missed()).unpushed.length === 1);
    const { record } = await at.redeploy({ push: true, savesPatch: false });
    assert.deepEqual(record?.verdict, { kind: 'deployed', commit, behind: 0 });
    assert.equal(await commitOnDisk(at.setUp, 1), commit);
  });

  it('deploys nothing if its push is refused, and says so', async () => {
    await at.create();
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.status();
    await until(at.parts.repositories.onDidChange, async () => (await at.missed()).unpushed.length === 1);
    await at.setUp.repository.commit({ message: 'theirs', files: { 'about.php': 'theirs\n' } });
    at.setUp.platform.journal.reset();
    await assert.rejects(at.redeploy({ push: true, savesPatch: false }), {
      message: "Couldn't push master, so nothing was deployed. To see why, use Git: Show Git Output.",
    });
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  it("says why it can't push if Gantry knows, and leads to Git's output only for what Git said", async () => {
    const known = new ExpectedError('Add a remote first.');
    await assert.rejects(
      pushWithProgress('master', () => Promise.reject(known)),
      known,
    );
  });

  it('deploys nothing if the person stops waiting for its push, and says that Git may still push', async () => {
    await at.create();
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.status();
    await until(at.parts.repositories.onDidChange, async () => (await at.missed()).unpushed.length === 1);
    at.setUp.platform.journal.reset();
    const prototype = Object.getPrototypeOf(at.repository) as typeof at.repository;
    const usual = Object.getOwnPropertyDescriptor(prototype, 'push') ?? {};
    let goOn = (): void => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    const reached = new Promise<void>((resolve) => {
      prototype.push = () => (resolve(), held);
    });
    const leave = cancelProgress(reached);
    const redeploying = at.redeploy({ push: true, savesPatch: false }).finally(() => {
      leave();
      goOn();
      Object.defineProperty(prototype, 'push', usual);
    });
    await assert.rejects(redeploying, { message: 'Canceled. Nothing was deployed, but Git may still push master.' });
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  it('deploys what it pushed while another redeploy was running, whose pull may have been before that', async () => {
    await at.create();
    const commit = await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.status();
    await until(at.parts.repositories.onDidChange, async () => (await at.missed()).unpushed.length === 1);
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang', when: 'after' } });
    const { plans, redeploys } = at.parts;
    const record = await redeployed(at.parts, { place: at.place, consent: 'byTask' }, async () => {
      redeploys.start(await plans.prepare({ place: at.place }));
      await held.reached;
      void refusedTake(at.parts).then(() => held.release());
      return { push: true, savesPatch: false };
    });
    assert.deepEqual(record?.verdict, { kind: 'deployed', commit, behind: 0 });
    assert.deepEqual([await commitOnDisk(at.setUp, 0), await commitOnDisk(at.setUp, 1)], [commit, commit]);
  });

  it('asks nothing more about edits whose patch is saved in the repository', async () => {
    await at.create({ autoResolveConflict: true });
    await at.edit('index.php', 'edited\n');
    const { showSaveDialog } = window;
    const choose = async () => {
      await at.clone.write('edits.patch', '');
      await at.status();
      await until(at.parts.repositories.onDidChange, async () => (await at.missed()).uncommitted.length === 1);
      return Uri.joinPath(at.repository.root, 'edits.patch');
    };
    Object.assign(window, { showSaveDialog: choose });
    const redeploying = at.redeploy({ push: false, savesPatch: true });
    const { askedAgain, record } = await redeploying.finally(() => Object.assign(window, { showSaveDialog }));
    assert.deepEqual(askedAgain, []);
    assert.equal(record?.verdict.kind, 'deployed');
  });

  it("doesn't trust a platform that reports a deployment that didn't happen", async () => {
    await at.create();
    await at.clone.commit('Darker tea', { 'index.php': 'dark\n' });
    await at.clone.git('push', '--quiet');
    await at.status();
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'answer', body: '{"result":0}' } });
    const { record } = await at.redeploy();
    assert.deepEqual(record?.verdict, { kind: 'contradicted', because: 'behind', behind: 1 });
    assert.ok(record);
    await assertTruthful(at.setUp, record);
  });
});
