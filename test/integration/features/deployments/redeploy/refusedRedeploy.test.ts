import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import { methodsForTask } from '../../../../../src/accounts/tokens';
import type { Account } from '../../../../../src/accounts/accounts';
import { logFile } from '../../../../unit/localPlatform/vcsSetUp';
import { DeployedProject, indexFile } from '../../../support/deployedProject';
import { gantry } from '../../../support/gantry';
import { Person } from '../../../support/person';
import { inAHurry, messageOf, placeOfShop } from '../../../support/projects';
import { descriptionOf, labelsBelow, rowsBelow } from '../../../support/trees';

/** What a failed redeploy from elsewhere leaves in the nodes' logs. */
const oldFailure = /refs\/heads\/nope|remote ref/;

describe('a redeploy after one from elsewhere that failed', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
    await at.deployedOnce();
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'nope' });
    assert.match((await at.setUp.update()).log, oldFailure);
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'master' });
  });
  afterEach(() => at.end());

  const refuse = (result: number) =>
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result, error: 'no way' } });
  const projectRow = async () => {
    const { view } = at.parts;
    const row = (await rowsBelow(view, 'Saltmarsh Tea')).find(({ kind }) => kind === 'project');
    return descriptionOf(view, row ?? assert.fail('no project'));
  };
  const pastRows = async () => {
    const labels = await labelsBelow(at.parts.view, 'Saltmarsh Tea', 'ROOT');
    return labels.includes('Redeploys from this computer');
  };

  describe('that the platform refuses', () => {
    it('with a token that only reads, says that nothing was deployed, quotes no log, and leaves no row', async () => {
      const { accounts } = await gantry();
      const { platform } = at.setUp;
      const apiList = [...methodsForTask('read', []), 'environment.vcs.GetProject'];
      const token = await platform.createToken({ description: 'reader', apiList });
      const person = new Person();
      let reader: Account | undefined;
      try {
        await person.answering([platform.origin, 'Access token', token, 'reader'], () =>
          commands.executeCommand('gantry.account.signIn'),
        );
        reader = accounts.list.find(({ label }) => label === 'reader') ?? assert.fail('not signed in');
        const place = placeOfShop(reader);
        await at.parts.projects.read(place);
        await person.answering(['Redeploy'], () => commands.executeCommand('gantry.project.redeploy', place));
        const told = person.seen.at(-1) ?? '';
        assert.match(told, /^Couldn't deploy ROOT on Saltmarsh Tea: the access token doesn't permit this method/);
        assert.match(told, /The platform refused the redeploy, so nothing was deployed\.$/);
        assert.doesNotMatch(told, oldFailure);
        assert.deepEqual(await at.parts.history.of(place), []);
        assert.equal(at.parts.redeploys.running(place), undefined);

        // From now on it's known, so nothing is asked and nothing is sent.
        for (const command of ['gantry.project.redeploy', 'gantry.project.redeployWith']) {
          platform.journal.reset();
          await person.answering([], () => commands.executeCommand(command, place));
          assert.match(
            person.seen.join('\n'),
            /^Couldn't deploy ROOT on Saltmarsh Tea: the access token doesn't permit/,
          );
          assert.deepEqual(platform.journal.entries, []);
        }
      } finally {
        person.leave();
        await (reader && accounts.remove(reader.slug));
      }
    });

    for (const [why, result] of [
      ['while its environment is asleep', 2212],
      ['because of its parameters', 3],
      ['because the project is gone', 4006],
    ] as const) {
      it(`${why}, keeps the row as it was`, async () => {
        // The view may have read the settings while they had the other branch.
        await at.parts.deployedStates.lookAnew(at.place);
        const before = await projectRow();
        refuse(result);
        at.setUp.platform.journal.reset();
        await assert.rejects(at.redeploy(), /The platform refused the redeploy, so nothing was deployed\.$/);
        assert.equal(at.setUp.platform.journal.entries.at(-1)?.operation, 'Update', 'nothing is asked after it');
        assert.equal(await projectRow(), before);
        assert.equal(await pastRows(), false);
      });
    }

    it('keeps the result of the one before', async () => {
      refuse(4000);
      const failed = await at.redeploy();
      refuse(8202);
      await assert.rejects(at.redeploy(), /nothing was deployed/);
      assert.deepEqual(
        (await at.parts.history.of(at.place)).map(({ id }) => id),
        [failed.id],
      );
      await at.parts.deployedStates.look(at.place);
      assert.match(await projectRow(), /failed/);
    });
  });

  describe('that fails', () => {
    const quotesNothingOld = async () => {
      const record = await at.redeploy();
      assert.equal(record.verdict.kind, 'failed');
      assert.doesNotMatch(record.log, oldFailure);
      assert.equal(messageOf(record), "Couldn't redeploy ROOT on Saltmarsh Tea: no way");
    };

    it('quotes nothing of the old failure', async () => {
      refuse(4000);
      await quotesNothingOld();
    });

    it("quotes nothing if the log's earlier length couldn't be read", async () => {
      at.setUp.platform.faults.add({
        operation: 'GetList',
        times: 'always',
        fault: { kind: 'refuse', result: 4037, error: 'denied' },
      });
      refuse(4000);
      await quotesNothingOld();
    });

    it("quotes the nodes' logs from where it began", async () => {
      await at.setUp.succeed('EditProject', {
        ...at.setUp.editWishes,
        hooks: JSON.stringify({ preBuild: 'echo "error: no memory"; exit 1' }),
      });
      const { plans, redeploys } = at.parts;
      const prepared = await plans.prepare({ place: at.place });
      at.setUp.platform.faults.add({
        operation: 'GetProject',
        times: 'always',
        fault: { kind: 'refuse', result: 4037, error: 'denied' },
      });
      at.setUp.platform.faults.add({
        operation: 'Update',
        fault: { kind: 'refuse', result: 4000, error: 'no way', when: 'after' },
      });
      const record = await redeploys.start(prepared).ended;
      assert.match(record.log, /vcs_update\.log/);
      assert.doesNotMatch(record.log, oldFailure);
      assert.equal(messageOf(record), "Couldn't redeploy ROOT on Saltmarsh Tea: error: no memory");
    });
  });

  it("quotes no part of a node's log of which the platform returns only the beginning", async () => {
    await at.setUp.succeed('EditProject', {
      ...at.setUp.editWishes,
      hooks: JSON.stringify({ preBuild: `echo "error: no space left"; echo "${'x'.repeat(2_000)}"; exit 1` }),
    });
    const { plans, redeploys } = at.parts;
    const prepared = await plans.prepare({ place: at.place });
    const { platform } = at.setUp;
    platform.faults.add({
      operation: 'GetProject',
      times: 'always',
      fault: { kind: 'refuse', result: 4037, error: 'denied' },
    });
    platform.faults.add({
      operation: 'Update',
      fault: { kind: 'refuse', result: 4000, error: 'no way', when: 'after' },
    });
    const lengths = await Promise.all([0, 1].map(async (node) => (await stat(at.setUp.file(logFile, { node }))).size));
    platform.behaviour.readBytes = Math.max(...lengths) + 500;
    const record = await redeploys.start(prepared).ended;
    assert.equal(record.log, '');
    assert.equal(messageOf(record), "Couldn't redeploy ROOT on Saltmarsh Tea: no way");
  });

  describe('whose response is lost', () => {
    const lose = () =>
      at.setUp.platform.faults.add({
        operation: 'Update',
        fault: { kind: 'gatewayError', status: 504, when: 'after' },
      });

    it("quotes the log's decisive line if it failed, now and when it's checked again", async () => {
      await at.secondCommit();
      await at.setUp.succeed('EditProject', {
        ...at.setUp.editWishes,
        hooks: JSON.stringify({ preBuild: 'echo "error: no memory"; exit 1' }),
      });
      lose();
      const record = await at.redeploy();
      assert.match(messageOf(record), /All nodes still run [0-9a-f]{7}\. The log says: error: no memory$/);
      assert.doesNotMatch(record.log, oldFailure);
      const again = await at.parts.redeploys.lookAgain(record);
      assert.match(messageOf(again), /The log says: error: no memory$/);
      assert.doesNotMatch(again.log, oldFailure);
    });

    it('names each node with what it runs, and why one failed', async () => {
      await at.setUp.edit(indexFile, 'edited\n', 1);
      const second = await at.secondCommit();
      lose();
      const record = await at.redeploy();
      const [one, other] = record.nodes.map(({ name }) => name);
      const now = `${one} now runs ${second.slice(0, 7)}. ${other} still runs ${at.setUp.first.slice(0, 7)}.`;
      const told = messageOf(record);
      assert.ok(told.includes(` ${now} The log says: error: Your local changes to the following files`), told);
    });

    it('quotes nothing if nothing ran', async () => {
      at.parts.pace.limit = 25;
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
      const record = await at.redeploy();
      assert.doesNotMatch(messageOf(record), /The log says/);
      assert.doesNotMatch((await at.parts.redeploys.lookAgain(record)).log, oldFailure);
    });
  });
});

describe('a first deployment whose response is lost and which failed', () => {
  let at: DeployedProject;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
  });
  afterEach(() => at.end());

  it('names the nodes that have no clone, and says why', async () => {
    await at.setUp.create({ branch: 'nope' });
    at.setUp.platform.faults.add({
      operation: 'Update',
      fault: { kind: 'gatewayError', status: 504, when: 'after' },
    });
    const record = await at.redeploy();
    const names = record.nodes.map(({ name }) => name).join(', ');
    const told = messageOf(record);
    assert.ok(told.includes(` No clone was found on ${names}. The log says: `), told);
    assert.match(told, /branch nope not found/);
  });
});
