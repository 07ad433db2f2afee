import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { before, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { existsSync } from 'node:fs';
import { escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('duplicating a file or folder', () => {
  const stage = windowScene();
  const cp = stage.environment('shop').layer('cp');
  const { onDisk, uri: uriOf } = cp;
  const { person } = stage;

  beforeEach(async () => {
    await cp.put('/srv/shop.conf', 'one\n');
    await cp.put('/srv/sites/a.conf', 'a\n');
    stage.forget();
  });

  const duplicate = (path: string) => commands.executeCommand('gantry.file.duplicate', uriOf(path));
  const sent = (operation: string) => stage.platform.journal.entries.filter((entry) => entry.operation === operation);

  it('copies it on the platform under the name that the user enters', async () => {
    await person.answering(['shop.conf.bak'], () => duplicate('/srv/shop.conf'));
    assert.equal(await readFile(onDisk('/srv/shop.conf.bak'), 'utf8'), 'one\n');
    assert.equal(sent('Copy').length, 1);
    assert.equal(sent('Read').length, 0);
  });

  it('copies a folder with its content', async () => {
    await person.answering(['sites.old'], () => duplicate('/srv/sites'));
    assert.equal(await readFile(onDisk('/srv/sites.old/a.conf'), 'utf8'), 'a\n');
  });

  for (const [command, run] of Object.entries({
    Duplicate: () => person.answering(['sites.new'], () => duplicate('/srv/sites')),
    'Copy and Paste': async () => {
      await mkdir(onDisk('/srv/to'), { recursive: true });
      await commands.executeCommand('gantry.file.copy', uriOf('/srv/sites'));
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/to'));
    },
  })) {
    it(`copies nothing of what was just deleted in a folder: ${command}`, async () => {
      await mkdir(onDisk('/srv/sites/images'));
      await workspace.fs.delete(uriOf('/srv/sites/images'), { recursive: true });
      await run();
      const copy = command === 'Duplicate' ? '/srv/sites.new' : '/srv/to/sites';
      assert.deepEqual(await readdir(onDisk(copy)), ['a.conf']);
      await stage.parts.files.backups.settled();
      assert.deepEqual(await readdir(onDisk('/srv/sites')), ['a.conf']);
    });
  }

  it('does nothing if the user cancels', async () => {
    await person.answering([escape], () => duplicate('/srv/shop.conf'));
    assert.equal(sent('Copy').length, 0);
  });
});

describe('Cut and Paste to another node', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { onDisk, putLongAgo: put, uri: uriOf } = cp;
  const { person } = scene;

  before(async () => {
    for (const node of [0, 1]) await cp.makeFolder('/srv/to', node);
  });

  async function cutAndPaste(path: string, meanwhile: () => Promise<void>): Promise<readonly string[]> {
    await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    const write = scene.hang('Write');
    await person.answering(['Move'], async () => {
      await commands.executeCommand('gantry.file.cut', uriOf(path));
      const pasted = commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
      await write.reached;
      await meanwhile();
      write.release();
      await pasted;
    });
    return person.seen;
  }

  it('deletes the original once the copy holds the same text', async () => {
    const path = '/srv/from/moved.conf';
    await cutAndPaste(path, () => Promise.resolve());
    assert.equal(await readFile(onDisk('/srv/to/moved.conf', 1), 'utf8'), 'old\n');
    assert.ok(!existsSync(onDisk(path)));
  });

  it('keeps the original if someone changed it meanwhile, to the same length and with the same time', async () => {
    const path = '/srv/from/changed.conf';
    const seen = await cutAndPaste(path, () => put(path, 'new\n'));
    assert.equal(await readFile(onDisk(path), 'utf8'), 'new\n');
    assert.ok(
      seen.some((one) => one.includes('differs')),
      seen.join(' | '),
    );
  });

  it('can be pasted again if the user refused the move', async () => {
    const path = '/srv/from/refused.conf';
    await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    const paste = () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
    await commands.executeCommand('gantry.file.cut', uriOf(path));
    await person.answering([escape], paste);
    assert.ok(existsSync(onDisk(path)));
    await person.answering(['Move'], paste);
    assert.equal(await readFile(onDisk('/srv/to/refused.conf', 1), 'utf8'), 'old\n');
  });
});
