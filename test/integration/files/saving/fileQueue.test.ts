import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, describe, it } from 'mocha';
import { commands, type TextDocument, Uri, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { Parts } from '../../support/parts';
import { WindowPresence } from '../../../../src/storage/windowPresence';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { type } from '../../support/editing';
import { nextEvent, until } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, startOneLayer } from '../../support/oneLayer';
import { Person } from '../../support/person';

describe('changes to the same file wait for each other', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: Parts;
  let nodes: readonly number[];
  let count = 0;

  before(async () => {
    ({ platform, account, parts, nodes } = await startOneLayer());
  });

  afterEach(() => clearOneLayer(platform));

  after(() => endOneLayer({ platform, account, parts }));

  const onDisk = (path: string) => join(platform.nodeFolder(nodes[0] ?? 0), path);
  const uriOf = (path: string) => fileUri(account, 'shop', `cp~${nodes[0]}`, path);

  /** Opens a new document and types into it. */
  async function typed(): Promise<{ readonly path: string; readonly document: TextDocument }> {
    count += 1;
    const path = `/srv/waiting-${count}/site.conf`;
    await mkdir(dirname(onDisk(path)), { recursive: true });
    await writeFile(onDisk(path), 'old\n');
    parts.listings.forgetAll();
    const document = await workspace.openTextDocument(uriOf(path));
    await type(document, 'typed\n');
    return { path, document };
  }

  /** Starts to save such a document, and returns while the platform is writing. */
  async function saving() {
    const { path, document } = await typed();
    const write = platform.faults.add({ operation: 'Write', fault: { kind: 'hang' } });
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
    const asked = nextEvent(parts.files.fileSystem.onWillChange);
    const done = Promise.resolve(change());
    await asked;
    await othersAnswered();
    return { done };
  }

  /** By then, requests that nothing delays have been answered. */
  async function othersAnswered(): Promise<void> {
    for (let round = 0; round < 3; round += 1) {
      parts.listings.forgetAll();
      await workspace.fs.readDirectory(uriOf('/srv'));
    }
  }

  it('a rename waits for a running save, so the old name does not come back', async () => {
    const { path, document, finish } = await saving();
    const target = path.replace('site', 'moved');
    const renamed = await begun(() => workspace.fs.rename(document.uri, uriOf(target)));
    assert.equal(await finish(), true);
    await renamed.done;
    assert.equal(await readFile(onDisk(target), 'utf8'), 'typed\nold\n');
    assert.ok(!existsSync(onDisk(path)), 'the old name stays gone');
  });

  it('renaming the parent folder waits for a running save', async () => {
    const { path, finish } = await saving();
    const target = `${dirname(path)}-moved`;
    const renamed = await begun(() => workspace.fs.rename(uriOf(dirname(path)), uriOf(target)));
    assert.equal(await finish(), true);
    await renamed.done;
    assert.equal(await readFile(onDisk(`${target}/site.conf`), 'utf8'), 'typed\nold\n');
    assert.ok(!existsSync(onDisk(dirname(path))));
  });

  it('a deletion waits for a running save, so the file does not come back', async () => {
    const { path, document, finish } = await saving();
    const deleted = await begun(() => workspace.fs.delete(document.uri));
    assert.equal(await finish(), true);
    await deleted.done;
    assert.ok(!existsSync(onDisk(path)));
  });

  it('Delete in the Environments view waits for a running save', async () => {
    const { path, document, finish } = await saving();
    const person = new Person();
    try {
      await person.answering(['Delete'], async () => {
        const deleted = commands.executeCommand('gantry.file.delete', document.uri);
        await until(person.onDidSee, () => person.seen.length > 0);
        await othersAnswered();
        assert.equal(await finish(), true);
        await deleted;
      });
    } finally {
      person.leave();
    }
    assert.ok(!existsSync(onDisk(path)));
  });

  it('a closing window keeps its lock until its save ends', async () => {
    const { finish } = await saving();
    const { journal, presence } = parts.files;
    const otherWindow = new WindowPresence(join(dirname(journal.folder), 'windows'));
    const closed = parts.files.close();
    await othersAnswered();
    assert.equal(await otherWindow.isAlive(presence.owner), true);
    assert.equal(await finish(), true);
    await closed;
    assert.equal(await otherWindow.isAlive(presence.owner), false);
  });

  it('a copy waits for a running save and contains the saved text', async () => {
    const { path, document, finish } = await saving();
    const target = path.replace('site', 'copied');
    const copied = await begun(() => workspace.fs.copy(document.uri, uriOf(target)));
    assert.equal(await finish(), true);
    await copied.done;
    assert.equal(await readFile(onDisk(target), 'utf8'), 'typed\nold\n');
  });

  it('a save waits for a deletion and does not recreate the file', async () => {
    const { path, document } = await typed();
    const hanging = platform.faults.add({ operation: 'Delete', fault: { kind: 'hang' } });
    const deleted = workspace.fs.delete(document.uri);
    await hanging.reached;
    const saved = await begun(() => document.save());
    hanging.release();
    await deleted;
    assert.equal(await saved.done, false);
    assert.ok(document.isDirty);
    assert.ok(!existsSync(onDisk(path)));
    // VS Code couldn't revert a document whose file is gone.
    await writeFile(onDisk(path), 'old\n');
    assert.ok(await document.save());
  });

  it('the last of several parallel writes wins', async () => {
    for (let round = 1; round <= 3; round += 1) {
      await mkdir(onDisk(`/srv/parallel-${round}`), { recursive: true });
      parts.listings.forgetAll();
      const file = uriOf(`/srv/parallel-${round}/new.txt`);
      const texts = Array.from({ length: 8 }, (_, index) => `text ${index}\n`);
      await Promise.all(texts.map((text) => workspace.fs.writeFile(file, Buffer.from(text))));
      assert.equal(await readFile(onDisk(`/srv/parallel-${round}/new.txt`), 'utf8'), 'text 7\n');
      const shown = await workspace.fs.readFile(Uri.from(file));
      assert.equal(Buffer.from(shown).toString(), 'text 7\n');
    }
  });
});
