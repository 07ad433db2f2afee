import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { type TextDocument, workspace } from 'vscode';
import { placeOf } from '../../../../src/containers/place';
import { closeWithoutSaving, type } from '../../support/editing';
import { fileUri, signedIn } from '../../support/gantry';
import { endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';

describe('an editor with unsaved text of a signed-out account', () => {
  let layer: OneLayer;
  let disk: string;
  let document: TextDocument;
  let count = 0;

  before(async () => {
    layer = await startOneLayer();
  });

  beforeEach(async () => {
    const { account, nodes, parts, platform } = layer;
    const [node = 0] = nodes;
    count += 1;
    const path = `/srv/file-${count}.conf`;
    disk = join(platform.nodeFolder(node), path);
    await writeFile(disk, 'listen 80;\n');
    parts.listings.forgetAll();
    document = await workspace.openTextDocument(fileUri(account, 'shop', `cp~${node}`, path));
    await type(document, '# unsaved\n');
    assert.equal((await kept()).length, 1);
    await parts.accounts.remove(account.slug);
  });

  afterEach(async () => {
    // Reverting a document reads the file from the container, which needs an account.
    const account = layer.parts.accounts.list[0] ?? (await signedIn(layer.platform));
    layer = { ...layer, account };
    await closeWithoutSaving();
  });

  after(() => endOneLayer(layer));

  const kept = () => {
    const place = placeOf(document.uri);
    assert.ok(place?.kind === 'file');
    return layer.parts.files.kept.find(place);
  };

  it('keeps the text in the tab only: neither a save nor typing writes it to disk', async () => {
    assert.equal(await document.save(), false);
    assert.deepEqual(await kept(), []);
    await type(document, '# and more\n');
    assert.equal(await document.save(), false);
    assert.deepEqual(await kept(), []);
    assert.ok(document.isDirty);
    assert.ok(document.getText().startsWith('# and more\n# unsaved\n'));
  });

  it('saves the text after the user signs in again', async () => {
    assert.equal(await document.save(), false);
    const again = await signedIn(layer.platform);
    assert.equal(again.slug, layer.account.slug);
    assert.ok(await document.save());
    assert.equal(await readFile(disk, 'utf8'), '# unsaved\nlisten 80;\n');
  });
});
