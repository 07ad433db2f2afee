import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { FilePermission, FileSystemError, FileType, type Uri, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor, type } from '../../support/editing';
import { fileUri, gantry, signedIn } from '../../support/gantry';

describe("a file in a folder that can't be listed", () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let node: number;
  let disk: string;
  let uri: Uri;
  let count = 0;

  before(async () => {
    const layer = { name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'] };
    platform = await startPlatform({ environments: [{ envName: 'shop', layers: [layer] }] });
    account = await signedIn(platform);
    parts = await gantry();
    node = platform.nodes('shop', 'cp')[0]?.id ?? 0;
  });

  beforeEach(async () => {
    const path = `/srv/closed-${++count}/site.conf`;
    disk = join(platform.nodeFolder(node), path);
    uri = fileUri(account, 'shop', `cp~${node}`, path);
    await mkdir(dirname(disk), { recursive: true });
    await writeFile(disk, 'listen 80;\n');
    await chmod(dirname(disk), 0o311);
    parts.listings.forgetAll();
    platform.journal.reset();
  });

  afterEach(async () => {
    await closeWithoutSaving();
    await chmod(dirname(disk), 0o755);
  });

  after(async () => {
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const reads = () => platform.journal.count(({ operation }) => operation === 'Read');

  it('opens with one Read, and a later stat takes no other', async () => {
    const document = await openInEditor(uri);
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
    assert.equal((await workspace.fs.stat(uri)).permissions, FilePermission.Readonly);
    await openInEditor(uri);
    assert.equal((await workspace.fs.stat(uri)).permissions, FilePermission.Readonly);
  });

  it('is saved if the edit began before the folder was closed off, and a change by someone else is a conflict', async () => {
    await chmod(dirname(disk), 0o755);
    const document = await openInEditor(uri);
    await type(document, '# mine\n');
    await chmod(dirname(disk), 0o311);
    assert.ok(await document.save());
    assert.equal(await readFile(disk, 'utf8'), '# mine\nlisten 80;\n');
    await type(document, '# more\n');
    await writeFile(disk, '# his!\nlisten 80;\n');
    assert.equal(await document.save(), false);
    assert.equal(await readFile(disk, 'utf8'), '# his!\nlisten 80;\n');
  });

  it("is not found if it doesn't exist, and rejected if it can't be read", async () => {
    const codeOf = async (file: Uri) => {
      const error: unknown = await Promise.resolve(workspace.fs.stat(file)).catch((reason: unknown) => reason);
      assert.ok(error instanceof FileSystemError, String(error));
      return error.code;
    };
    assert.equal(await codeOf(uri.with({ path: `${uri.path}.old` })), 'FileNotFound');
    await chmod(disk, 0o200);
    assert.equal(await codeOf(uri), 'NoPermissions');
    await chmod(disk, 0o644);
  });
});
