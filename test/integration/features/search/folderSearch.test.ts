import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, type TextDocument, window, workspace, WorkspaceEdit } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import { type FilePlace, placeOnLayer } from '../../../../src/containers/place';
import type { Parts } from '../../support/parts';
import { FolderSearch } from '../../../../src/features/search/folderSearch';
import { RequestPace } from '../../../../src/features/search/folderWalk';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { fileUri, gantry, signedIn } from '../../support/gantry';

describe('a search in a folder of a window', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let nodeId: number;
  let hour = 1;
  /** Each test has its own, because the window goes on watching a folder that an earlier test has shown. */
  let folder = '';
  let tests = 0;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    parts = await gantry();
    account = await signedIn(platform);
    nodeId = platform.nodes('shop', 'cp')[0]?.id ?? assert.fail('no node');
  });

  beforeEach(async () => {
    tests += 1;
    folder = `/var/www/webroot/searched${tests}`;
    await put('a.conf', 'listen one\n');
    await put('b.conf', 'listen two\n');
    await put('inner/c.conf', 'listen three\n');
  });

  afterEach(async () => {
    platform.faults.clear();
    await commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await rm(onDisk(''), { recursive: true });
    parts.listings.forgetAll();
  });

  after(async () => {
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const onDisk = (name: string) => join(platform.nodeFolder(nodeId), folder, name);
  const uri = (name: string) => fileUri(account, 'shop', `cp~${nodeId}`, join(folder, name));
  const place = (): FilePlace => placeOnLayer({ account: account.slug, name: 'shop' }, 'cp', nodeId, folder);
  /** Gives each change a different time stamp, as if hours passed between them. */
  const put = async (name: string, text: string) => {
    await mkdir(dirname(onDisk(name)), { recursive: true });
    await writeFile(onDisk(name), text);
    hour += 1;
    await utimes(onDisk(name), new Date(2026, 0, 1, hour), new Date(2026, 0, 1, hour));
  };
  const searchFor = (text: string, isRegex = false) =>
    new FolderSearch(
      {
        folder: place(),
        query: { text, isRegex, matchCase: true, wholeWord: false, include: '', exclude: '' },
        exclude: [],
        largestFile: 1_000_000,
      },
      {
        knownListing: (known) => parts.listings.known(known),
        list: (listed, signal) => parts.listings.list(listed, signal),
        knownText: (file, entry) => parts.files.edits.knownText(file, entry),
        read: (file, signal) => parts.containers.read(file, { signal }),
        measure: (file) => parts.listings.lookUp(file),
        pace: new RequestPace(() => 100_000, 1_000),
      },
    );
  const found = async (text: string) => {
    const search = searchFor(text);
    await search.run();
    assert.equal(search.state.kind, 'done');
    return search.files.flatMap(({ lines }) => lines.map(({ preview }) => preview));
  };
  const reads = () =>
    platform.journal.arrivals
      .filter(({ operation }) => operation === 'Read')
      .map(({ parameters }) => parameters['path']?.slice(folder.length + 1))
      .sort();
  const show = async (name: string): Promise<TextDocument> => {
    await workspace.fs.readDirectory(uri(''));
    const document = await workspace.openTextDocument(uri(name));
    await window.showTextDocument(document);
    return document;
  };

  it('finds what an editor shows, without reading the file', async () => {
    const document = await show('a.conf');
    platform.journal.reset();
    assert.deepEqual(await found('listen'), ['listen one', 'listen two', 'listen three']);
    assert.deepEqual(reads(), ['b.conf', 'inner/c.conf']);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# unsaved ');
    await workspace.applyEdit(edit);
    platform.journal.reset();
    assert.deepEqual(await found('listen'), ['# unsaved listen one', 'listen two', 'listen three']);
    assert.deepEqual(reads(), ['b.conf', 'inner/c.conf']);
  });

  it('reads a file that has changed since an editor opened it', async () => {
    await show('a.conf');
    await put('a.conf', 'listen new\n');
    parts.listings.forgetAll();
    assert.deepEqual(await found('listen'), ['listen new', 'listen two', 'listen three']);
  });

  it('ends its requests when it is canceled, and leaves those of others alone', async () => {
    const hanging = platform.faults.add({ operation: 'GetList', fault: { kind: 'hang' }, times: 'always' });
    const search = searchFor('listen');
    const running = search.run();
    await hanging.reached;
    const others = parts.files.fileSystem.readDirectory(uri(''));
    search.cancel();
    await running;
    assert.equal(search.state.kind, 'canceled');
    platform.faults.clear();
    assert.equal((await others).length, 3);
  });

  it("doesn't have its folders watched, until they are shown", async () => {
    const before = parts.watching.size;
    await found('listen');
    assert.equal(parts.watching.size, before);
    platform.journal.reset();
    await parts.files.fileSystem.readDirectory(uri('inner'));
    assert.deepEqual(platform.journal.arrivals, []);
    assert.equal(parts.watching.size, before + 2);
  });

  it('goes on without a file in which an expression would take hours, and says why', async () => {
    await put('long.txt', `${'a'.repeat(50)}b\n`);
    const search = searchFor('(a+)+$', true);
    await search.run();
    assert.equal(search.state.kind, 'done');
    assert.deepEqual(
      search.skipped.map(({ place: { path }, reason }) => [path, reason]),
      [[`${folder}/long.txt`, 'slow']],
    );
  });
});
