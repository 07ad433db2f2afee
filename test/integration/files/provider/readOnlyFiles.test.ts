import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { describe, it } from 'mocha';
import { commands, FileChangeType, workspace } from 'vscode';
import { closeWithoutSaving, replaceAll } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { windowScene } from '../../support/windowScene';

describe('a read-only file', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const planted = (content: string | Buffer) => cp.newFile('file.txt', content);

  it('is no longer marked read-only after anyone deletes the file or its account is signed out', async () => {
    const { readOnly } = scene.parts.files;
    const before = readOnly.size;
    const marked = async () => {
      const file = await planted(Buffer.from('Gr\xfc\xdfe\n', 'latin1'));
      await assert.rejects(async () => workspace.fs.readFile(file.uri));
      assert.equal(readOnly.size, before + 1);
      return file;
    };
    await workspace.fs.delete((await marked()).uri);
    assert.equal(readOnly.size, before);

    const { place } = await marked();
    scene.parts.files.fileSystem.announce([{ place, type: FileChangeType.Deleted }]);
    assert.equal(readOnly.size, before);

    await marked();
    readOnly.forgetAccount(scene.slug);
    assert.equal(readOnly.size, 0);
  });

  it('opens read-only if VS Code would show its name as a link in a failed save', async () => {
    const path = '/srv/[Retry](command:workbench.action.quit).txt';
    const file = await cp.file(path, 'one\n');
    await file.inEditor();
    assert.ok(await file.isReadOnly());
    assert.deepEqual(file.whyReadOnly(), { kind: 'linkInName' });
  });

  it('opens read-only with a reason while it grows, and can be edited once it stops', async () => {
    const file = await planted('one\n');
    await workspace.fs.stat(file.uri);
    await appendFile(file.disk, 'two\n');
    // Each read returns more text than the length in the listing.
    for (const [index, more] of ['t', 'th', 'thr', 'thre', 'three', 'three\n'].entries()) {
      const body = JSON.stringify({ result: 0, body: `one\ntwo\n${more}` });
      scene.fail('Read', { kind: 'answer', body }, { nth: index + 1 });
    }
    await file.inEditor();
    assert.ok(await file.isReadOnly());
    assert.deepEqual(file.whyReadOnly(), { kind: 'flaw', flaw: 'growing' });

    scene.platform.faults.clear();
    const rested = nextEvent(scene.parts.files.readOnly.onDidChange, () => file.whyReadOnly() === undefined);
    await workspace.fs.readFile(file.uri);
    await rested;
    assert.ok(!(await file.isReadOnly()));
    assert.equal(await file.text(), 'one\ntwo\n');
  });

  it('is any file of a token that lacks Write, once the platform reports that', async () => {
    const file = await planted('old\n');
    const document = await file.document();
    await replaceAll(document, 'new\n');
    scene.fail('Write', { kind: 'refuse', result: 8202, error: 'not permitted' });
    const changed = nextEvent(scene.parts.accounts.onDidChangeRights);
    assert.equal(await document.save(), false);
    await changed;
    await closeWithoutSaving();
    assert.ok(await file.isReadOnly());
    await scene.account.call('Write', {
      envName: 'shop',
      nodeGroup: 'cp',
      nodeid: cp.nodeId(),
      path: '/srv/permitted-again',
      body: '',
      isAppendMode: false,
    });
    assert.ok(!(await file.isReadOnly()));
  });

  it('is one that rejected a write, until the user tries again', async () => {
    const file = await planted('old\n');
    const document = await file.document();
    await replaceAll(document, 'new\n');
    scene.fail('Write', { kind: 'refuse', result: 4037, error: 'permission denied' });
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.equal(await file.text(), 'old\n');
    await closeWithoutSaving();
    assert.ok(await file.isReadOnly());
    await file.inEditor();
    await commands.executeCommand('gantry.file.allowEditing');
    assert.ok(!(await file.isReadOnly()));
  });
});
