import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, window } from 'vscode';
import { projectKey } from '../../../../../src/features/deployments/projectPlace';
import type { ProjectFields } from '../../../../../src/features/deployments/settings/projectFields';
import { checkSettingsChange } from '../../../../../src/features/deployments/settings/saveSettingsFlow';
import { formatDate } from '../../../../../src/ui/relativeTime';
import type { Fault } from '../../../../localPlatform/faults/fault';
import type { Wishes } from '../../../../unit/localPlatform/vcsSetUp';
import { cancelProgress } from '../../../support/cancelProgress';
import { until } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { type Answer, escape, typed } from '../../../support/person';
import {
  endPeopledProject,
  fieldsNow,
  inAHurry,
  type PeopledProject,
  startPeopledProject,
  wantedFrom,
} from '../../../support/projects';
import { untilTrue } from '../../../support/untilTrue';

/** How the platform rejects EditProject, and what the user must read. */
interface Refused {
  readonly result: number;
  readonly words: string;
  readonly told: RegExp;
  /** The account sends nothing more until it has another token. */
  readonly sticks?: boolean;
}

const refusals: readonly Refused[] = [
  {
    result: 3,
    words: 'invalid parameter [branch]',
    told: /request isn't valid .*\[branch\], code 3\)\. Check what you entered/,
  },
  { result: 8, words: 'permission denied', told: /denied permission .*Ask the owner/ },
  { result: 11, words: 'application [shop] not exist', told: /doesn't exist .*Refresh/ },
  { result: 99, words: 'disk on fire', told: /reported an error .*disk on fire, code 99\)\. If it happens again/ },
  { result: 2500, words: 'no project', told: /doesn't exist .*no project/ },
  { result: 4006, words: 'no such project', told: /doesn't exist .*no such project/ },
  { result: 4017, words: 'edit failed', told: /reported an error .*edit failed/ },
  { result: 4050, words: 'bad URL', told: /request isn't valid .*bad URL, code 4050\)\. Check what you entered/ },
  { result: 4053, words: 'bad login', told: /request isn't valid .*bad login, code 4053\)\. Check what you entered/ },
  {
    result: 4079,
    words: 'bad context',
    told: /request isn't valid .*bad context, code 4079\)\. Check what you entered/,
  },
  { result: 8202, words: 'no', told: /doesn't permit this method.*environment\.vcs\.EditProject/, sticks: true },
  { result: 48151, words: 'an unknown problem', told: /reported an error .*an unknown problem/ },
];

const unclear: Readonly<Record<string, Fault>> = {
  lost: { kind: 'gatewayError', status: 502, when: 'before' },
  'a timeout inside the platform': { kind: 'refuse', result: 17, error: 'too slow', when: 'before' },
};

describe('the project settings page', () => {
  let at: PeopledProject;

  inAHurry();
  beforeEach(async () => {
    at = await startPeopledProject();
    await at.parts.projectOperations.create(at.place, wantedFrom(at.setUp));
  });
  afterEach(() => endPeopledProject(at));

  const does = (command: string, ...answers: readonly Answer[]) =>
    at.person.answering(answers, () => commands.executeCommand(command, at.place));
  const edit = (...answers: readonly Answer[]) => does('gantry.project.edit', ...answers);
  const draft = () => at.parts.drafts.find(projectKey(at.place));
  const branch = async () => (await at.parts.projects.read(at.place)).settings.branch;
  const count = (operation: string) => at.setUp.platform.journal.count((entry) => entry.operation === operation);
  const page = () => at.person.seen.join('\n');

  it('sends a commit or a tag as the branch only if no node has a clone, which could never pull again', async () => {
    const { setUp, parts, place } = at;
    await setUp.repository.setReference('refs/tags/v1', setUp.first);
    await edit('Branch', typed(setUp.first, 'Use branch'), 'Apply', 'Apply');
    assert.equal(count('EditProject'), 1);
    await setUp.succeed('EditProject', { ...setUp.editWishes, branch: 'master' });
    await setUp.succeed('Update', { context: 'ROOT' });
    await parts.deployedStates.lookAnew(place);
    for (const wrong of [setUp.first, 'v1']) {
      await edit('Branch', typed(wrong, 'Use branch'), 'Apply', escape);
      assert.ok(page().includes(`${wrong} isn't a branch.`), page());
      parts.drafts.discard(projectKey(place));
    }
    assert.equal(count('EditProject'), 2);
    assert.equal(await branch(), 'master');
  });

  it('says that platforms may ignore the commit', async () => {
    await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, repoHash: at.setUp.first });
    await edit(escape);
    assert.match(page(), /Commit: ?[0-9a-f]{7}/);
    assert.match(page(), /platforms may ignore this and deploy the branch's newest commit/);
  });

  for (const { result, words, told, sticks = false } of refusals) {
    it(`stays open with the input and says why if the platform returns ${result}: ${words}`, async () => {
      at.setUp.platform.faults.add({ operation: 'EditProject', fault: { kind: 'refuse', result, error: words } });
      await edit('Branch', typed('release'), 'Apply', 'Apply', escape);
      assert.match(page(), /The platform rejected the settings/);
      assert.match(page(), told);
      assert.match(page(), /Branch: release/);
      assert.equal(count('EditProject'), 1);
      assert.equal(draft()?.fields.branch, 'release');
      if (!sticks) {
        assert.equal(await branch(), 'master');
        await edit('Apply', 'Apply');
        assert.equal(await branch(), 'release');
        assert.equal(draft(), undefined);
      }
    });
  }

  it('opens for the project that a button names, even if Gantry has not listed it yet', async () => {
    await at.setUp.create({ context: 'later' });
    const place = { ...at.place, context: 'later' };
    await at.person.answering([escape], () => commands.executeCommand('gantry.project.edit', place));
    assert.match(page(), /Changes aren't sent until you apply/);
  });

  it('leaves nothing on this computer if the account is signed out while the settings are sent', async () => {
    const { account, parts, place, setUp } = at;
    const before = await fieldsNow(place);
    const held = setUp.platform.faults.add({ operation: 'EditProject', fault: { kind: 'hang' } });
    const saved = parts.projectOperations.edit(place, before, { ...before, hooks: { preBuild: 'make\n' } });
    await held.reached;
    await (await gantry()).accounts.remove(account.slug);
    await untilTrue(
      () => parts.known.find(place) === undefined,
      () => 'the project is still known',
    );
    held.release();
    await saved.catch(() => undefined);
    assert.equal(await parts.writeOnlySettings.find(place), undefined);
    assert.equal(parts.known.find(place), undefined);
  });

  it("says that nothing was sent if the current settings couldn't be read", async () => {
    const no: Fault = { kind: 'refuse', result: 99, error: 'busy', when: 'before' };
    at.setUp.platform.faults.add({ operation: 'GetProject', nth: 2, fault: no });
    await edit('Branch', typed('release'), 'Apply', escape);
    assert.match(page(), /Couldn't read the current settings, so nothing was sent/);
    assert.match(page(), /Couldn't read ROOT on Saltmarsh Tea: .*busy/);
    assert.doesNotMatch(page(), /The platform rejected the settings/);
    assert.equal(count('EditProject'), 0);
    assert.equal(draft()?.fields.branch, 'release');
  });

  for (const [answer, fault] of Object.entries(unclear)) {
    it(`says that the result is unknown if the response is ${answer}`, async () => {
      at.setUp.platform.faults.add({ operation: 'EditProject', fault });
      await edit('Branch', typed('release'), 'Apply', 'Apply', escape);
      assert.match(page(), /The platform didn't confirm the settings/);
      assert.equal(draft()?.fields.branch, 'release');
    });
  }

  it('sends nothing if someone else changes the settings while the question is open, and keeps both changes', async () => {
    const changes = async () => {
      await until(at.person.onDidSee, () => at.person.seen.some((one) => one.startsWith('Change the settings of')));
      await at.setUp.succeed('EditProject', {
        ...at.setUp.editWishes,
        login: 'nils',
        autoupdate: true,
        interval: '30',
      });
    };
    await edit('Branch', typed('release'), 'Apply', { presses: 'Apply', when: changes() }, escape);
    assert.equal(count('EditProject'), 1);
    assert.match(page(), /Someone else changed this project in the meantime, so nothing was sent/);
    assert.match(page(), /Username: marit → nils, Auto-update: off → on.*Select Apply again/);
    assert.equal(draft()?.fields.branch, 'release');
    await edit('Apply', 'Save Anyway', 'Apply');
    const { branch: mine, login, autoupdate, interval } = (await at.parts.projects.read(at.place)).settings;
    assert.deepEqual([mine, login, autoupdate, interval], ['release', 'nils', true, '30']);
  });

  it('is followed by a redeploy of other settings only after a question that says what changed', async () => {
    const saved = until(at.person.onDidSee, () => at.person.seen.some((text) => text.startsWith('Saved the settings')));
    const when = saved.then(() => at.setUp.succeed('EditProject', { ...at.setUp.editWishes, branch: 'theirs' }));
    await edit('Branch', typed('release'), 'Apply', 'Apply', { presses: 'Redeploy', when }, escape);
    assert.match(page(), /The settings changed in the meantime: Branch: release → theirs\./);
    assert.equal(count('Update'), 0);
  });

  it('reads the settings once more right before it sends them, and not more often', async () => {
    at.setUp.platform.journal.reset();
    await edit('Branch', typed('release'), 'Apply', 'Apply');
    const operations = at.setUp.platform.journal.entries
      .map(({ operation }) => operation)
      .filter((operation) => operation.endsWith('Project'));
    // For the page; what the question shows; what is sent; and what the platform saved.
    assert.deepEqual(operations, ['GetProject', 'GetProject', 'GetProject', 'EditProject', 'GetProject']);
  });

  describe('of a project with hooks, a key, or a delay that were entered here', () => {
    const date = formatDate(Date.now());
    const mine = { preDeploy: 'true\n' };
    const file = '/var/lib/jelastic/hooks/preDeploy_ROOT.sh';
    const theirs = (hooks: Readonly<Record<string, string>>, more: Wishes = {}) =>
      at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: JSON.stringify(hooks), ...more });
    const enter = async (fields: Partial<ProjectFields>) => {
      const before = await fieldsNow(at.place);
      await at.parts.projectOperations.edit(at.place, before, { ...before, ...fields });
    };
    const toRelease = (...answers: readonly Answer[]) => edit('Branch', typed('release'), 'Apply', ...answers);
    const asked = (question: string) =>
      until(at.person.onDidSee, () => at.person.seen.some((one) => one.startsWith(question)));
    const lastSent = () =>
      at.setUp.platform.journal.entries.findLast(({ operation }) => operation === 'EditProject')?.parameters ?? {};

    beforeEach(() => enter({ hooks: mine }));

    it('says in a line each which of them it also sends and since when, if the platform may have another one', async () => {
      await enter({ keyId: 12, delay: 7 });
      await toRelease(escape, escape);
      const question = at.person.seen.find((one) => one.startsWith('Branch: master → release'));
      const hooks = /Hooks: kept as they are on \S.* \d+/.exec(question ?? '')?.[0];
      assert.deepEqual(question?.split('\n'), [
        'Branch: master → release',
        '',
        hooks,
        `Delay between node restarts: 7 s, as entered here on ${date}`,
      ]);
    });

    it('shows the hooks before the question is answered', async () => {
      const before = count('EditProject');
      await toRelease('Show Hooks', escape);
      const document = window.activeTextEditor?.document;
      assert.equal(document?.uri.scheme, 'gantry-text');
      assert.equal(document.getText(), mine.preDeploy);
      assert.equal(count('EditProject'), before);
    });

    it('keeps the time at which they were entered', async () => {
      const entered = await at.parts.writeOnlySettings.find(at.place);
      await toRelease('Apply');
      const { enteredAt, hooks } = (await at.parts.writeOnlySettings.find(at.place)) ?? {};
      assert.ok(entered?.enteredAt.hooks !== undefined);
      assert.deepEqual([hooks, enteredAt], [undefined, entered.enteredAt], 'the node has the hooks');
    });

    it("shows someone else's hooks next to the old ones, and keeps theirs", async () => {
      await toRelease(escape, escape);
      await theirs({ preDeploy: 'theirs\n', postDeploy: 'theirs, too\n' });
      await edit('Apply', 'Save Anyway', 'Apply');
      assert.match(
        page(),
        /Pre-deploy hook, Post-deploy hook: changed\nPre-deploy hook:\n− true\n\+ theirs\nPost-deploy hook:\n\+ theirs, too/,
      );
      assert.match(page(), /Hooks: kept as they are on \S.* \d+, where someone else changed yours from /);
      assert.equal(await at.setUp.read(file), 'theirs\n');
      await edit('Branch', typed('master'), 'Apply', 'Apply');
      assert.match(page(), /Hooks: kept as they are on \S.* \d+/);
      assert.equal(await at.setUp.read(file), 'theirs\n');
    });

    it('shows where long ones differ', async () => {
      const same = Array.from({ length: 30 }, (_, index) => `echo ${index}\n`).join('');
      await enter({ hooks: { preDeploy: `${same}echo mine\n` } });
      await toRelease(escape, escape);
      await theirs({ preDeploy: `${same}echo theirs\necho end\n` });
      await edit('Apply', escape, escape);
      const both = '− …\n− echo 28\n− echo 29\n− echo mine\n+ …\n+ echo 28\n+ echo 29\n+ echo theirs\n+ echo end';
      assert.ok(page().includes(`Pre-deploy hook:\n${both}\n`), page());
      await theirs({ preDeploy: same });
      await edit('Apply', escape, escape);
      assert.ok(page().includes('− echo 29\n− echo mine\n+ …\n+ echo 28\n+ echo 29\n'), page());
    });

    it("asks again if someone else removes them while the question is open, and doesn't send them back", async () => {
      const when = asked('Change the settings of').then(() => theirs({}));
      const before = count('EditProject');
      await toRelease({ presses: 'Apply', when }, 'Apply', 'Save Anyway', 'Apply');
      assert.match(page(), /Pre-deploy hook: changed\nPre-deploy hook:\n− true\n\n/);
      assert.equal(count('EditProject'), before + 2);
      assert.match(page(), /it may be removed: Hooks \(those that you entered here on .* are gone from \S.* \d+\)/);
      assert.equal('hooks' in lastSent(), false);
      await assert.rejects(at.setUp.read(file));
    });

    it("shows someone else's hooks before new ones replace them", async () => {
      await theirs({ preDeploy: 'theirs\n' });
      const base = { ...(await fieldsNow(at.place)), hooks: mine };
      const change = { place: at.place, base, fields: { ...base, hooks: { preDeploy: 'new\n' } } };
      const checked = await at.person.answering(['Save Anyway'], () => checkSettingsChange(change, at.parts));
      assert.match(page(), /− true\n\+ theirs/);
      assert.deepEqual(
        [checked?.base.hooks, checked?.fields.hooks],
        [{ preDeploy: 'theirs\n' }, { preDeploy: 'new\n' }],
      );
    });

    it('sends nothing if someone else changes the settings while the hooks are being read', async () => {
      const listing = at.setUp.platform.faults.add({
        operation: 'GetList',
        parameters: { path: '/var/lib/jelastic/hooks' },
        nth: 3,
        fault: { kind: 'hang', when: 'before' },
      });
      const editing = toRelease('Apply', escape);
      await listing.reached;
      await theirs(mine, { login: 'nils' });
      listing.release();
      await editing;
      assert.equal(lastSent()['login'], 'nils');
      assert.match(page(), /in the meantime, so nothing was sent: {2}Username: marit → nils\. Select Apply again/);
    });

    it("doesn't take hooks that the node still has from before for someone else's, and says so", async () => {
      at.setUp.platform.behaviour.hookFiles = 'deployed';
      await enter({ hooks: { preDeploy: 'newer\n' } });
      assert.equal(await at.setUp.read(file), mine.preDeploy);
      await toRelease('Apply');
      assert.match(
        page(),
        /Hooks: couldn't be compared with the platform's \(.* doesn't have the hooks that were saved last\)/,
      );
      assert.equal(lastSent()['hooks'], '{"preDeploy":"newer\\n"}');
    });

    const fallAsleep = () => {
      const [environment] = at.setUp.platform.environments;
      assert.ok(environment);
      environment.status = 4;
      at.parts.environments.refresh();
      at.setUp.platform.journal.reset();
    };

    it('sends those that it read if the environment is asleep by then, and reads nothing there', async () => {
      await toRelease(escape, escape);
      fallAsleep();
      await edit('Apply', 'Apply');
      assert.match(page(), /Hooks: couldn't be compared with the platform's \(Saltmarsh Tea isn't running\)/);
      assert.deepEqual([count('GetList'), count('Read'), count('EditProject')], [0, 0, 1]);
      assert.equal(lastSent()['hooks'], JSON.stringify(mine));
    });

    it("sends nothing while it can't read them, unless the user enters them again", async () => {
      fallAsleep();
      await toRelease(escape);
      assert.match(page(), /Pre-deploy hook: can't be read now/);
      assert.match(page(), /Nothing was sent, because this change may clear the project's hooks, .* isn't running\./);
      assert.deepEqual([count('GetList'), count('Read'), count('EditProject')], [0, 0, 0]);
      at.parts.drafts.changeHook(projectKey(at.place), 'postBuild', 'make\n');
      await edit('Apply', 'Apply');
      assert.match(page(), /it may be removed: other hooks \(.* isn't/);
      assert.equal(lastSent()['hooks'], '{"postBuild":"make\\n"}');
    });

    it('sends nothing if they were compared for the question, but can no longer be read', async () => {
      const before = count('EditProject');
      at.setUp.platform.faults.add({
        operation: 'GetList',
        nth: 3,
        fault: { kind: 'refuse', result: 99, error: 'busy', when: 'before' },
      });
      await toRelease('Apply', escape);
      assert.match(page(), /Couldn't read the current settings, so nothing was sent/);
      assert.match(page(), /Nothing was sent, because Gantry couldn't compare the hooks again: busy\./);
      assert.equal(count('EditProject'), before);
    });

    it('sends nothing if the environment was stopped since, keeps the page open, and says why', async () => {
      const before = count('EditProject');
      const stops = asked('Change the settings of').then(async () => {
        const [environment] = at.setUp.platform.environments;
        assert.ok(environment);
        environment.status = 4;
        at.parts.environments.refresh();
        await at.parts.environments.of(at.account);
      });
      await toRelease({ presses: 'Apply', when: stops }, escape);
      assert.match(
        page(),
        /Nothing was sent, because Gantry couldn't compare the hooks again: Saltmarsh Tea isn't running\./,
      );
      assert.equal(count('EditProject'), before);
    });

    it("doesn't send the old key over someone else's", async () => {
      await enter({ keyId: 12 });
      await theirs(mine, { keyId: 13 });
      await toRelease('Save Anyway', 'Apply');
      assert.match(page(), /SSH key: 12 → another one or none/);
      assert.match(page(), /it may be removed: SSH key\. To keep it, enter it/);
      assert.equal('keyId' in lastSent(), false);
    });
  });

  describe('of a project whose hooks were entered elsewhere', () => {
    const file = '/var/lib/jelastic/hooks/preDeploy_ROOT.sh';
    const lastSent = () =>
      at.setUp.platform.journal.entries.findLast(({ operation }) => operation === 'EditProject')?.parameters ?? {};
    const toRelease = (...answers: readonly Answer[]) => edit('Branch', typed('release'), 'Apply', ...answers);

    beforeEach(async () => {
      at.setUp.platform.behaviour.unsentProjectFields = 'cleared';
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"theirs\\n"}', delay: 7 });
    });

    it('also sends them, says so, and can show them', async () => {
      await toRelease('Show Hooks', escape);
      assert.equal(window.activeTextEditor?.document.getText(), 'theirs\n');
      assert.doesNotMatch(page(), /Someone else changed this project/);
      assert.match(page(), /Hooks: kept as they are on \S.* \d+/);
      await edit('Apply', 'Apply');
      assert.equal(await branch(), 'release');
      assert.equal(await at.setUp.read(file), 'theirs\n');
      assert.deepEqual(
        ['keyId', 'delay'].filter((name) => name in lastSent()),
        [],
      );
    });

    it('says only of the delay that it may be lost', async () => {
      // An edit from here, with nothing hidden, would be the first of two.
      await at.parts.writeOnlySettings.forget(at.place);
      await toRelease(escape, escape);
      assert.match(page(), /it may be removed: Delay between node restarts\. To keep it/);
    });

    it('shows the one that a new hook would replace, and keeps the others', async () => {
      const theirs = '{"preDeploy":"theirs\\n","postBuild":"make\\n"}';
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: theirs });
      const base = { ...(await fieldsNow(at.place)), hooks: undefined };
      const change = { place: at.place, base, fields: { ...base, hooks: { preDeploy: 'mine\n' } } };
      const checked = await at.person.answering(['Save Anyway'], () => checkSettingsChange(change, at.parts));
      assert.match(page(), /also changed by you: Pre-deploy hook\)\nPre-deploy hook:\n\+ theirs/);
      assert.deepEqual(checked?.fields.hooks, { preDeploy: 'mine\n', postBuild: 'make\n' });
    });

    it("says that they may be lost if the node's files can't be read", async () => {
      at.setUp.platform.faults.add({
        operation: 'GetList',
        times: 'always',
        fault: { kind: 'refuse', result: 4037, error: 'denied' },
      });
      await toRelease(escape, escape);
      assert.match(page(), /it may be removed: Hooks \(.*denied\)/);
      assert.match(page(), /^Pre-deploy hook: can't be read now$/m);
    });

    it("sends nothing if someone else enters some while the question is open, and doesn't remove them", async () => {
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{}' });
      const asked = until(at.person.onDidSee, () =>
        at.person.seen.some((one) => one.startsWith('Change the settings')),
      );
      const when = asked.then(() =>
        at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"later"}' }),
      );
      const before = count('EditProject');
      await toRelease({ presses: 'Apply', when }, 'Apply', 'Apply');
      assert.equal(count('EditProject'), before + 2);
      assert.equal(lastSent()['hooks'], '{"preDeploy":"later"}');
    });
  });

  describe('of a project that was saved here without hooks', () => {
    const toRelease = (...answers: readonly Answer[]) => edit('Branch', typed('release'), 'Apply', ...answers);

    it('says that hooks may be cleared if the node has no folder for them', async () => {
      at.setUp.platform.behaviour.hookFiles = 'deployed';
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"theirs\\n"}' });
      await toRelease(escape, escape);
      assert.match(page(), /it may be removed: Hooks \(\S.* \d+ has no folder for hooks\)/);
      assert.match(page(), /^Pre-deploy hook: none found$/m);
    });

    it('says that none are sent if the node has none', async () => {
      const before = await fieldsNow(at.place);
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{"preDeploy":"theirs\\n"}' });
      await at.setUp.succeed('EditProject', { ...at.setUp.editWishes, hooks: '{}' });
      assert.equal(before.hooks, undefined);
      await toRelease(escape, escape);
      assert.match(page(), /Hooks: none, as on \S.* \d+/);
      assert.match(page(), /^Pre-deploy hook: none$/m);
    });
  });

  it("says that hooks weren't read yet if it shows a draft from before the window was opened", async () => {
    const base = await fieldsNow(at.place);
    const fields = { ...base, branch: 'release' };
    const id = projectKey(at.place);
    at.parts.drafts.keep({ id, place: at.place, isNew: false, base, fields, lacksPassword: false, rules: {} });
    await edit(escape);
    assert.match(page(), /^Pre-deploy hook: not read yet$/m);
  });

  it('stays open if the user cancels while the current settings are read', async () => {
    await edit('Branch', typed('release'), escape);
    const held = at.setUp.platform.faults.add({ operation: 'GetList', fault: { kind: 'hang', when: 'after' } });
    const leave = cancelProgress();
    try {
      // Closes the page, which was shown again.
      await edit('Apply', escape);
    } finally {
      held.release();
      leave();
    }
    assert.equal(count('EditProject'), 0);
  });

  it("doesn't say that a delay may be lost which was just entered", async () => {
    await at.parts.writeOnlySettings.forget(at.place);
    const base = await fieldsNow(at.place);
    const change = { place: at.place, base, fields: { ...base, delay: 7 } };
    const checked = await at.person.answering([], () => checkSettingsChange(change, at.parts));
    assert.match(
      checked?.warnings.join('\n') ?? '',
      /^Gantry can't read the following, so it may be removed: Hooks\. To keep it/,
    );
  });

  it('sends no hooks, key, or delay of a project that has none', async () => {
    at.setUp.platform.journal.reset();
    await edit('Branch', typed('release'), 'Apply', 'Apply');
    const sent = at.setUp.platform.journal.entries.find(({ operation }) => operation === 'EditProject')?.parameters;
    assert.ok(sent);
    assert.deepEqual(
      ['hooks', 'keyId', 'delay'].filter((name) => name in sent),
      [],
    );
    assert.deepEqual([count('GetList'), count('Read')], [3, 0]);
    assert.doesNotMatch(page(), /as entered here/);
  });

  it("doesn't take missing files of a renamed context for someone else's removal of its hooks", async () => {
    const before = await fieldsNow(at.place);
    const withHooks = { ...before, hooks: { preDeploy: 'true\n' } };
    await at.parts.projectOperations.edit(at.place, before, withHooks);
    at.setUp.platform.behaviour.hookFiles = 'deployed';
    await at.parts.projectOperations.edit(at.place, withHooks, { ...withHooks, context: 'shop2' });
    const place = { ...at.place, context: 'shop2' };
    const base = await fieldsNow(place);
    const change = { place, base, fields: { ...base, branch: 'release' } };
    const checked = await at.person.answering([], () => checkSettingsChange(change, at.parts));
    assert.deepEqual(checked?.fields.hooks, { preDeploy: 'true\n' });
    assert.match(checked.resent.join('\n'), /couldn't be compared .* doesn't have the hooks that were saved last/);
    await at.setUp.update({ context: 'shop2' });
    const later = await at.person.answering([], () => checkSettingsChange(change, at.parts));
    assert.doesNotMatch(later?.resent.join('\n') ?? '', /couldn't compare/);
  });
});
