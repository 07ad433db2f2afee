import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { editor, notification, openContainer, quickInput } from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { projectSchema } from '../localPlatform/vcs/project';
import { credentials, VcsSetUp, webroot } from '../unit/localPlatform/vcsSetUp';
import { dialog } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { accept, choose, command, question, type, expandByKey } from './support/keyboard';
import { picture } from './support/picture';
import { rowIn } from './support/sections';
import { answerWithPassword, signInButton } from './support/signIn';
import { step } from './support/step';

const kept = v.looseObject({ projects: v.array(projectSchema) });

describe('projects, with the keyboard alone,', () => {
  let setUp: VcsSetUp;
  let folder: string;
  let clone: LocalClone;
  let gantry: GantryWindow;
  let page: Page;

  before(async () => {
    setUp = await VcsSetUp.start();
    await setUp.repository.commit({ message: 'released', files: { 'index.php': 'release\n' }, branch: 'release' });
    folder = await mkdtemp(join(tmpdir(), 'gantry-projects-'));
    clone = await LocalClone.of(setUp.url, join(folder, 'tea'), credentials);
    gantry = await openGantry({
      workspace: clone.folder,
      settings: { 'gantry.platforms': [setUp.platform.origin], 'window.autoDetectColorScheme': true },
    });
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await signInButton(page).click();
    await answerWithPassword(page, setUp.platform);
    await rowIn(page, 'Deployments', /^shop/).waitFor();
    await command(page, 'Gantry: Focus on Deployments View');
    await page.keyboard.press('Home');
    await expandByKey(page, rowIn(page, 'Deployments', /^shop/));
  });

  after(async () => {
    await gantry.close();
    await setUp.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  });

  /** The project on the platform, including fields that it never returns. */
  const onPlatform = async (context = 'ROOT') => {
    const text = await readFile(join(setUp.dataFolder, 'projects.json'), 'utf8');
    return v.parse(kept, JSON.parse(text)).projects.find((project) => project.context === context);
  };
  const deployed = (context = 'ROOT') => setUp.read(`${webroot}/${context}/index.php`);
  const settingsPage = (context: string) => `Settings of ${context} on shop`;
  /** In light and dark, because one doesn't show problems in the other. */
  const pictures = async (name: string) => {
    await picture(page, name);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.monaco-workbench.vs-dark').waitFor();
    await picture(page, `${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('.monaco-workbench.vs').waitFor();
  };
  const row = (text: string | RegExp) => page.locator('.quick-input-list').getByRole('option', { name: text }).first();

  it('are created, changed, moved to another context, rolled back, and deleted', async function () {
    this.timeout(300_000);
    await step('are created in short steps that reject what the platform would reject, and deployed', createProject);
    await step('show each setting, hooks as scripts, and changes by someone else in the meantime', changeSettings);
    await step('stay on their page if the platform rejects a change, and move to another context', changeContext);
    await step('go back to another branch, and report if the platform ignores a commit', goBack);
    await step('are deleted with their deployed files after the user types the context', deleteProject);
  });

  async function createProject(): Promise<void> {
    await command(page, 'Gantry: New Project…');
    await choose(page, 'Where shall it be deployed?', 'shop');
    await choose(page, 'What kind of repository', 'Git');
    await question(page, "The repository's address").waitFor();
    await picture(page, 'project-address');
    await choose(page, "The repository's address", setUp.url);
    await row('release').waitFor();
    await choose(page, 'The branch that is deployed', 'master');
    await choose(page, 'How does the platform get at', 'With a login and a password');
    await type(page, 'The login at the repository', 'ma#rit');
    await question(page, 'The platform refuses logins').waitFor();
    await pictures('project-login-refused');
    await type(page, 'The platform refuses logins', credentials.login);
    await question(page, 'The password or token').waitFor();
    assert.equal(await quickInput(page).getAttribute('type'), 'password');
    await page.keyboard.press('Control+Alt+Minus');
    await question(page, 'The login at the repository').waitFor();
    assert.equal(await quickInput(page).inputValue(), credentials.login, 'a step back keeps what was entered');
    await page.keyboard.press('Enter');
    await type(page, 'The password or token', credentials.password);
    await type(page, 'The context:', 'ROOT');
    await choose(page, 'Shall the platform deploy new commits', 'Yes');
    await type(page, 'Minutes from one look', '0');
    await type(page, 'at least 1', '15');
    await choose(page, 'What if a file was changed', 'the repository wins');
    await choose(page, 'Deploy without downtime?', 'No');
    await row('Create and Deploy Now').waitFor();
    await picture(page, 'project-new');
    await page.keyboard.press('Escape');
    await command(page, 'Gantry: New Project…');
    await choose(page, 'A new project was begun', 'Go on with ROOT on shop');
    await choose(page, 'Choose a setting', 'Create and Deploy Now');
    await notification(page, /[0-9a-f]{7} is deployed/).waitFor();
    assert.equal(await deployed(), 'one\n');
    const { login, password, interval, autoResolveConflict } = (await onPlatform()) ?? {};
    assert.deepEqual({ login, password, interval }, { ...credentials, interval: '15' });
    assert.equal(autoResolveConflict, true);
  }

  async function changeSettings(): Promise<void> {
    await command(page, 'Gantry: Project Settings…');
    await question(page, settingsPage('ROOT')).waitFor();
    await picture(page, 'project-page');
    await choose(page, 'Choose a setting', 'Branch');
    await choose(page, 'The branch that is deployed', 'release');
    await row('was: master').waitFor();
    await choose(page, 'Choose a setting', 'Hook before the build');
    await editor(page).locator('.view-line').first().waitFor();
    await page.keyboard.type('echo built\n');
    await picture(page, 'project-hook');
    await command(page, 'Gantry: Use This Script and Go Back to the Settings');
    await row(/Hook before the build, one line/).waitFor();
    await pictures('project-page-changed');
    assert.equal((await onPlatform())?.branch, 'master', 'nothing is sent before Apply');
    await setUp.succeed('EditProject', { ...setUp.editWishes, interval: '30', autoupdate: true });
    await choose(page, 'Choose a setting', 'Apply');
    await dialog(page).getByText('Somebody else has changed').waitFor();
    await picture(page, 'project-changed-by-others');
    await accept(page, 'Somebody else has changed', 'Go On');
    await dialog(page).getByText('Branch: master → release').waitFor();
    await pictures('project-apply');
    await accept(page, 'Change the settings of ROOT', 'Apply');
    await notification(page, 'The settings of ROOT on shop are changed').waitFor();
    const { branch, interval, hooks, password } = (await onPlatform()) ?? {};
    assert.deepEqual(
      { branch, interval, password },
      { branch: 'release', interval: '30', password: credentials.password },
    );
    assert.equal(hooks?.preBuild, 'echo built\n');
    await rowIn(page, 'Deployments', /^ROOT.*release.*behind/).waitFor();
    await page.locator('.tab').filter({ hasText: 'preBuild' }).waitFor({ state: 'hidden' });
  }

  async function changeContext(): Promise<void> {
    await setUp.create({ context: 'tea' });
    await command(page, 'Gantry: Add a Project by Its Context…');
    await choose(page, 'Where is it deployed?', 'shop');
    await type(page, "The project's context", 'tea');
    await rowIn(page, 'Deployments', /^tea/).waitFor();
    // Some platforms don't report whether they deploy without downtime, but require the field.
    const { url, login } = { url: setUp.url, ...credentials };
    const settings = { type: 'GIT', context: 'tea', url, login, branch: 'master', interval: '5', autoupdate: false };
    const body = JSON.stringify({ result: 0, ...settings, autoResolveConflict: false });
    const asked = { operation: 'GetProject', parameters: { context: 'tea' }, times: 'always' } as const;
    setUp.platform.faults.add({ ...asked, fault: { kind: 'answer', body } });
    await command(page, 'Gantry: Project Settings…');
    await choose(page, "Which project's settings?", 'tea');
    await choose(page, 'Choose a setting', 'Context');
    await type(page, 'The context:', 'ROOT');
    await type(page, 'has a project in this context already', 'coffee');
    const fault = { kind: 'refuse', result: 4017, error: 'the project is locked' } as const;
    setUp.platform.faults.add({ operation: 'EditProject', fault });
    await choose(page, 'Choose a setting', 'Apply');
    await choose(page, 'Deploy without downtime?', 'No');
    await row('was: the platform does not say').waitFor();
    await choose(page, 'Choose a setting', 'Apply');
    await dialog(page).getByText('The platform never shows hooks').waitFor();
    await pictures('project-apply-first');
    await accept(page, 'Change the settings of tea', 'Apply');
    await row('the project is locked').waitFor();
    await row('was: tea').waitFor();
    await pictures('project-refused');
    await choose(page, 'Choose a setting', 'Apply');
    await accept(page, 'Context: tea → coffee', 'Apply');
    await notification(page, 'The settings of coffee on shop are changed').waitFor();
    assert.ok(await onPlatform('coffee'));
    assert.equal(await onPlatform('tea'), undefined);
  }

  async function goBack(): Promise<void> {
    await command(page, 'Gantry: Go Back to an Earlier State…');
    await choose(page, 'Which project shall go back?', 'ROOT');
    await row('A commit by its hash').waitFor();
    await picture(page, 'project-states');
    const commit = await setUp.repository.commit({ message: 'third', files: { 'index.php': 'three\n' } });
    await choose(page, 'What shall be deployed?', 'master');
    await accept(page, 'Deploy another state of ROOT', 'Go Back');
    await notification(page, commit.slice(0, 7)).waitFor();
    assert.equal(await deployed(), 'three\n');
    setUp.platform.behaviour.pinnedCommits = 'ignored';
    await command(page, 'Gantry: Go Back to an Earlier State…');
    await choose(page, 'Which project shall go back?', 'ROOT');
    const first = await clone.git('rev-parse', 'HEAD');
    await choose(page, 'What shall be deployed?', first.slice(0, 7));
    await dialog(page).getByText('The project stays at').waitFor();
    await picture(page, 'project-go-back');
    await accept(page, 'Deploy another state of ROOT', 'Go Back');
    await notification(page, 'it deploys the newest commit of a branch').waitFor();
    await picture(page, 'project-not-heeded');
  }

  async function deleteProject(): Promise<void> {
    await command(page, 'Gantry: Delete the Project…');
    await choose(page, 'Which project shall be deleted?', 'ROOT');
    await type(page, 'The deployed files go with it', 'root');
    await question(page, 'This is not ROOT').waitFor();
    await picture(page, 'project-delete');
    await type(page, 'This is not ROOT', 'ROOT');
    await notification(page, 'ROOT was deleted from shop').waitFor();
    assert.equal(await onPlatform(), undefined);
    await assert.rejects(deployed());
  }
});
