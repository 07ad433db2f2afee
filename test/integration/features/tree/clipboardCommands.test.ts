import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { before, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import { existsSync } from 'node:fs';
import { closeWithoutSaving, openInEditor, type } from '../../support/editing';
import { until } from '../../support/event';
import { escape } from '../../support/person';
import { untilTrue } from '../../support/untilTrue';
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

  it('selects the copy after a paste beside the original', async () => {
    const tree = await stage.parts.handles.tree.load();
    assert.ok(await tree.show(cp.place('/srv/shop.conf')));
    const selected = () => tree.selection().map((row) => (row.kind === 'entry' ? row.entry.name : row.kind));
    await untilTrue(
      () => selected().join() === 'shop.conf',
      () => selected().join(),
    );
    await commands.executeCommand('gantry.file.copy', uriOf('/srv/shop.conf'));
    await commands.executeCommand('gantry.folder.paste', uriOf('/srv'));
    await untilTrue(
      () => selected().join() === 'shop copy.conf',
      () => selected().join(),
    );
  });

  it('does nothing if the user cancels', async () => {
    await person.answering([escape], () => duplicate('/srv/shop.conf'));
    assert.equal(sent('Copy').length, 0);
  });
});

describe('Cut and Paste to another node', () => {
  const scene = windowScene();
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const storage = scene.environment('shop').layer('storage', { nodeType: 'storage' });
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

  it('can be pasted elsewhere if something has the name of one there', async () => {
    const cut = ['/srv/from/taken.conf', '/srv/from/free.conf'];
    for (const path of [...cut, '/srv/to/taken.conf']) await put(path, 'old\n');
    await cp.makeFolder('/srv/elsewhere');
    scene.parts.listings.forgetAll();
    const uris = cut.map((path) => uriOf(path));
    await commands.executeCommand('gantry.file.cut', uris[0], uris);
    await person.answering([], () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/to')));
    assert.ok(cp.exists('/srv/from/taken.conf'), person.seen.join(' | '));
    await person.answering([], () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/elsewhere')));
    assert.deepEqual(await cp.names('/srv/elsewhere'), ['free.conf', 'taken.conf']);
    assert.deepEqual(
      cut.map((path) => cp.exists(path)),
      [false, false],
    );
  });

  it('names every node that something comes from', async () => {
    await put('/srv/from/here.conf', 'old\n');
    await storage.put('/srv/from/elsewhere.conf', 'old\n');
    scene.parts.listings.forgetAll();
    const copied = [uriOf('/srv/from/here.conf'), storage.uri('/srv/from/elsewhere.conf')];
    await person.answering([escape], async () => {
      await commands.executeCommand('gantry.file.copy', copied[0], copied);
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
    });
    const [seen, other] = [person.seen.join(' | '), storage.nodeId()];
    assert.match(seen, new RegExp(`Copy from node ${cp.nodeId()} .+; node ${other} .+ to node ${cp.nodeId(1)} `));
    assert.match(seen, new RegExp(`/srv/from/elsewhere\\.conf · node ${other} `));
  });

  it('deletes the original also if only a second attempt completes the copy', async () => {
    const [whole, retried] = ['/srv/from/whole', '/srv/from/retried'];
    for (const path of [`${whole}/a.conf`, `${retried}/a.conf`, `${retried}/b.conf`]) await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    const untilGone = (path: string) =>
      untilTrue(
        () => !existsSync(onDisk(path)),
        () => person.seen.join(' | '),
      );
    const denied = { kind: 'refuse', result: 4037, error: 'denied' } as const;
    scene.fail('Write', denied, { parameters: { path: '/srv/to/retried/b.conf' } });
    const cut = [whole, retried].map((path) => uriOf(path));
    await person.answering(['Move', { presses: 'Retry', when: untilGone(whole) }], async () => {
      await commands.executeCommand('gantry.file.cut', cut[0], cut);
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
      await untilGone(retried);
    });
    assert.deepEqual(await cp.names('/srv/to/retried', 1), ['a.conf', 'b.conf']);
  });

  it('can be pasted once what was typed into the file is reverted', async () => {
    const path = '/srv/from/unsaved.conf';
    await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    const paste = () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
    await type(await openInEditor(uriOf(path)), 'typed');
    await commands.executeCommand('gantry.file.cut', uriOf(path));
    await person.answering([], paste);
    assert.match(person.seen.join(' | '), /unsaved\.conf has unsaved changes\. Save or revert them first\./);
    await closeWithoutSaving();
    await person.answering(['Move'], paste);
    assert.equal(await cp.text('/srv/to/unsaved.conf', 1), 'old\n');
    assert.ok(!cp.exists(path));
  });

  it('says that a file is gone which was copied before', async () => {
    const path = '/srv/from/gone.conf';
    await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    await commands.executeCommand('gantry.file.copy', uriOf(path));
    await cp.remove(path);
    scene.parts.listings.forgetAll();
    await person.answering(['Copy'], () => commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1)));
    await until(person.onDidSee, () => person.seen.some((seen) => seen.includes("it doesn't exist")));
    assert.match(person.seen.join(' | '), /Couldn't copy gone\.conf to .+: it doesn't exist\./);
  });

  it("copies nothing to a folder that can't be listed, and says why", async () => {
    const path = '/srv/from/unlisted.conf';
    await put(path, 'old\n');
    scene.parts.listings.forgetAll();
    const denied = { kind: 'refuse', result: 4037, error: 'denied' } as const;
    const refused = scene.fail('GetList', denied, { parameters: { path: '/srv/to' }, times: 'always' });
    await person.answering(['Move'], async () => {
      await commands.executeCommand('gantry.file.cut', uriOf(path));
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/to', 1));
      await until(person.onDidSee, () => person.seen.some((seen) => seen.includes('denied')));
      refused.remove();
    });
    assert.doesNotMatch(person.seen.join(' | '), /was copied/);
    assert.ok(existsSync(onDisk(path)));
  });

  it('keeps what both nodes mount, because the original is the only one', async () => {
    await storage.put('/srv/data/only.txt', 'only\n');
    await storage.makeFolder('/srv/data/empty');
    const from = { sourceNodeId: storage.nodeId(), sourcePath: '/srv/data', protocol: 'NFS4' } as const;
    for (const nodeId of cp.nodes) {
      const at = { envName: 'shop', nodeId, path: '/srv/data', name: 'data' };
      await scene.account.call('AddMountPointById', { ...at, ...from });
    }
    scene.parts.listings.forgetAll();
    const cut = ['/srv/data/only.txt', '/srv/data/empty'].map((path) => uriOf(path));
    await person.answering(['Move', 'Replace'], async () => {
      await commands.executeCommand('gantry.file.cut', cut[0], cut);
      await commands.executeCommand('gantry.folder.paste', uriOf('/srv/data', 1));
    });
    assert.equal(await storage.text('/srv/data/only.txt'), 'only\n');
    assert.ok(storage.exists('/srv/data/empty'));
    assert.equal(person.seen.filter((seen) => seen.includes('so the original was kept')).length, 2);
  });

  it('moves nothing between a layer and its nodes to where it is, and says so', async () => {
    const path = '/srv/from/everywhere.conf';
    await cp.putEverywhere(path, 'old\n');
    scene.parts.listings.forgetAll();
    for (const [from, to] of [
      [cp.layerUri(path), uriOf('/srv/from')],
      [uriOf(path), cp.layerUri('/srv/from')],
    ] as const) {
      await person.answering([], async () => {
        await commands.executeCommand('gantry.file.cut', from);
        await commands.executeCommand('gantry.folder.paste', to);
      });
      assert.match(person.seen.join(' | '), /can't be copied or moved into itself/);
      assert.deepEqual(await cp.texts(path), ['old\n', 'old\n']);
    }
  });
});
