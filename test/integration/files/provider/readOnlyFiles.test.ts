import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, FileChangeType, FilePermission, type Uri, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { placeOf } from '../../../../src/containers/place';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor, replaceAll } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';

describe('a read-only file', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let node: number;
  let count = 0;

  before(async () => {
    const started = await startOneLayer();
    ({ platform, account, parts } = started);
    node = started.nodes[0] ?? 0;
  });

  afterEach(() => clearOneLayer(platform));

  after(() => endOneLayer({ platform, account, parts }));

  async function planted(bytes: Buffer): Promise<{ disk: string; uri: Uri }> {
    count += 1;
    const path = `/srv/file-${count}.txt`;
    const disk = join(platform.nodeFolder(node), path);
    await writeFile(disk, bytes);
    parts.listings.forgetAll();
    return { disk, uri: fileUri(account, 'shop', `cp~${node}`, path) };
  }

  const isReadOnly = async (uri: Uri) => (await workspace.fs.stat(uri)).permissions === FilePermission.Readonly;
  const reasonOf = (uri: Uri) => {
    const place = placeOf(uri);
    assert.ok(place?.kind === 'file');
    return parts.files.readOnly.reasonFor(place, {});
  };

  it('is no longer marked read-only after anyone deletes the file or its account is signed out', async () => {
    const { readOnly } = parts.files;
    const before = readOnly.size;
    const marked = async () => {
      const { disk, uri } = await planted(Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
      await assert.rejects(async () => workspace.fs.readFile(uri));
      assert.equal(readOnly.size, before + 1);
      return { disk, uri };
    };
    await workspace.fs.delete((await marked()).uri);
    assert.equal(readOnly.size, before);

    const { uri } = await marked();
    const place = placeOf(uri);
    assert.ok(place?.kind === 'file');
    parts.files.fileSystem.announce([{ place, type: FileChangeType.Deleted }]);
    assert.equal(readOnly.size, before);

    await marked();
    readOnly.forgetAccount(account.slug);
    assert.equal(readOnly.size, 0);
  });

  it('opens read-only if VS Code would show its name as a link in a failed save', async () => {
    const path = '/srv/[Retry](command:workbench.action.quit).txt';
    await writeFile(join(platform.nodeFolder(node), path), 'one\n');
    parts.listings.forgetAll();
    const uri = fileUri(account, 'shop', `cp~${node}`, path);
    await openInEditor(uri);
    assert.ok(await isReadOnly(uri));
    assert.deepEqual(reasonOf(uri), { kind: 'linkInName' });
  });

  it('opens read-only with a reason while it grows, and can be edited once it stops', async () => {
    const { disk, uri } = await planted(Buffer.from('one\n'));
    await workspace.fs.stat(uri);
    await appendFile(disk, 'two\n');
    // Each read returns more text than the length in the listing.
    for (const [index, more] of ['t', 'th', 'thr', 'thre', 'three', 'three\n'].entries()) {
      const body = JSON.stringify({ result: 0, body: `one\ntwo\n${more}` });
      platform.faults.add({ operation: 'Read', nth: index + 1, fault: { kind: 'answer', body } });
    }
    await openInEditor(uri);
    assert.ok(await isReadOnly(uri));
    assert.deepEqual(reasonOf(uri), { kind: 'flaw', flaw: 'growing' });

    platform.faults.clear();
    const rested = nextEvent(parts.files.readOnly.onDidChange, () => reasonOf(uri) === undefined);
    await workspace.fs.readFile(uri);
    await rested;
    assert.ok(!(await isReadOnly(uri)));
    assert.equal(await readFile(disk, 'utf8'), 'one\ntwo\n');
  });

  it('is any file of a token that lacks Write, once the platform reports that', async () => {
    const { uri } = await planted(Buffer.from('old\n'));
    const document = await workspace.openTextDocument(uri);
    await replaceAll(document, 'new\n');
    platform.faults.add({ operation: 'Write', fault: { kind: 'refuse', result: 8202, error: 'not permitted' } });
    const changed = nextEvent(parts.accounts.onDidChangeRights);
    assert.equal(await document.save(), false);
    await changed;
    await closeWithoutSaving();
    assert.ok(await isReadOnly(uri));
    await account.call('Write', {
      envName: 'shop',
      nodeGroup: 'cp',
      nodeid: node,
      path: '/srv/permitted-again',
      body: '',
      isAppendMode: false,
    });
    assert.ok(!(await isReadOnly(uri)));
  });

  it('is one that rejected a write, until the user tries again', async () => {
    const { disk, uri } = await planted(Buffer.from('old\n'));
    const document = await workspace.openTextDocument(uri);
    await replaceAll(document, 'new\n');
    platform.faults.add({ operation: 'Write', fault: { kind: 'refuse', result: 4037, error: 'permission denied' } });
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.equal(await readFile(disk, 'utf8'), 'old\n');
    await closeWithoutSaving();
    assert.ok(await isReadOnly(uri));
    await openInEditor(uri);
    await commands.executeCommand('gantry.file.allowEditing');
    assert.ok(!(await isReadOnly(uri)));
  });
});
