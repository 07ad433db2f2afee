import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, type TreeItem, type Uri, window, workspace } from 'vscode';
import type { Account } from '../../../../../src/accounts/accounts';
import type { Parts } from '../../../support/parts';
import { hookUri } from '../../../../../src/features/deployments/settings/hookDocuments';
import { projectKey, type ProjectPlace } from '../../../../../src/features/deployments/projectPlace';
import type { DeploymentElement } from '../../../../../src/features/deployments/view/deploymentRows';
import type { VcsSetUp } from '../../../../unit/localPlatform/vcsSetUp';
import { closeWithoutSaving, openInEditor, replaceAll } from '../../../support/editing';
import { until } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { type Answer, enter, escape, Person } from '../../../support/person';
import { endProject, fieldsNow, startProject, wantedFrom } from '../../../support/projects';

describe('a hook script', () => {
  let setUp: VcsSetUp;
  let account: Account;
  let parts: Parts['projects'];
  let place: ProjectPlace;
  let uri: Uri;
  let person: Person;

  beforeEach(async () => {
    parts = (await gantry()).projects;
    ({ setUp, account, place } = await startProject());
    await parts.projectOperations.create(place, { ...wantedFrom(setUp), hooks: { preBuild: 'make old\n' } });
    uri = hookUri(projectKey(place), 'preBuild');
    person = new Person();
    await edit('Pre-build hook');
  });
  afterEach(async () => {
    person.leave();
    await closeWithoutSaving();
    await endProject({ setUp, account, place });
  });

  const edit = (...answers: readonly Answer[]) =>
    person.answering(answers, () => commands.executeCommand('gantry.project.edit', place));
  const sent = () => setUp.platform.journal.count(({ operation }) => operation === 'EditProject');
  /** Types another script and presses Ctrl+S. */
  async function save(): Promise<void> {
    const document = await openInEditor(uri);
    await replaceAll(document, 'make new\n');
    assert.ok(await document.save());
  }
  async function projectRow(): Promise<TreeItem> {
    const { view } = parts;
    const find = async (row?: DeploymentElement): Promise<DeploymentElement | undefined> => {
      for (const child of await view.getChildren(row)) {
        const found = child.kind === 'project' ? child : child.kind === 'environment' ? await find(child) : undefined;
        if (found !== undefined) return found;
      }
      return undefined;
    };
    const row = await find();
    assert.ok(row);
    return view.getTreeItem(row);
  }

  it('is marked as a draft in its tab, and saving sends nothing', async () => {
    await save();
    assert.equal(window.tabGroups.activeTabGroup.activeTab?.label, 'preBuild (draft).sh');
    assert.equal(sent(), 0);
  });

  it('is opened as UTF-8, whatever encoding is set for all files', async () => {
    const files = workspace.getConfiguration('files');
    await files.update('encoding', 'windows1252', ConfigurationTarget.Global);
    try {
      await edit('Post-build hook');
      const opened = hookUri(projectKey(place), 'postBuild').toString();
      const document = workspace.textDocuments.find((one) => one.uri.toString() === opened) ?? assert.fail();
      await replaceAll(document, 'echo é\n');
      assert.ok(await document.save());
      assert.equal(parts.drafts.find(projectKey(place))?.fields.hooks?.postBuild, 'echo é\n');
    } finally {
      await files.update('encoding', undefined, ConfigurationTarget.Global);
    }
  });

  it('is kept when its tab closes, with a message; the project row shows the draft', async () => {
    await save();
    await person.answering([{ presses: 'Use Script' }, escape], async () => {
      const closed = until(person.onDidSee, () => person.seen.some((one) => one.startsWith('Select a setting')));
      await commands.executeCommand('workbench.action.closeActiveEditor');
      await closed;
    });
    assert.match(
      person.seen[0] ?? '',
      /The script is saved as a draft\. To update ROOT on Saltmarsh Tea, select Use Script, and then Apply\./,
    );
    assert.match(String((await projectRow()).description), /draft/);
    assert.equal(sent(), 0);
  });

  it('is discarded if the user chooses that', async () => {
    await save();
    const discarded = until(
      parts.drafts.onDidChange,
      async () => !String((await projectRow()).description).includes('unapplied'),
    );
    await person.answering([{ presses: 'Discard Changes' }], async () => {
      await commands.executeCommand('workbench.action.closeActiveEditor');
      await discarded;
    });
    assert.equal(parts.drafts.find(projectKey(place))?.fields.hooks?.preBuild, 'make old\n');
  });

  it('causes no message if its tab closes without changes', async () => {
    await openInEditor(uri);
    await person.answering([], () => commands.executeCommand('workbench.action.closeActiveEditor'));
    assert.deepEqual(person.seen, []);
  });

  it('is compared before it is applied, in the question and side by side', async () => {
    await save();
    // The page selects Apply.
    await person.answering([enter, 'Compare Scripts', escape], () => commands.executeCommand('gantry.hook.apply', uri));
    assert.ok(person.seen.some((one) => one.includes('− make old\n+ make new')));
    assert.match(window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^Hook Script Changes: ROOT on Saltmarsh Tea/);
    assert.equal(sent(), 0);
    await person.answering(['Apply', 'Apply'], () => commands.executeCommand('gantry.hook.apply', uri));
    assert.equal(sent(), 1);
    assert.deepEqual((await fieldsNow(place)).hooks, { preBuild: 'make new\n' });
  });
});
