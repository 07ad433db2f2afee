import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { ConfigurationTarget, languages, type TextDocument, window, workspace } from 'vscode';
import { closeWithoutSaving } from '../support/editing';
import { nextEvent } from '../support/event';
import { windowScene } from '../support/windowScene';

describe('the language of a configuration file', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');

  afterEach(async () => {
    await workspace.getConfiguration('files').update('associations', undefined, ConfigurationTarget.Global);
  });

  const planted = async (name: string) => (await cp.newFile(name, '# a comment\n')).uri;

  /** Opens the file, and waits until VS Code has handled what that started. */
  async function open(uri: Awaited<ReturnType<typeof planted>>): Promise<TextDocument> {
    const document = await workspace.openTextDocument(uri);
    await window.showTextDocument(document);
    for (let trips = 0; trips < 3; trips += 1) await languages.getLanguages();
    return document;
  }

  for (const [name, language] of [
    ['php-fpm.d/www.conf', 'ini'],
    ['my.cnf', 'ini'],
    ['app.service', 'ini'],
    ['cron.d/shop', 'shellscript'],
    ['nginx/conf.d/shop.conf', 'properties'],
    ['nginx/mime.types', 'properties'],
    ['.htaccess', 'properties'],
    ['data.json', 'json'],
    ['notes.txt', 'plaintext'],
  ] as const) {
    it(`is ${language} for ${name}`, async () => {
      assert.equal((await open(await planted(name))).languageId, language);
    });
  }

  it("is not changed if the user's files.associations name one", async () => {
    await workspace
      .getConfiguration('files')
      .update('associations', { '*.cnf': 'plaintext' }, ConfigurationTarget.Global);
    assert.equal((await open(await planted('my.cnf'))).languageId, 'plaintext');
  });

  it('stays the one that the user selected, also when the file is opened again', async () => {
    const uri = await planted('my.cnf');
    const document = await open(uri);
    assert.equal(document.languageId, 'ini');
    await languages.setTextDocumentLanguage(document, 'yaml');
    const closed = nextEvent(workspace.onDidCloseTextDocument, (one) => one.uri.toString() === uri.toString());
    await closeWithoutSaving();
    await Promise.race([closed, Promise.resolve()]);
    assert.equal((await open(uri)).languageId, 'yaml');
  });

  it('is set without a request', async () => {
    const uri = await planted('app.service');
    await workspace.fs.stat(uri);
    scene.platform.journal.reset();
    await open(uri);
    assert.deepEqual(
      scene.platform.journal.arrivals.map(({ operation }) => operation),
      ['Read'],
    );
  });

  it("is not changed if the user's files.associations name one in another case, as VS Code ignores case there", async () => {
    await workspace
      .getConfiguration('files')
      .update('associations', { '*.conf': 'plaintext' }, ConfigurationTarget.Global);
    assert.equal((await open(await planted('nginx/Shop.CONF'))).languageId, 'plaintext');
  });
});
