import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, beforeEach, describe, it } from 'mocha';
import { BaseVersionBackups } from '../../../../../src/files/saving/edits/baseVersionBackups';
import { OpenEdits } from '../../../../../src/files/saving/edits/openEdits';
import type { TextVersion } from '../../../../../src/files/saving/serverFiles';
import type { SaveOutcome } from '../../../../../src/files/saving/saveFile';
import { Backups } from '../../../../../src/files/saving/backups';
import { backupsIn, closedWindow, openJournal, readBackups } from '../../journal/journalSetUp';
import { WindowPresence } from '../../../../../src/storage/windows';
import { PlatformError } from '../../../../../src/platform/errors';
import { fileAt } from '../../../../scene/fileAt';

const place = fileAt('/srv/site.conf', { account: 'anna', node: 7 });

/** A document of an editor, which changes as in VS Code. */
class Document {
  isDirty = false;

  constructor(public text: string) {}

  getText(): string {
    return this.text;
  }
}

const version = (text: string): TextVersion => ({ text, place });

const savedAs = (text: string, lastModified = '2026-02-02 02:02:02'): SaveOutcome => {
  const length = Buffer.byteLength(text);
  const entry = { absolutePath: place.path, name: 'site.conf', isDir: false, length, lastModified };
  return { kind: 'saved', before: [], nodes: [{ node: place, found: { kind: 'text', text, whole: true, entry } }] };
};

