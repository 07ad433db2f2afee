import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Page } from 'playwright-core';
import * as v from 'valibot';
import { limit } from '../host/limits';
import { isNightly } from '../host/nightly';
import { editor, notificationShown, openContainer, quickInput } from '../host/vscode/workbench';
import { LocalClone } from '../integration/support/localClone';
import { projectSchema } from '../localPlatform/vcs/project';
import { credentials, VcsSetUp, webroot } from '../unit/localPlatform/vcsSetUp';
import { dialog } from './support/dialogs';
import { type GantryWindow, openGantry } from './support/gantryWindow';
import { accept, choose, command, keys, question, type } from './support/keyboard';
import { picture, takesPictures } from './support/picture';
import { rowIn, welcomeButton } from './support/sections';
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
      settings: {
        'gantry.platforms': [setUp.platform.origin],
        'window.autoDetectColorScheme': true,
        'workbench.preferredDarkColorTheme': 'Default High Contrast',
      },
    });
    page = gantry.page;
    await openContainer(page, 'Gantry');
    await signInButton(page).click();
    await answerWithPassword(page, setUp.platform);
    await welcomeButton(page, 'Deployments', 'New Project…').waitFor();
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
  const settingsPage = (context: string) => `Settings of ${context} on Saltmarsh Tea`;
  /** In light and high contrast, because one doesn't show problems in the other. */
  const pictures = async (name: string) => {
    if (!takesPictures) return;
    await picture(page, name);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.locator('.monaco-workbench.hc-black').waitFor();
    await picture(page, `${name}-high-contrast`);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('.monaco-workbench.vs').waitFor();
  };
  const focusedRow = (text: string) =>
    page.locator('.quick-input-list .monaco-list-row.focused').filter({ hasText: text }).first();
  const row = (text: string | RegExp) => page.locator('.quick-input-list').getByRole('option', { name: text }).first();

  it('are created, changed, moved to another context, rolled back, and deleted', async () => {
    await step(
      'are created in three steps and a page that reject what the platform would reject, and deployed',
      createProject,
    );
    await step('show each setting, hooks as scripts, and changes by someone else in the meantime', changeSettings);
    await step('stay on their page if the platform rejects a change, and move to another context', changeContext);
    if (isNightly()) await step('go back to an earlier commit by a branch, and to the newest one again', goBack);
    await step('are deleted with their deployed files after the user types the context', deleteProject);
  }).timeout(limit(200_000));

  async function createProject(): Promise<void> {
    await command(page, 'Gantry: New Project…');
    await question(page, 'Select a repository, or enter').waitFor();
    await row('open in this window').waitFor();
    await picture(page, 'project-repository');
    await quickInput(page).fill('git.example.com/tea');
    await row('Enter the full URL').waitFor();
    await page.keyboard.press('Enter');
    await pictures('project-repository-refused');
    await choose(page, 'Select a repository', setUp.url);
    await question(page, 'Select the branch to deploy').waitFor();
    await row('release').waitFor();
    await pictures('project-branch');
    await quickInput(page).fill('hotfix');
    await row('Use branch hotfix').waitFor();
    await row('Not among the branches known here').waitFor();
    await page.keyboard.press(keys.back);
    await question(page, 'Select a repository').waitFor();
    await focusedRow(setUp.url).waitFor();
    await page.keyboard.press('Enter');
    await row('Use branch hotfix').waitFor();
    assert.equal(await quickInput(page).inputValue(), 'hotfix', 'a step back keeps what was typed');
    await page.keyboard.press('Escape');
    await question(page, 'Select the branch').waitFor({ state: 'hidden' });
    await command(page, 'Gantry: New Project…');
    await focusedRow(setUp.url).waitFor();
    await page.keyboard.press('Enter');
    await choose(page, 'Select the branch', 'master');
    await question(page, 'Select the layer to deploy to').waitFor();
    await row('blog').waitFor();
    await pictures('project-target');
    await choose(page, 'Select the layer to deploy to', 'Saltmarsh Tea');
    await row('Create and Deploy Now').waitFor();
    await pictures('project-new');
    await completeSettings();
    await page.keyboard.press('Escape');
    await command(page, 'Gantry: New Project…');
    await choose(page, 'Continue with a draft', 'Continue with ROOT on Saltmarsh Tea');
    await choose(page, 'Select a setting', 'Create and Deploy Now');
    await accept(page, 'The folder will be replaced with a fresh clone.', 'Deploy');
    await notificationShown(page, /Deployed [0-9a-f]{7}/);
    assert.equal(await deployed(), 'one\n');
    const { login, password, interval, autoResolveConflict } = (await onPlatform()) ?? {};
    assert.deepEqual({ login, password, interval }, { ...credentials, interval: '15' });
    assert.equal(autoResolveConflict, true);
  }

  /** Changes what a new project got by default. */
  async function completeSettings(): Promise<void> {
    await choose(page, 'Select a setting', 'Username');
    await type(page, 'Username for the repository', 'ma#rit');
    await question(page, "A username can't contain").waitFor();
    await pictures('project-login-refused');
    await type(page, "A username can't contain", credentials.login);
    await question(page, 'Password or token for').waitFor();
    assert.equal(await quickInput(page).getAttribute('type'), 'password');
    await page.keyboard.press(keys.back);
    await question(page, 'Username for the repository').waitFor();
    assert.equal(await quickInput(page).inputValue(), credentials.login, 'a step back keeps what was entered');
    await page.keyboard.press('Enter');
    await type(page, 'Password or token for', credentials.password);
    await choose(page, 'Select a setting', 'Auto-update');
    await choose(page, 'Deploy new commits automatically', 'On');
    await type(page, 'Minutes between checks', '0');
    await type(page, 'at least 1', '15');
    await choose(page, 'Select a setting', 'On conflict');
    await choose(page, 'What should happen if a file changed', "use the repository's version");
    await row(/^On conflict, use the repository/).waitFor();
  }

  async function changeSettings(): Promise<void> {
    await command(page, 'Gantry: Project Settings…');
    await question(page, settingsPage('ROOT')).waitFor();
    await picture(page, 'project-page');
    await choose(page, 'Select a setting', 'Branch');
    await choose(page, 'Select the branch to deploy', 'release');
    await row('was: master').waitFor();
    await choose(page, 'Select a setting', 'Pre-build hook');
    await editor(page).locator('.view-line').first().waitFor();
    await page.keyboard.type('echo built\n');
    await picture(page, 'project-hook');
    await command(page, 'Gantry: Use Script');
    // The page begins with Apply, so the hook's row may be further down than what is shown.
    await row('Apply…').waitFor();
    await pictures('project-page-changed');
    await quickInput(page).fill('Pre-build');
    await row(/Pre-build hook, 1 line/).waitFor();
    assert.equal((await onPlatform())?.branch, 'master', 'nothing is sent before Apply');
    await setUp.succeed('EditProject', { ...setUp.editWishes, interval: '30', autoupdate: true });
    await choose(page, 'Select a setting', 'Apply');
    await dialog(page).getByText('Someone else changed').waitFor();
    await picture(page, 'project-changed-by-others');
    await accept(page, 'Someone else changed', 'Save Anyway');
    await dialog(page).getByText('Branch: master → release').waitFor();
    await pictures('project-apply');
    await accept(page, 'Change the settings of ROOT', 'Apply');
    await notificationShown(page, 'Saved the settings of ROOT on Saltmarsh Tea');
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
    await command(page, 'Gantry: Add Existing Project…');
    await choose(page, 'Select the layer that the project is deployed to', 'Saltmarsh Tea');
    await type(page, 'Project name, which the dashboard', 'tea');
    await rowIn(page, 'Deployments', /^tea/).waitFor();
    // Some platforms don't report whether they deploy without downtime, but require the field.
    const { url, login } = { url: setUp.url, ...credentials };
    const settings = { type: 'GIT', context: 'tea', url, login, branch: 'master', interval: '5', autoupdate: false };
    const body = JSON.stringify({ result: 0, ...settings, autoResolveConflict: false });
    const asked = { operation: 'GetProject', parameters: { context: 'tea' }, times: 'always' } as const;
    setUp.platform.faults.add({ ...asked, fault: { kind: 'answer', body } });
    await command(page, 'Gantry: Project Settings…');
    await choose(page, 'Select the project to edit the settings for', 'tea');
    await choose(page, 'Select a setting', 'Project name');
    await type(page, 'Project name: its folder', 'ROOT');
    await type(page, 'already has a project with this name', 'coffee');
    const fault = { kind: 'refuse', result: 4017, error: 'the project is locked' } as const;
    setUp.platform.faults.add({ operation: 'EditProject', fault });
    await choose(page, 'Select a setting', 'Apply');
    await choose(page, 'Zero-downtime deployment', 'Off');
    await row('was: unknown').waitFor();
    await choose(page, 'Select a setting', 'Apply');
    await dialog(page).getByText('To keep it, enter it in the project settings first').waitFor();
    await pictures('project-apply-first');
    await accept(page, 'Change the settings of tea', 'Apply');
    await row('the project is locked').waitFor();
    await row('was: tea').waitFor();
    await pictures('project-refused');
    await choose(page, 'Select a setting', 'Apply');
    await accept(page, 'Project name: tea → coffee', 'Apply');
    await notificationShown(page, 'Saved the settings of coffee on Saltmarsh Tea');
    assert.ok(await onPlatform('coffee'));
    assert.equal(await onPlatform('tea'), undefined);
  }

  async function goBack(): Promise<void> {
    const first = (await clone.git('rev-parse', 'HEAD')).slice(0, 7);
    await command(page, 'Gantry: Roll Back…');
    await choose(page, 'Select the project to roll back', 'ROOT');
    await row('released').waitFor();
    await pictures('project-states');
    await choose(page, 'Select a commit to deploy', first);
    await dialog(page).getByText(`Gantry pushes the branch gantry-rollback-${first}, `).waitFor();
    await picture(page, 'project-go-back');
    await accept(page, 'Roll back ROOT', 'Roll Back');
    await notificationShown(page, `still runs ${first}`);
    assert.equal(await deployed(), 'one\n');
    await command(page, 'Gantry: Roll Back…');
    await choose(page, 'Select the project to roll back', 'ROOT');
    await row('Newest commit on release').waitFor();
    await pictures('project-states-deployed');
    await choose(page, 'Select a commit to deploy', 'Newest commit');
    await accept(page, 'Deploy the newest commit on release', 'Deploy');
    await choose(page, "Some of your work isn't in the deployed branch", 'Redeploy Without Local Changes');
    await notificationShown(page, 'are on release');
    assert.equal(await deployed(), 'release\n');
  }

  async function deleteProject(): Promise<void> {
    await command(page, 'Gantry: Show Project Actions…');
    await choose(page, 'Select a project', 'ROOT');
    await choose(page, 'Select an action', 'Delete Project…');
    await type(page, 'This deletes the project and its deployed files', 'ROOT');
    await question(page, "The name doesn't match").waitFor();
    await picture(page, 'project-delete');
    await type(page, "The name doesn't match", 'Saltmarsh Tea');
    await notificationShown(page, 'Deleted ROOT from Saltmarsh Tea');
    assert.equal(await onPlatform(), undefined);
    await assert.rejects(deployed());
  }
});
