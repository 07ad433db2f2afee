import assert from 'node:assert/strict';
import { chmod } from 'node:fs/promises';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileSystemError, FileType, type Uri, workspace } from 'vscode';
import { type } from '../../support/editing';
import { type WindowFile, windowScene } from '../../support/windowScene';

describe("a file in a folder that can't be listed", () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  let file: WindowFile;
  let folder: string;
  let uri: Uri;

  beforeEach(async () => {
    file = await cp.newFile('site.conf', 'listen 80;\n');
    ({ uri } = file);
    folder = dirname(file.disk);
    await chmod(folder, 0o311);
    scene.platform.journal.reset();
  });

  afterEach(() => chmod(folder, 0o755));

  const reads = () => scene.count('Read');

  it('opens with one Read, and a later stat takes no other', async () => {
    const document = await file.inEditor();
    assert.equal(document.getText(), 'listen 80;\n');
    assert.equal(reads(), 1);
    const stat = await workspace.fs.stat(uri);
    assert.deepEqual([stat.type, stat.size], [FileType.File, 11]);
    assert.equal(reads(), 1);
  });

  it('takes one Read for a stat if nothing has read it yet', async () => {
    const [one, other] = await Promise.all([workspace.fs.stat(uri), workspace.fs.stat(uri)]);
    assert.deepEqual([one.size, other.size], [11, 11]);
    assert.equal(reads(), 1);
  });

  it('is read-only, because its text may be incomplete', async () => {
    assert.ok(await file.isReadOnly());
    await file.inEditor();
    assert.ok(await file.isReadOnly());
  });

  it('is saved if the edit began before the folder was closed off, and a change by someone else is a conflict', async () => {
    await chmod(folder, 0o755);
    const document = await file.inEditor();
    await type(document, '# mine\n');
    await chmod(folder, 0o311);
    assert.ok(await document.save());
    assert.equal(await file.text(), '# mine\nlisten 80;\n');
    await type(document, '# more\n');
    await file.put('# his!\nlisten 80;\n');
    assert.equal(await document.save(), false);
    assert.equal(await file.text(), '# his!\nlisten 80;\n');
  });

  it("is not found if it doesn't exist, and rejected if it can't be read", async () => {
    const codeOf = async (file: Uri) => {
      const error: unknown = await Promise.resolve(workspace.fs.stat(file)).catch((reason: unknown) => reason);
      assert.ok(error instanceof FileSystemError, String(error));
      return error.code;
    };
    assert.equal(await codeOf(uri.with({ path: `${uri.path}.old` })), 'FileNotFound');
    await chmod(file.disk, 0o200);
    assert.equal(await codeOf(uri), 'NoPermissions');
    await chmod(file.disk, 0o644);
  });
});
