import assert from 'node:assert/strict';
import { rename as renameOnDisk } from 'node:fs/promises';
import { relative } from 'node:path/posix';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, env, Uri, workspace } from 'vscode';
import { backupsIn, closedWindow, readBackups } from '../../../unit/files/journal/journalSetUp';
import { Canceled } from '../../../../src/platform/errors';
import type { Moves } from '../../../../src/files/provider/moves';
import { type FailedOverwrite, OverwriteBackups } from '../../../../src/files/provider/overwriteBackups';
import { movedContentsOf } from '../../../../src/files/provider/previousContent';
import { closeWithoutSaving, comparedTexts, openInEditor, replaceAll } from '../../support/editing';
import { nextEvent, until } from '../../support/event';
import { windowScene } from '../../support/windowScene';

const binary = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 255]);

describe('an overwriting move or copy', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 }).below('/srv/www');
  const { exists, makeFolder, onDisk, put, remove, text, uri: at } = cp;
  const { changes, hang, person } = scene;
  const { fs } = workspace;

  beforeEach(async () => {
    await remove('.');
    await put('a.conf', 'new\n');
    await put('b.conf', 'old\n');
    await put('site/index.html', 'new site\n');
    await put('live/index.html', 'old site\n');
    await put('live/logo.png', binary);
    scene.parts.listings.forgetAll();
    // Otherwise, VS Code may know the folder from an earlier test, and its files would be someone else's.
    await fs.readDirectory(at('live'));
    scene.forget();
  });

  afterEach(async () => {
    const { backups, overwritten } = scene.parts.files;
    await backups.settled();
    await Promise.all((await overwritten.entries()).map((kept) => overwritten.discard(kept)));
  });

  const names = (folder = '.') => cp.names(folder);
  const fail = (operation: string, nth = 1) =>
    scene.fail(operation, { kind: 'refuse', result: 4075, error: 'no space left' }, { nth });
  /** Clicks Restore in the error, and returns once the content is back. */
  const restoring = async (work: () => Thenable<unknown>, isBack: () => Promise<boolean>) => {
    await person.answering([{ presses: 'Restore' }], async () => {
      await assert.rejects(async () => work());
      await until(scene.parts.files.fileSystem.onDidChangeFile, isBack);
    });
  };
  /** Long enough for a request that waits for nothing. */
  const roundTrips = async () => {
    for (let trip = 0; trip < 20; trip += 1) {
      scene.parts.listings.forgetAll();
      await fs.readDirectory(at('.'));
    }
  };

  it('keeps a text from someone else that this window has never read, until it is tried again', async () => {
    await fs.readFile(at('b.conf'));
    // As long as before, so that a listing shows no difference.
    await put('b.conf', 'OLD\n');
    await assert.rejects(
      async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }),
      /someone changed it after Gantry last read it, so it was kept\. Check it, then try again\./,
    );
    assert.deepEqual(changes(), []);
    assert.equal(await text('b.conf'), 'OLD\n');
    await fs.delete(at('b.conf'), { recursive: true });
    assert.deepEqual(await names(), ['a.conf', 'live', 'site']);
  });

  it('deletes what this window wrote in any way', async () => {
    await fs.readFile(at('b.conf'));
    // Windows of one browser share it.
    await env.clipboard.writeText('');
    await person.answering(['more'], () => commands.executeCommand('gantry.file.append', at('b.conf')));
    await fs.delete(at('b.conf'), { recursive: true });
    // As a replacement, a restored version, or an agent's edit does.
    await put('b.conf', 'old\n');
    await fs.readFile(at('b.conf'));
    const place = cp.place('b.conf');
    const { queue, writeIfUnchanged } = scene.parts.files;
    const outcome = await queue.take([place], () => writeIfUnchanged(place, { before: 'old\n', text: 'newer\n' }));
    assert.equal(outcome.kind, 'saved');
    await fs.delete(at('b.conf'), { recursive: true });
    await fs.writeFile(at('b.conf'), Buffer.from('again\n'));
    await fs.delete(at('b.conf'), { recursive: true });
    assert.ok(!exists('b.conf'));
  });

  const holds = (name: string, content: string) => async () => exists(name) && (await text(name)) === content;

  it('replaces a file and leaves nothing behind', async () => {
    await fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
    assert.equal(await text('b.conf'), 'new\n');
    assert.deepEqual(await names(), ['b.conf', 'live', 'site']);
    assert.deepEqual(changes(), ['Delete', 'Rename']);
    const place = cp.place('b.conf');
    assert.deepEqual(await scene.parts.files.overwritten.find(place), []);
  });

  it('replaces a folder and leaves nothing behind', async () => {
    await fs.copy(at('site'), at('live'), { overwrite: true });
    await scene.parts.files.backups.settled();
    assert.equal(await text('live/index.html'), 'new site\n');
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.deepEqual(changes(), ['Rename', 'Copy', 'Delete']);
  });

  it("restores a file that it couldn't replace", async () => {
    fail('Rename');
    await restoring(() => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }), holds('b.conf', 'old\n'));
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.match(
      person.seen[0] ?? '',
      /Couldn't overwrite b\.conf\. Gantry kept its previous content on this computer\./,
    );
  });

  for (const typed of ['', 'mine\n']) {
    it(`restores it also if an editor shows it${typed && ' with unsaved changes'}, without a question about a conflict`, async () => {
      // VS Code goes on reading a document that was closed.
      await put('c.conf', 'old\n');
      const document = await openInEditor(at('c.conf'));
      if (typed !== '') await replaceAll(document, typed);
      fail('Rename');
      await restoring(() => fs.rename(at('a.conf'), at('c.conf'), { overwrite: true }), holds('c.conf', 'old\n'));
      await scene.parts.settled();
      const others = person.seen.filter((seen) => !seen.startsWith("Couldn't overwrite c.conf."));
      assert.deepEqual(others, []);
      // VS Code may have read the file before the text was written.
      await until(workspace.onDidChangeTextDocument, () => document.getText() === (typed || 'old\n'));
      if (typed !== '') {
        assert.ok(await document.save());
        assert.equal(await text('c.conf'), typed);
      }
      await closeWithoutSaving();
    });
  }

  it("restores a folder that it couldn't replace, with files that aren't text", async () => {
    fail('Copy');
    await restoring(() => fs.copy(at('site'), at('live'), { overwrite: true }), holds('live/index.html', 'old site\n'));
    assert.ok((await cp.bytes('live/logo.png')).equals(binary));
    assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    assert.match(
      person.seen[0] ?? '',
      /Couldn't overwrite live\. Gantry kept its previous content as \/srv\/www\/\.live\./,
    );
  });

  it("restores a binary file that it couldn't replace", async () => {
    fail('Rename', 2);
    const logo = 'live/logo.png';
    await restoring(
      () => fs.rename(at('a.conf'), at(logo), { overwrite: true }),
      () => Promise.resolve(exists(logo)),
    );
    assert.ok((await cp.bytes(logo)).equals(binary));
  });

  it("keeps the old content on disk if the user doesn't restore it", async () => {
    fail('Rename');
    await person.answering([], () =>
      fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }).then(undefined, () => undefined),
    );
    const place = cp.place('b.conf');
    const [kept] = await scene.parts.files.overwritten.find(place);
    assert.equal(kept?.text, 'old\n');
  });

  it('keeps what an earlier one left on disk when the same file is overwritten or deleted again', async () => {
    const place = cp.place('b.conf');
    const { backups, overwritten } = scene.parts.files;
    const texts = async () => (await overwritten.find(place)).map((kept) => kept.text).sort();
    await person.answering([], async () => {
      for (const content of ['old\n', 'newer\n']) {
        await put('b.conf', content);
        scene.parts.listings.forgetAll();
        fail('Rename');
        await assert.rejects(async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }));
      }
    });
    assert.deepEqual(await texts(), ['newer\n', 'old\n']);
    await put('b.conf', 'newest\n');
    scene.parts.listings.forgetAll();
    await fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
    await backups.settled();
    assert.deepEqual(await texts(), ['newer\n', 'old\n']);
  });

  it("doesn't restore over what someone else created there", async () => {
    const rename = scene.hang('Rename');
    const taken = "Couldn't restore b.conf: the name is taken. Rename the other item, then try again.";
    await person.answering([{ presses: 'Restore' }, { presses: 'Compare' }], async () => {
      const renamed = fs.rename(at('a.conf'), at('b.conf'), { overwrite: true });
      await rename.reached;
      await put('b.conf', 'theirs\n');
      rename.release();
      await assert.rejects(async () => renamed, { code: 'FileExists' });
      // It can be restored after the comparison, too.
      await until(person.onDidSee, () => person.seen.filter((one) => one === taken).length === 2);
    });
    assert.deepEqual(await comparedTexts(), ['old\n', 'theirs\n']);
    await closeWithoutSaving();
    assert.equal(await text('b.conf'), 'theirs\n');
    assert.equal(await text('a.conf'), 'new\n');
  });

  it('keeps the content if someone writes to the file while it is restored', async () => {
    // The comparison of the test before has read another text.
    await fs.readFile(at('b.conf'));
    fail('Rename');
    const created = scene.platform.faults.add({ operation: 'Create', fault: { kind: 'hang', when: 'after' } });
    const different = () => person.seen.filter((one) => one.startsWith("Couldn't restore b.conf: it changed in the"));
    await person.answering([{ presses: 'Restore' }, { presses: 'Compare' }], async () => {
      await assert.rejects(async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }));
      await created.reached;
      await put('b.conf', 'theirs\n');
      created.release();
      await until(person.onDidSee, () => different().length === 2);
    });
    assert.deepEqual(await comparedTexts(), ['old\n', 'theirs\n']);
    await closeWithoutSaving();
    assert.equal(await text('b.conf'), 'theirs\n');
    assert.equal((await scene.parts.files.overwritten.find(cp.place('b.conf')))[0]?.text, 'old\n');
  });

  it("doesn't restore what it moved aside over what someone else created there, also if the platform would", async () => {
    const logo = 'live/logo.png';
    const isSeen = (start: string) => person.seen.some((one) => one.startsWith(start));
    const when = until(person.onDidSee, () => isSeen("Couldn't overwrite logo.png.")).then(() => put(logo, 'theirs\n'));
    scene.platform.behaviour.existingTarget = 'overwritten';
    fail('Rename', 2);
    await person.answering([{ presses: 'Restore', when }], async () => {
      await assert.rejects(async () => fs.rename(at('a.conf'), at(logo), { overwrite: true }));
      await Promise.race([
        until(person.onDidSee, () => isSeen("Couldn't restore logo.png: the name is taken.")),
        nextEvent(scene.parts.files.backups.onDidLetGo),
      ]);
    });
    assert.equal(await text(logo), 'theirs\n');
    const aside = (await names('live')).find((name) => name.startsWith('.logo.png.')) ?? '';
    assert.ok((await cp.bytes(`live/${aside}`)).equals(binary));
  });

  it("keeps the new file if the old content can't be deleted, also if the platform replaces the target of a rename", async () => {
    scene.platform.behaviour.existingTarget = 'overwritten';
    fail('Delete');
    await person.answering([], async () => {
      await fs.rename(at('a.conf'), at('live/logo.png'), { overwrite: true });
      await scene.parts.files.backups.settled();
    });
    assert.equal(await text('live/logo.png'), 'new\n');
    assert.match(person.seen[0] ?? '', /Couldn't fully delete \S+\/logo\.png: .* What's left is in \S+\/\.logo\.png\./);
  });

  it("says why it couldn't restore, and restores when tried again", async () => {
    fail('Rename');
    fail('Write');
    await person.answering([{ presses: 'Restore' }, { presses: 'Restore' }], async () => {
      await assert.rejects(async () => fs.rename(at('a.conf'), at('b.conf'), { overwrite: true }));
      await until(scene.parts.files.fileSystem.onDidChangeFile, holds('b.conf', 'old\n'));
    });
    assert.match(person.seen.at(-1) ?? '', /^Couldn't restore b\.conf\. Couldn't .*disk is full/);
  });

  it("from this computer restores a file that it couldn't replace", async () => {
    const uri = Uri.file(await scene.putLocal('a.conf', 'local\n'));
    fail('Write');
    await restoring(() => fs.copy(uri, at('b.conf'), { overwrite: true }), holds('b.conf', 'old\n'));
  });

  it("from this computer restores a folder that it couldn't replace", async () => {
    await scene.putLocal('site/index.html', 'local\n');
    const uri = Uri.file(scene.local('site'));
    fail('Write');
    await person.answering([], () => fs.copy(uri, at('live'), { overwrite: true }).then(undefined, () => undefined));
    const aside = (await names()).find((name) => name.startsWith('.live.')) ?? '';
    assert.equal(await text(`${aside}/index.html`), 'old site\n');
  });

  it('from this computer keeps the old folder when one file fails and another arrives later', async () => {
    await Promise.all(['one', 'two'].map((name) => scene.putLocal(`two/${name}`, `${name}\n`)));
    const uri = Uri.file(scene.local('two'));
    const slow = scene.hang('Write');
    fail('Write', 2);
    await person.answering([], async () => {
      const copied = fs.copy(uri, at('live'), { overwrite: true }).then(undefined, () => undefined);
      await until(person.onDidSee, () => person.seen.some((one) => one.startsWith("Couldn't overwrite live.")));
      slow.release();
      await copied;
    });
    await scene.parts.files.backups.settled();
    const aside = (await names()).find((name) => name.startsWith('.live.')) ?? '';
    assert.equal(await text(`${aside}/index.html`), 'old site\n');
  });

  it('still knows what a second delete of the same folder moved away when the first content is removed', async () => {
    const place = cp.place('live');
    const { backups, overwritten } = scene.parts.files;
    await fs.delete(at('live'), { recursive: true });
    const [first] = await overwritten.find(place);
    await put('live/index.html', 'newer site\n');
    scene.parts.listings.forgetAll();
    const removed = nextEvent(backups.onDidLetGo);
    await fs.delete(at('live'), { recursive: true });
    await removed;
    const [second] = await overwritten.find(place);
    assert.ok(first?.movedTo && second?.movedTo);
    assert.notDeepEqual(second.movedTo, first.movedTo);
  });

  it('is reported in the next window if this one ends in the middle', async () => {
    const place = cp.place('b.conf');
    const { journal, overwritten, backups } = scene.parts.files;
    const other = backupsIn(journal.folder, closedWindow('ended', 'here'), { cause: 'overwrite' });
    await other.keep({ place, base: { kind: 'unknown' }, reportedStat: undefined, text: 'lost\n' });
    await remove('b.conf');
    scene.parts.listings.forgetAll();
    await person.answering([{ presses: 'Restore' }], async () => {
      const restored = nextEvent(backups.onDidLetGo);
      await backups.offerLeft(() => Promise.resolve(false));
      await restored;
      assert.equal(await text('b.conf'), 'lost\n');
    });
    assert.match(person.seen[0] ?? '', /The window closed before b\.conf was replaced\./);
    assert.deepEqual(await overwritten.find(place), []);
  });

  describe('of closed windows', () => {
    const ofWindow = (window: string, options = {}) =>
      backupsIn(scene.parts.files.journal.folder, closedWindow(window, 'here'), { ...options, cause: 'overwrite' });
    /** A window that opens then. */
    const openNext = (overwritten: ReturnType<typeof ofWindow>) => {
      const { containers, listings, files } = scene.parts;
      const moves = { rename: () => assert.fail('nothing is renamed') };
      return new OverwriteBackups({
        containers,
        listings,
        moves,
        edits: files.edits,
        overwritten,
        lifetime: () => 60_000,
      });
    };
    const lost = () =>
      ({ place: cp.place('b.conf'), base: { kind: 'unknown' }, reportedStat: undefined, text: 'lost\n' }) as const;

    it("stays on disk until it's restored if the next window can't store it because the disk is full", async () => {
      await ofWindow('ended').keep(lost());
      const kept = ofWindow('next', {
        isForgotten: () => Promise.reject(new Error('no space left on device')),
      });
      const next = openNext(kept);
      const offered = nextEvent(next.onDidFailToOverwrite);
      await next.offerLeft(() => Promise.resolve(false));
      assert.deepEqual(
        (await readBackups(kept)).map((one) => one.text),
        ['lost\n'],
      );
      await next.letGo(await offered);
      assert.deepEqual(await kept.entries(), []);
      next.dispose();
    });

    it('is offered once if one of them was closed while it took it over from the other', async () => {
      for (const window of ['ended', 'ended, too']) await ofWindow(window).keep(lost());
      await ofWindow('ended').keep({ ...lost(), id: 'other', text: 'other\n' });
      const kept = ofWindow('next');
      const next = openNext(kept);
      const offered: FailedOverwrite[] = [];
      next.onDidFailToOverwrite((failed) => offered.push(failed));
      await next.offerLeft(() => Promise.resolve(false));
      const texts = offered.map(({ backup }) => backup.kind === 'text' && backup.text);
      assert.deepEqual(texts.sort(), ['lost\n', 'other\n']);
      assert.equal((await kept.entries()).length, 2);
      for (const failed of offered) await next.letGo(failed);
      assert.deepEqual(await kept.entries(), []);
      next.dispose();
    });
  });

  describe('after a delete in the folder that it moves or copies', () => {
    const settling = () => scene.parts.files.backups.settled();
    const keptIn = async (name: string) => (await names(name)).filter((one) => one.endsWith('~'));
    /** A path on the node, however it got there. */
    const isOnDisk = (path: string) => exists(relative('/srv/www', path));
    const deleteImages = async () => {
      await put('live/images/tea.png', binary);
      await fs.delete(at('live/images'), { recursive: true });
    };
    const whole = ['index.html', 'logo.png'];

    const isTaken = () => person.seen.some((one) => one.includes('the name is taken'));

    for (const work of ['copy', 'rename'] as const) {
      it(`leaves nothing of it there: ${work}`, async () => {
        await deleteImages();
        await fs[work](at('live'), at('new'));
        assert.deepEqual(await names('new'), whole);
        await settling();
        assert.deepEqual(await names('new'), whole);
        assert.deepEqual(await names(), ['a.conf', 'b.conf', ...(work === 'copy' ? ['live'] : []), 'new', 'site']);
        const sent = work === 'copy' ? 'Copy' : 'Rename';
        assert.deepEqual(changes(), ['Rename', 'Rename', sent, 'Delete']);
      });
    }

    describe('of a second node', () => {
      const { layerUri: layer } = cp;
      const second = (folder = '.') => cp.names(folder, 1);

      beforeEach(async () => {
        await remove('.', 1);
        await makeFolder('live', 1);
      });

      afterEach(() => remove('.', 1));

      it('leaves nothing of it there when it reaches the whole layer', async () => {
        await deleteImages();
        await fs.rename(layer('live'), layer('new'));
        assert.deepEqual(await names('new'), whole);
        await settling();
        assert.deepEqual(await names(), ['a.conf', 'b.conf', 'new', 'site']);
        assert.deepEqual(await second(), ['new']);
      });

      it('is restored on the node that still lacks it when the user tries again', async () => {
        await put('live/images/tea.png', binary);
        await put('live/images/coffee.png', binary, 1);
        await fs.delete(layer('live/images'), { recursive: true });
        const nodeId = cp.nodeId(1);
        fail('Create');
        scene.fail('Rename', { kind: 'failNode', nodeId, result: 99, error: 'the node does not answer' });
        await person.answering([{ presses: 'Restore' }, { presses: 'Restore' }], async () => {
          const failed = until(person.onDidSee, () =>
            person.seen.some((one) => one.startsWith("Couldn't restore images.")),
          );
          const isOver = nextEvent(scene.parts.files.backups.onDidLetGo);
          await assert.rejects(async () => fs.createDirectory(layer('live/images')));
          await failed;
          assert.deepEqual(await names('live/images'), ['tea.png']);
          await Promise.race([isOver, until(person.onDidSee, () => isTaken())]);
        });
        assert.ok(!isTaken(), person.seen.join('\n'));
        assert.deepEqual(await names('live/images'), ['tea.png']);
        assert.deepEqual(await second('live'), ['images']);
        assert.deepEqual(await second('live/images'), ['coffee.png']);
      });

      it('is restored on the other node, and the message names the one that has nothing left of it', async () => {
        await put('live/images/tea.png', binary);
        await makeFolder('live/images', 1);
        await fs.delete(layer('live/images'), { recursive: true });
        const [kept = ''] = await keptIn('live');
        await remove(`live/${kept}`, 1);
        scene.parts.listings.forgetAll();
        fail('Create');
        await person.answering([{ presses: 'Restore' }], async () => {
          const told = until(person.onDidSee, () =>
            person.seen.some((one) => /^(Restored|Couldn't restore)/.test(one)),
          );
          await assert.rejects(async () => fs.createDirectory(layer('live/images')));
          await told;
        });
        assert.equal(
          person.seen.at(-1),
          `Restored images, but not on nodes without /srv/www/live/${kept}: ${cp.nodeId(1)}.`,
        );
        assert.deepEqual(await names('live/images'), ['tea.png']);
        assert.deepEqual(await second('live'), []);
      });

      it('restores nothing if the nodes have it under different names, and names them all', async () => {
        await put('live/images/tea.png', binary);
        await makeFolder('live/images', 1);
        await fs.delete(layer('live/images'), { recursive: true });
        scene.fail('Rename', { kind: 'reset', when: 'before' });
        await assert.rejects(async () => fs.rename(layer('live'), layer('new')));
        const [kept = ''] = await keptIn('live');
        await renameOnDisk(onDisk(`live/${kept}`, 1), onDisk(kept, 1));
        scene.parts.listings.forgetAll();
        scene.platform.journal.reset();
        fail('Create');
        await person.answering([{ presses: 'Restore' }], async () => {
          await assert.rejects(async () => fs.createDirectory(layer('live/images')));
          await until(person.onDidSee, () => person.seen.some((one) => one.startsWith("Couldn't restore")));
        });
        const both = `/srv/www/live/${kept} or /srv/www/${kept}`;
        assert.deepEqual(
          [...new Set(person.seen.filter((one) => one.includes(kept)))],
          [
            `Couldn't overwrite images. Gantry kept its previous content as ${both}.`,
            `Couldn't restore images. Parts of it may be in ${both}. Check these, then try again.`,
          ],
        );
        assert.deepEqual(changes(), ['Create']);
        const place = cp.onLayer('live/images');
        assert.equal((await scene.parts.files.overwritten.find(place)).length, 2);
      });

      it('leaves nothing of it there when it goes from one node to the other', async () => {
        await put('live/images/tea.txt', 'tea\n');
        await remove('live/logo.png');
        await fs.delete(at('live/images'), { recursive: true });
        await fs.rename(at('live'), at('new', 1));
        assert.deepEqual(await second('new'), ['index.html']);
        await settling();
        assert.deepEqual(await names(), ['a.conf', 'b.conf', 'site']);
      });
    });

    it('leaves nothing of it there if the platform renames only within a folder', async () => {
      scene.platform.behaviour.renameAcrossFolders = 'refused';
      try {
        await deleteImages();
        await fs.rename(at('live'), at('new'));
      } finally {
        scene.platform.behaviour.renameAcrossFolders = 'done';
      }
      await settling();
      assert.deepEqual(await names('new'), whole);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'new', 'site']);
    });

    it('waits until a removal that has begun is over', async () => {
      await deleteImages();
      const remove = hang('Delete');
      const settled = settling();
      await remove.reached;
      const renamed = fs.rename(at('live'), at('new'));
      await roundTrips();
      assert.ok(exists('live'));
      remove.release();
      await renamed;
      await settled;
      assert.deepEqual(await names('new'), whole);
    });

    it('takes along what a failed removal has put back', async () => {
      await deleteImages();
      const remove = hang('Delete');
      fail('Delete');
      await person.answering([], async () => {
        const settled = settling();
        await remove.reached;
        const renamed = fs.rename(at('live'), at('new'));
        remove.release();
        await Promise.all([settled, renamed]);
      });
      assert.match(person.seen[0] ?? '', /^Couldn't delete \/srv\/www\/live\/images: .*no space left/);
      assert.deepEqual(await names('new'), ['images', ...whole]);
    });

    it('says where the rest is if it is removed later and that fails', async () => {
      await deleteImages();
      fail('Delete');
      await person.answering([], async () => {
        await fs.rename(at('live'), at('new'));
        await settling();
      });
      assert.match(
        person.seen[0] ?? '',
        /^Couldn't fully delete \/srv\/www\/live\/images: .* What's left is in \/srv\/www\/\.images\./,
      );
      assert.deepEqual(await names('new'), whole);
    });

    it('waits for a delete that is still running', async () => {
      await put('live/images/tea.png', binary);
      const aside = hang('Rename');
      const deleted = fs.delete(at('live/images'), { recursive: true });
      await aside.reached;
      const renamed = fs.rename(at('live'), at('new'));
      await roundTrips();
      aside.release();
      await Promise.all([deleted, renamed]);
      await settling();
      assert.deepEqual(await names('new'), whole);
    });

    it('sends nothing more, and waits for nothing, if the delete was elsewhere', async () => {
      await fs.delete(at('site'), { recursive: true });
      const remove = hang('Delete');
      const settled = settling();
      await remove.reached;
      await put('live2/images/tea.png', binary);
      await fs.delete(at('live2/images'), { recursive: true });
      scene.platform.journal.reset();
      await fs.rename(at('live'), at('new'));
      assert.deepEqual(changes(), ['Rename']);
      remove.release();
      await settled;
      await settling();
    });

    for (const [when, begin] of Object.entries({
      'before anything replaces it': () => Promise.resolve(),
      'between two of its files': () => fs.createDirectory(at('live/sub')),
    })) {
      for (const work of ['copy', 'rename'] as const) {
        it(`keeps the old folder ${when}: ${work}`, async () => {
          await put('live/sub/index.html', 'old sub\n');
          await fs.delete(at('live/sub'), { recursive: true });
          await begin();
          await person.answering([], async () => {
            await fs[work](at('live'), at('new'));
            fail('Write');
            await assert.rejects(async () => fs.writeFile(at('live/sub/index.html'), Buffer.from('new sub\n')));
          });
          assert.match(person.seen[0] ?? '', /^Couldn't overwrite sub\. Gantry kept .* as \/srv\/www\/\.sub\./);
          const [kept = ''] = await keptIn('.');
          assert.equal(await text(`${kept}/index.html`), 'old sub\n');
          assert.deepEqual(await keptIn('new'), []);
        });
      }
    }

    it('names the new place if the overwrite fails while what it replaces is on the way', async () => {
      await put('live/sub/index.html', 'old sub\n');
      await fs.delete(at('live/sub'), { recursive: true });
      const out = hang('Rename');
      await person.answering([], async () => {
        const renamed = fs.rename(at('live'), at('new'));
        await out.reached;
        fail('Create');
        await assert.rejects(async () => fs.createDirectory(at('live/sub')));
        assert.deepEqual(person.seen, []);
        out.release();
        await renamed;
      });
      assert.match(person.seen[0] ?? '', /^Couldn't overwrite sub\. Gantry kept .* as \/srv\/www\/\.sub\./);
      const [kept = ''] = await keptIn('.');
      assert.equal(await text(`${kept}/index.html`), 'old sub\n');
    });

    it("ends if two move into each other's folder, and keeps what the failed one should have replaced", async () => {
      await put('live/pages/old.html', 'old pages\n');
      await put('site/pages/old.html', 'old pages\n');
      for (const name of ['live/images', 'site/images']) {
        await put(`${name}/tea.png`, binary);
        await fs.delete(at(name), { recursive: true });
      }
      // Both have deleted their targets before either goes on, and have begun before either has ended.
      const asides = [hang('Rename'), hang('Rename', { nth: 2 })];
      const out = hang('Rename', { nth: 3 });
      const begun = Promise.all(
        ['live', 'site'].map((name) =>
          nextEvent(scene.parts.files.fileSystem.onWillChange, ({ place }) => place.path === `/srv/www/${name}`),
        ),
      );
      await person.answering([], async () => {
        const both = Promise.allSettled([
          fs.rename(at('live'), at('site/pages'), { overwrite: true }),
          fs.rename(at('site'), at('live/pages'), { overwrite: true }),
        ]);
        await Promise.all(asides.map(({ reached }) => reached));
        asides.forEach((aside) => aside.release());
        await Promise.all([out.reached, begun]);
        out.release();
        const statuses = (await both).map(({ status }) => status).sort();
        assert.deepEqual(statuses, ['fulfilled', 'rejected']);
        await settling();
      });
      assert.match(person.seen[0] ?? '', /^Couldn't overwrite pages\./);
      const [kept = '', ...others] = await keptIn('.');
      assert.deepEqual(others, []);
      assert.equal(await text(`${kept}/old.html`), 'old pages\n');
      const [left = ''] = (await names()).filter((name) => ['live', 'site'].includes(name));
      const moved = left === 'live' ? 'live/pages' : 'site/pages';
      assert.deepEqual([await keptIn(left), await keptIn(moved)], [[], []]);
      assert.ok(exists(`${moved}/index.html`));
    });

    it("fails and changes nothing if the deleted folder can't be renamed out of it, and works when tried again", async () => {
      await deleteImages();
      const reason = 'something that was just deleted in it is still being removed. Try again in a few seconds.';
      fail('Rename');
      await assert.rejects(
        async () => fs.rename(at('live'), at('new')),
        new RegExp(`Couldn't rename .*live.*: ${reason}`),
      );
      scene.fail('Rename', { kind: 'refuse', result: 4036, error: 'exists' });
      await assert.rejects(async () => fs.copy(at('live'), at('new')), new RegExp(`Couldn't copy .*live.*: ${reason}`));
      const [kept = ''] = await keptIn('live');
      assert.ok((await cp.bytes(`live/${kept}/tea.png`)).equals(binary));
      await fs.rename(at('live'), at('new'));
      await settling();
      assert.deepEqual(await names('new'), whole);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'new', 'site']);
    });

    it('works if someone else has deleted what was renamed', async () => {
      await deleteImages();
      const [kept = ''] = await keptIn('live');
      await remove(`live/${kept}`);
      await fs.rename(at('live'), at('new'));
      assert.deepEqual(await names('new'), whole);
    });

    /** The backups of another window. */
    const ofWindow = (
      window: string,
      rename: Moves['rename'] = (from, to) => scene.parts.containers.rename(from, to),
    ) => {
      const { containers, listings, files } = scene.parts;
      const kept = backupsIn(files.journal.folder, closedWindow(window, 'here'), { cause: 'overwrite' });
      const backups = new OverwriteBackups({
        containers,
        listings,
        overwritten: kept,
        moves: { rename },
        edits: files.edits,
        lifetime: () => 60_000,
      });
      return { kept, backups };
    };

    /** The names under which the next window would find it. */
    const foundNext = async () => {
      const { backups: next } = ofWindow('next');
      const found: string[] = [];
      next.onDidFailToOverwrite(({ backup }) =>
        found.push(...movedContentsOf(backup).map(({ movedTo }) => movedTo.path)),
      );
      await next.offerLeft(() => Promise.resolve(false));
      next.dispose();
      return found.sort();
    };

    it('keeps both names if it is canceled once that may have been taken out, and goes on when tried again', async () => {
      await put('live/images/tea.png', binary);
      const { containers, listings } = scene.parts;
      const [live, images] = [cp.place('live'), cp.place('live/images')];
      const entry = (await listings.lookUp(images)) ?? assert.fail();
      let rename: Moves['rename'] = (from, to) => containers.rename(from, to);
      const { kept, backups } = ofWindow('own', (from, to) => rename(from, to));
      await backups.delete(images, entry, () => assert.fail('it has a name to be renamed to'));
      for (const isOutcomeUnknown of [false, true]) {
        rename = () => Promise.reject(new Canceled('Rename', { isOutcomeUnknown }));
        await assert.rejects(backups.takeOut(live, 'Rename'), Canceled);
        assert.equal((await kept.find(images)).length, isOutcomeUnknown ? 2 : 1);
      }
      rename = (from, to) => containers.rename(from, to);
      await backups.takeOut(live, 'Rename');
      assert.deepEqual(await names('live'), whole);
      await backups.settled();
      backups.dispose();
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    });

    for (const when of ['before', 'after'] as const) {
      it(`is found by the next window if this one closes right ${when} that is taken out`, async () => {
        await deleteImages();
        const out = scene.fail('Rename', { kind: 'hang', when });
        const renamed = fs.rename(at('live'), at('new'));
        await out.reached;
        const found = await foundNext();
        assert.equal(found.length, 2);
        assert.ok(found.some((path) => isOnDisk(`${path}/tea.png`)));
        out.release();
        await renamed;
      });
    }

    it('is restored by the next window from whichever name exists, and the other one is forgotten', async () => {
      await put('live/images/tea.png', binary);
      const { containers, listings, files } = scene.parts;
      const [live, images] = [cp.place('live'), cp.place('live/images')];
      const entry = (await listings.lookUp(images)) ?? assert.fail();
      const { kept, backups } = ofWindow('closed', async (from, to) => {
        await containers.rename(from, to);
        throw new Canceled('Rename', { isOutcomeUnknown: true });
      });
      await backups.delete(images, entry, () => assert.fail('it has a name to be renamed to'));
      await assert.rejects(backups.takeOut(live, 'Rename'), Canceled);
      assert.equal((await kept.find(images)).length, 2);
      await person.answering([{ presses: 'Restore' }], async () => {
        const isOver = async () => (await files.overwritten.find(images)).length === 0;
        const over = until(files.backups.onDidLetGo, isOver);
        await files.backups.offerLeft(() => Promise.resolve(false));
        await over;
      });
      assert.match(
        person.seen[0] ?? '',
        /may have kept its previous content as \/srv\/www\/(live\/)?\.images\.\w+~ or \/srv\/www\/(live\/)?\.images\.\w+~\.$/,
      );
      assert.ok((await cp.bytes('live/images/tea.png')).equals(binary));
      backups.dispose();
    });

    it('says which name is gone if nothing is left to restore', async () => {
      const place = cp.place('live/images');
      const movedTo = { ...place, path: '/srv/www/live/.images.0~' };
      const base = { kind: 'unknown' } as const;
      await ofWindow('closed').kept.keep({ place, id: 'lost', base, movedTo, reportedStat: undefined });
      await person.answering([{ presses: 'Restore' }], async () => {
        const over = nextEvent(scene.parts.files.backups.onDidLetGo);
        await scene.parts.files.backups.offerLeft(() => Promise.resolve(false));
        await over;
        await until(person.onDidSee, () => person.seen.some((one) => one.startsWith("Couldn't restore")));
      });
      assert.equal(person.seen.at(-1), "Couldn't restore images. Nothing is left of /srv/www/live/.images.0~.");
    });

    it('is found by the next window, under its only name, if this one closes after the move', async () => {
      await deleteImages();
      await fs.rename(at('live'), at('new'));
      const [path = '', ...others] = await foundNext();
      assert.deepEqual(others, []);
      assert.ok(isOnDisk(`${path}/tea.png`));
    });

    it('keeps both names if the response is lost, and leaves nothing when it is tried again', async () => {
      await deleteImages();
      scene.fail('Rename', { kind: 'reset', when: 'before' });
      await assert.rejects(async () => fs.rename(at('live'), at('new')));
      const place = cp.place('live/images');
      assert.equal((await scene.parts.files.overwritten.find(place)).length, 2);
      await fs.rename(at('live'), at('new'));
      await settling();
      assert.deepEqual(await names('new'), whole);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'new', 'site']);
      assert.deepEqual(await scene.parts.files.overwritten.find(place), []);
    });

    it("reports once that it couldn't be deleted if it may have two names and the folders can't be listed", async () => {
      await deleteImages();
      scene.fail('Rename', { kind: 'reset', when: 'before' });
      await assert.rejects(async () => fs.rename(at('live'), at('new')));
      for (const operation of ['Delete', 'GetList']) {
        const fault = { kind: 'refuse', result: 99, error: 'input/output error' } as const;
        scene.fail(operation, fault, { times: 'always' });
      }
      await person.answering([], settling);
      const [seen = '', ...others] = person.seen;
      assert.match(seen, /^Couldn't fully delete \/srv\/www\/live\/images: /);
      assert.deepEqual(others, []);
    });

    it('removes it, and its record, if the response is lost, it arrives late, and nobody tries again', async () => {
      await deleteImages();
      scene.fail('Rename', { kind: 'reset', when: 'before' });
      await assert.rejects(async () => fs.rename(at('live'), at('new')));
      const [kept = ''] = await keptIn('live');
      await renameOnDisk(onDisk(`live/${kept}`), onDisk(kept));
      scene.parts.listings.forgetAll();
      assert.ok(!(await fs.readDirectory(at('.'))).some(([name]) => name === kept));
      await settling();
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
      const place = cp.place('live/images');
      assert.deepEqual(await scene.parts.files.overwritten.find(place), []);
    });
  });

  describe('and a plain delete', () => {
    it('of a small text file takes one Read more than the Delete, and leaves nothing behind', async () => {
      await fs.stat(at('a.conf'));
      scene.platform.journal.reset();
      await fs.delete(at('a.conf'), { recursive: true });
      await scene.parts.files.backups.settled();
      assert.deepEqual(scene.requests(), ['Read', 'Delete']);
      assert.deepEqual(await names(), ['b.conf', 'live', 'site']);
    });

    it('of a folder takes one Rename more, and never shows its new name', async () => {
      await fs.stat(at('a.conf'));
      scene.platform.journal.reset();
      await fs.delete(at('live'), { recursive: true });
      assert.deepEqual((await fs.readDirectory(at('.'))).map(([name]) => name).sort(), ['a.conf', 'b.conf', 'site']);
      await scene.parts.files.backups.settled();
      assert.deepEqual(changes(), ['Rename', 'Delete']);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'site']);
    });

    it("that isn't recursive takes only the Delete", async () => {
      await fs.stat(at('a.conf'));
      scene.platform.journal.reset();
      await fs.delete(at('a.conf'));
      assert.deepEqual(scene.requests(), ['Delete']);
    });

    it('of an empty folder lists it first, so that nothing is lost that someone has just created', async () => {
      await makeFolder('bare');
      await fs.readDirectory(at('bare'));
      await fs.stat(at('a.conf'));
      scene.platform.journal.reset();
      await put('bare/theirs.txt', 'theirs\n');
      await assert.rejects(async () => fs.delete(at('bare')), /bare isn't empty/);
      assert.equal(await text('bare/theirs.txt'), 'theirs\n');
      await remove('bare/theirs.txt');
      assert.deepEqual(scene.requests(), ['GetList']);
      await fs.delete(at('bare'));
      assert.deepEqual(scene.requests(), ['GetList', 'GetList', 'Delete']);
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'live', 'site']);
    });

    it("takes only the Delete if the token doesn't permit Rename", async () => {
      const fault = { kind: 'refuse', result: 8202, error: 'not permitted' } as const;
      scene.fail('Rename', fault);
      await fs.delete(at('live'), { recursive: true });
      assert.deepEqual(await names(), ['a.conf', 'b.conf', 'site']);
    });

    it("restores a folder that can't be deleted, and says so", async () => {
      fail('Delete');
      await person.answering([], async () => {
        await fs.delete(at('live'), { recursive: true });
        await scene.parts.files.backups.settled();
      });
      assert.match(person.seen[0] ?? '', /Couldn't delete \/srv\/www\/live: .*no space left/);
      assert.equal(await text('live/index.html'), 'old site\n');
    });
  });
});
