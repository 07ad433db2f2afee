import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, FileChangeType, type Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { limit } from '../../../host/limits';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import type { FilePlace } from '../../../../src/containers/place';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { nextEvent } from '../../support/event';
import { fileUri, gantry, signedIn } from '../../support/gantry';

describe('changes by others', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let node: { readonly id: number };
  let count = 0;
  let hour = 1;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    parts = await gantry();
    account = await signedIn(platform);
    const [first] = platform.nodes('shop', 'cp');
    assert.ok(first);
    node = first;
  });

  beforeEach(async () => {
    count += 1;
    await mkdir(onDisk(''), { recursive: true });
    await change('a.conf', 'one\n');
  });

  afterEach(async () => {
    parts.watching.focus(false);
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(onDisk(''), { recursive: true, force: true });
    parts.listings.forgetAll();
  });

  after(async () => {
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  /** Each test has a separate folder, because VS Code may read files of the previous one again. */
  const watched = () => `/var/www/webroot/watched-${count}`;
  const onDisk = (name: string) => join(platform.nodeFolder(node.id), watched(), name);
  const uri = (name: string) => fileUri(account, 'shop', `cp~${node.id}`, join(watched(), name));
  /** Gives each change a different time stamp, as if seconds passed between them. */
  const change = async (name: string, text: string) => {
    await writeFile(onDisk(name), text);
    hour += 1;
    await utimes(onDisk(name), new Date(2026, 0, 1, hour), new Date(2026, 0, 1, hour));
  };
  const folder = (): FilePlace => ({
    account: account.slug,
    environment: 'shop',
    path: watched(),
    kind: 'file',
    target: { nodeGroup: 'cp', nodeId: node.id },
  });
  const lookAgain = () => parts.listings.refresh(folder());

  it('appear in an editor without unsaved changes', async () => {
    const document = await workspace.openTextDocument(uri('a.conf'));
    await window.showTextDocument(document);
    await change('a.conf', 'two\n');
    parts.watching.focus(true);
    const changed = nextEvent(workspace.onDidChangeTextDocument, (event) => event.document === document);
    await changed;
    assert.equal(document.getText(), 'two\n');
    assert.equal(document.isDirty, false);
  }).timeout(limit(60_000));

  it('cause a conflict at the next save in an editor with unsaved changes', async () => {
    await change('mine.conf', 'one\n');
    parts.listings.forgetAll();
    const document = await workspace.openTextDocument(uri('mine.conf'));
    await window.showTextDocument(document);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# mine\n');
    await workspace.applyEdit(edit);
    await change('mine.conf', 'two\n');
    await lookAgain();
    assert.equal(document.getText(), '# mine\none\n');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
  });

  it('appear in an editor that has just saved the file', async () => {
    const document = await workspace.openTextDocument(uri('a.conf'));
    await window.showTextDocument(document);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# mine\n');
    await workspace.applyEdit(edit);
    assert.ok(await document.save());
    await change('a.conf', 'by a colleague\n');
    const changed = nextEvent(workspace.onDidChangeTextDocument, (event) => event.document === document);
    await lookAgain();
    await changed;
    assert.equal(document.getText(), 'by a colleague\n');
  });

  it('appear in an editor that has just saved the file in a folder of over 1,000 entries', async () => {
    const names = Array.from({ length: 1_100 }, (_, n) => `file-${n}.txt`);
    await Promise.all(names.map((name) => writeFile(onDisk(name), '')));
    const document = await workspace.openTextDocument(uri('a.conf'));
    await window.showTextDocument(document);
    await lookAgain();
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# mine\n');
    await workspace.applyEdit(edit);
    platform.journal.reset();
    assert.ok(await document.save());
    const listings = platform.journal.arrivals.filter(({ operation }) => operation === 'GetList');
    assert.ok(listings.length > 0 && listings.every(({ parameters }) => parameters['filter'] !== undefined));
    await change('a.conf', 'by a colleague\n');
    const changed = nextEvent(workspace.onDidChangeTextDocument, (event) => event.document === document);
    await lookAgain();
    await changed;
    assert.equal(document.getText(), 'by a colleague\n');
  });

  it('are reported to VS Code, both new and deleted files', async () => {
    await workspace.fs.readDirectory(uri(''));
    const told = new Map<string, FileChangeType>();
    const listening = parts.files.fileSystem.onDidChangeFile((events) =>
      events.forEach(({ uri: at, type }) => told.set(at.path.slice(at.path.lastIndexOf('/') + 1), type)),
    );
    await change('b.conf', 'new\n');
    await rm(onDisk('a.conf'));
    await lookAgain();
    listening.dispose();
    assert.deepEqual(
      told,
      new Map([
        ['b.conf', FileChangeType.Created],
        ['a.conf', FileChangeType.Deleted],
      ]),
    );
  });

  it("don't include the user's own changes", async () => {
    await workspace.fs.readDirectory(uri(''));
    await workspace.fs.writeFile(uri('a.conf'), Buffer.from('from here\n'));
    const told: Uri[] = [];
    const listening = parts.files.fileSystem.onDidChangeFile((events) =>
      events.forEach((event) => told.push(event.uri)),
    );
    await lookAgain();
    listening.dispose();
    assert.deepEqual(told, []);
  });

  it('are found with requests that change nothing', async () => {
    await workspace.fs.readDirectory(uri(''));
    platform.journal.reset();
    await lookAgain();
    const { arrivals } = platform.journal;
    const here = arrivals.filter(({ parameters }) => parameters['path']?.startsWith(watched()));
    assert.deepEqual([...new Set(here.map(({ operation }) => operation))], ['GetList']);
    const others = arrivals.map(({ operation }) => operation).filter((name) => !['GetList', 'Read'].includes(name));
    assert.deepEqual(others, []);
  });
});
