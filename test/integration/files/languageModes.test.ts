import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { ConfigurationTarget, languages, type TextDocument, window, workspace } from 'vscode';
import { closeWithoutSaving } from '../support/editing';
import { nextEvent } from '../support/event';
import { fileUri } from '../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../support/oneLayer';

describe('the language of a configuration file', () => {
  let stage: OneLayer;
  let count = 0;

  before(async () => {
    stage = await startOneLayer();
  });

  afterEach(async () => {
    await workspace.getConfiguration('files').update('associations', undefined, ConfigurationTarget.Global);
    await clearOneLayer(stage.platform);
  });

  after(() => endOneLayer(stage));

  /** Creates a file with a new name, which no earlier test opened. */
  async function planted(name: string) {
    count += 1;
    const path = `/srv/case-${count}/${name}`;
    const disk = join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
    await mkdir(dirname(disk), { recursive: true });
    await writeFile(disk, '# a comment\n');
    stage.parts.listings.forgetAll();
    return fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path);
  }

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
    stage.platform.journal.reset();
    await open(uri);
    assert.deepEqual(
      stage.platform.journal.arrivals.map(({ operation }) => operation),
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
