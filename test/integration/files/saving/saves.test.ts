import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { commands, FileType, Uri as Uris, workspace, WorkspaceEdit } from 'vscode';
import { clickLink, openInEditor, replaceAll, type } from '../../support/editing';
import { windowScene } from '../../support/windowScene';

describe('saving from an editor', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { text, put, opened } = cp;

  it('takes five requests, three in sequence', async () => {
    const { path, document, uri } = await opened('listen 80;\n');
    await openInEditor(uri);
    await type(document, '# new\n');
    scene.platform.journal.reset();
    assert.ok(await document.save());
    assert.equal(await text(path), '# new\nlisten 80;\n');
    assert.deepEqual([...scene.requests()].sort(), ['GetList', 'GetList', 'Read', 'Read', 'Write']);
    assert.ok(!document.isDirty);
  });

  it('sends no NUL, with which the file could no longer be edited, and keeps what was typed', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'ty\0ped\n');
    scene.platform.journal.reset();
    await assert.rejects(
      async () => workspace.fs.writeFile(uri, Buffer.from(document.getText())),
      /site\.conf wasn't saved: NUL characters aren't allowed/,
    );
    assert.equal(await document.save(), false);
    assert.deepEqual(
      scene.requests().filter((one) => one !== 'Read' && one !== 'GetList'),
      [],
    );
    assert.equal(await text(path), 'old\n');
    assert.ok(document.isDirty);
    assert.equal(document.getText(), 'ty\0ped\n');
  });

  it("goes on with its own base version if something was typed during the save, which VS Code doesn't say", async () => {
    const { path, document, uri, file } = await opened('old\n');
    await openInEditor(uri);
    await replaceAll(document, 'mine\n');
    const write = scene.platform.faults.add({ operation: 'Write', fault: { kind: 'hang', when: 'before' } });
    const saving = document.save();
    await write.reached;
    await replaceAll(document, 'mine, and more\n');
    write.release();
    await saving;
    const { edits, saveBackups } = scene.parts.files;
    assert.ok(edits.isDirty(file.place));
    const [kept] = await saveBackups.find(file.place);
    assert.equal(kept?.base.kind === 'version' && kept.base.version.text, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    assert.equal(await text(path), 'theirs\n');
    await commands.executeCommand('workbench.action.files.revert');
    assert.ok(!edits.isDirty(file.place));
    assert.deepEqual(await file.kept(), []);
  });

  it('keeps the typed text when the file is renamed, and saves it under the new name', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    const renamed = uri.with({ path: uri.path.replace(/site\.conf$/, 'renamed.conf') });
    const edit = new WorkspaceEdit();
    edit.renameFile(uri, renamed);
    assert.ok(await workspace.applyEdit(edit));
    const moved = await workspace.openTextDocument(renamed);
    assert.equal(moved.getText(), 'typed\nold\n');
    assert.ok(moved.isDirty);
    assert.ok(await moved.save());
    assert.equal(await text(path.replace('site.conf', 'renamed.conf')), 'typed\nold\n');
  });

  it('has a conflict if a merge is undone, which removes their change from the text', async () => {
    const { path, document, uri } = await opened('one\ntwo\nthree\n');
    await openInEditor(uri);
    await type(document, 'zero\n');
    await put(path, 'one\ntwo\nTHREE\n');
    assert.equal(await document.save(), false);
    await clickLink('merge', uri);
    await openInEditor(uri);
    await commands.executeCommand('undo');
    assert.equal(document.getText(), 'zero\none\ntwo\nthree\n');
    assert.equal(await document.save(), false);
    assert.equal(await text(path), 'one\ntwo\nTHREE\n');
    await commands.executeCommand('redo');
    assert.ok(await document.save());
    assert.equal(await text(path), 'zero\none\ntwo\nTHREE\n');
  });

  it('has a conflict if a revert is undone', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await commands.executeCommand('workbench.action.files.revert');
    assert.equal(document.getText(), 'theirs\n');
    await commands.executeCommand('undo');
    assert.equal(document.getText(), 'typed\nold\n');
    assert.equal(await document.save(), false);
    assert.equal(await text(path), 'theirs\n');
  });

  it("has a conflict if another extension reads someone else's change before the first key press", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    // Same length, because VS Code would reload the document if it noticed the change.
    await put(path, 'OLD\n');
    await workspace.fs.readFile(uri);
    await type(document, 'typed\n');
    assert.equal(await document.save(), false);
    assert.equal(await text(path), 'OLD\n');
  });

  it("has a conflict if a dirty file is renamed after another extension read someone else's change", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    await put(path, 'theirs\n');
    for (let reader = 0; reader < 4; reader += 1) await workspace.fs.readFile(uri);
    const renamed = uri.with({ path: uri.path.replace(/site\.conf$/, 'renamed.conf') });
    const edit = new WorkspaceEdit();
    edit.renameFile(uri, renamed);
    assert.ok(await workspace.applyEdit(edit));
    const moved = await workspace.openTextDocument(renamed);
    assert.equal(await moved.save(), false);
    assert.equal(await text(path.replace('site.conf', 'renamed.conf')), 'theirs\n');
  });

  it('keeps its last save as the base version when the edit is undone', async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    assert.ok(await document.save());
    await commands.executeCommand('undo');
    assert.equal(document.getText(), 'old\n');
    assert.ok(await document.save());
    assert.equal(await text(path), 'old\n');
  });

  it('has no conflict in consecutive saves', async () => {
    const { path, document } = await opened('0\n');
    for (let n = 1; n <= 5; n += 1) {
      await replaceAll(document, `${n}\n`);
      assert.ok(await document.save());
      assert.equal(await text(path), `${n}\n`);
    }
  });

  it('reports nothing new to VS Code while a document is dirty', async () => {
    const { path, document, uri } = await opened('old\n');
    const before = await workspace.fs.stat(uri);
    await type(document, 'x');
    await put(path, 'something much longer than before\n');
    scene.parts.listings.forgetAll();
    const during = await workspace.fs.stat(uri);
    assert.deepEqual({ mtime: during.mtime, size: during.size }, { mtime: before.mtime, size: before.size });
  });

  it('checks a save whose response was lost, and succeeds if the save happened', async () => {
    const { path, document } = await opened('old\n');
    await replaceAll(document, 'new\n');
    scene.fail('Write', { kind: 'gatewayError', status: 502, when: 'after' });
    assert.ok(await document.save());
    assert.equal(await text(path), 'new\n');
    assert.equal(scene.count('Write'), 1);
  });

  it('keeps base version and text on disk when the connection is down, and saves when it is back', async () => {
    const { path, document, file } = await opened('old\n');
    await replaceAll(document, 'new\n');
    scene.fail('*', { kind: 'reset' }, { times: 'always' });
    assert.equal(await document.save(), false);
    const [kept] = await file.kept();
    assert.equal(kept?.text, 'new\n');
    assert.equal(kept.base.kind === 'version' && kept.base.version.text, 'old\n');
    scene.platform.faults.clear();
    assert.ok(await document.save());
    assert.equal(await text(path), 'new\n');
  });

  it('says that the text is kept only if it is', async () => {
    const { document, uri } = await opened('old\n');
    await replaceAll(document, 'new\n');
    const refusal = async () => {
      const written = Promise.resolve(workspace.fs.writeFile(uri, Buffer.from('new\n')));
      return String(await written.catch((error: unknown) => error));
    };
    const { saveBackups } = scene.parts.files;
    const keep = saveBackups.keep.bind(saveBackups);
    const reset = { kind: 'reset' } as const;
    scene.fail('Read', reset, { times: 'always' });
    assert.match(await refusal(), /Nothing was written, and Gantry kept your text\./);
    saveBackups.keep = () => Promise.resolve('failed');
    try {
      assert.match(await refusal(), /Nothing was written\./);
      scene.platform.faults.clear();
      // Only the check before the write is answered.
      scene.fail('Read', reset, { nth: 2, times: 'always' });
      scene.fail('Write', reset);
      assert.match(await refusal(), /When the platform responds, save it again, and Gantry checks the file first\./);
    } finally {
      saveBackups.keep = keep;
    }
  });

  it("doesn't empty a file that appeared just before New File was used with its name", async () => {
    const { path, uri } = await opened('old\n');
    await workspace.fs.readDirectory(Uris.joinPath(uri, '..'));
    const appeared = Uris.joinPath(uri, '..', '.env');
    await put(join(dirname(path), '.env'), 'of a colleague\n');
    const edit = new WorkspaceEdit();
    edit.createFile(appeared);
    await workspace.applyEdit(edit);
    assert.equal(await text(join(dirname(path), '.env')), 'of a colleague\n');
  });

  it('creates an empty file with two requests', async () => {
    const { path, uri } = await opened('old\n');
    for (const folder of ['..', '../..']) await workspace.fs.readDirectory(Uris.joinPath(uri, folder));
    scene.platform.journal.reset();
    const edit = new WorkspaceEdit();
    edit.createFile(Uris.joinPath(uri, '..', 'new.conf'));
    assert.ok(await workspace.applyEdit(edit));
    assert.equal(await text(join(dirname(path), 'new.conf')), '');
    assert.deepEqual(scene.requests(), ['Create', 'GetList']);
  });

  it('of bytes that are no text fails if the file has another length afterward, or is missing', async () => {
    const { path, uri } = await opened('old\n');
    scene.platform.faults.add({ operation: 'Upload', fault: { kind: 'answer', body: '{"result":0}' } });
    const bytes = Uint8Array.from([0xff, 0xfe, 0x00, 0x80, 0x81, 0x82]);
    await assert.rejects(async () => workspace.fs.writeFile(uri, bytes), /6 bytes were sent, but the file .* has 4/);
    assert.equal(await text(path), 'old\n');
    scene.platform.faults.add({ operation: 'Upload', fault: { kind: 'answer', body: '{"result":0}' } });
    const missing = Uris.joinPath(uri, '..', 'logo.png');
    await assert.rejects(
      async () => workspace.fs.writeFile(missing, bytes),
      /6 bytes were sent, but the file .* has 0/,
    );
    await workspace.fs.writeFile(uri, bytes);
    assert.deepEqual(new Uint8Array(await cp.bytes(path)), bytes);
  });

  it('writes nothing in an encoding that the platform lacks, and keeps the typed text', async () => {
    const { path, document } = await opened('Aeroe\n');
    await workspace.openTextDocument(document.uri, { encoding: 'windows1252' });
    await openInEditor(document.uri);
    await replaceAll(document, 'Ærø\n');
    scene.platform.journal.reset();
    assert.equal(await document.save(), false);
    assert.equal(document.getText(), 'Ærø\n');
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'Aeroe\n');
    assert.ok(!scene.requests().some((operation) => /Write|Upload/.test(operation)));
    await commands.executeCommand('workbench.action.files.revert');
  });

  it('to a new file, or after a rename, is complete', async () => {
    const folder = cp.uri('/srv/new');
    await workspace.fs.createDirectory(folder);
    const uri = Uris.joinPath(folder, 'new.txt');
    await workspace.fs.writeFile(uri, new TextEncoder().encode('new\n'));
    assert.deepEqual(await workspace.fs.readDirectory(folder), [['new.txt', FileType.File]]);
    assert.equal(await text('/srv/new/new.txt'), 'new\n');
    await cp.remove('/srv/new');
  });
});
