import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { type Disposable, workspace } from 'vscode';
import { type FilePlace, keyOf, wholeLayer } from '../../../../../src/containers/place';
import { uriOf } from '../../../../../src/containers/uris';
import type { AnnouncedSave } from '../../../../../src/files/saving/serverFiles';
import { readWholeText } from '../../../../../src/files/wholeText';
import { FolderSearch } from '../../../../../src/features/search/folderSearch';
import {
  type FileOutcome,
  type ReplacedFile,
  replaceInFiles,
  type ReplaceInFilesDeps,
  replaceOnAllNodes,
  undoReplacement,
  withDocuments,
} from '../../../../../src/features/search/replace/replaceInFiles';
import { openJournal } from '../../../../unit/files/journal/journalSetUp';
import { ReplacementStore } from '../../../../../src/features/search/replace/replacementStore';
import { RequestPace } from '../../../../../src/features/search/folderWalk';
import { matcherOf } from '../../../../../src/features/search/searchQuery';
import { Canceled } from '../../../../../src/platform/errors';
import { scratchFolder } from '../../../../host/folders';
import { type as typeText } from '../../../support/editing';
import { windowScene } from '../../../support/windowScene';

describe('replacing in found files', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp', { nodes: 2 });
  const three = stage.environment('shop').layer('three', { nodes: 3 });
  let [folder, store] = ['', ''];

  beforeEach(() => {
    folder = `/srv/replace-${randomUUID()}`;
    store = join(scratchFolder('replacements'), randomUUID());
    announced = [];
    listening = stage.parts.files.fileSystem.onDidSave((saved) => announced.push(saved));
  });
  afterEach(async () => {
    listening.dispose();
    await rm(store, { recursive: true, force: true });
  });

  const place = (path: string): FilePlace => cp.place(path);
  const put = (name: string, text: string) => cp.put(`${folder}/${name}`, text);
  const text = (name: string) => cp.text(`${folder}/${name}`);
  /** All that the store has written. */
  const storedOnDisk = async () => {
    const entries = await readdir(store, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
    return (await Promise.all(files.map((file) => readFile(file, 'utf8')))).join('');
  };
  const { signal } = new AbortController();
  /** The name of the last replacement. */
  let last = '';
  /** The verified changes. */
  let announced: AnnouncedSave[] = [];
  let listening: Disposable;

  /** A window, and the ID of the only other one that is open. */
  function deps({ journal } = openJournal(store), open = ''): ReplaceInFilesDeps {
    const { files } = stage.parts;
    return withDocuments({
      read: (file, ending) => readWholeText(file, files, ending),
      queue: files.queue,
      writeIfUnchanged: files.writeIfUnchanged,
      restoreTexts: files.restoreTexts,
      stored: new ReplacementStore(journal, ({ window }) => Promise.resolve(window === open)),
    });
  }

  async function search(query: { text: string; isRegex?: boolean }, at = place(folder)): Promise<FolderSearch> {
    const { files, listings } = stage.parts;
    const wanted = { isRegex: false, matchCase: true, wholeWord: false, include: '', exclude: '', ...query };
    const found = new FolderSearch(
      { folder: at, query: wanted, exclude: [], largestFile: 1_000_000 },
      {
        knownListing: () => undefined,
        list: (listed) => listings.refresh(listed),
        knownText: (file, entry) => files.edits.knownText(file, entry),
        read: (file, ending) => files.containers.read(file, { signal: ending }),
        measure: (file) => listings.lookUp(file),
        pace: new RequestPace(() => 1_000, 100),
      },
    );
    await found.run();
    assert.deepEqual(found.state, { kind: 'done' });
    return found;
  }

  async function replace(found: FolderSearch, by: string): Promise<Readonly<Record<string, FileOutcome['kind']>>> {
    const { query } = found.scope;
    const replacement = { text: by, isPattern: query.isRegex };
    const { name, files } = await replaceInFiles(
      { files: found.files, matcher: matcherOf(query), replacement },
      deps(),
      {
        signal,
      },
    );
    last = name;
    return byName(files);
  }
  const byName = (outcomes: readonly ReplacedFile[]) =>
    Object.fromEntries(outcomes.map(({ file, outcome }) => [file.path.slice(folder.length + 1), outcome.kind]));

  /** Replaces a text by coffee, in all files or only one. */
  const requestFor = async (searched: string, only?: string) => {
    const { files, scope } = await search({ text: searched });
    return {
      files: files.filter(({ file }) => only === undefined || file.path.endsWith(only)),
      matcher: matcherOf(scope.query),
      replacement: { text: 'coffee', isPattern: false },
    };
  };

  it('changes only ranges that were shown in a log with a login, and keeps the login', async () => {
    const login = 'https://marit:tea@example.com/t.git';
    await put('a.log', `clone ${login} t\n`);
    assert.equal((await search({ text: 'https://[^:]+', isRegex: true })).matchCount, 0);
    const found = await search({ text: 'clone' });
    assert.deepEqual(await replace(found, 'fetch'), { 'a.log': 'saved' });
    assert.equal(await text('a.log'), `fetch ${login} t\n`);
  });

  it('saves and verifies each file, and keeps every other byte', async () => {
    await put('a.conf', 'listen 80;\r\nserver 80;\n');
    await put('deep/b.conf', '\uFEFFlisten 80;');
    await put('c.conf', 'listen 443;\n');
    const found = await search({ text: 'listen (\\d+)', isRegex: true });
    assert.deepEqual(await replace(found, 'listen 1$1'), {
      'a.conf': 'saved',
      'c.conf': 'saved',
      'deep/b.conf': 'saved',
    });
    assert.equal(await text('a.conf'), 'listen 180;\r\nserver 80;\n');
    assert.equal(await text('deep/b.conf'), '\uFEFFlisten 180;');
    assert.equal(await text('c.conf'), 'listen 1443;\n');
  });

  it('replaces only the lines that are left in the results', async () => {
    await put('a.conf', 'tea\ntea\ntea\n');
    const found = await search({ text: 'tea' });
    found.removeLine(place(`${folder}/a.conf`), 1);
    await replace(found, 'coffee');
    assert.equal(await text('a.conf'), 'coffee\ntea\ncoffee\n');
  });

  it('writes nothing that would bring in a NUL or half of a character, neither to a file nor to an editor', async () => {
    await put('a.conf', 'tea\n');
    await put('b.conf', 'tea\n');
    const document = await workspace.openTextDocument(uriOf(place(`${folder}/b.conf`)));
    await typeText(document, 'typed\n');
    const found = await search({ text: 'tea' });
    stage.platform.journal.reset();
    for (const by of ['coffee\0', 'coffee\uD83D']) {
      assert.deepEqual(await replace(found, by), { 'a.conf': 'failed', 'b.conf': 'failed' });
    }
    assert.equal(stage.count('Write'), 0);
    assert.deepEqual([await text('a.conf'), await text('b.conf')], ['tea\n', 'tea\n']);
    assert.equal(document.getText(), 'typed\ntea\n');
  });

  it('keeps a file that changed after the search, and saves the others', async () => {
    const names = ['1.conf', '2.conf', '3.conf', '4.conf', '5.conf'];
    for (const name of names) await put(name, 'tea\n');
    const found = await search({ text: 'tea' });
    await put('3.conf', 'tea, with milk\n');
    assert.deepEqual(await replace(found, 'coffee'), {
      ...Object.fromEntries(names.map((name) => [name, 'saved'])),
      '3.conf': 'conflict',
    });
    // What is announced counts as an edit that a redeploy would discard.
    const one = { base: 'tea\n', text: 'coffee\n', isNew: false };
    assert.deepEqual(
      announced.map(({ place: saved, ...rest }) => ({ saved, ...rest })),
      ['1.conf', '2.conf', '4.conf', '5.conf'].flatMap((name) => [
        { saved: place(`${folder}/${name}`), ...one },
        { saved: wholeLayer(place(`${folder}/${name}`)), ...one, isAgain: true },
      ]),
    );
    assert.deepEqual(await Promise.all(names.map(text)), [
      'coffee\n',
      'coffee\n',
      'tea, with milk\n',
      'coffee\n',
      'coffee\n',
    ]);
  });

  it('changes an editor with unsaved changes, and leaves it unsaved', async () => {
    await put('a.conf', 'tea\n');
    const document = await workspace.openTextDocument(uriOf(place(`${folder}/a.conf`)));
    await typeText(document, 'green ');
    const found = await search({ text: 'tea' });
    assert.deepEqual(await replace(found, 'coffee'), { 'a.conf': 'unsaved' });
    assert.equal(document.getText(), 'green coffee\n');
    assert.ok(document.isDirty);
    assert.equal(await text('a.conf'), 'tea\n');
    assert.ok(await document.save());
    assert.equal(await text('a.conf'), 'green coffee\n');
    assert.deepEqual(byName((await undoReplacement(last, deps(), { signal })) ?? []), { 'a.conf': 'saved' });
    assert.equal(await text('a.conf'), 'green tea\n');
  });

  it('changes no editor if the earlier text cannot be kept, or more is typed while it is', async () => {
    await put('a.conf', 'tea\n');
    const document = await workspace.openTextDocument(uriOf(place(`${folder}/a.conf`)));
    await typeText(document, 'green ');
    const request = await requestFor('tea');
    const unable = deps(openJournal(store, { isForgotten: () => Promise.resolve(true) }));
    const failed = await replaceInFiles(request, unable, { signal });
    assert.deepEqual(byName(failed.files), { 'a.conf': 'failed' });
    assert.equal(document.getText(), 'green tea\n');
    const able = deps();
    const keep = able.stored.keep.bind(able.stored);
    able.stored.keep = async (...replaced) => {
      await keep(...replaced);
      await typeText(document, 'very ');
    };
    assert.deepEqual(byName((await replaceInFiles(request, able, { signal })).files), { 'a.conf': 'failed' });
    assert.equal(document.getText(), 'very green tea\n');
    assert.deepEqual(await able.stored.undoable(), []);
  });

  it('takes its change back in an editor that is still unsaved, unless more was typed', async () => {
    await put('a.conf', 'tea\n');
    const document = await workspace.openTextDocument(uriOf(place(`${folder}/a.conf`)));
    await typeText(document, 'green ');
    await replace(await search({ text: 'tea' }), 'coffee');
    assert.deepEqual(byName((await undoReplacement(last, deps(), { signal })) ?? []), { 'a.conf': 'unsaved' });
    assert.equal(document.getText(), 'green tea\n');
    await replace(await search({ text: 'tea' }), 'coffee');
    await typeText(document, 'very ');
    assert.deepEqual(byName((await undoReplacement(last, deps(), { signal })) ?? []), { 'a.conf': 'edited' });
    assert.equal(document.getText(), 'very green coffee\n');
  });

  it("says that a layer's nodes have different versions, and changes none", async () => {
    await put('a.conf', 'tea\n');
    await cp.put(`${folder}/a.conf`, 'green tea\n', 1);
    const { files, scope } = await search({ text: 'tea' }, wholeLayer(place(folder)));
    const request = { files, matcher: matcherOf(scope.query), replacement: { text: 'coffee', isPattern: false } };
    const [only] = (await replaceInFiles(request, deps(), { signal })).files;
    assert.ok(only?.outcome.kind === 'failed');
    assert.match(String(only.outcome.cause), /its nodes have different versions\. Replace the text on each node$/);
    assert.deepEqual([await text('a.conf'), await cp.text(`${folder}/a.conf`, 1)], ['tea\n', 'green tea\n']);
  });

  it('leaves alone a node that had the new text already when an incomplete save to all nodes is undone', async () => {
    const path = `${folder}/a.conf`;
    await three.putEverywhere(path, 'tea\n');
    await replace(await search({ text: 'tea' }, three.place(folder)), 'coffee');
    // As a colleague did, too.
    await three.put(path, 'coffee\n', 1);
    const others = new Map([[keyOf(three.place(path)), [1, 2].map((node) => three.place(path, node))]]);
    stage.fail('Write', { kind: 'failNode', nodeId: three.nodeId(2) });
    const [saved] = await replaceOnAllNodes(last, others, deps(), { signal });
    assert.equal(saved?.outcome.kind, 'incomplete');
    assert.deepEqual(await three.texts(path), ['coffee\n', 'coffee\n', 'tea\n']);
    await undoReplacement(last, deps(), { signal });
    assert.deepEqual(await three.texts(path), ['tea\n', 'coffee\n', 'tea\n']);
  });

  it('announces a save to all nodes for each, with what the node had, as a save of an editor does', async () => {
    const path = `${folder}/a.conf`;
    await three.putEverywhere(path, 'tea\n');
    await replace(await search({ text: 'tea' }, three.place(folder)), 'coffee');
    await three.put(path, 'coffee\n', 1);
    const others = new Map([[keyOf(three.place(path)), [1, 2].map((node) => three.place(path, node))]]);
    announced = [];
    const [saved] = await replaceOnAllNodes(last, others, deps(), { signal });
    assert.equal(saved?.outcome.kind, 'saved');
    assert.deepEqual(
      announced.map(({ place: { target }, base, text: now, isAgain = false }) => [target.nodeId, base, now, isAgain]),
      [
        [three.nodeId(0), 'tea\n', 'coffee\n', false],
        [undefined, 'tea\n', 'coffee\n', true],
        [three.nodeId(1), 'coffee\n', 'coffee\n', true],
        [three.nodeId(2), 'tea\n', 'coffee\n', true],
      ],
    );
  });

  it("keeps a file that can't be read", async () => {
    await put('a.conf', 'tea\n');
    const found = await search({ text: 'tea' });
    stage.platform.faults.add({ operation: 'Read', fault: { kind: 'refuse', result: 4017, error: 'busy' } });
    assert.deepEqual(await replace(found, 'coffee'), { 'a.conf': 'failed' });
    assert.equal(await text('a.conf'), 'tea\n');
  });

  it('gives all files their earlier texts back, except one that changed since', async () => {
    await put('a.conf', 'tea\r\n');
    await put('b.conf', 'tea\n');
    await replace(await search({ text: 'tea' }), 'coffee');
    await put('b.conf', 'coffee, black\n');
    const undone = await undoReplacement(last, deps(), { signal });
    assert.deepEqual(byName(undone ?? []), { 'a.conf': 'saved', 'b.conf': 'conflict' });
    assert.equal(await text('a.conf'), 'tea\r\n');
    assert.equal(await text('b.conf'), 'coffee, black\n');
  });

  it('undoes the replacement that was asked for, also after a newer one in another window', async () => {
    await put('a.conf', 'tea\n');
    await put('b.conf', 'milk\n');
    await replace(await search({ text: 'tea' }), 'coffee');
    const first = last;
    await replace(await search({ text: 'milk' }), 'cream');
    assert.deepEqual(byName((await undoReplacement(first, deps(), { signal })) ?? []), { 'a.conf': 'saved' });
    assert.equal(await text('b.conf'), 'cream\n');
    assert.equal(await undoReplacement(first, deps(), { signal }), undefined);
    assert.deepEqual(byName((await undoReplacement(last, deps(), { signal })) ?? []), {
      'b.conf': 'saved',
    });
  });

  it('keeps the earlier text of a file that may hold secrets in memory only, until the window closes', async () => {
    await put('.env', 'PASSWORD=tea\n');
    await put('a.conf', 'tea\n');
    const request = await requestFor('tea');
    const window = openJournal(store);
    const shared = deps(window);
    for (const undoing of [shared, deps()]) {
      const { name, files } = await replaceInFiles(request, shared, { signal });
      assert.deepEqual(byName(files), { '.env': 'saved', 'a.conf': 'saved' });
      assert.ok(!(await storedOnDisk()).includes('PASSWORD'));
      const undone = byName((await undoReplacement(name, undoing, { signal })) ?? []);
      assert.deepEqual(undone, { '.env': undoing === shared ? 'saved' : 'failed', 'a.conf': 'saved' });
      // It's said once.
      assert.equal(await undoReplacement(name, deps(), { signal }), undefined);
    }
    assert.equal(await text('.env'), 'PASSWORD=coffee\n');
    await window.journal.forgetAccount(stage.account.slug);
    assert.deepEqual(await shared.stored.undoable(), []);
  });

  it('leaves the text of a file that may hold secrets to the window that replaced it while that is open', async () => {
    await put('.env', 'PASSWORD=tea\n');
    await put('a.conf', 'tea\n');
    const older = await replaceInFiles(await requestFor('tea', 'a.conf'), deps(), { signal });
    await put('a.conf', 'tea\n');
    const window = openJournal(store);
    const first = deps(window);
    const { name } = await replaceInFiles(await requestFor('tea'), first, { signal });
    const other = deps(openJournal(store), window.journal.owner.window);
    assert.deepEqual(await other.stored.undoable(), [name]);
    const [secret, ...others] = (await undoReplacement(name, other, { signal })) ?? [];
    assert.deepEqual(byName(others), { 'a.conf': 'saved' });
    assert.ok(secret?.outcome.kind === 'failed');
    assert.match(String(secret.outcome.cause), /only another open window has its earlier text\. Run Undo Replacement/);
    assert.deepEqual(await other.stored.undoable(), [older.name, name], 'it hides no older one');
    assert.deepEqual(byName((await undoReplacement(name, first, { signal })) ?? []), { '.env': 'saved' });
    assert.equal(await text('.env'), 'PASSWORD=tea\n');
    assert.deepEqual(await other.stored.undoable(), [older.name]);
  });

  it('has nothing to undo before a replacement', async () => {
    assert.equal(await undoReplacement('2026-01-01T00:00:00.000Z', deps(), { signal }), undefined);
    assert.deepEqual(await deps().stored.undoable(), []);
  });

  for (const isOutcomeUnknown of [true, false]) {
    const during = isOutcomeUnknown ? 'a write' : 'the check after a write';
    it(`reports the file as unknown, and the others as not tried, if the person stops waiting for ${during}`, async () => {
      for (const name of ['a.conf', 'b.conf']) await put(name, 'tea\n');
      const { files, scope } = await search({ text: 'tea' });
      const request = { files, matcher: matcherOf(scope.query), replacement: { text: 'coffee', isPattern: false } };
      const cause = new Canceled('Write', { isOutcomeUnknown });
      const outcome = { kind: 'unknown', cause } as const;
      const stopped: ReplaceInFilesDeps = {
        ...deps(),
        writeIfUnchanged: () => Promise.resolve(outcome),
        restoreTexts: ([file]) => Promise.resolve({ restored: [], ...(file && { failed: { file, outcome } }) }),
      };
      const replaced = await replaceInFiles(request, stopped, { signal });
      assert.deepEqual(byName(replaced.files), { 'a.conf': 'unknown', 'b.conf': 'notTried' });
      assert.deepEqual(byName((await undoReplacement(replaced.name, stopped, { signal })) ?? []), {
        'a.conf': 'unknown',
      });
    });
  }

  it('starts no more files after it is canceled', async () => {
    for (const name of ['a.conf', 'b.conf']) await put(name, 'tea\n');
    const found = await search({ text: 'tea' });
    const stop = new AbortController();
    const { files } = await replaceInFiles(
      { files: found.files, matcher: matcherOf(found.scope.query), replacement: { text: 'coffee', isPattern: false } },
      deps(),
      { signal: stop.signal, onDidFinish: () => stop.abort() },
    );
    assert.deepEqual(byName(files), { 'a.conf': 'saved', 'b.conf': 'notTried' });
    assert.equal(await text('b.conf'), 'tea\n');
  });
});
