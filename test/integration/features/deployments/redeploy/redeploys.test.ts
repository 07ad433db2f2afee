import assert from 'node:assert/strict';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { untilGone } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject } from '../../../support/deployedProject';
import { nextEvent } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { assertTruthful, inAHurry } from '../../../support/projects';

describe('a running redeploy', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it('can run in the background while it is watched, and can be checked again', async () => {
    await at.deployedOnce();
    const second = await at.secondCommit();
    const lost = at.setUp.platform.faults.add({
      operation: 'Update',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
    });
    const hidden = at.setUp.platform.faults.add({
      operation: 'GetProject',
      nth: 2,
      times: 'always',
      fault: { kind: 'gatewayError', status: 502 },
    });
    const running = at.parts.redeploys.start(await at.parts.plans.prepare({ place: at.place }));
    await new Promise<void>((resolve) => {
      const listening = at.parts.redeploys.onDidChange(() => {
        if (running.phase === 'following') {
          listening.dispose();
          resolve();
        }
      });
    });
    running.stop();
    const record = await running.ended;
    assert.equal(record.verdict.kind, 'answerLost');
    assert.equal(lost.hits, 1);
    hidden.remove();
    const again = await at.parts.redeploys.lookAgain(record);
    assert.equal(again.verdict.kind === 'answerLost' && again.verdict.commit, second);
    assert.deepEqual((await at.parts.history.last(at.place))?.verdict, again.verdict);
    await assertTruthful(at.setUp, again);
  });

  it("sends nothing and leaves no row if it's canceled while the logs are listed", async () => {
    await at.deployedOnce();
    const prepared = await at.parts.plans.prepare({ place: at.place });
    const held = at.setUp.platform.faults.add({ operation: 'GetList', fault: { kind: 'hang', when: 'after' } });
    const running = at.parts.redeploys.start(prepared);
    const rejected = assert.rejects(running.ended, { name: 'AbortError' });
    await held.reached;
    running.stop();
    held.release();
    await rejected;
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
    assert.deepEqual(await at.parts.history.of(at.place), []);
    assert.equal(at.parts.redeploys.running(at.place), undefined);
  });

  it("sends nothing and leaves no row if it's canceled while it waits for a sign-in", async () => {
    await at.deployedOnce();
    const prepared = await at.parts.plans.prepare({ place: at.place });
    const { accounts } = await gantry();
    const asked = nextEvent(accounts.onDidChange, () => at.account.isSignedOut);
    at.setUp.platform.faults.add({ operation: 'GetList', fault: { kind: 'expireSession' } });
    const running = at.parts.redeploys.start(prepared);
    const rejected = assert.rejects(running.ended, { name: 'AbortError' });
    await asked;
    running.stop();
    await rejected;
    assert.equal(at.parts.redeploys.running(at.place), undefined);
    assert.deepEqual(await at.parts.history.of(at.place), []);
    await accounts.replaceToken(at.account.slug, { token: await at.setUp.platform.createSession() });
    await at.parts.plans.prepare({ place: at.place });
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      0,
    );
  });

  it('leaves nothing of an account that was signed out in the meantime', async () => {
    await at.deployedOnce();
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const { ended } = at.parts.redeploys.start(await at.parts.plans.prepare({ place: at.place }));
    await held.reached;
    const { accounts } = await gantry();
    await accounts.remove(at.account.slug);
    held.release();
    await ended;
    // If the folder isn't removed, the test times out.
    await untilGone(join(at.parts.history.folder, at.account.slug));
    assert.deepEqual(await at.parts.history.of(at.place), []);
    assert.equal(at.parts.known.find(at.place), undefined);
  });

  it('is shared with a second click', async () => {
    await at.deployedOnce();
    const held = at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'hang' } });
    const prepared = await at.parts.plans.prepare({ place: at.place });
    const running = at.parts.redeploys.start(prepared);
    await held.reached;
    assert.equal(at.parts.redeploys.running(at.place), running);
    assert.equal(at.parts.redeploys.start(prepared), running);
    held.release();
    await running.ended;
    assert.equal(
      at.setUp.platform.journal.count(({ operation }) => operation === 'Update'),
      1,
    );
    assert.equal(at.parts.redeploys.running(at.place), undefined);
  });
});
