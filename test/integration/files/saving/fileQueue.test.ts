import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { describe, it } from 'mocha';
import { commands, Uri, workspace } from 'vscode';
import { WindowPresence } from '../../../../src/storage/windows';
import { type } from '../../support/editing';
import { nextEvent, until } from '../../support/event';
import { windowScene } from '../../support/windowScene';

describe('changes to the same file wait for each other', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp');
  const { exists, makeFolder, text, uri } = cp;

  /** Opens a new document and types into it. */
  async function typed() {
    const file = await cp.newFile('site.conf', 'old\n');
    const document = await file.document();
    await type(document, 'typed\n');
    return { path: file.path, document };
  }

  /** Starts to save such a document, and returns while the platform is writing. */
  async function saving() {
    const { path, document } = await typed();
    const write = scene.hang('Write');
    const saved = document.save();
    await write.reached;
    const finish = async () => {
      write.release();
      return saved;
    };
    return { path, document, finish };
  }

  /** Starts a change, and returns once its requests would have ended if nothing delayed them. */
  async function begun<T>(change: () => PromiseLike<T>): Promise<{ readonly done: Promise<T> }> {
    const asked = nextEvent(scene.parts.files.fileSystem.onWillChange);
    const done = Promise.resolve(change());
    await asked;
    await othersAnswered();
    return { done };
  }

  /** By then, requests that nothing delays have been answered. */
  async function othersAnswered(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      scene.parts.listings.forgetAll();
      await workspace.fs.readDirectory(uri('/srv'));
    }
  }

  it('a rename waits for a running save, so the old name does not come back', async () => {
    const { path, document, finish } = await saving();
    const target = path.replace('site', 'moved');
    const renamed = await begun(() => workspace.fs.rename(document.uri, uri(target)));
    assert.equal(await finish(), true);
    await renamed.done;
    assert.equal(await text(target), 'typed\nold\n');
    assert.ok(!exists(path), 'the old name stays gone');
  });

  it('renaming the parent folder waits for a running save', async () => {
    const { path, finish } = await saving();
    const target = `${dirname(path)}-moved`;
    const renamed = await begun(() => workspace.fs.rename(uri(dirname(path)), uri(target)));
    assert.equal(await finish(), true);
    await renamed.done;
    assert.equal(await text(`${target}/site.conf`), 'typed\nold\n');
    assert.ok(!exists(dirname(path)));
  });

  it('a deletion waits for a running save, so the file does not come back', async () => {
    const { path, document, finish } = await saving();
    const deleted = await begun(() => workspace.fs.delete(document.uri));
    assert.equal(await finish(), true);
    await deleted.done;
    assert.ok(!exists(path));
  });

  it('Delete in the Environments view waits for a running save', async () => {
    const { path, document, finish } = await saving();
    const { person } = scene;
    await person.answering(['Delete'], async () => {
      const deleted = commands.executeCommand('gantry.file.delete', document.uri);
      await until(person.onDidSee, () => person.seen.length > 0);
      await othersAnswered();
      assert.equal(await finish(), true);
      await deleted;
    });
    assert.ok(!exists(path));
  });

  it('a closing window keeps its lock until its save ends', async () => {
    const { finish } = await saving();
    const { journal, presence } = scene.parts.files;
    const otherWindow = new WindowPresence(join(dirname(journal.folder), 'windows'));
    const closed = scene.parts.files.close();
    await othersAnswered();
    assert.equal(await otherWindow.isAlive(presence.owner), true);
    assert.equal(await finish(), true);
    await closed;
    assert.equal(await otherWindow.isAlive(presence.owner), false);
  });

  it('a copy waits for a running save and contains the saved text', async () => {
    const { path, document, finish } = await saving();
    const target = path.replace('site', 'copied');
    const copied = await begun(() => workspace.fs.copy(document.uri, uri(target)));
    assert.equal(await finish(), true);
    await copied.done;
    assert.equal(await text(target), 'typed\nold\n');
  });

  it('a save waits for a deletion and does not recreate the file', async () => {
    const { path, document } = await typed();
    const hanging = scene.hang('Delete');
    const deleted = workspace.fs.delete(document.uri);
    await hanging.reached;
    const saved = await begun(() => document.save());
    hanging.release();
    await deleted;
    assert.equal(await saved.done, false);
    assert.ok(document.isDirty);
    assert.ok(!exists(path));
    // VS Code couldn't revert a document whose file is gone.
    await cp.put(path, 'old\n');
    assert.ok(await document.save());
  });

  it('the last of several parallel writes wins', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await makeFolder(`/srv/parallel-${round}`);
      scene.parts.listings.forgetAll();
      const file = uri(`/srv/parallel-${round}/new.txt`);
      const texts = Array.from({ length: 8 }, (_, index) => `text ${index}\n`);
      await Promise.all(texts.map((text) => workspace.fs.writeFile(file, Buffer.from(text))));
      assert.equal(await text(`/srv/parallel-${round}/new.txt`), 'text 7\n');
      const shown = await workspace.fs.readFile(Uri.from(file));
      assert.equal(Buffer.from(shown).toString(), 'text 7\n');
    }
  });
});