describe('edits', () => {
  let folder: string;
  let kept: Backups;
  let edits: OpenEdits;
  let troubles: readonly unknown[];
  /** What happens after a while. */
  const timers = new Set<{ readonly run: () => void }>();
  const sockets = mkdtempSync(join(tmpdir(), 'gantry-windows-'));
  const windows = [new WindowPresence(sockets), new WindowPresence(sockets)] as const;

  const newEdits = (texts: Backups, here = windows[0]) =>
    new OpenEdits(
      new BaseVersionBackups({
        backups: texts,
        isHeldElsewhere: async (entry) => !texts.isOurs(entry) && (await here.isAlive(entry.owner)),
      }),
    );

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'gantry-edits-'));
    const window = openJournal(folder, { presence: windows[0] });
    troubles = window.troubles;
    timers.clear();
    kept = new Backups(window.journal, 'save', {
      after: (_, run) => {
        const timer = { run };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    });
    edits = newEdits(kept);
  });

  afterEach(async () => {
    await onDisk();
    // Edits that are still being written will find no folder. That isn't a failure.
    assert.deepEqual(troubles, []);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });
  after(async () => {
    await Promise.all(windows.map((window) => window.dispose()));
    await rm(sockets, { recursive: true });
  });

  /** Opens the file and types into it. */
  function typed(text: string, begun = 'old\n'): Document {
    edits.given(version(begun));
    const document = new Document(begun);
    edits.opened(place, document);
    document.text = text;
    document.isDirty = true;
    edits.changed(place, document);
    return document;
  }

  const base = async () => {
    const { base: found } = await edits.jobFor(place, 'x', 'document');
    return found.kind === 'version' ? found.version.text : found.kind;
  };

  /** Waits until all changes have reached the disk. */
  async function onDisk() {
    await kept.keep({
      place: { ...place, path: '/other' },
      base: { kind: 'unknown' },
      reportedStat: undefined,
      text: undefined,
    });
    const [found] = await kept.find(place);
    return found;
  }

  const baseOnDisk = async () => {
    const found = (await onDisk())?.base;
    return found?.kind === 'version' ? found.version.text : found?.kind;
  };

  function elapse(): void {
    for (const timer of [...timers]) {
      timers.delete(timer);
      timer.run();
    }
  }

  it('start with the text in the document, not with a version that others read later', async () => {
    edits.given(version('old\n'));
    const document = new Document('old\n');
    edits.opened(place, document);
    edits.given(version('changed by others\n'));
    document.isDirty = true;
    document.text = 'mine\n';
    edits.changed(place, document);
    assert.equal(await base(), 'old\n');
  });

  it('start with the text after a reload', async () => {
    edits.given(version('old\n'));
    const document = new Document('old\n');
    edits.opened(place, document);
    edits.given(version('newer\n'));
    document.text = 'newer\n';
    edits.changed(place, document);
    assert.equal(await base(), 'newer\n');
  });

  describe("don't take a version that others read for the base version", () => {
    const others = () => ['theirs 1\n', 'theirs 2\n', 'theirs 3\n'].forEach((text) => edits.given(version(text)));
    const moved = { ...place, path: '/srv/moved.conf' };

    it('when the file is renamed', async () => {
      const document = typed('mine\n');
      others();
      // VS Code calls a document clean while it renames its file.
      document.isDirty = false;
      edits.changed(place, document);
      edits.renamed(place, moved);
      const again = new Document('mine\n');
      again.isDirty = true;
      edits.opened(moved, again);
      const job = await edits.jobFor(moved, 'mine\n', 'document');
      assert.equal(job.base.kind === 'version' && job.base.version.text, 'old\n');
      // The backup on disk now has the new name.
      document.isDirty = false;
      edits.closed(place, document);
      edits.changed(moved, Object.assign(again, { isDirty: false }));
    });

    it('when a rename fails and the edit continues', async () => {
      const document = typed('mine\n');
      others();
      document.isDirty = false;
      edits.changed(place, document);
      document.isDirty = true;
      edits.changed(place, document);
      assert.equal(await base(), 'old\n');
    });

    it('at the first key press, which VS Code reports before it calls the document dirty', async () => {
      edits.given(version('old\n'));
      const document = new Document('old\n');
      edits.opened(place, document);
      others();
      document.text = 'mine\n';
      edits.changed(place, document);
      document.isDirty = true;
      edits.changed(place, document);
      assert.equal(await base(), 'old\n');
    });

    it('when everything is undone', async () => {
      const document = typed('mine\n');
      others();
      Object.assign(document, { isDirty: false, text: 'old\n' });
      edits.changed(place, document, 'undone');
      Object.assign(document, { isDirty: true, text: 'mine again\n' });
      edits.changed(place, document);
      assert.equal(await base(), 'old\n');
    });
  });

  describe('return on undo to the base version of the restored text', () => {
    const undo = (document: Document, text: string, isDirty = true) => {
      Object.assign(document, { text, isDirty });
      edits.changed(place, document, 'undone');
    };

    it('after a merge, and forward on redo', async () => {
      const document = typed('mine\n');
      edits.remember(place);
      document.text = 'mine and theirs\n';
      edits.changed(place, document);
      edits.merged(place, { kind: 'version', version: version('theirs\n') });
      edits.remember(place);
      assert.equal(await base(), 'theirs\n');
      undo(document, 'mine\n');
      assert.equal(await base(), 'old\n');
      document.text = 'mine and theirs\n';
      edits.changed(place, document, 'redone');
      assert.equal(await base(), 'theirs\n');
    });

    it('also on disk, at once on undo, and on redo only when VS Code has stored the text', async () => {
      const document = typed('mine\n');
      edits.remember(place);
      document.text = 'mine and theirs\n';
      edits.changed(place, document);
      edits.merged(place, { kind: 'version', version: version('theirs\n') });
      edits.remember(place);
      elapse();
      assert.equal(await baseOnDisk(), 'theirs\n');
      undo(document, 'mine\n');
      assert.equal(await baseOnDisk(), 'old\n');
      document.text = 'mine and theirs\n';
      edits.changed(place, document, 'redone');
      assert.equal(await baseOnDisk(), 'old\n');
      elapse();
      assert.equal(await baseOnDisk(), 'theirs\n');
    });

    it('after a reload', async () => {
      edits.given(version('old\n'));
      const document = new Document('old\n');
      edits.opened(place, document);
      edits.given(version('theirs\n'));
      document.text = 'theirs\n';
      edits.changed(place, document);
      undo(document, 'old\n');
      assert.equal(await base(), 'old\n');
    });

    it('after a revert', async () => {
      const document = typed('mine\n');
      edits.given(version('theirs\n'));
      Object.assign(document, { text: 'theirs\n', isDirty: false });
      edits.changed(place, document);
      assert.equal(await base(), 'theirs\n');
      undo(document, 'mine\n');
      assert.equal(await base(), 'old\n');
    });

    it('after a revert that is reported in two events', async () => {
      const document = typed('mine\n');
      edits.given(version('theirs\n'));
      Object.assign(document, { text: 'theirs\n', isDirty: false });
      edits.changed(place, document);
      undo(document, 'mine\n', false);
      document.isDirty = true;
      edits.changed(place, document);
      assert.equal(await base(), 'old\n');
    });

    it('but not if the same text is typed again', async () => {
      edits.given(version('old\n'));
      const document = new Document('old\n');
      edits.opened(place, document);
      edits.given(version('theirs\n'));
      document.text = 'theirs\n';
      edits.changed(place, document);
      Object.assign(document, { text: 'old', isDirty: true });
      edits.changed(place, document);
      document.text = 'old\n';
      edits.changed(place, document);
      assert.equal(await base(), 'theirs\n');
    });

    it("but not after the window's own save, which would cause a conflict with itself", async () => {
      const document = typed('mine\n');
      const job = await edits.jobFor(place, 'mine\n', 'document');
      edits.settled(place, job, savedAs('mine\n'), 'document');
      document.isDirty = false;
      edits.changed(place, document);
      undo(document, 'old\n');
      assert.equal(await base(), 'mine\n');
    });

    it('and not after a merge that was saved, or a revert before a save', async () => {
      const document = typed('mine\n');
      edits.remember(place);
      edits.given(version('theirs\n'));
      Object.assign(document, { text: 'theirs\n', isDirty: false });
      edits.changed(place, document);
      Object.assign(document, { text: 'mine and theirs\n', isDirty: true });
      edits.changed(place, document);
      edits.remember(place);
      const job = await edits.jobFor(place, document.text, 'document');
      edits.settled(place, job, savedAs(document.text), 'document');
      document.isDirty = false;
      edits.changed(place, document, 'saved');
      undo(document, 'mine\n');
      assert.equal(await base(), 'mine and theirs\n');
    });

    it('and to what the user had agreed to overwrite', async () => {
      const theirs = {
        kind: 'text' as const,
        text: 'theirs\n',
        whole: true,
        entry: { absolutePath: '', name: '', isDir: false },
      };
      const accepted = async () => (await edits.jobFor(place, 'x', 'document')).accepted;
      const document = typed('mine\n');
      edits.remember(place);
      document.text = 'mine and theirs\n';
      edits.changed(place, document);
      edits.accept(place, [{ node: place, found: theirs }]);
      edits.remember(place);
      undo(document, 'mine\n');
      assert.deepEqual(await accepted(), []);
      undo(document, 'mine and theirs\n');
      assert.deepEqual(await accepted(), [theirs]);
    });
  });

  describe('with line ends that the editor shows otherwise', () => {
    const shown = 'a\r\nb\r\n';
    const textOf = async (text: string) => (await edits.jobFor(place, text, 'document')).text;
    const openMixed = (): Document => {
      edits.given(version('a\r\nb\n'));
      const document = new Document(shown);
      edits.opened(place, document);
      return document;
    };

    it('keep them in a save without changes, also if it fails, but not in one with changes', async () => {
      const document = openMixed();
      assert.equal(await textOf(shown), 'a\r\nb\n');
      document.isDirty = true;
      edits.changed(place, document);
      assert.equal(await textOf(shown), 'a\r\nb\n');
      assert.equal(await textOf('c\r\n'), 'c\r\n');
    });

    it('keep those of a text that they were given, as long as nothing in it is changed', async () => {
      const document = typed('mine\r\n');
      document.text = shown;
      edits.changed(place, document);
      await edits.rebase(place, { kind: 'version', version: version('a\r\nb\n') });
      edits.keepExact(place, 'a\r\nb\n', shown);
      assert.equal(await textOf(shown), 'a\r\nb\n');
      assert.equal(await textOf('a\r\n'), 'a\r\n');
    });

    it("don't keep those of another version than their base version", async () => {
      const document = openMixed();
      assert.equal(await textOf(shown), 'a\r\nb\n');
      document.isDirty = true;
      edits.changed(place, document);
      await edits.rebase(place, { kind: 'version', version: version('a\nb\n') });
      assert.equal(await textOf(shown), shown);
    });
  });

  it("know the exact text behind an editor's line endings and byte-order mark", async () => {
    edits.given(version('\uFEFFa\r\nb\n'));
    edits.opened(place, new Document('a\r\nb\r\n'));
    assert.equal(await base(), '\uFEFFa\r\nb\n');
  });

  it('keep the base version on disk from the first change, and delete it when the document is clean again', async () => {
    const document = typed('mine\n');
    const found = await onDisk();
    assert.equal(found?.base.kind === 'version' && found.base.version.text, 'old\n');
    document.isDirty = false;
    document.text = 'old\n';
    edits.changed(place, document);
    assert.equal(await onDisk(), undefined);
  });

  it('restore after a restart what an ended window kept', async () => {
    const before = backupsIn(folder, closedWindow('ended'));
    await before.keep({
      place,
      base: { kind: 'version', version: version('old\n') },
      reportedStat: { mtime: 5, size: 4 },
      text: undefined,
    });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'old\n');
    assert.deepEqual(await edits.statWhileEditing(place), { mtime: 5, size: 4 });
    const all = await kept.find(place);
    assert.equal(all.length, 1);
    assert.ok(all.every(({ entry }) => kept.isOurs(entry)));
  });

  it('know after a restart what a save of the ended window had sent, and what was there before', async () => {
    const begun = { kind: 'version', version: version('old\n') } as const;
    await backupsIn(folder, closedWindow('ended')).keep({ place, base: begun, text: 'mine\n' });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    await base();
    const entry = { absolutePath: place.path, name: 'site.conf', isDir: false };
    const seen = (text: string) => [{ node: place, found: { kind: 'text', text, whole: true, entry } } as const];
    assert.deepEqual(kept.takeMade(seen('old\n')), []);
    const [made] = kept.takeMade(seen('mine\n'));
    assert.deepEqual(
      made?.before.map(({ found }) => found.kind === 'text' && found.text),
      ['old\n'],
    );
    assert.deepEqual(kept.takeMade(seen('mine\n')), []);
  });

  it("leave an ended window's backup where it is as long as they can't store their own", async () => {
    const before = backupsIn(folder, closedWindow('ended'));
    await before.keep({
      place,
      base: { kind: 'version', version: version('old\n') },
      reportedStat: undefined,
      text: undefined,
    });
    const full = new Backups(openJournal(folder, { presence: windows[0] }).journal, 'save');
    full.keep = () => Promise.resolve('failed');
    edits = newEdits(full);
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'old\n');
    assert.equal((await before.entries()).length, 1);
  });

  it('know after a restart that another node has only an earlier version', async () => {
    const begun = { kind: 'version', version: version('old\n') } as const;
    await backupsIn(folder, closedWindow('ended')).keep({
      place,
      base: begun,
      reportedStat: undefined,
      text: undefined,
    });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    const saved = await edits.jobFor(place, 'mine\n', 'document');
    document.isDirty = false;
    edits.changed(place, document);
    edits.settled(place, saved, savedAs('mine\n'), 'document');
    const { hasOutdatedVersion } = await edits.jobFor(place, 'mine\n', 'document');
    const otherNode = { ...place, target: { nodeGroup: 'cp', nodeId: 8 } };
    assert.equal(hasOutdatedVersion?.(otherNode, 'old\n'), true);
    assert.equal(hasOutdatedVersion(otherNode, 'by a colleague\n'), false);
    assert.equal(hasOutdatedVersion(place, 'old\n'), false);
  });

  it('leave an interrupted save to all nodes to be offered for the other nodes', async () => {
    const before = backupsIn(folder, closedWindow('ended'));
    const begun = { kind: 'version', version: version('old\n') } as const;
    await before.keep({ place, base: begun, reportedStat: undefined, text: 'mine\n', scope: 'layer' });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'old\n');
    await kept.drop(place);
    assert.deepEqual(
      (await readBackups(before)).map(({ text, scope }) => ({ text, scope })),
      [{ text: 'mine\n', scope: 'layer' }],
    );
  });

  it('start with the text in the document even if the user replaces it all with an earlier one', () => {
    const document = typed('mine\n');
    edits.given(version('mine\n'));
    document.isDirty = false;
    edits.changed(place, document);
    // Someone restores the file, and VS Code loads it.
    edits.given(version('old\n'));
    document.text = 'old\n';
    edits.changed(place, document);
    // VS Code reports an edit while the document is still clean.
    document.text = 'mine\n';
    edits.changed(place, document);
    document.isDirty = true;
    edits.changed(place, document);
    return base().then((found) => assert.equal(found, 'old\n'));
  });

  it('have the base version of another window that shows the same unsaved text, and leave that window its backup', async () => {
    const other = backupsIn(folder, windows[1], { now: () => Date.now() - 60_000 });
    await other.keep({
      place,
      base: { kind: 'version', version: version('old\n') },
      reportedStat: undefined,
      text: undefined,
    });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'old\n');
    await other.drop(place);
    assert.equal((await kept.find(place)).length, 1);
  });

  it('have the base version of their own workspace if two workspaces have changed the file', async () => {
    const closedIn = (workspace: string, window: string) => {
      const closed = closedWindow(`${window} of ${workspace}`);
      return { owner: { ...closed.owner, workspace }, announce: () => closed.announce() };
    };
    const endedIn = async (workspace: string, begun: string, text?: string) => {
      const ended = backupsIn(folder, closedIn(workspace, 'window'));
      await ended.keep({ place, base: { kind: 'version', version: version(begun) }, reportedStat: undefined, text });
    };
    const restoredIn = async (workspace: string) => {
      const { journal } = openJournal(folder, { presence: closedIn(workspace, 'next window') });
      edits = newEdits(new Backups(journal, 'save'));
      edits.opened(place, Object.assign(new Document('mine\n'), { isDirty: true }));
      return base();
    };
    await endedIn('one', 'old\n');
    await endedIn('two', 'newer\n', 'saving\n');
    assert.equal(await restoredIn('three'), 'unknown');
    assert.equal(await restoredIn('one'), 'old\n');
    assert.equal(await restoredIn('two'), 'newer\n');
  });

  it("don't have that of a window that may have merged a moment ago", async () => {
    const other = backupsIn(folder, windows[1]);
    await other.keep({
      place,
      base: { kind: 'version', version: version('old\n') },
      reportedStat: undefined,
      text: undefined,
    });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'unknown');
  });

  it("don't use an interrupted save of a window that is still running", async () => {
    const other = backupsIn(folder, windows[1], { now: () => Date.now() - 60_000 });
    await other.keep({
      place,
      base: { kind: 'version', version: version('old\n') },
      reportedStat: undefined,
      text: 'theirs',
    });
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'unknown');
    assert.equal((await other.find(place)).filter(({ entry }) => other.isOurs(entry)).length, 1);
  });

  it('continue after a change of language, which closes and reopens the document', async () => {
    const document = typed('mine\n');
    edits.closed(place, document);
    edits.opened(place, document);
    assert.equal(await base(), 'old\n');
    assert.ok(edits.isDirty(place));
  });

  it('have no conflict anymore after a merge, and keep its version on disk once VS Code has stored the merged text', async () => {
    const document = typed('mine\n');
    const entry = { absolutePath: '', name: '', isDir: false };
    const found = { kind: 'text', text: 'theirs\n', whole: true, entry } as const;
    const job = await edits.jobFor(place, document.text, 'document');
    edits.settled(place, job, { kind: 'conflict', nodes: [{ node: place, found }] }, 'document');
    document.text = 'mine and theirs\n';
    edits.changed(place, document);
    edits.merged(place, { kind: 'version', version: version('theirs\n') });
    assert.deepEqual(edits.conflictOf(place), []);
    // A window that crashes now may leave the text before the merge, whose save must not overwrite theirs.
    assert.equal(await baseOnDisk(), 'old\n');
    const [first] = timers;
    document.text = 'mine and theirs, too\n';
    edits.changed(place, document);
    assert.ok(timers.size === 1 && first && !timers.has(first), 'typing starts the wait again');
    elapse();
    assert.equal(await baseOnDisk(), 'theirs\n');
  });

  it('keep the text of a save after a merge, however early it was', async () => {
    const document = typed('mine\n');
    assert.equal(await baseOnDisk(), 'old\n');
    document.text = 'mine and theirs\n';
    edits.changed(place, document);
    const theirs = { kind: 'version', version: version('theirs\n') } as const;
    edits.merged(place, theirs);
    await kept.keep({ place, base: theirs, reportedStat: undefined, text: document.text });
    elapse();
    const found = await onDisk();
    assert.deepEqual([found?.text, await baseOnDisk()], ['mine and theirs\n', 'theirs\n']);
  });

  it('keep nothing of a merge that was undone until the document is clean', async () => {
    const document = typed('mine\n');
    assert.equal(await baseOnDisk(), 'old\n');
    document.text = 'mine and theirs\n';
    edits.changed(place, document);
    edits.merged(place, { kind: 'version', version: version('theirs\n') });
    Object.assign(document, { text: 'theirs\n', isDirty: false });
    edits.changed(place, document, 'saved');
    elapse();
    assert.equal(await onDisk(), undefined);
  });

  it('keep a text that they got from another backup until the document is clean, and say if they cannot', async () => {
    const document = typed('mine\n');
    const theirs = { kind: 'version', version: version('theirs\n') } as const;
    assert.equal(await edits.rebase(place, theirs, 'mine\n'), true);
    assert.equal((await onDisk())?.text, 'mine\n');
    document.isDirty = false;
    edits.changed(place, document);
    assert.equal(await onDisk(), undefined);
    typed('mine\n');
    kept.keep = () => Promise.resolve('failed');
    assert.equal(await edits.rebase(place, theirs, 'mine\n'), false);
  });

  describe('report to VS Code', () => {
    it('nothing new while the document is dirty, and nothing newer than already reported', async () => {
      edits.reportedStats.note('anna/shop/cp~7/srv/site.conf', { mtime: 1_000, size: 4 });
      edits.reportedStats.note('anna/shop/cp~7/srv/site.conf', { mtime: 2_000, size: 5 });
      assert.equal(await edits.statWhileEditing(place), undefined);
      typed('mine\n');
      assert.deepEqual(await edits.statWhileEditing(place), { mtime: 1_000, size: 5 });
    });

    it('nothing new during a save, and then the saved version', async () => {
      edits.reportedStats.note('anna/shop/cp~7/srv/site.conf', { mtime: 1_000, size: 4 });
      const document = typed('mine\n');
      const job = await edits.jobFor(place, 'mine\n', 'document');
      assert.deepEqual(job.keeping, { reportedStat: { mtime: 1_000, size: 4 } });
      await edits.during(place, async () => {
        assert.deepEqual(await edits.statWhileEditing(place), { mtime: 1_000, size: 4 });
        edits.settled(place, job, savedAs('mine\n'), 'document');
        assert.equal((await edits.statWhileEditing(place))?.mtime, Date.UTC(2026, 1, 2, 2, 2, 2));
      });
      document.isDirty = false;
      edits.changed(place, document);
      assert.equal(await edits.statWhileEditing(place), undefined);
    });
  });

  describe('after a save', () => {
    const settle = async (outcome: SaveOutcome, text = 'mine\n') =>
      edits.settled(place, await edits.jobFor(place, text, 'document'), outcome, 'document');

    it('start with the saved text', async () => {
      typed('mine\n');
      await settle(savedAs('mine\n'));
      assert.equal(await base(), 'mine\n');
    });

    it('end when the document is clean, if something else wrote the text that it showed before a reload', async () => {
      edits.given(version('old\n'));
      const document = new Document('old\n');
      edits.opened(place, document);
      await settle(savedAs('old\n'), 'old\n');
      edits.given(version('theirs\n'));
      document.text = 'theirs\n';
      edits.changed(place, document);
      assert.ok(!edits.isDirty(place));
      assert.equal(await base(), 'theirs\n');
      assert.equal(await edits.statWhileEditing(place), undefined);
      assert.equal(await onDisk(), undefined);
      Object.assign(document, { text: 'typed\n', isDirty: true });
      edits.changed(place, document);
      assert.ok(edits.isDirty(place));
      Object.assign(document, { text: 'theirs\n', isDirty: false });
      edits.changed(place, document, 'undone');
      assert.ok(!edits.isDirty(place));
      assert.equal(await onDisk(), undefined);
    });

    it('are kept on disk again if the user typed during the save', async () => {
      const document = typed('mine\n');
      const job = await edits.jobFor(place, 'mine\n', 'document');
      document.text = 'mine, and more\n';
      edits.changed(place, document);
      await kept.drop(place);
      edits.settled(place, job, savedAs('mine\n'), 'document');
      const found = await onDisk();
      assert.equal(found?.base.kind === 'version' && found.base.version.text, 'mine\n');
    });

    describe('during which the user typed', () => {
      /** VS Code calls the document clean once it's saved, whatever was typed since the save began. */
      const saveWhileTyping = async (when: 'beforeItIsVerified' | 'after'): Promise<Document> => {
        const document = typed('mine\n');
        const job = await edits.jobFor(place, 'mine\n', 'document');
        const type = () => {
          document.text = 'mine, and more\n';
          edits.changed(place, document);
        };
        if (when === 'beforeItIsVerified') {
          type();
        }
        await kept.drop(place);
        edits.settled(place, job, savedAs('mine\n'), 'document');
        if (when === 'after') {
          type();
        }
        document.isDirty = false;
        edits.changed(place, document);
        edits.changed(place, document, 'saved');
        return document;
      };

      for (const when of ['beforeItIsVerified', 'after'] as const) {
        it(`go on if something was typed during the save (${when})`, async () => {
          await saveWhileTyping(when);
          assert.ok(edits.isDirty(place));
          assert.equal(await base(), 'mine\n');
          assert.equal(await baseOnDisk(), 'mine\n');
        });
      }

      it('go on if the language changes then, which closes and reopens the document', async () => {
        const document = await saveWhileTyping('beforeItIsVerified');
        edits.closed(place, document);
        edits.opened(place, document);
        assert.ok(edits.isDirty(place));
        assert.equal(await base(), 'mine\n');
        assert.equal(await baseOnDisk(), 'mine\n');
      });

      it('end if the user reverts what was typed during the save', async () => {
        const document = await saveWhileTyping('beforeItIsVerified');
        document.text = 'mine\n';
        edits.changed(place, document);
        assert.ok(!edits.isDirty(place));
        assert.equal(await base(), 'mine\n');
        assert.equal(await onDisk(), undefined);
      });

      it('end if the document is closed for good, whatever VS Code said before', async () => {
        const document = await saveWhileTyping('beforeItIsVerified');
        edits.closed(place, Object.assign(document, { isClosed: true }));
        assert.ok(!edits.isDirty(place));
      });

      it("end if the user closes the editor and doesn't save what was typed during the save", async () => {
        const document = await saveWhileTyping('beforeItIsVerified');
        edits.changed(place, document);
        edits.closed(place, document);
        assert.ok(!edits.isDirty(place));
        assert.equal(await onDisk(), undefined);
      });
    });

    it('keep the conflict until the user accepts it, and accept nothing newer', async () => {
      typed('mine\n');
      const found = {
        kind: 'text',
        text: 'theirs\n',
        whole: true,
        entry: { absolutePath: '', name: '', isDir: false },
      } as const;
      await settle({ kind: 'conflict', nodes: [{ node: place, found }] });
      assert.deepEqual(
        edits.conflictOf(place).map((finding) => finding.found),
        [found],
      );
      assert.deepEqual((await edits.jobFor(place, 'mine\n', 'document')).accepted, []);
      edits.accept(place);
      assert.deepEqual((await edits.jobFor(place, 'mine\n', 'document')).accepted, [found]);
      assert.deepEqual(edits.conflictOf(place), []);
    });

    it('have no conflict anymore on a node whose version the user accepts', async () => {
      typed('mine\n');
      const found = {
        kind: 'text',
        text: 'theirs\n',
        whole: true,
        entry: { absolutePath: '', name: '', isDir: false },
      } as const;
      const [first, second] = [7, 8].map((nodeId) => ({ ...place, target: { nodeGroup: 'cp', nodeId } }));
      assert.ok(first && second);
      const nodes = [first, second].map((node) => ({ node, found }));
      await settle({ kind: 'conflict', nodes });
      edits.accept(place, [{ node: { ...first }, found }]);
      assert.deepEqual(
        edits.conflictOf(place).map(({ node }) => node),
        [second],
      );
    });

    it('accept nothing anymore', async () => {
      typed('mine\n');
      const entry = { absolutePath: '', name: '', isDir: false };
      const found = { kind: 'text', text: 'theirs\n', whole: true, entry } as const;
      await settle({ kind: 'conflict', nodes: [{ node: place, found }] });
      edits.accept(place);
      await settle(savedAs('mine\n'));
      assert.deepEqual((await edits.jobFor(place, 'mine\n', 'document')).accepted, []);
    });

    it('to all nodes, take their earlier text on a node for a change, and reach one node again', async () => {
      const document = typed('mine\n');
      edits.setScope(place, 'layer');
      await settle(savedAs('mine\n'));
      edits.setScope(place, 'layer');
      document.isDirty = false;
      edits.changed(place, document, 'saved');
      const { scope, hasOutdatedVersion } = await edits.jobFor(place, 'mine\n', 'document');
      assert.equal(scope, 'place');
      assert.equal(hasOutdatedVersion?.({ ...place, target: { nodeGroup: 'cp', nodeId: 8 } }, 'old\n'), false);
    });

    it('recognize a write that may still arrive as their own', async () => {
      typed('mine\n');
      const cause = new PlatformError({ kind: 'timeout', operation: 'Write', message: '', isOutcomeUnknown: true });
      await settle({ kind: 'failed', cause });
      const { accepted } = await edits.jobFor(place, 'mine, later\n', 'document');
      assert.deepEqual(
        accepted.map((found) => found.kind === 'text' && found.text),
        ['mine\n'],
      );
    });

    it('recognize the part of their text that a full disk left, and nothing else', async () => {
      typed('mine\n');
      const of = (text: string) => ({
        node: place,
        state: 'other' as const,
        found: { kind: 'text' as const, text, whole: true, entry: { absolutePath: '', name: '', isDir: false } },
      });
      await settle({ kind: 'incomplete', nodes: [of('mi'), of('other')] });
      const { accepted } = await edits.jobFor(place, 'x', 'document');
      assert.deepEqual(
        accepted.map((found) => found.kind === 'text' && found.text),
        ['mine\n', 'mi'],
      );
    });

    it('by something else in this window, whose result is uncertain, accept nothing, and have its conflict', async () => {
      typed('mine\n');
      const cause = new PlatformError({ kind: 'timeout', operation: 'Write', message: '', isOutcomeUnknown: true });
      const found = {
        kind: 'text' as const,
        text: 'by a',
        whole: true,
        entry: { absolutePath: '', name: '', isDir: false },
      };
      const outcomes: readonly SaveOutcome[] = [
        { kind: 'unknown', cause },
        { kind: 'failed', cause },
        { kind: 'incomplete', nodes: [{ node: place, state: 'other', found }], cause },
      ];
      for (const outcome of outcomes) {
        edits.settled(place, await edits.jobFor(place, 'by a tool\n', 'others'), outcome, 'others');
        assert.deepEqual((await edits.jobFor(place, 'mine\n', 'document')).accepted, [], outcome.kind);
      }
      assert.deepEqual(
        edits.conflictOf(place).map((one) => one.found),
        [found],
      );
    });

    it('by something else in this window, keep their base version, also on disk', async () => {
      typed('mine\n');
      const job = await edits.jobFor(place, 'by a tool\n', 'others');
      assert.equal(job.base.kind, 'version');
      edits.reportedStats.note('anna/shop/cp~7/srv/site.conf', { mtime: 1_000, size: 4 });
      await kept.drop(place);
      edits.settled(place, job, savedAs('by a tool\n'), 'others');
      assert.equal(await base(), 'old\n');
      const found = await onDisk();
      assert.equal(found?.base.kind === 'version' && found.base.version.text, 'old\n');
      // With a later time, VS Code would refuse the next save.
      assert.deepEqual(await edits.statWhileEditing(place), { mtime: 1_000, size: 4 });
    });
  });

  it("let other writers replace a file that isn't being edited", async () => {
    assert.equal((await edits.jobFor(place, 'x', 'others')).base.kind, 'anything');
    edits.given(version('old\n'));
    edits.opened(place, new Document('old\n'));
    assert.equal((await edits.jobFor(place, 'x', 'others')).base.kind, 'anything');
  });

  it('continue under a new name with the base version from before', async () => {
    const document = typed('mine\n');
    document.isDirty = false;
    edits.changed(place, document);
    const to = { ...place, path: '/srv/renamed.conf' };
    edits.renamed(place, to);
    edits.closed(place, document);
    const moved = new Document('mine\n');
    moved.isDirty = true;
    edits.opened(to, moved);
    const { base: found } = await edits.jobFor(to, 'mine\n', 'document');
    assert.ok(found.kind === 'version' && found.version.text === 'old\n');
  });

  it('continue under a new name even if VS Code opens their document as clean first', async () => {
    const document = typed('mine\n');
    edits.given(version('theirs\n'));
    document.isDirty = false;
    edits.changed(place, document);
    const to = { ...place, path: '/srv/renamed.conf' };
    edits.renamed(place, to);
    const moved = new Document('mine\n');
    edits.opened(to, moved);
    moved.isDirty = true;
    edits.changed(to, moved);
    const { base: found } = await edits.jobFor(to, 'mine\n', 'document');
    assert.ok(found.kind === 'version' && found.version.text === 'old\n');
  });

  it('recognize their own text, even if the user types while its save starts', async () => {
    const document = typed('mine\n');
    await edits.statWhileEditing(place);
    document.text = 'mine, and more\n';
    edits.changed(place, document);
    assert.ok(edits.isShown(place, 'mine\n'));
    const job = await edits.jobFor(place, 'mine\n', 'document');
    edits.settled(place, job, savedAs('mine\n'), 'document');
    assert.equal(await base(), 'mine\n');
    const found = await onDisk();
    assert.equal(found?.base.kind === 'version' && found.base.version.text, 'mine\n');
  });

  it('reach as many nodes as requested, even if the document shows its text in another encoding', async () => {
    edits.given(version('grüße\n'));
    edits.opened(place, new Document('grÃ¼Ã\u009fe\n'));
    edits.setScope(place, 'layer');
    const job = await edits.jobFor(place, 'grüße\n', 'others');
    assert.deepEqual([job.scope, job.base.kind], ['layer', 'version']);
  });

  it("don't count a running save as one to all nodes if those were requested later", async () => {
    typed('mine\n');
    const underway = await edits.jobFor(place, 'mine\n', 'document');
    edits.setScope(place, 'layer');
    edits.settled(place, underway, savedAs('mine\n'), 'document');
    assert.equal(edits.savedNodes(place), undefined);
    edits.setScope(place, 'layer');
    const job = await edits.jobFor(place, 'mine\n', 'document');
    edits.settled(place, job, savedAs('mine\n'), 'document');
    assert.equal(edits.savedNodes(place), 1);
  });

  it('can be saved even if no backup can be read', async () => {
    const noFolder = join(folder, 'file');
    await writeFile(noFolder, '');
    const { journal, troubles: said } = openJournal(noFolder, { presence: windows[0] });
    const unreadable = new BaseVersionBackups({
      backups: new Backups(journal, 'save'),
      isHeldElsewhere: () => Promise.resolve(false),
    });
    edits = new OpenEdits(unreadable);
    const document = new Document('mine\n');
    document.isDirty = true;
    edits.opened(place, document);
    assert.equal(await base(), 'unknown');
    assert.equal(said.length, 1);
  });

  it("recognize their own text, even if half a character can't be written", () => {
    typed('a\uD800b\n');
    assert.ok(edits.isShown(place, 'a\uFFFDb\n'));
    assert.ok(!edits.isShown(place, 'ab\n'));
  });

  it('keep what was read when the window changes the file without an editor, as long as one shows its text', () => {
    edits.given(version('old\n'));
    const document = new Document('old\n');
    edits.opened(place, document);
    edits.forgetTexts(place);
    assert.ok(edits.isNewText(version('theirs\n')));
    edits.closed(place, document);
    edits.forgetTexts(place);
    assert.ok(!edits.isNewText(version('theirs\n')));
  });

  it("don't recognize a text that was discarded", async () => {
    const document = typed('mine\n');
    await edits.statWhileEditing(place);
    Object.assign(document, { text: 'old\n', isDirty: false });
    edits.changed(place, document);
    assert.ok(!edits.isShown(place, 'mine\n'));
  });

  describe("in a notebook or a custom editor, which doesn't expose its text,", () => {
    /** What VS Code exposes of such an editor. */
    interface Tab {
      isDirty: boolean;
    }

    const open = (how?: 'opened' | 'restored', isDirty = false): Tab => {
      const tab = { isDirty };
      edits.opened(place, tab, how);
      return tab;
    };

    const change = (tab: Tab, isDirty: boolean) => {
      tab.isDirty = isDirty;
      edits.changed(place, tab);
    };

    /** Opens the file and changes it. */
    const changed = (begun = 'old\n'): Tab => {
      edits.given(version(begun));
      const tab = open();
      change(tab, true);
      return tab;
    };

    /** VS Code doesn't say that the editor writes. */
    const write = (text = 'mine\n') => edits.jobFor(place, text, 'others');
    const baseOfWrite = async () => {
      const { base: found } = await write();
      return found.kind === 'version' ? found.version.text : found.kind;
    };
    const settle = async (outcome: SaveOutcome, text = 'mine\n') =>
      edits.settled(place, await write(text), outcome, 'others');

    const found = (text: string) => ({
      kind: 'text' as const,
      text,
      whole: true,
      entry: { absolutePath: '', name: '', isDir: false },
    });
    const conflict = (text: string): SaveOutcome => ({
      kind: 'conflict',
      nodes: [{ node: place, found: found(text) }],
    });

    const leftByEndedWindow = (text: string) => {
      const before = backupsIn(folder, closedWindow('ended'));
      const kind = 'version' as const;
      return before.keep({ place, base: { kind, version: version(text) }, reportedStat: undefined, text: undefined });
    };

    it('start with the text that was read when it opened, not with one that others read later', async () => {
      changed();
      edits.given(version('theirs\n'));
      assert.equal(await baseOfWrite(), 'old\n');
    });

    it('keep the base version on disk from the first change, and delete it when the editor is clean again', async () => {
      const tab = changed();
      const onDiskThen = await onDisk();
      assert.equal(onDiskThen?.base.kind === 'version' && onDiskThen.base.version.text, 'old\n');
      change(tab, false);
      assert.equal(await onDisk(), undefined);
    });

    it('are checked even if VS Code has not reported the change yet, and write exactly their text', async () => {
      edits.given(version('a\r\nb\n'));
      open();
      const job = await write('a\nb\n');
      assert.equal(job.base.kind === 'version' && job.base.version.text, 'a\r\nb\n');
      assert.equal(job.text, 'a\nb\n');
    });

    it("don't know their base version if others read something else before they change", async () => {
      edits.given(version('old\n'));
      open();
      edits.given(version('theirs\n'));
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it('or between an undo and the next change', async () => {
      const tab = changed();
      change(tab, false);
      edits.given(version('theirs\n'));
      change(tab, true);
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it('or right after a save', async () => {
      const tab = changed();
      await settle(savedAs('mine\n'));
      edits.given(version('theirs\n'));
      change(tab, false);
      change(tab, true);
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it("don't know it either after another tab opened with what others read", async () => {
      edits.given(version('old\n'));
      open();
      edits.given(version('theirs\n'));
      open();
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it('keep their base version when another tab shows the file', async () => {
      changed();
      edits.given(version('theirs\n'));
      open('opened', true);
      assert.equal(await baseOfWrite(), 'old\n');
      assert.ok(edits.isDirty(place));
    });

    it('keep the conflict when their tab changes, until the user accepts it, and accept nothing newer', async () => {
      edits.given(version('old\n'));
      const tab = open();
      await settle(conflict('theirs\n'));
      // It became the active tab.
      change(tab, false);
      assert.deepEqual(
        edits.conflictOf(place).map((one) => one.found),
        [found('theirs\n')],
      );
      assert.equal(edits.textNotSaved(place), 'mine\n');
      assert.deepEqual((await write()).accepted, []);
      edits.accept(place);
      assert.deepEqual((await write()).accepted, [found('theirs\n')]);
      assert.deepEqual(edits.conflictOf(place), []);
    });

    it('keep the conflict when a text editor that shows the same file is reverted', async () => {
      const document = typed('from the text editor\n');
      const tab = open();
      change(tab, true);
      await settle(conflict('theirs\n'));
      Object.assign(document, { text: 'old\n', isDirty: false });
      edits.changed(place, document);
      assert.equal(edits.conflictOf(place).length, 1);
    });

    it('have no conflict anymore when they are undone', async () => {
      const tab = changed();
      await settle(conflict('theirs\n'));
      edits.accept(place);
      await settle(conflict('newer\n'));
      change(tab, false);
      assert.deepEqual(edits.conflictOf(place), []);
      change(tab, true);
      assert.deepEqual((await write()).accepted, []);
      assert.equal(await baseOfWrite(), 'old\n');
    });

    it('start with the saved text, and have nothing left of the attempts before', async () => {
      const tab = changed();
      await settle(conflict('theirs\n'));
      edits.accept(place);
      await settle(savedAs('mine\n'));
      assert.equal(edits.textNotSaved(place), undefined);
      change(tab, false);
      change(tab, true);
      const job = await write();
      assert.equal(job.base.kind === 'version' && job.base.version.text, 'mine\n');
      assert.deepEqual(job.accepted, []);
    });

    it('accept nothing that a text editor may have saved to the same file', async () => {
      changed();
      const document = typed('from the text editor\n');
      const cause = new PlatformError({ kind: 'timeout', operation: 'Write', message: '', isOutcomeUnknown: true });
      const job = await edits.jobFor(place, document.text, 'document');
      edits.settled(place, job, { kind: 'unknown', cause }, 'document');
      assert.deepEqual((await write()).accepted, []);
      assert.equal((await edits.jobFor(place, document.text, 'document')).accepted.length, 1);
    });

    it('keep their base version when a text editor saves the same file', async () => {
      changed();
      const document = typed('from the text editor\n');
      const job = await edits.jobFor(place, document.text, 'document');
      edits.settled(place, job, savedAs(document.text), 'document');
      assert.equal(await baseOfWrite(), 'old\n');
      assert.equal(await base(), 'from the text editor\n');
    });

    it("don't know their base version if a text editor saved the same file before", async () => {
      edits.given(version('old\n'));
      const tab = open();
      const document = typed('from the text editor\n');
      edits.settled(place, await edits.jobFor(place, document.text, 'document'), savedAs(document.text), 'document');
      change(tab, true);
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it('have another base version than a text editor that shows the same file, and its own life', async () => {
      const tab = changed();
      edits.given(version('theirs\n'));
      const document = new Document('theirs\n');
      edits.opened(place, document);
      assert.deepEqual([await baseOfWrite(), await base()], ['old\n', 'theirs\n']);
      edits.closed(place, document);
      assert.ok(edits.isDirty(place));
      edits.opened(place, document);
      tab.isDirty = false;
      edits.closed(place, tab);
      assert.ok(!edits.isDirty(place));
      assert.equal((await write()).base.kind, 'anything');
      assert.equal(await base(), 'theirs\n');
    });

    it('restore after a restart what an ended window kept, if they open changed', async () => {
      await leftByEndedWindow('old\n');
      edits.given(version('theirs\n'));
      open('opened', true);
      assert.equal(await baseOfWrite(), 'old\n');
    });

    it('restore it even if VS Code reports the change later, because the tab was restored', async () => {
      await leftByEndedWindow('old\n');
      change(open('restored'), true);
      assert.equal(await baseOfWrite(), 'old\n');
    });

    it("don't restore it if the restored tab shows what was read, even if a write begins the edit", async () => {
      await leftByEndedWindow('old\n');
      const tab = open('restored');
      edits.given(version('theirs\n'));
      assert.equal(await baseOfWrite(), 'theirs\n');
      change(tab, true);
      assert.equal(await baseOfWrite(), 'theirs\n');
    });

    it("don't restore it in a tab that opens later, which shows what is on the server", async () => {
      await leftByEndedWindow('old\n');
      change(open('opened'), true);
      assert.equal(await baseOfWrite(), 'unknown');
    });

    it('continue under a new name with the base version from before, and keep it on disk', async () => {
      changed();
      const to = { ...place, path: '/srv/renamed.conf' };
      edits.renamed(place, to);
      const moved = { isDirty: true };
      edits.opened(to, moved);
      const job = await edits.jobFor(to, 'mine\n', 'others');
      assert.equal(job.base.kind === 'version' && job.base.version.text, 'old\n');
      await onDisk();
      const [onDiskThen] = await kept.find(to);
      assert.equal(onDiskThen?.base.kind === 'version' && onDiskThen.base.version.text, 'old\n');
    });

    it('begin under a new name with what was read under the one before', async () => {
      edits.given(version('old\n'));
      open();
      const to = { ...place, path: '/srv/renamed.conf' };
      edits.renamed(place, to);
      edits.opened(to, { isDirty: false });
      const job = await edits.jobFor(to, 'mine\n', 'others');
      assert.equal(job.base.kind === 'version' && job.base.version.text, 'old\n');
    });

    it('leave a moved file the base version of its text, if a text editor shows it too', async () => {
      const document = typed('mine\n', 'of the text\n');
      edits.given(version('of the notebook\n'));
      open();
      const to = { ...place, path: '/srv/renamed.conf' };
      edits.renamed(place, to);
      document.isDirty = true;
      edits.opened(to, document);
      const { base: of } = await edits.jobFor(to, 'mine\n', 'document');
      assert.equal(of.kind === 'version' && of.version.text, 'of the text\n');
    });

    it('report an earlier time to VS Code while they are open, so that a revert reads the file', async () => {
      edits.reportedStats.note('anna/shop/cp~7/srv/site.conf', { mtime: 1_000, size: 4 });
      const tab = changed();
      assert.deepEqual(await edits.statWhileEditing(place), { mtime: 999, size: 4 });
      change(tab, false);
      assert.equal(await edits.statWhileEditing(place), undefined);
    });

    it('may be saved by any write, because VS Code does not say who writes', () => {
      assert.deepEqual([edits.mayBeSave(place, 'document'), edits.mayBeSave(place, 'others')], [true, false]);
      typed('mine\n');
      assert.equal(edits.mayBeSave(place, 'others'), false);
      open();
      assert.equal(edits.mayBeSave(place, 'others'), true);
    });
  });

  describe('know the text of a file without reading it', () => {
    const listed = (text: string, lastModified?: string) => ({
      absolutePath: place.path,
      name: 'site.conf',
      isDir: false,
      length: Buffer.byteLength(text),
      ...(lastModified === undefined ? {} : { lastModified }),
    });
    const before = '2026-02-02 02:02:02';
    const read = (text: string, entry = listed(text, before)) => edits.given(version(text), entry);

    it('if it has changes that are not saved', () => {
      typed('typed\n');
      assert.equal(edits.knownText(place, listed('anything', before)), 'typed\n');
    });

    it('if it is listed as it was before it was read', () => {
      assert.equal(edits.knownText(place, listed('old\n', before)), undefined);
      read('old\n');
      edits.opened(place, new Document('old\n'));
      assert.equal(edits.knownText(place, listed('old\n', before)), 'old\n');
      assert.equal(edits.knownText(place, listed('old\n', '2026-02-02 02:02:03')), undefined);
      assert.equal(edits.knownText(place, listed('older\n', before)), undefined);
    });

    it('not if the listing shows too little, or the text was not all of the file', () => {
      read('old\n', listed('old\n'));
      assert.equal(edits.knownText(place, listed('old\n')), undefined);
      read('old\n', listed('older\n', before));
      assert.equal(edits.knownText(place, listed('older\n', before)), undefined);
      edits.given(version('new\n'));
      assert.equal(edits.knownText(place, listed('new\n', before)), undefined);
    });

    it('not after it was saved, because no listing was there before the text', async () => {
      read('old\n');
      const document = typed('new\n');
      edits.settled(place, await edits.jobFor(place, 'new\n', 'document'), savedAs('new\n'), 'document');
      document.isDirty = false;
      edits.changed(place, document, 'saved');
      assert.equal(edits.knownText(place, listed('new\n', before)), undefined);
      assert.equal(edits.knownText(place, listed('old\n', before)), undefined);
    });
  });
});
