import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type TextDocument } from 'vscode';
import { type } from '../../support/editing';
import { type WindowFile, windowScene } from '../../support/windowScene';

describe('an editor with unsaved text of a signed-out account', () => {
  // Before the scene reverts the document, which reads the file from the container and needs an account.
  afterEach(async () => {
    if (scene.parts.accounts.list.length === 0) await scene.signIn();
  });

  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  let file: WindowFile;
  let document: TextDocument;

  beforeEach(async () => {
    file = await cp.newFile('site.conf', 'listen 80;\n');
    document = await file.document();
    await type(document, '# unsaved\n');
    assert.equal((await file.kept()).length, 1);
    await scene.parts.accounts.remove(scene.slug);
  });

  it('keeps the text in the tab only: neither a save nor typing writes it to disk', async () => {
    assert.equal(await document.save(), false);
    assert.deepEqual(await file.kept(), []);
    await type(document, '# and more\n');
    assert.equal(await document.save(), false);
    assert.deepEqual(await file.kept(), []);
    assert.ok(document.isDirty);
    assert.ok(document.getText().startsWith('# and more\n# unsaved\n'));
  });

  it('saves the text after the user signs in again', async () => {
    assert.equal(await document.save(), false);
    const { slug } = scene;
    const again = await scene.signIn();
    assert.equal(again.slug, slug);
    assert.ok(await document.save());
    assert.equal(await file.text(), '# unsaved\nlisten 80;\n');
  });
});
