import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, ConfigurationTarget, Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { hookUri } from '../../../../../src/features/deployments/settings/hookDocuments';
import { closeWithoutSaving, replaceAll } from '../../../support/editing';
import { nextEvent } from '../../../support/event';
import { gantry } from '../../../support/gantry';
import { endProject, fieldsNow, type ProjectSetUp, startProject, wantedFrom } from '../../../support/projects';
import type { ProjectParts } from '../../../support/parts';

describe('the documents of hook scripts', () => {
  let at: ProjectSetUp;
  let parts: ProjectParts;

  beforeEach(async () => {
    parts = (await gantry()).projects;
    at = await startProject();
    const { place } = at;
    await parts.projectOperations.create(place, wantedFrom(at.setUp));
    const base = await fieldsNow(place);
    const rules = { contextPattern: undefined, singleContext: false };
    parts.drafts.keep({ id: 'a/draft', place, isNew: false, base, fields: base, lacksPassword: false, rules });
  });
  afterEach(() => endProject(at));

  const sent = () => at.setUp.platform.journal.count(({ operation }) => operation === 'EditProject');

  it('are stored in the draft when they are saved, and sent only with the other settings', async () => {
    const script = new TextEncoder().encode('make\n');
    await workspace.fs.writeFile(hookUri('a/draft', 'preBuild'), script);
    assert.deepEqual(parts.drafts.find('a/draft')?.fields.hooks, { preBuild: 'make\n' });
    assert.deepEqual(await workspace.fs.readFile(hookUri('a/draft', 'preBuild')), script);
    await assert.rejects(async () => workspace.fs.writeFile(Uri.parse('gantry-hook:/a/draft/other.sh'), script));
    parts.drafts.discard('a/draft');
    await assert.rejects(async () => workspace.fs.readFile(hookUri('a/draft', 'preBuild')));
    const lost = /its draft no longer exists\. Open Project Settings/;
    await assert.rejects(async () => workspace.fs.writeFile(hookUri('a/draft', 'preBuild'), script), lost);
    assert.equal(sent(), 0);
  });

  it('show an example for a new project, which is not part of the draft', async () => {
    const { place } = at;
    const fields = await fieldsNow(place);
    const draft = { place, isNew: true, base: fields, fields, lacksPassword: false };
    parts.drafts.keep({ ...draft, id: 'new/draft', rules: { technology: 'php' } });
    const shown = await workspace.fs.readFile(hookUri('new/draft', 'postDeploy'));
    assert.match(new TextDecoder().decode(shown), /^# cd \S+ && composer install/);
    assert.equal(parts.drafts.find('new/draft')?.fields.hooks, undefined);
    assert.deepEqual(await workspace.fs.readFile(hookUri('new/draft', 'preBuild')), new Uint8Array());
    parts.drafts.discard('new/draft');
  });

  it("are shell scripts, and Auto Save doesn't send them", async () => {
    const files = workspace.getConfiguration('files');
    await files.update('autoSave', 'afterDelay', ConfigurationTarget.Global);
    await files.update('autoSaveDelay', 1, ConfigurationTarget.Global);
    try {
      const uri = hookUri('a/draft', 'postDeploy');
      const { document } = await window.showTextDocument(uri);
      assert.equal(document.languageId, 'shellscript');
      const saved = nextEvent(workspace.onDidSaveTextDocument, (one) => one.uri.toString() === uri.toString());
      const edit = new WorkspaceEdit();
      edit.insert(uri, document.positionAt(0), 'php artisan migrate\n');
      await workspace.applyEdit(edit);
      await saved;
      assert.deepEqual(parts.drafts.find('a/draft')?.fields.hooks, { postDeploy: 'php artisan migrate\n' });
      assert.equal(sent(), 0);
      assert.equal((await fieldsNow(at.place)).hooks, undefined);
    } finally {
      await files.update('autoSave', 'off', ConfigurationTarget.Global);
      await files.update('autoSaveDelay', undefined, ConfigurationTarget.Global);
      await commands.executeCommand('workbench.action.closeAllEditors');
      parts.drafts.discard('a/draft');
    }
  });

  it("aren't stored in another encoding than UTF-8, which would lose characters", async () => {
    // No other test has a document of it, which VS Code keeps.
    const uri = hookUri('a/draft', 'postBuild');
    const written = async (bytes: Buffer) => workspace.fs.writeFile(uri, bytes);
    const refused = /Couldn't save postBuild \(draft\)\.sh: the platform supports only UTF-8\./;
    await assert.rejects(written(Buffer.from('echo \xe9\n', 'latin1')), refused);
    const document = await workspace.openTextDocument(uri, { encoding: 'windows1252' });
    await assert.rejects(written(Buffer.from('echo\n')), refused);
    try {
      await window.showTextDocument(document);
      await replaceAll(document, 'echo é\n');
      assert.ok(!(await document.save()));
      assert.equal(parts.drafts.find('a/draft')?.fields.hooks, undefined);
    } finally {
      await closeWithoutSaving();
    }
  });

  it('are forgotten with the account, because they may contain its secrets', async () => {
    await (await gantry()).accounts.remove(at.account.slug);
    assert.equal(parts.drafts.find('a/draft'), undefined);
  });
});
