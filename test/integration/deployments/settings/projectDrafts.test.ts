import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { SettingsPages } from '../../../../src/deployments/settings/settingsPageFlow';
import type { Parts } from '../../../../src/extension';
import { DraftStore, ProjectDrafts } from '../../../../src/deployments/settings/projectDrafts';
import { HookDocuments, hookUri } from '../../../../src/deployments/settings/hookDocuments';
import { newProject } from '../../../../src/deployments/settings/projectFields';
import { projectKey, type ProjectPlace } from '../../../../src/deployments/projectPlace';
import type { VcsSetUp } from '../../../unit/localPlatform/vcsSetUp';
import { gantry } from '../../support/gantry';
import { type Answer, escape, Person, typed } from '../../support/person';
import { endProject, startProject, wantedFrom } from '../../support/projects';

const secret = 'a-password-that-stands-nowhere';

describe('the draft of project settings', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let all: Parts;
  let parts: Parts['projects'];
  let place: ProjectPlace;
  let id: string;
  let person: Person;
  /** The draft stores of this window and of later ones. */
  let stores: DraftStore[];

  beforeEach(async () => {
    all = await gantry();
    parts = all.projects;
    ({ setUp, account, place } = await startProject());
    id = projectKey(place);
    await parts.work.create(place, wantedFrom(setUp));
    stores = [parts.draftStore];
    person = new Person();
  });
  afterEach(async () => {
    person.leave();
    await endProject({ setUp, account, place });
  });

  const edit = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.project.edit', place));
  const folder = () => join(parts.draftStore.folder, account.slug);
  const onDisk = async () => {
    await Promise.all(stores.map((store) => store.settled()));
    const names = existsSync(folder()) ? await readdir(folder()) : [];
    return Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')));
  };
  /** Returns the drafts as the next window reads them. */
  const reloaded = async () => {
    await parts.draftStore.settled();
    const failed = (error: unknown) => assert.fail(String(error));
    const store = new DraftStore(parts.draftStore.folder);
    stores.push(store);
    const drafts = new ProjectDrafts(store, failed);
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
    assert.deepEqual((await parts.writeOnlySettings.of(place)).hooks, { preBuild: 'make\n' });
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
});
