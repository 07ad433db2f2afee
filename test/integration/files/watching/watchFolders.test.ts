import assert from 'node:assert/strict';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { FileChangeType, type Uri, window, workspace, WorkspaceEdit } from 'vscode';
import { limit } from '../../../host/limits';
import { nextEvent } from '../../support/event';
import { windowScene } from '../../support/windowScene';

describe('changes by others', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  let count = 0;
  let hour = 1;

  beforeEach(async () => {
    count += 1;
    await change('a.conf', 'one\n');
  });

  afterEach(async () => {
    scene.parts.watching.focus(false);
    await cp.remove(watched());
    scene.parts.listings.forgetAll();
  });

  /** Each test has a separate folder, because VS Code may read files of the previous one again. */
  const watched = () => `/var/www/webroot/watched-${count}`;
  const onDisk = (name: string) => cp.onDisk(join(watched(), name));
  const uri = (name: string) => cp.uri(join(watched(), name));
  /** Gives each change a different time stamp, as if seconds passed between them. */
  const change = async (name: string, text: string) => {
    await cp.put(join(watched(), name), text);
    hour += 1;
    await utimes(onDisk(name), new Date(2026, 0, 1, hour), new Date(2026, 0, 1, hour));
  };
  const lookAgain = () => scene.parts.listings.refresh(cp.place(watched()));

  it('appear in an editor without unsaved changes', async () => {
    const document = await workspace.openTextDocument(uri('a.conf'));
    await window.showTextDocument(document);
    await change('a.conf', 'two\n');
    scene.parts.watching.focus(true);
    const changed = nextEvent(workspace.onDidChangeTextDocument, (event) => event.document === document);
    await changed;
    assert.equal(document.getText(), 'two\n');
    assert.equal(document.isDirty, false);
  }).timeout(limit(60_000));

  it('cause a conflict at the next save in an editor with unsaved changes', async () => {
    await change('mine.conf', 'one\n');
    scene.parts.listings.forgetAll();
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
    scene.platform.journal.reset();
    assert.ok(await document.save());
    const listings = scene.platform.journal.arrivals.filter(({ operation }) => operation === 'GetList');
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
    const listening = scene.parts.files.fileSystem.onDidChangeFile((events) =>
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
    const listening = scene.parts.files.fileSystem.onDidChangeFile((events) =>
      events.forEach((event) => told.push(event.uri)),
    );
    await lookAgain();
    listening.dispose();
    assert.deepEqual(told, []);
  });

  it('are found with requests that change nothing', async () => {
    await workspace.fs.readDirectory(uri(''));
    scene.platform.journal.reset();
    await lookAgain();
    const { arrivals } = scene.platform.journal;
    const here = arrivals.filter(({ parameters }) => parameters['path']?.startsWith(watched()));
    assert.deepEqual([...new Set(here.map(({ operation }) => operation))], ['GetList']);
    const others = arrivals.map(({ operation }) => operation).filter((name) => !['GetList', 'Read'].includes(name));
    assert.deepEqual(others, []);
  });
});
