import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { TextDocument } from 'vscode';
import type { Account } from '../../src/accounts/accounts';
import type { Parts } from '../../src/extension';
import { placeOf } from '../../src/remote/place';
import { type LocalPlatform, startPlatform } from '../platform/localPlatform';
import { closeWithoutSaving, openInEditor, type } from './support/editing';
import { fileUri, gantry, signedIn } from './support/gantry';

describe('an editor with unsaved text of an account that is signed out', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let document: TextDocument;

  beforeEach(async () => {
    platform = await startPlatform();
    account = await signedIn(platform);
    parts = await gantry();
    document = await openInEditor(fileUri(account, 'shop', `cp~${node()}`, '/etc/nginx/nginx.conf'));
    await type(document, '# unsaved\n');
    assert.equal((await kept()).length, 1);
    await parts.accounts.remove(account.slug);
  });

  afterEach(async () => {
    // An editor is taken back to what is in the container, which somebody has to be signed in for.
    if (parts.accounts.list.length === 0) await signedIn(platform);
    await closeWithoutSaving();
    for (const { slug } of parts.accounts.list) await parts.accounts.remove(slug);
    await platform.dispose();
  });

  const node = () => platform.nodes('shop', 'cp')[0]?.id ?? 0;
  const kept = () => {
    const place = placeOf(document.uri);
    assert.ok(place?.kind === 'file');
    return parts.files.kept.find(place);
  };

  it('keeps it there alone: neither a save nor typing on writes it down again', async () => {
    assert.equal(await document.save(), false);
    assert.deepEqual(await kept(), []);
    await type(document, '# and more\n');
    assert.equal(await document.save(), false);
    assert.deepEqual(await kept(), []);
    assert.ok(document.isDirty);
    assert.ok(document.getText().startsWith('# and more\n# unsaved\n'));
  });

  it('saves it once somebody is signed in again', async () => {
    assert.equal(await document.save(), false);
    const again = await signedIn(platform);
    assert.equal(again.slug, account.slug);
    assert.ok(await document.save());
    const onDisk = await readFile(join(platform.nodeFolder(node()), '/etc/nginx/nginx.conf'), 'utf8');
    assert.ok(onDisk.startsWith('# unsaved\n'));
  });
});
