import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type TextDocument, window, workspace, WorkspaceEdit } from 'vscode';
import { FolderSearch } from '../../../../src/features/search/folderSearch';
import { RequestPace } from '../../../../src/features/search/folderWalk';
import { windowScene } from '../../support/windowScene';

describe('a search in a folder of a window', () => {
  const scene = windowScene({ sample: 'environments' });
  const cp = scene.environment('shop').layer('cp');
  let hour = 1;
  /** Each test has its own, because the window goes on watching a folder that an earlier test has shown. */
  let folder = '';
  let tests = 0;

  beforeEach(async () => {
    tests += 1;
    folder = `/var/www/webroot/searched${tests}`;
    await put('a.conf', 'listen one\n');
    await put('b.conf', 'listen two\n');
    await put('inner/c.conf', 'listen three\n');
  });

  afterEach(async () => {
    await cp.remove(folder);
    scene.parts.listings.forgetAll();
  });

  const onDisk = (name: string) => cp.onDisk(join(folder, name));
  const uri = (name: string) => cp.uri(join(folder, name));
  const place = () => cp.place(folder);
  /** Gives each change a different time stamp, as if hours passed between them. */
  const put = async (name: string, text: string) => {
    await cp.put(join(folder, name), text);
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
        knownListing: (known) => scene.parts.listings.known(known),
        list: (listed, signal) => scene.parts.listings.list(listed, signal),
        knownText: (file, entry) => scene.parts.files.edits.knownText(file, entry),
        read: (file, signal) => scene.parts.containers.read(file, { signal }),
        measure: (file) => scene.parts.listings.lookUp(file),
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
    scene.platform.journal.arrivals
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
    scene.platform.journal.reset();
    assert.deepEqual(await found('listen'), ['listen one', 'listen two', 'listen three']);
    assert.deepEqual(reads(), ['b.conf', 'inner/c.conf']);
    const edit = new WorkspaceEdit();
    edit.insert(document.uri, document.positionAt(0), '# unsaved ');
    await workspace.applyEdit(edit);
    scene.platform.journal.reset();
    assert.deepEqual(await found('listen'), ['# unsaved listen one', 'listen two', 'listen three']);
    assert.deepEqual(reads(), ['b.conf', 'inner/c.conf']);
  });

  it('reads a file that has changed since an editor opened it', async () => {
    await show('a.conf');
    await put('a.conf', 'listen new\n');
    scene.parts.listings.forgetAll();
    assert.deepEqual(await found('listen'), ['listen new', 'listen two', 'listen three']);
  });

  it('ends its requests when it is canceled, and leaves those of others alone', async () => {
    const hanging = scene.platform.faults.add({ operation: 'GetList', fault: { kind: 'hang' }, times: 'always' });
    const search = searchFor('listen');
    const running = search.run();
    await hanging.reached;
    const others = scene.parts.files.fileSystem.readDirectory(uri(''));
    search.cancel();
    await running;
    assert.equal(search.state.kind, 'canceled');
    scene.platform.faults.clear();
    assert.equal((await others).length, 3);
  });

  it("doesn't have its folders watched, until they are shown", async () => {
    const before = scene.parts.watching.size;
    await found('listen');
    assert.equal(scene.parts.watching.size, before);
    scene.platform.journal.reset();
    await scene.parts.files.fileSystem.readDirectory(uri('inner'));
    assert.deepEqual(scene.platform.journal.arrivals, []);
    assert.equal(scene.parts.watching.size, before + 2);
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
