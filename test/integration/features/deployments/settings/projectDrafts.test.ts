import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import { SettingsPages } from '../../../../../src/features/deployments/settings/settingsPageFlow';
import type { Parts } from '../../../support/parts';
import { ProjectDrafts } from '../../../../../src/features/deployments/settings/projectDrafts';
import { HookDocuments, hookUri } from '../../../../../src/features/deployments/settings/hookDocuments';
import { newProject, type ProjectFields } from '../../../../../src/features/deployments/settings/projectFields';
import { projectKey, type ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import type { VcsSetUp } from '../../../../unit/localPlatform/vcsSetUp';
import { closeWithoutSaving, openInEditor, replaceAll } from '../../../support/editing';
import { until } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { type Answer, escape, Person, typed } from '../../../support/person';
import { endProject, fieldsNow, startProject, wantedFrom } from '../../../support/projects';
import { untilTrue } from '../../../support/untilTrue';

const secret = 'a-password-that-stands-nowhere';

const unchanged = (fields: ProjectFields) => ({ isNew: false, base: fields, fields, lacksPassword: false, rules: {} });

describe('the draft of project settings', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let all: Parts;
  let parts: Parts['projects'];
  let place: ProjectPlace;
  let id: string;
  let person: Person;
  /** The drafts of this window and of later ones. */
  let windows: ProjectDrafts[];

  beforeEach(async () => {
    all = await gantry();
    parts = all.projects;
    ({ setUp, account, place } = await startProject());
    id = projectKey(place);
    await parts.projectOperations.create(place, wantedFrom(setUp));
    windows = [parts.drafts];
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await endProject({ setUp, account, place });
  });

  const edit = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.project.edit', place));
  const folder = () => join(parts.drafts.folder, account.slug);
  const onDisk = async () => {
    await Promise.all(windows.map((drafts) => drafts.settled()));
    const names = existsSync(folder()) ? await readdir(folder()) : [];
    return Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')));
  };
  /** Returns the drafts as another window reads them now, or the next one. */
  const reloaded = async () => {
    await parts.drafts.settled();
    const failed = (error: unknown) => assert.fail(String(error));
    const drafts = new ProjectDrafts(parts.drafts.folder, failed);
    windows.push(drafts);
    await drafts.restored();
    return drafts;
  };
  const pageIn = (drafts: ProjectDrafts, ...answers: readonly Answer[]) => {
    const { environments, accounts } = all;
    return person.answering(answers, () => new SettingsPages({ ...parts, environments, accounts, drafts }).open(place));
  };

  it('survives a window reload, with its hook scripts', async () => {
    await edit('Branch', typed('release'), escape);
    parts.drafts.changeHook(id, 'preBuild', 'make\n');
    const drafts = await reloaded();
    assert.deepEqual(drafts.find(id)?.fields, parts.drafts.find(id)?.fields);
    assert.deepEqual(drafts.find(id)?.base, parts.drafts.find(id)?.base);
    const uri = hookUri(id, 'preBuild');
    assert.equal(new TextDecoder().decode(await new HookDocuments(drafts).readFile(uri)), 'make\n');
    await pageIn(drafts, 'Apply', 'Apply');
    assert.equal((await parts.projects.read(place)).settings.branch, 'release');
    assert.deepEqual((await fieldsNow(place)).hooks, { preBuild: 'make\n' });
    assert.deepEqual(await onDisk(), []);
  });

  it('stores no password on disk: it asks for the password again before it sends anything', async () => {
    await edit('Branch', typed('release'), 'Password', secret, escape);
    const [file = '', ...others] = await onDisk();
    assert.deepEqual(others, []);
    assert.match(file, /release/);
    assert.ok(!file.includes(secret), 'the password is not kept');
    const [name = ''] = await readdir(folder());
    assert.equal((await stat(join(folder(), name))).mode & 0o077, 0, 'for its owner alone');
    const drafts = await reloaded();
    await pageIn(drafts, escape);
    assert.match(person.seen.join('\n'), /\$\(warning\) Password.*Enter it again/);
    await pageIn(drafts, 'Apply', 'another-one', 'Apply', 'Apply');
    const kept = await readFile(join(setUp.dataFolder, 'projects.json'), 'utf8');
    assert.match(kept, /another-one/);
  });

  it('survives even if only a password was entered', async () => {
    await edit('Password', secret, escape);
    const drafts = await reloaded();
    await pageIn(drafts, escape);
    assert.ok(drafts.find(id)?.lacksPassword, 'it is asked for until that is answered');
    await pageIn(drafts, 'Apply', '', escape);
    assert.equal(drafts.find(id)?.lacksPassword, false);
    assert.equal(
      setUp.platform.journal.count(({ operation }) => operation === 'EditProject'),
      0,
    );
  });

  it('of a new project survives without the secret in its URL', async () => {
    const fields = { ...newProject, url: `https://marit:${secret}@git.saltmarsh.example/tea.git`, context: 'blog' };
    const rules = { contextPattern: undefined, singleContext: false };
    const draft = { id: 'new/blog', place, isNew: true, base: newProject, fields, lacksPassword: false, rules };
    parts.drafts.keep(draft);
    const found = (await reloaded()).find('new/blog');
    assert.deepEqual(found?.fields, { ...fields, url: 'https://git.saltmarsh.example/tea.git' });
    assert.ok(!(await onDisk()).join('').includes(secret));
  });

  it('is deleted from disk when it is discarded, and with its account', async () => {
    await edit('Branch', typed('release'), escape);
    assert.equal((await onDisk()).length, 1);
    await edit('Discard Changes');
    assert.deepEqual(await onDisk(), []);
    await edit('Branch', typed('release'), escape);
    await parts.drafts.forgetAccount(account.slug);
    assert.ok(!existsSync(folder()));
    assert.equal((await reloaded()).find(id), undefined);
  });

  describe('in two windows', () => {
    const preBuild = () => hookUri(id, 'preBuild');
    const page = () => person.seen.join('\n');
    /** Types another script in this window, and saves it as a draft. */
    const saveHook = async (script: string) => {
      await edit('Pre-build hook');
      const document = await openInEditor(preBuild());
      await replaceAll(document, script);
      assert.ok(await document.save());
      await parts.drafts.settled();
    };
    const editsSent = () => setUp.platform.journal.count(({ operation }) => operation === 'EditProject');

    afterEach(() => closeWithoutSaving());

    it('stays if the other one, open since before, only opens the page: it shows the draft', async () => {
      const other = await reloaded();
      await saveHook('make all\n');
      await pageIn(other, escape);
      assert.match(page(), /\$\(edit\) Pre-build hook/);
      assert.match((await onDisk()).join(), /make all/);
      assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, 'make all\n');
      assert.equal(editsSent(), 0);
    });

    it('keeps what both change at the same time, also in hooks', async () => {
      const other = await reloaded();
      await edit('Username', 'nils', escape);
      await saveHook('make all\n');
      other.keep({ ...unchanged(await fieldsNow(place)), id, place });
      other.change(id, { branch: 'release' });
      other.changeHook(id, 'postBuild', 'make clean\n');
      await onDisk();
      const { fields } = (await reloaded()).find(id) ?? {};
      assert.deepEqual([fields?.branch, fields?.login], ['release', 'nils']);
      assert.deepEqual(fields?.hooks, { preBuild: 'make all\n', postBuild: 'make clean\n' });
      await edit(escape);
      assert.match(page(), /\$\(edit\) Branch: release/);
    });

    it('takes the setting from the disk if the other window changed the same one meanwhile', async () => {
      await edit('Branch', typed('release'), escape);
      const other = await reloaded();
      parts.drafts.change(id, { branch: 'later' });
      await parts.drafts.settled();
      other.change(id, { branch: 'other' });
      await onDisk();
      assert.equal(other.find(id)?.fields.branch, 'later');
      assert.equal((await reloaded()).find(id)?.fields.branch, 'later');
    });

    it('stays if the other one discards or applies an earlier state of it', async () => {
      await edit('Branch', typed('release'), escape);
      const other = await reloaded();
      await saveHook('make all\n');
      other.discard(id);
      await onDisk();
      assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, 'make all\n');
    });

    it('is gone here when the other one has applied it', async () => {
      await edit('Branch', typed('release'), escape);
      await pageIn(await reloaded(), 'Apply', 'Apply');
      await edit(escape);
      assert.doesNotMatch(page(), /\$\(edit\)/);
      assert.match(page(), /Branch: release/);
      assert.deepEqual(await onDisk(), []);
    });

    it('says in a hook editor that the other one has applied or discarded it', async () => {
      await saveHook('make all\n');
      await pageIn(await reloaded(), 'Discard Changes');
      await person.answering([], () => commands.executeCommand('gantry.hook.apply', preBuild()));
      assert.match(page(), /already applied or discarded, maybe in another window/);
    });

    it('has a hook that is saved here although the other one has discarded the draft', async () => {
      await saveHook('make all\n');
      await pageIn(await reloaded(), 'Discard Changes');
      const document = await openInEditor(preBuild());
      await replaceAll(document, 'make more\n');
      assert.ok(await document.save());
      await person.answering(['Apply', 'Apply'], () => commands.executeCommand('gantry.hook.apply', preBuild()));
      assert.deepEqual((await fieldsNow(place)).hooks, { preBuild: 'make more\n' });
    });

    const questionIsOpen = () =>
      until(person.onDidSee, () => person.seen.some((text) => text.startsWith('Change the settings of')));

    it('is not said to be applied or discarded if its account was signed out while its page was open', async () => {
      const when = questionIsOpen().then(async () => {
        await all.accounts.remove(account.slug);
        await untilTrue(
          () => parts.drafts.find(id) === undefined,
          () => 'the draft is still there',
        );
      });
      await edit('Branch', typed('release'), 'Apply', { presses: 'Apply', when });
      assert.match(page(), /the account is signed out/);
      assert.doesNotMatch(page(), /already applied or discarded/);
    });

    it('is shown instead of sent if the other one has stored a newer one while its page was open', async () => {
      await saveHook('make all\n');
      const other = await reloaded();
      const when = questionIsOpen().then(async () => {
        other.changeHook(id, 'preBuild', 'make newer\n');
        await onDisk();
      });
      await edit('Apply', { presses: 'Apply', when }, escape);
      assert.equal(editsSent(), 0);
      assert.match(page(), /draft was changed .*so nothing was sent/);
      assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, 'make newer\n');
      await edit('Apply', 'Apply');
      assert.deepEqual((await fieldsNow(place)).hooks, { preBuild: 'make newer\n' });
      assert.deepEqual(await onDisk(), []);
    });

    it("is shown instead of sent if a hook's editor in this window has stored a newer one meanwhile", async () => {
      await saveHook('make all\n');
      const document = await openInEditor(preBuild());
      const when = questionIsOpen().then(async () => {
        await replaceAll(document, 'make newer\n');
        assert.ok(await document.save());
      });
      await edit('Apply', { presses: 'Apply', when }, escape);
      assert.equal(editsSent(), 0);
      assert.match((await onDisk()).join(), /make newer/);
    });

    it('stays if it is saved while the page reads the settings again', async () => {
      await edit('Pre-build hook');
      const document = await openInEditor(preBuild());
      const held = setUp.platform.faults.add({ operation: 'GetProject', fault: { kind: 'hang', when: 'after' } });
      const opening = edit(escape);
      await held.reached;
      await replaceAll(document, 'make all\n');
      assert.ok(await document.save());
      held.release();
      await opening;
      assert.match((await onDisk()).join(), /make all/);
    });

    it('has an unsaved script again once the settings are opened, if it was lost as by a restart', async () => {
      await edit('Pre-build hook');
      const document = await openInEditor(preBuild());
      await replaceAll(document, 'make all\n');
      parts.drafts.discard(id);
      assert.ok(!(await document.save()));
      await edit(escape);
      assert.match((await onDisk()).join(), /make all/);
    });

    it('stays if it becomes newer while an older state of it is sent', async () => {
      await saveHook('make all\n');
      const held = setUp.platform.faults.add({ operation: 'EditProject', fault: { kind: 'hang', when: 'after' } });
      const saving = edit('Apply', 'Apply');
      await held.reached;
      parts.drafts.changeHook(id, 'preBuild', 'make newer\n');
      setUp.platform.faults.clear();
      await saving;
      assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, 'make newer\n');
    });

    it("isn't used with the script on disk if saving the script in the editor was refused", async () => {
      await saveHook('make all\n');
      const document = await openInEditor(preBuild());
      await replaceAll(document, 'make two\n');
      const other = await reloaded();
      other.changeHook(id, 'preBuild', 'make one\n');
      await onDisk();
      await person.answering([], () => commands.executeCommand('gantry.hook.apply', preBuild()));
      assert.match(page(), /preBuild \(draft\)\.sh isn't saved/);
      assert.equal(document.getText(), 'make two\n');
      assert.ok(document.isDirty);
      assert.equal(editsSent(), 0);
    });

    it('is stored again when an unsaved script is saved after the other one has discarded the draft', async () => {
      await saveHook('make all\n');
      const document = await openInEditor(preBuild());
      await replaceAll(document, 'make more\n');
      (await reloaded()).discard(id);
      await onDisk();
      await parts.drafts.refresh(id);
      assert.ok(await document.save());
      assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, 'make more\n');
      await edit('Apply', 'Apply');
      assert.deepEqual((await fieldsNow(place)).hooks, { preBuild: 'make more\n' });
    });

    for (const theirs of ['make everything\n', 'make one\n']) {
      it(`keeps a hook that the other one saved meanwhile (${theirs.trim()})`, async () => {
        await saveHook('make all\n');
        const document = await openInEditor(preBuild());
        await replaceAll(document, 'make two\n');
        const other = await reloaded();
        other.changeHook(id, 'preBuild', theirs);
        await onDisk();
        assert.equal(await document.save(), false);
        assert.ok(document.isDirty);
        assert.equal(document.getText(), 'make two\n');
        assert.equal((await reloaded()).find(id)?.fields.hooks?.preBuild, theirs);
      });
    }
  });
});
