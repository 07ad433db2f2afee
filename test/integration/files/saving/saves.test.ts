import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, FileType, TabInputTextDiff, type Uri, Uri as Uris, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../../../src/extension';
import { filePlaceOf, placeOf } from '../../../../src/containers/place';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor, replaceAll, type } from '../../support/editing';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

describe('saving from an editor', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let nodes: readonly number[];
  let count = 0;

  before(async () => {
    ({ platform, account, parts, nodes } = await startOneLayer({ nodes: 2 }));
  });

  afterEach(() => clearOneLayer(platform));

  after(() => endOneLayer({ platform, account, parts }));

  const onDisk = (path: string, node = 0) => join(platform.nodeFolder(nodes[node] ?? 0), path);
  const text = (path: string, node = 0) => readFile(onDisk(path, node), 'utf8');
  const put = async (path: string, content: string | Buffer, node = 0) => {
    await mkdir(dirname(onDisk(path, node)), { recursive: true });
    await writeFile(onDisk(path, node), content);
  };
  const operations = () => platform.journal.arrivals.map(({ operation }) => operation);
  const keptOf = async (uri: Uri) => {
    const place = placeOf(uri);
    assert.ok(place?.kind === 'file');
    return parts.files.kept.find(place);
  };
  const link = (command: string, uri: Uri) => commands.executeCommand(`gantry.conflict.${command}`, uri);

  /**
   * Creates a file on both nodes and opens its document. Only tests of editors show it, because rendering takes longer
   * than a save.
   */
  async function opened(content: string, target = `cp~${nodes[0]}`) {
    count += 1;
    const path = `/srv/case-${count}/site.conf`;
    await put(path, content);
    await put(path, content, 1);
    parts.listings.forgetAll();
    const document = await workspace.openTextDocument(fileUri(account, 'shop', target, path));
    platform.journal.reset();
    return { path, document, uri: document.uri };
  }

  it('takes five requests, three in sequence', async () => {
    const { path, document, uri } = await opened('listen 80;\n');
    await openInEditor(uri);
    await type(document, '# new\n');
    platform.journal.reset();
    assert.ok(await document.save());
    assert.equal(await text(path), '# new\nlisten 80;\n');
    assert.deepEqual(operations().sort(), ['GetList', 'GetList', 'Read', 'Read', 'Write']);
    assert.ok(!document.isDirty);
  });

  it('detects a change of the same length, and the user compares, merges, and saves', async () => {
    const { path, document, uri } = await opened('one\ntwo\nthree\nfour\nfive\n');
    await openInEditor(uri);
    await type(document, 'zero\n');
    await put(path, 'one\ntwo\nthree\nfour\nFIVE\n');
    assert.equal(await document.save(), false);
    assert.ok(document.isDirty);
    assert.ok(!operations().includes('Write'));
    assert.equal((await keptOf(uri))[0]?.text, document.getText());

    await link('merge', uri);
    assert.equal(document.getText(), 'zero\none\ntwo\nthree\nfour\nFIVE\n');
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'one\ntwo\nthree\nfour\nFIVE\n', 'nothing is saved before it was looked at');
    assert.ok(await document.save());
    assert.equal(await text(path), 'zero\none\ntwo\nthree\nfour\nFIVE\n');
    assert.deepEqual(await keptOf(uri), []);
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
    await link('merge', uri);
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

  it('inserts conflict markers if both sides changed the same lines', async () => {
    const { path, document, uri } = await opened('a\nb\nc\n');
    await replaceAll(document, 'a\nmine\nc\n');
    await put(path, 'a\ntheirs\nc\n');
    assert.equal(await document.save(), false);
    await link('merge', uri);
    assert.match(document.getText(), /<<<<<<< .*\nmine\n=======\ntheirs\n>>>>>>> .*\n/);
    assert.equal(await text(path), 'a\ntheirs\nc\n');
  });

  it('keeps the conflict choices when another extension writes the file', async () => {
    const { path, document, uri } = await opened('old\n');
    await type(document, 'typed\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    const place = filePlaceOf(uri);
    assert.ok(place);
    const problem = parts.files.problems.of(place);
    assert.equal(problem?.kind, 'conflict');
    await assert.rejects(async () => workspace.fs.writeFile(uri, Buffer.from('by an extension\n')));
    assert.equal(parts.files.problems.of(place)?.id, problem.id);
    await workspace.fs.writeFile(uri, Buffer.from('theirs\n'));
    assert.equal(parts.files.problems.of(place)?.id, problem.id);
    await commands.executeCommand('gantry.conflict.overwrite', problem.id);
    assert.equal(await text(path), 'typed\nold\n');
    assert.equal(parts.files.problems.of(place), undefined);
  });

  it('overwrites the version that the user saw, and nothing newer', async () => {
    const { path, document, uri } = await opened('old\n');
    await replaceAll(document, 'mine\n');
    await put(path, 'theirs\n');
    assert.equal(await document.save(), false);
    await put(path, 'theirs, later\n');
    await link('overwrite', uri);
    assert.equal(await text(path), 'theirs, later\n');
    assert.ok(document.isDirty);
    await link('overwrite', uri);
    assert.equal(await text(path), 'mine\n');
    assert.ok(!document.isDirty);
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
    parts.listings.forgetAll();
    const during = await workspace.fs.stat(uri);
    assert.deepEqual({ mtime: during.mtime, size: during.size }, { mtime: before.mtime, size: before.size });
  });

  it('checks a save whose response was lost, and succeeds if the save happened', async () => {
    const { path, document } = await opened('old\n');
    await replaceAll(document, 'new\n');
    platform.faults.add({ operation: 'Write', fault: { kind: 'gatewayError', status: 502, when: 'after' } });
    assert.ok(await document.save());
    assert.equal(await text(path), 'new\n');
    assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
  });

  it('keeps base version and text on disk when the connection is down, and saves when it is back', async () => {
    const { path, document, uri } = await opened('old\n');
    await replaceAll(document, 'new\n');
    platform.faults.add({ operation: '*', times: 'always', fault: { kind: 'reset' } });
    assert.equal(await document.save(), false);
    const [kept] = await keptOf(uri);
    assert.equal(kept?.text, 'new\n');
    assert.equal(kept.base.kind === 'version' && kept.base.version.text, 'old\n');
    platform.faults.clear();
    assert.ok(await document.save());
    assert.equal(await text(path), 'new\n');
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
    platform.journal.reset();
    const edit = new WorkspaceEdit();
    edit.createFile(Uris.joinPath(uri, '..', 'new.conf'));
    assert.ok(await workspace.applyEdit(edit));
    assert.equal(await text(join(dirname(path), 'new.conf')), '');
    assert.deepEqual(operations(), ['Create', 'GetList']);
  });

  describe('to a layer', () => {
    it('writes every node from one, and first names the one that differs', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'new\n');
      await put(path, 'only on the second\n', 1);
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty);
      assert.equal(await text(path), 'old\n');
      const place = placeOf(uri);
      assert.ok(place?.kind === 'file');
      assert.deepEqual(
        parts.files.edits.conflictOf(place).map(({ node }) => node.target.nodeId),
        [nodes[1]],
      );
      await link('overwrite', uri);
      assert.ok(!document.isDirty);
      assert.equal(await text(path), 'new\n');
      assert.equal(await text(path, 1), 'new\n');
    });

    /** Returns the status bar messages that are shown during the work. */
    async function statusDuring(act: () => PromiseLike<unknown>): Promise<readonly string[]> {
      const { setStatusBarMessage } = window;
      const shown: string[] = [];
      Object.assign(window, {
        setStatusBarMessage: (message: string) => {
          shown.push(message);
          return { dispose: () => undefined };
        },
      });
      try {
        await act();
      } finally {
        Object.assign(window, { setStatusBarMessage });
      }
      return shown;
    }

    it('writes to the other nodes after the file was saved to one', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      assert.ok(await document.save());
      const shown = await statusDuring(() => commands.executeCommand('gantry.file.saveToAllNodes'));
      assert.equal(await text(path, 1), 'newer\n');
      assert.ok(!document.isDirty);
      assert.deepEqual(shown, ['$(check) Saved to 2 nodes']);
    });

    it('asks before it overwrites a different version on another node, then reports success', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      assert.ok(await document.save());
      await put(path, 'only on the second\n', 1);
      assert.deepEqual(await statusDuring(() => commands.executeCommand('gantry.file.saveToAllNodes')), []);
      assert.ok(document.isDirty, "VS Code's own notification goes away when the file is saved");
      assert.equal(await text(path, 1), 'only on the second\n');
      await link('compare', uri);
      const { input } = window.tabGroups.activeTabGroup.activeTab ?? {};
      assert.ok(input instanceof TabInputTextDiff);
      const compared = await workspace.openTextDocument(input.original);
      assert.equal(compared.getText(), 'only on the second\n');
      const updated = nextEvent(workspace.onDidChangeTextDocument, (change) => change.document === compared);
      const shown = await statusDuring(() => link('overwrite', uri));
      assert.equal(await text(path, 1), 'newer\n');
      assert.ok(!document.isDirty);
      assert.deepEqual(shown, ['$(check) Saved to 2 nodes']);
      await updated;
      assert.equal(compared.getText(), 'newer\n');
    });

    it('asks before it overwrites an earlier text that a colleague put back on another node', async () => {
      const { path, document, uri } = await opened('old\n');
      await openInEditor(uri);
      await replaceAll(document, 'newer\n');
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.equal(await text(path, 1), 'newer\n');
      await put(path, 'old\n', 1);
      await replaceAll(document, 'newest\n');
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty);
      assert.equal(await text(path, 1), 'old\n');
    });

    it('keeps mixed line endings when an unchanged file is saved to the other nodes', async () => {
      const { path, document, uri } = await opened('one\r\ntwo\nthree\n');
      await put(path, 'one\r\ntwo\nthree\n', 1);
      await openInEditor(uri);
      await rm(onDisk(path, 1));
      await commands.executeCommand('gantry.file.saveToAllNodes');
      assert.ok(document.isDirty, 'it was deleted on the second node');
      await link('overwrite', uri);
      assert.equal(await text(path, 1), 'one\r\ntwo\nthree\n');
    });

    it('writes only one node in an ordinary save', async () => {
      const { path, document } = await opened('old\n');
      await replaceAll(document, 'new\n');
      assert.ok(await document.save());
      assert.equal(await text(path, 1), 'old\n');
    });

    it('checks and verifies each node if the file was opened from the layer', async () => {
      const { path, document } = await opened('old\n', 'cp');
      await replaceAll(document, 'new\n');
      platform.journal.reset();
      assert.ok(await document.save());
      assert.deepEqual([await text(path), await text(path, 1)], ['new\n', 'new\n']);
      assert.equal(operations().filter((operation) => operation === 'Write').length, 1);
    });
  });

  it("warns once that unsaved text can't be kept on disk", async () => {
    const [one, other] = [await opened('one\n'), await opened('other\n')];
    const { kept } = parts.files;
    const [keep, show] = [kept.keep.bind(kept), window.showWarningMessage];
    const said: string[] = [];
    const failing = () => Promise.reject(new Error('no space left on device'));
    try {
      const told = new Promise<void>((resolve) => {
        const showWarningMessage = (text: string) => {
          said.push(text);
          resolve();
          return Promise.resolve(undefined);
        };
        Object.assign(window, { showWarningMessage });
      });
      kept.keep = failing;
      await type(one.document, '# new\n');
      await told;
      assert.match(said[0] ?? '', /Couldn't back up unsaved text on this computer/);
      const again = new Promise<void>((resolve) => {
        kept.keep = () => failing().finally(resolve);
      });
      await type(other.document, '# new\n');
      await again;
      await nextTurn();
      assert.equal(said.length, 1);
    } finally {
      Object.assign(window, { showWarningMessage: show });
      kept.keep = keep;
    }
    assert.ok(await one.document.save(), 'it is saved all the same');
  });

  it("in pieces doesn't change the active file if its link is outdated", async () => {
    const { path, document, uri } = await opened('old\n');
    await openInEditor(uri);
    await type(document, 'typed\n');
    const person = new Person();
    try {
      await person.answering([], () => commands.executeCommand('gantry.file.saveInPieces', 987_654));
    } finally {
      person.leave();
    }
    assert.match(person.seen.join(' | '), /no longer needs to be saved in pieces, or it's closed/);
    assert.ok(document.isDirty);
    assert.equal(await text(path), 'old\n');
  });

  describe('is disabled', () => {
    const isReadOnly = async (uri: Uri) => ((await workspace.fs.stat(uri)).permissions ?? 0) !== 0;

    it('with a token that lacks Write, once the platform reports that', async () => {
      const { document, uri } = await opened('old\n');
      await replaceAll(document, 'new\n');
      platform.faults.add({ operation: 'Write', fault: { kind: 'refuse', result: 8202, error: 'not permitted' } });
      const changed = nextEvent(parts.accounts.onDidChangeRights);
      assert.equal(await document.save(), false);
      await changed;
      await closeWithoutSaving();
      assert.ok(await isReadOnly(uri));
      await account.call('Write', {
        ...{ envName: 'shop', nodeGroup: 'cp', nodeid: nodes[0] },
        ...{ path: '/srv/permitted-again', body: '', isAppendMode: false },
      });
      assert.ok(!(await isReadOnly(uri)));
    });

    it('to a path that rejected a write, until the user tries again', async () => {
      const { path, document, uri } = await opened('old\n');
      await replaceAll(document, 'new\n');
      platform.faults.add({ operation: 'Write', fault: { kind: 'refuse', result: 4037, error: 'permission denied' } });
      assert.equal(await document.save(), false);
      assert.ok(document.isDirty);
      assert.equal(await text(path), 'old\n');
      await closeWithoutSaving();
      assert.ok(await isReadOnly(uri));
      await openInEditor(uri);
      await commands.executeCommand('gantry.file.tryWriting');
      assert.ok(!(await isReadOnly(uri)));
    });
  });

  it('to a new file, or after a rename, is complete', async () => {
    const folder = fileUri(account, 'shop', `cp~${nodes[0]}`, `/srv/new-${count}`);
    await workspace.fs.createDirectory(folder);
    const uri = Uris.joinPath(folder, 'new.txt');
    await workspace.fs.writeFile(uri, new TextEncoder().encode('new\n'));
    assert.deepEqual(await workspace.fs.readDirectory(folder), [['new.txt', FileType.File]]);
    assert.equal(await text(`/srv/new-${count}/new.txt`), 'new\n');
    await rm(onDisk(`/srv/new-${count}`), { recursive: true });
  });
});
