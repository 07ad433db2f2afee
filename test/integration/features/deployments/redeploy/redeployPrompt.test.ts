import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, workspace } from 'vscode';
import { projectKey } from '../../../../../src/features/deployments/projectPlace';
import { redeployAsTask } from '../../../../../src/features/deployments/redeploy/automation';
import { DeployedProject, indexFile } from '../../../support/deployedProject';
import { nextEvent, until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { type Answer, escape, Person, typed } from '../../../support/person';
import { inProduction } from '../../../support/production';
import { inAHurry, inspectionsBeforeUpdate, trustPins } from '../../../support/projects';
import { unstopped } from '../../../support/tasks';
import type { Wishes } from '../../../../unit/localPlatform/vcsSetUp';

describe('the question before a redeploy', () => {
  let at: DeployedProject;
  let person: Person;

  inAHurry();
  beforeEach(async () => {
    at = await DeployedProject.start();
    await at.deployedOnce();
    await at.parts.projects.read(at.place);
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await setMode('always');
    await at.end();
  });

  const setMode = (mode: 'always' | 'whenRisky' | 'never') =>
    workspace.getConfiguration('gantry').update('redeploy.confirm', mode, ConfigurationTarget.Global);
  const redeploy = () => commands.executeCommand('gantry.project.redeploy', at.place);
  const updates = () => at.setUp.platform.journal.count(({ operation }) => operation === 'Update');
  const production = 'Saltmarsh Tea (shop) is a production environment.';

  it('names the project and what would be deployed where, and can be canceled', async () => {
    await person.answering([escape], redeploy);
    assert.deepEqual(person.seen.slice(0, 2), [
      'Redeploy ROOT on Saltmarsh Tea?',
      `This deploys the newest commit on master to 2 nodes.\nCurrently deployed: ${at.setUp.first.slice(0, 7)}.`,
    ]);
    assert.equal(updates(), 0);
    await person.answering(['Redeploy'], redeploy);
    assert.equal(updates(), 1);
  });

  it('is the same wherever the redeploy is started', async () => {
    const { view } = at.parts;
    const [environment] = (await view.getChildren()).filter(({ kind }) => kind === 'environment');
    const [row] = await view.getChildren(environment);
    assert.equal(row?.kind, 'project');
    const statusBar = () => commands.executeCommand('gantry.project.showActions', at.place);
    const withOptions = () => commands.executeCommand('gantry.project.redeployWith', row);
    const ways: readonly (readonly [readonly Answer[], () => Thenable<unknown>])[] = [
      [[], () => commands.executeCommand('gantry.project.redeploy', row)],
      [[], redeploy],
      [['$(rocket) Redeploy'], statusBar],
      [['All nodes in the layer', ''], withOptions],
    ];
    for (const [answers, start] of ways) {
      person.seen.splice(0);
      await person.answering([...answers, escape], start);
      assert.ok(person.seen.includes('Redeploy ROOT on Saltmarsh Tea?'), person.seen.join(' | '));
    }
    assert.equal(updates(), 0);
    await setMode('whenRisky');
    for (const [answers, start] of ways) {
      await person.answering(answers, start);
    }
    assert.equal(updates(), ways.length);
  });

  it('has a button for the newest commit of a pinned project', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: at.setUp.first });
    const isAsked = () => person.seen.some((text) => text.includes('newest'));
    await person.answering(['Deploy Newest Commit', escape], async () => {
      await redeploy();
      if (!isAsked()) await until(person.onDidSee, isAsked);
    });
    assert.equal(updates(), 0);
  });

  it("isn't asked if the setting says never, except in production", async () => {
    await setMode('never');
    await person.answering([], redeploy);
    assert.equal(updates(), 1);
    await inProduction(['shop'], () => person.answering([escape], redeploy));
    assert.ok(person.seen[1]?.startsWith(production), person.seen.join(' | '));
    assert.equal(updates(), 1);
  });

  describe('if someone else changes the project while it is open', () => {
    const question = 'Redeploy ROOT on Saltmarsh Tea?';
    /** Confirms after the other person's change. */
    const tooLate = (wishes: Wishes) => {
      person.seen.splice(0);
      const asked = until(person.onDidSee, () => person.seen.includes(question));
      const when = asked.then(() => at.setUp.succeed('EditProject', { ...at.setUp.editWishes, ...wishes }));
      return { presses: 'Redeploy', when };
    };
    const unchosen = () => at.parts.flow.redeploy({ place: at.place });
    const isTold = (change: RegExp) => assert.match(person.seen.join('\n'), change);

    beforeEach(async () => {
      await at.setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' }, branch: 'release' });
    });

    it('is asked again with what changed, and only the second answer counts', async () => {
      await person.answering([tooLate({ branch: 'release' }), escape], unchosen);
      isTold(/The settings changed in the meantime: Branch: master → release\./);
      assert.equal(updates(), 0);
      const back = tooLate({ branch: 'master', repoHash: at.setUp.first, autoResolveConflict: true });
      await person.answering([back, '$(rocket) Redeploy'], unchosen);
      isTold(/Branch: release → master, Commit: newest on the branch → \w{7}, On conflict: /);
      assert.equal(updates(), 1);
      assert.equal(await at.setUp.read('/var/www/webroot/ROOT/index.php'), 'one\n');
    });

    it('is asked again about an edit that was saved then, and its loss is agreed to only by the second answer', async () => {
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true });
      const file = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, indexFile);
      const edited = (text: string) => {
        person.seen.splice(0);
        const save = async () => {
          const noted = nextEvent(at.parts.nodeEditLog.onDidChange);
          await workspace.fs.writeFile(file, new TextEncoder().encode(text));
          await noted;
        };
        return { presses: 'Redeploy', when: until(person.onDidSee, () => person.seen.includes(question)).then(save) };
      };
      await person.answering([edited('edited\n'), escape], unchosen);
      isTold(/An edit on a node will be discarded\./);
      assert.equal(updates(), 0);
      assert.equal(await at.setUp.read(indexFile), 'edited\n');
      await at.parts.nodeEditLog.forget(await at.parts.nodeEditLog.of(at.account.slug));
      await person.answering([edited('edited again\n'), 'Redeploy and Discard Edits'], unchosen);
      assert.equal(updates(), 1);
      assert.equal(await at.setUp.read(indexFile), 'one\n');
    });

    it('stops a task that may not decide, and says why', async () => {
      const task = { environment: 'shop', context: 'ROOT', account: at.account.slug };
      const said: string[] = [];
      const run = () =>
        redeployAsTask(at.parts)(
          { ...task, onDataLoss: 'stop' },
          unstopped((text) => said.push(text)),
        );
      await inProduction(['shop'], async () => {
        assert.equal(await person.answering([tooLate({ branch: 'release' })], run), 'notDeployed');
      });
      assert.match(said.join('\n'), /The settings changed in the meantime: Branch: master → release\./);
      assert.equal(updates(), 0);
    });
  });

  it('is followed by one more inspection of the nodes, which takes two reads of each', async () => {
    const inspections = (...answers: readonly string[]) =>
      inspectionsBeforeUpdate(at, () => person.answering(answers, redeploy));
    const once = ['GetProject', ...Array<string>(4).fill('Read')];
    await setMode('never');
    assert.deepEqual(await inspections(), { heads: 1, sent: once });
    await setMode('always');
    assert.deepEqual(await inspections('Redeploy'), { heads: 2, sent: [...once, ...once].sort() });
  });

  it('is asked in production before a task redeploys, whatever it says of edits', async () => {
    const task = { environment: 'shop', context: 'ROOT', account: at.account.slug };
    await inProduction(['shop'], async () => {
      for (const onDataLoss of ['ask', 'stop', 'continue'] as const) {
        const run = () => redeployAsTask(at.parts)({ ...task, onDataLoss }, unstopped());
        assert.equal(await person.answering([escape], run), 'notDeployed');
        assert.ok(person.seen[1]?.startsWith(production), person.seen.join(' | '));
      }
    });
    assert.equal(updates(), 0);
  });

  it('is one with the question before a roll back, before new settings, and before a deletion', async () => {
    await at.setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' } });
    const { place } = at;
    await trustPins(place);
    await inProduction(['shop'], async () => {
      const rollBack = () => commands.executeCommand('gantry.project.rollBack', place);
      const back = typed(at.setUp.first, 'Deploy commit');
      await person.answering([back, escape], rollBack);
      assert.match(person.seen.join('\n'), /^Roll back ROOT on Saltmarsh Tea to [0-9a-f]{7}.*\?$/m);
      assert.ok(
        person.seen.some((text) => text.startsWith(production)),
        person.seen.join(' | '),
      );
      const edit = () => commands.executeCommand('gantry.project.edit', place);
      await person.answering(['Branch', typed('release'), 'Apply', escape, escape], edit);
      const asked = person.seen.indexOf('Change the settings of ROOT on Saltmarsh Tea?');
      assert.ok(person.seen[asked + 1]?.startsWith(production), person.seen.join(' | '));
      at.parts.drafts.discard(projectKey(place));
      await person.answering([back, 'Roll Back'], rollBack);
      await person
        .answering([escape], () => commands.executeCommand('gantry.project.delete', place))
        .catch(() => undefined);
      assert.ok(person.seen[0]?.startsWith(production), person.seen.join(' | '));
    });
    assert.equal(updates(), 1);
    assert.equal(await at.setUp.read('/var/www/webroot/ROOT/index.php'), 'one\n');
  });
});
