import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, Uri, window, workspace } from 'vscode';
import { webroot, type Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { nextEvent, until } from '../../../support/event';
import { fileUri } from '../../../support/gantry';
import { type Answer, escape, typed } from '../../../support/person';
import { inProduction } from '../../../support/production';
import { type OpenClone, openClone } from '../../../support/openClone';
import {
  commitOnDisk,
  endPeopledProject,
  fieldsNow,
  inAHurry,
  inspectionsBeforeUpdate,
  type PeopledProject,
  redeployed,
  startPeopledProject,
  trustPins,
  wantedFrom,
} from '../../../support/projects';

describe('Roll Back on a platform that was seen to deploy the commit in the settings', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
    await trustPins(at.place);
  });
  afterEach(() => endPeopledProject(at));

  const rollBack = (...answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand('gantry.project.rollBack', at.place));
  const settings = async () => (await at.parts.projects.read(at.place)).settings;
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
  const deployed = () => commitOnDisk(at.setUp, 0);
  const redeploy = () => redeployed(at.parts, { place: at.place });

  it('deploys a commit that was typed, and pins the project to it', async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    assert.equal(await deployed(), at.setUp.first);
    assert.equal((await settings()).repoHash, at.setUp.first);
  });

  it('inspects the nodes twice, and so does the way back', async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    const back = await inspectionsBeforeUpdate(at, () => rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back'));
    assert.equal(back.heads, 2);
    const deployNewest = () => commands.executeCommand('gantry.project.deployNewest', at.place);
    const forth = await inspectionsBeforeUpdate(at, () => at.person.answering(['Deploy'], deployNewest));
    assert.equal(forth.heads, 2);
  });

  it('leads to the settings instead, if the project may have hooks that Gantry has never seen', async () => {
    await at.parts.writeOnlySettings.forget(at.place);
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Project Settings', escape);
    assert.match(at.person.seen.join('\n'), /it may be removed: Hooks, Delay between node restarts\. To keep it/);
    assert.equal(count('EditProject'), 0);
  });

  it('says afterward that it sent no hooks, because it knew of none', async () => {
    await at.parts.writeOnlySettings.forget(at.place);
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    assert.match(at.person.seen.join('\n'), /saved the settings of ROOT on Saltmarsh Tea without hooks or a delay/);
  });

  it('offers the newest commit again, with a question of its own', async () => {
    const second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    await rollBack('Newest commit on master', 'Deploy');
    assert.ok(at.person.seen.includes('Deploy the newest commit on master to ROOT on Saltmarsh Tea?'));
    assert.equal(await deployed(), second);
  });

  it('offers the newest commit first while the project is pinned', async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    await rollBack(escape);
    assert.equal(at.person.seen[1], '$(arrow-up) Newest commit on master:');
  });

  describe('and back with Deploy Newest Commit', () => {
    const deployNewest = (...answers: readonly Answer[]) =>
      at.person.answering(answers, () => commands.executeCommand('gantry.project.deployNewest', at.place));
    let second: string;

    beforeEach(async () => {
      second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await redeploy();
    });

    const pinned = () => rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');

    it('deploys the newest commit after a question, and the project follows its branch again', async () => {
      await pinned();
      await deployNewest('Deploy');
      assert.ok(at.person.seen.includes('Deploy the newest commit on master to ROOT on Saltmarsh Tea?'));
      assert.equal(await deployed(), second);
      assert.equal((await settings()).repoHash ?? '', '');
    });

    it('sends nothing if the user cancels', async () => {
      await pinned();
      const edits = count('EditProject');
      await deployNewest(escape);
      assert.equal(count('EditProject'), edits);
      assert.equal(await deployed(), at.setUp.first);
    });

    it('names a production environment in its question', async () => {
      await pinned();
      await inProduction(['shop'], () => deployNewest(escape));
      assert.ok(at.person.seen.some((text) => text.includes('is a production environment')));
    });

    it('is a button of the message after a roll back, and after a redeploy of the pinned project', async () => {
      const button = { presses: 'Deploy Newest Commit' };
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', button, 'Deploy');
      assert.equal(await deployed(), second);
      await rollBack(at.setUp.first.slice(0, 7), 'Roll Back');
      await at.person.answering(['Redeploy', button, 'Deploy'], () =>
        commands.executeCommand('gantry.project.redeploy', at.place),
      );
      assert.equal(await deployed(), second);
      const seen = at.person.seen.join('\n');
      assert.match(seen, new RegExp(`ROOT on Saltmarsh Tea still runs ${at.setUp.first.slice(0, 7)}\\.`));
      assert.doesNotMatch(seen, /already up to date/);
      assert.match(seen, /This deploys the pinned commit .*\nCurrently deployed: /);
      assert.doesNotMatch(seen, /cancel and use/, 'there is a button for it');
    });

    it('is in the menu of a pinned project only', async () => {
      const actions = async () => {
        await at.person.answering([escape], () => commands.executeCommand('gantry.project.showActions', at.place));
        return at.person.seen.filter((row) => row.includes('Deploy Newest Commit'));
      };
      assert.deepEqual(await actions(), []);
      await pinned();
      assert.deepEqual(await actions(), ['$(arrow-up) Deploy Newest Commit:']);
    });
  });

  it('can undo a setting that the platform accepted but ignores, and relies on it no more', async () => {
    at.setUp.platform.behaviour.pinnedCommits = 'ignored';
    await at.setUp.update();
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', { presses: 'Restore Settings' }, 'Restore');
    assert.match(at.person.seen.join('\n'), /The platform deployed \S+ to .+, although the project is pinned to/);
    assert.equal(count('EditProject'), 2);
    assert.equal((await settings()).repoHash ?? '', '');
    assert.equal((await settings()).branch, 'master');
    await rollBack(at.setUp.first.slice(0, 7));
    assert.match(at.person.seen.at(-1) ?? '', /this platform might deploy only the newest commit/);
    assert.deepEqual([count('EditProject'), count('Update')], [2, 2]);
  });

  it("doesn't say that another commit was deployed if the response is lost and nothing changed", async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    const { pace } = at.parts;
    const { limit } = pace;
    pace.limit = 25;
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'gatewayError', status: 504 } });
    try {
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    } finally {
      pace.limit = limit;
    }
    assert.doesNotMatch(at.person.seen.join('\n'), /although the project is pinned/);
    assert.match(at.person.seen.at(-1) ?? '', /still runs? [0-9a-f]{7}/);
  });

  it("says that the redeploy was sent if its result couldn't be recorded", async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    const { history } = at.parts;
    const usual = history.keep.bind(history);
    history.keep = (record) =>
      record.verdict.kind === 'running' ? usual(record) : Promise.reject(new Error('no space left on device'));
    try {
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
    } finally {
      history.keep = usual;
    }
    const seen = at.person.seen.join('\n');
    assert.match(seen, /The redeploy was sent, but its result couldn't be recorded: no space left on device\./);
    assert.doesNotMatch(seen, /didn't redeploy it/);
    assert.equal(await deployed(), at.setUp.first);
  });

  it('can undo the settings if the platform rejects the redeploy', async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4017, error: 'conflict' } });
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', { presses: 'Restore Settings' }, 'Restore');
    assert.equal(count('EditProject'), 2);
    assert.equal((await settings()).repoHash ?? '', '');
  });

  describe('whose redeploy failed', () => {
    const refuse = (result = 4017) =>
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result, error: 'conflict' } });
    const redeploying = (...answers: readonly Answer[]) =>
      at.person.answering(answers, () => commands.executeCommand('gantry.project.redeploy', at.place));
    const failed = () => until(at.person.onDidSee, () => at.person.seen.some((one) => one.includes('conflict')));
    const restore: readonly Answer[] = [{ presses: 'Restore Settings' }, 'Restore'];
    const assertRestored = async () => {
      const { branch, repoHash = '' } = await settings();
      assert.deepEqual({ branch, repoHash }, { branch: 'master', repoHash: '' });
    };
    let second: string;

    beforeEach(async () => {
      second = await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await redeploy();
      await at.setUp.repository.commit({ message: 'third', files: { 'index.php': 'three\n' } });
      await redeploy();
    });

    it('can undo the settings after another redeploy that fails, from the message of the first', async () => {
      refuse();
      const presses = { presses: 'Redeploy', when: failed().then(() => void refuse()) };
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', presses, 'Redeploy', ...restore);
      await assertRestored();
    });

    it('can undo them from the message of the first after another one has failed', async () => {
      refuse();
      const when = failed().then(() => {
        refuse();
        return redeploy();
      });
      const pressed = { presses: 'Restore Settings', when };
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', pressed, ...restore);
      await assertRestored();
    });

    for (const [when, ...result] of [
      ['wherever it was started'],
      ['also if the one of the roll back was never sent', 3],
    ] as const) {
      it(`can undo them after another redeploy that fails, ${when}`, async () => {
        refuse(...result);
        await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
        refuse();
        await redeploying('Redeploy', ...restore);
        await assertRestored();
      });
    }

    it('leads back to what was deployed last, although another roll back failed, too', async () => {
      refuse();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
      refuse();
      await rollBack(second.slice(0, 7), 'Roll Back', ...restore);
      await assertRestored();
    });

    it('leads back to settings that someone entered in between', async () => {
      refuse();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: at.setUp.first, autoupdate: true });
      refuse();
      await rollBack(second.slice(0, 7), 'Roll Back', ...restore);
      const { repoHash, autoupdate } = await settings();
      assert.deepEqual({ repoHash, autoupdate }, { repoHash: at.setUp.first, autoupdate: true });
    });

    const assertNotOffered = async () => {
      refuse();
      await redeploying('Redeploy', { presses: 'Project Settings' }, escape);
    };

    it("doesn't offer that anymore once they were deployed", async () => {
      refuse();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back');
      await redeploy();
      await assertNotOffered();
    });

    it("doesn't offer that anymore once they were restored", async () => {
      refuse();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', ...restore);
      await assertNotOffered();
    });
  });

  it('asks before it restores settings without hooks that it may clear', async () => {
    await redeploy();
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4017, error: 'conflict' } });
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', { presses: 'Restore Settings' }, escape);
    const asked = at.person.seen.slice(at.person.seen.indexOf('Restore the settings of ROOT on Saltmarsh Tea?'));
    assert.match(
      asked.join('\n'),
      /^Restore [^]*\n\n(Hooks: none, as on |Gantry can't read the following, so it may be removed: Hooks)/,
    );
    assert.equal(count('EditProject'), 1);
    assert.equal((await settings()).repoHash, at.setUp.first);
  });

  describe('of a project with hooks that were entered here', () => {
    const mine = { preDeploy: 'true\n' };
    const file = '/var/lib/jelastic/hooks/preDeploy_ROOT.sh';
    const theirs = async () => {
      const repoHash = (await settings()).repoHash ?? '';
      const hooks = JSON.stringify({ preDeploy: 'echo theirs\n' });
      return at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks, repoHash });
    };
    const also = 'Hooks: kept as they are on ';
    const back = () => typed(at.setUp.first, 'Deploy commit');
    const seen = () => at.person.seen.join('\n');

    beforeEach(async () => {
      await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await redeploy();
      const before = await fieldsNow(at.place);
      await at.parts.projectOperations.edit(at.place, before, { ...before, hooks: mine });
    });

    it('says in its question that it also sends them, and shows them', async () => {
      const before = count('EditProject');
      await rollBack(back(), 'Show Hooks');
      assert.ok(seen().includes(also));
      assert.equal(window.activeTextEditor?.document.getText(), mine.preDeploy);
      assert.equal(count('EditProject'), before);
    });

    it('shows what someone else made of them, and keeps that, also with Deploy Newest Commit', async () => {
      await theirs();
      await rollBack(back(), 'Roll Back');
      assert.match(seen(), /Hooks: kept as they are on .*, where someone else changed yours from /);
      assert.equal(await at.setUp.read(file), 'echo theirs\n');
      await at.person.answering(['Deploy'], () => commands.executeCommand('gantry.project.deployNewest', at.place));
      assert.match(seen(), /Hooks: kept as they are on \S.* \d+/);
      assert.equal(await at.setUp.read(file), 'echo theirs\n');
    });

    it('sends nothing if someone else changed them while its question was open', async () => {
      const before = count('EditProject');
      const when = until(at.person.onDidSee, () => at.person.seen.some((one) => one.startsWith('Roll back'))).then(
        theirs,
      );
      await rollBack(back(), { presses: 'Roll Back', when });
      assert.match(seen(), /Nothing was sent.*Pre-deploy hook: changed\. Try again/);
      assert.equal(count('EditProject'), before + 1);
      assert.equal(await at.setUp.read(file), 'echo theirs\n');
    });

    const failing = (...then: readonly Answer[]) => {
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4017, error: 'conflict' } });
      return rollBack(back(), 'Roll Back', ...then);
    };

    it('says that Restore Settings sends them, too, before it does', async () => {
      await failing({ presses: 'Restore Settings' }, escape);
      assert.ok(at.person.seen.includes('Restore the settings of ROOT on Saltmarsh Tea?'));
      assert.equal((await settings()).repoHash, at.setUp.first);
      assert.equal(at.person.seen.filter((text) => text.includes(also)).length, 2);
    });

    it("doesn't send them over someone else's with Restore Settings", async () => {
      const when = until(at.person.onDidSee, () => at.person.seen.some((one) => one.includes('conflict'))).then(theirs);
      await failing({ presses: 'Restore Settings', when }, 'Save Anyway', 'Restore');
      assert.match(seen(), /− true\n\+ echo theirs/);
      assert.equal((await settings()).repoHash ?? '', '');
      assert.equal(await at.setUp.read(file), 'echo theirs\n');
    });
  });

  it("says that it changed the settings if the token doesn't permit the redeploy, and can undo that", async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 8202, error: 'no' } });
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', { presses: 'Restore Settings' }, 'Restore');
    assert.match(
      at.person.seen.join('\n'),
      /Saved the settings of ROOT on Saltmarsh Tea, but didn't redeploy it\. Couldn't deploy .+ nothing was deployed\./,
    );
    assert.equal(count('EditProject'), 2);
    assert.equal((await settings()).repoHash ?? '', '');
  });

  describe('if someone else changes the settings meanwhile', () => {
    /** Another person's change of the branch and auto-update, made as soon as the user sees a text. */
    const changedAtSight = async (text: RegExp, more: Wishes = {}) => {
      await until(at.person.onDidSee, () => at.person.seen.some((one) => text.test(one)));
      await at.setUp.succeed('EditProject', {
        ...at.setUp.editWishes,
        branch: 'theirs',
        autoupdate: true,
        interval: '30',
        ...more,
      });
    };
    const theirs = async () => {
      const { branch, autoupdate, interval } = await settings();
      return { branch, autoupdate, interval };
    };
    const changed = { branch: 'theirs', autoupdate: true, interval: '30' };
    const theirChange = /Branch: master → theirs[^]*Auto-update: off → on/;
    const failingRollBack = (...then: readonly Answer[]) => {
      at.setUp.platform.faults.add({ operation: 'Update', fault: { kind: 'refuse', result: 4017, error: 'conflict' } });
      const when = changedAtSight(/conflict/, { repoHash: at.setUp.first });
      return rollBack(
        typed(at.setUp.first, 'Deploy commit'),
        'Roll Back',
        { presses: 'Restore Settings', when },
        ...then,
      );
    };

    beforeEach(async () => {
      await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await redeploy();
    });

    it('restores only what the roll back changed, after a question that names their changes', async () => {
      await failingRollBack('Save Anyway', 'Restore');
      assert.match(at.person.seen.join('\n'), theirChange);
      assert.deepEqual(await theirs(), changed);
      assert.equal((await settings()).repoHash ?? '', '');
    });

    it('restores nothing if the user closes that question', async () => {
      await failingRollBack(escape);
      assert.equal(count('EditProject'), 2);
      assert.equal((await settings()).repoHash, at.setUp.first);
      assert.deepEqual(await theirs(), changed);
    });

    it('sends nothing if that was while its question was open, and says what changed', async () => {
      const when = changedAtSight(/^Roll back ROOT/);
      await rollBack(typed(at.setUp.first, 'Deploy commit'), { presses: 'Roll Back', when });
      assert.equal(count('EditProject'), 1);
      assert.equal(count('Update'), 1);
      assert.deepEqual(await theirs(), changed);
      assert.match(at.person.seen.join('\n'), theirChange);
      assert.match(at.person.seen.at(-1) ?? '', /Nothing was sent.*Try again/);
    });
  });

  describe('if someone else changes the settings after they were saved, before the redeploy', () => {
    const theirTurn = () => {
      const { projectOperations } = at.parts;
      const usual = projectOperations.edit.bind(projectOperations);
      projectOperations.edit = async (...args) => {
        projectOperations.edit = usual;
        const project = await usual(...args);
        await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'theirs', repoHash: '' });
        return project;
      };
    };
    const change =
      /The settings changed in the meantime: Branch: master → theirs, Commit: \w{7} → newest on the branch\./;

    beforeEach(async () => {
      await redeploy();
      await at.setUp.repository.commit({ message: 'theirs', files: { 'index.php': 'theirs\n' }, branch: 'theirs' });
    });

    it('deploys nothing without a question that says what changed', async () => {
      theirTurn();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', escape);
      assert.match(at.person.seen.join('\n'), change);
      assert.match(at.person.seen.join('\n'), /Saved the settings of ROOT on Saltmarsh Tea, but didn't redeploy it/);
      assert.equal(count('Update'), 1);
      assert.equal((await settings()).branch, 'theirs');
    });

    it('deploys theirs if the user wants that, without a word as if the platform had ignored the commit', async () => {
      theirTurn();
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', '$(rocket) Redeploy');
      assert.match(at.person.seen.join('\n'), change);
      assert.doesNotMatch(at.person.seen.join('\n'), /although the project is pinned/);
      assert.equal(await at.setUp.read(`${webroot}/ROOT/index.php`), 'theirs\n');
    });
  });

  it("can undo the settings if the redeploy couldn't start", async () => {
    await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
    await redeploy();
    const { projectOperations, projects } = at.parts;
    const edit = projectOperations.edit.bind(projectOperations);
    projectOperations.edit = async (...args) => {
      const project = await edit(...args);
      projectOperations.edit = edit;
      at.setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'refuse', result: 99, error: 'busy' } });
      return project;
    };
    await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', { presses: 'Restore Settings' }, 'Restore');
    assert.match(
      at.person.seen.join('\n'),
      /Saved the settings of ROOT on Saltmarsh Tea, but didn't redeploy it\. .*busy/,
    );
    assert.equal(count('Update'), 1);
    assert.equal((await projects.read(at.place)).settings.repoHash ?? '', '');
  });

  describe('if a file was edited on a node', () => {
    const path = `${webroot}/ROOT/index.php`;
    const onNode = () => at.setUp.read(path);
    const write = (text: string) => {
      const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, path);
      return workspace.fs.writeFile(uri, Buffer.from(text));
    };
    /** Writes a file that is unchanged until now, and waits until the edit is recorded. */
    const edit = async (text: string) => {
      const noted = nextEvent(at.parts.nodeEditLog.onDidChange);
      await write(text);
      await noted;
    };
    /** Does something when the settings were saved, before the redeploy. */
    const afterSaving = (act: () => Thenable<void>) => {
      const { projectOperations } = at.parts;
      const usual = projectOperations.edit.bind(projectOperations);
      projectOperations.edit = async (...args) => {
        projectOperations.edit = usual;
        const project = await usual(...args);
        await act();
        return project;
      };
    };
    const discard = 'Redeploy and Discard Edits';

    beforeEach(async () => {
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true });
      await at.setUp.repository.commit({ message: 'second', files: { 'index.php': 'two\n' } });
      await redeploy();
    });

    it('asks about it once', async () => {
      await edit('edited\n');
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', discard);
      assert.equal(await onNode(), 'one\n');
    });

    it('asks about it when the settings are saved already, and can undo them if the user cancels', async () => {
      afterSaving(() => edit('edited later\n'));
      await rollBack(
        typed(at.setUp.first, 'Deploy commit'),
        'Roll Back',
        escape,
        { presses: 'Restore Settings' },
        'Restore',
      );
      const seen = at.person.seen.join('\n');
      assert.match(seen, /An edit on a node will be discarded\./);
      assert.match(seen, /Saved the settings of ROOT on Saltmarsh Tea, but didn't redeploy it\./);
      assert.equal(await onNode(), 'edited later\n');
      assert.equal(count('Update'), 1);
      assert.equal((await settings()).repoHash ?? '', '');
    });

    it('asks again if it was edited again since the user agreed to discard it', async () => {
      await edit('edited\n');
      afterSaving(() => write('edited again\n'));
      await rollBack(typed(at.setUp.first, 'Deploy commit'), 'Roll Back', discard, discard);
      assert.equal(await onNode(), 'one\n');
    });
  });

  describe('of a project whose repository is open here', () => {
    let open: OpenClone | undefined;
    let second: string;

    beforeEach(async () => {
      const { repository } = at.setUp;
      await redeploy();
      second = await repository.commit({ message: 'Raise the price', files: { 'index.php': 'two\n' } });
      await redeploy();
      await repository.commit({ message: 'Lower the price', files: { 'index.php': 'three\n' } });
      open = await openClone(at.setUp);
    });
    afterEach(() => open?.close());

    it('offers what was deployed earlier, then commits of its branch, with subjects and relative times', async () => {
      await rollBack(escape);
      const id = (commit: string) => commit.slice(0, 7);
      const [prompt, ...rows] = at.person.seen.map((row) => row.replace(/\d+ (?:minutes?|seconds?) ago/, 'just now'));
      assert.equal(prompt, 'Select a commit to deploy, or enter a commit hash');
      assert.deepEqual(rows, [
        'deployed earlier:',
        `$(history) first: ${id(at.setUp.first)} · deployed until just now`,
        'branch master:',
        rows[3],
        `$(git-commit) Raise the price: ${id(second)} · just now · currently deployed`,
      ]);
      assert.match(rows[3] ?? '', /^\$\(git-commit\) Lower the price: [0-9a-f]{7} · just now$/);
    });

    it('marks the commit that the nodes run, even if someone else deployed it', async () => {
      await at.setUp.update();
      await rollBack(escape);
      const id = (commit: string) => commit.slice(0, 7);
      const rows = at.person.seen.map((row) => row.replace(/\d+ (?:minutes?|seconds?) ago/, 'just now'));
      const now = rows.filter((row) => row.includes('currently deployed'));
      assert.equal(now.length, 1, rows.join('\n'));
      assert.match(now[0] ?? '', /Lower the price/);
      assert.deepEqual(rows.slice(1, 4), [
        'deployed earlier:',
        `$(history) Raise the price: ${id(second)} · deployed just now`,
        `$(history) first: ${id(at.setUp.first)} · deployed until just now`,
      ]);
    });

    it('deploys a commit of the list', async () => {
      await rollBack('first', 'Roll Back');
      assert.equal(await deployed(), at.setUp.first);
      assert.ok(
        at.person.seen.includes(`Roll back ROOT on Saltmarsh Tea to ${at.setUp.first.slice(0, 7)} (first)?`),
        at.person.seen.join('\n'),
      );
      assert.equal(
        at.person.seen.at(-1),
        `Deployed ${at.setUp.first.slice(0, 7)} “first” to ROOT on Saltmarsh Tea (was ${second.slice(0, 7)} “Raise the price”). ` +
          'The project is pinned to this commit, 2 commits behind master.',
      );
    });

    it('names the earlier commit by its hash if the subjects are too long for a line', async () => {
      const { repository } = at.setUp;
      const subject = 'Explain in a whole sentence why the price of tea had to be raised';
      const long = await repository.commit({ message: subject, files: { 'index.php': 'long\n' } });
      await open?.clone.git('pull', '--quiet');
      await redeploy();
      await rollBack('Raise the price', 'Roll Back');
      assert.match(at.person.seen.at(-1) ?? '', new RegExp(`^Deployed .* \\(was ${long.slice(0, 7)}\\)\\. `));
    });

    it('asks about unpushed commits before it deploys the newest commit again', async () => {
      await rollBack('first', 'Roll Back');
      await open?.clone.git('pull', '--quiet');
      const local = await open?.clone.commit('Raise it again', { 'index.php': 'four\n' });
      await commands.executeCommand('git.refresh', Uri.file(open?.clone.folder ?? ''));
      await at.person.answering(['Deploy', 'Push and Redeploy'], () =>
        commands.executeCommand('gantry.project.deployNewest', at.place),
      );
      const known =
        /^The project and its auto-update follow master again, where the newest known commit is [0-9a-f]{7} \(Lower the price\)\.\n/;
      assert.ok(at.person.seen.some((text) => known.test(text)));
      assert.equal(await deployed(), local);
      assert.equal((await settings()).repoHash ?? '', '');
    });

    it('pushes nothing a second time if the project has to be redeployed twice', async () => {
      await open?.clone.git('pull', '--quiet');
      await open?.clone.commit('Raise it again', { 'index.php': 'four\n' });
      await commands.executeCommand('git.refresh', Uri.file(open?.clone.folder ?? ''));
      const { flow } = at.parts;
      const usual = flow.plan.bind(flow);
      let plans = 0;
      flow.plan = (...args) => {
        plans += 1;
        return usual(...args);
      };
      const agreed = {
        decision: { push: true, savesPatch: false },
        keys: [JSON.stringify(['unpushed', ['Raise it again']])],
        asksAboutLocal: true,
      };
      const perform = () =>
        redeployed(at.parts, { place: at.place, consent: 'confirmed' }, () => assert.fail('asked'), { agreed });
      try {
        await perform();
        assert.equal(plans, 2, 'the pushed branch was checked again');
        await perform();
        assert.equal(plans, 3, 'nothing was pushed');
      } finally {
        flow.plan = usual;
      }
    });

    it('asks about an edit to the text of a commit that was deployed when the list of commits opened', async () => {
      const path = `${webroot}/ROOT/index.php`;
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, autoResolveConflict: true });
      const { flow, nodeEditLog } = at.parts;
      const usual = flow.plan.bind(flow);
      flow.plan = async (...args) => {
        flow.plan = usual;
        await at.setUp.update();
        const noted = nextEvent(nodeEditLog.onDidChange);
        const uri = fileUri(at.account, 'shop', `cp~${at.setUp.nodeId(0)}`, path);
        await workspace.fs.writeFile(uri, Buffer.from('two\n'));
        await noted;
        return usual(...args);
      };
      await rollBack('first', 'Roll Back', 'Redeploy and Discard Edits');
      assert.equal(await at.setUp.read(path), 'one\n');
    });

    it('sends nothing if the user closes the list', async () => {
      await rollBack(escape);
      assert.equal(count('EditProject'), 0);
    });
  });
});
