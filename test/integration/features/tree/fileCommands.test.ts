import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { commands, DataTransfer, DataTransferItem, env, window, workspace } from 'vscode';
import { environmentRowMimeType } from '../../../../src/manifest';
import { cancelProgress } from '../../support/cancelProgress';
import { nextEvent } from '../../support/event';
import { type Answer, escape } from '../../support/person';
import { descriptionOf, labelOf, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

describe('commands on files', () => {
  const scene = windowScene();
  const shortcuts = [{ keyword: 'sites', path: '/srv/conf.d' }];
  const cp = scene.environment('shop').layer('cp', { nodes: 2, shortcuts });
  const { exists, makeFolder, place, put, text, uri } = cp;
  const { person } = scene;

  before(() => makeFolder('/srv/conf.d'));

  beforeEach(async () => {
    await put('/srv/shop.conf', 'one\n');
    scene.parts.listings.forgetAll();
  });

  it('ask before a file is deleted, with the node, the layer, and the environment', async () => {
    await scene.parts.environments.of(scene.account);
    await person.answering([escape], () => commands.executeCommand('gantry.file.delete', uri('/srv/shop.conf')));
    const where = new RegExp(`This permanently deletes it from node ${cp.nodeId()} \\(nginxphp\\), shop\\.`);
    assert.match(person.seen.join(' | '), where);
    assert.ok(exists('/srv/shop.conf'));
  });

  it('ask before an archive is unpacked into the root, also if that was entered with several slashes', async () => {
    const unpack = () => commands.executeCommand('gantry.archive.unpack', uri('/srv/shop.conf'));
    await person.answering(['//', escape], unpack);
    assert.match(person.seen.join(' | '), /Unpack “shop\.conf” into \/\?/);
  });

  describe('delete what others have changed since it was listed only after another question', () => {
    const remove = (path: string, ...answers: readonly Answer[]) =>
      person.answering(answers, () => commands.executeCommand('gantry.file.delete', uri(path)));

    it('a file', async () => {
      await scene.parts.listings.list(place('/srv'));
      await remove('/srv/shop.conf', escape);
      await put('/srv/shop.conf', 'theirs, and longer\n');
      await remove('/srv/shop.conf', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“shop\.conf” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(exists('/srv/shop.conf'));
      // By now, this window has listed their version.
      await remove('/srv/shop.conf', 'Delete');
      assert.ok(!exists('/srv/shop.conf'));
    });

    it('a folder that got a file', async () => {
      await makeFolder('/srv/site');
      await scene.parts.listings.list(place('/srv/site'));
      await put('/srv/site/theirs.conf', 'theirs\n');
      await remove('/srv/site', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“site” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(exists('/srv/site/theirs.conf'));
      await scene.parts.listings.list(place('/srv/site'));
      await put('/srv/site/more.conf', 'theirs\n');
      await remove('/srv/site', 'Delete', 'Delete Anyway');
      assert.ok(!exists('/srv/site'));
    });

    it('a folder in which a file was changed', async () => {
      await put('/srv/site/shop.conf', 'one\n');
      await scene.parts.listings.list(place('/srv/site'));
      await put('/srv/site/shop.conf', 'theirs, and longer\n');
      await remove('/srv/site', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“site” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(exists('/srv/site/shop.conf'));
    });

    it('a file that has become a folder', async () => {
      await scene.parts.listings.list(place('/srv'));
      await cp.remove('/srv/shop.conf');
      await put('/srv/shop.conf/theirs.conf', 'theirs\n');
      await remove('/srv/shop.conf', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“shop\.conf” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(exists('/srv/shop.conf/theirs.conf'));
      await cp.remove('/srv/shop.conf');
    });

    it('a file on two nodes, of which others changed the second', async () => {
      const file = await cp.file('/srv/both.conf', 'one\n');
      const uris = [0, 1].map((node) => uri(file.path, node));
      for (const folder of cp.everywhere('/srv')) await scene.parts.listings.list(folder);
      await file.put('theirs, and longer\n', 1);
      await person.answering(['Delete', escape], () => commands.executeCommand('gantry.file.delete', uris[0], uris));
      assert.match(person.seen.join(' | '), /“both\.conf” was changed in the meantime/);
      assert.deepEqual(
        [0, 1].map((node) => exists(file.path, node)),
        [true, true],
      );
    });

    it('a folder, also if this window saved one of its files during the question', async () => {
      await put('/srv/site/ours.conf', 'one\n');
      const saving = async (text: string) => {
        await nextEvent(person.onDidSee);
        await workspace.fs.writeFile(uri('/srv/site/ours.conf'), Buffer.from(text));
      };
      await scene.parts.listings.list(place('/srv/site'));
      const saved = saving('ours\n').then(() => put('/srv/site/theirs.conf', 'theirs\n'));
      await remove('/srv/site', { presses: 'Delete', when: saved }, escape);
      assert.match(person.seen.join(' | '), /“site” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(exists('/srv/site/theirs.conf'));
      await scene.parts.listings.list(place('/srv/site'));
      await remove('/srv/site', { presses: 'Delete', when: saving('ours, and longer\n') });
      assert.ok(!exists('/srv/site'));
    });

    it('as far as it can be listed', async () => {
      await scene.parts.listings.list(place('/srv'));
      const fault = { kind: 'gatewayError', status: 502 } as const;
      scene.fail('GetList', fault, { times: 'always' });
      await remove('/srv/shop.conf', 'Delete', escape);
      assert.match(person.seen.join(' | '), /Couldn't check whether “shop\.conf” changed: .+\./);
      assert.ok(exists('/srv/shop.conf'));
      await remove('/srv/shop.conf', 'Delete', 'Delete Anyway');
      assert.ok(!exists('/srv/shop.conf'));
    });
  });

  it('say what could not be deleted before the person canceled', async () => {
    const names = ['denied', 'deleted', 'slow', 'waiting'];
    const paths = names.map((name) => `/srv/several/${name}.conf`);
    const uris = paths.map((path) => uri(path));
    for (const path of paths) await put(path, 'one\n');
    const at = (name: string) => ({ parameters: { path: `/srv/several/${name}.conf` } });
    scene.fail('Delete', { kind: 'refuse', result: 4037, error: 'denied' }, at('denied'));
    const deleting = scene.hang('Delete', at('slow'));
    const leave = cancelProgress(deleting.reached);
    try {
      await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', uris[0], uris));
    } finally {
      leave();
      deleting.release();
    }
    assert.ok(person.seen.includes("Couldn't delete 1 of 2 items."), person.seen.join(' | '));
    assert.ok(person.seen.includes('Canceled. The platform may still make the change.'));
    assert.deepEqual([exists('/srv/several/denied.conf'), exists('/srv/several/deleted.conf')], [true, false]);
    assert.ok(exists('/srv/several/waiting.conf'));
  });

  it('create no file over one that is deeper in the folder', async () => {
    await put('/srv/deep/site.conf', 'theirs\n');
    await person.answering(['deep/site.conf'], () => commands.executeCommand('gantry.file.create', uri('/srv')));
    assert.match(person.seen.join(' | '), /“deep\/site\.conf” already exists\./);
    assert.equal(await text('/srv/deep/site.conf'), 'theirs\n');
    await person.answering(['deep/new.conf'], () => commands.executeCommand('gantry.file.create', uri('/srv')));
    assert.equal(await text('/srv/deep/new.conf'), '');
  });

  it('delete nothing at the root of a node', async () => {
    await person.answering([], () => commands.executeCommand('gantry.file.delete', uri('/')));
    assert.deepEqual(person.seen, []);
  });

  it('copy the path in the container, and a relative path', async () => {
    await commands.executeCommand('gantry.file.copyPath', uri('/srv/shop.conf'));
    assert.equal(await env.clipboard.readText(), '/srv/shop.conf');
    await commands.executeCommand('gantry.file.copyRelativePath', uri('/srv/shop.conf'));
    assert.equal(await env.clipboard.readText(), 'srv/shop.conf');
  });

  it('open a file beside the active editor', async () => {
    await commands.executeCommand('vscode.open', uri('/srv/shop.conf'));
    await commands.executeCommand('gantry.file.openToSide', uri('/srv/shop.conf'));
    assert.deepEqual(
      window.tabGroups.all.map(({ tabs }) => tabs.length),
      [1, 1],
    );
  });

  it('neither delete, rename, nor cut what only a shortcut leads to', async () => {
    const view = scene.parts.environmentsView;
    const [node] = await rowsBelow(view, 'shop', 'nginxphp');
    assert.ok(node);
    const shortcut = (await view.getChildren(node)).find((row) => labelOf(view, row) === 'sites');
    assert.equal(descriptionOf(view, shortcut ?? node), '/srv/conf.d');
    await person.answering([], async () => {
      for (const command of ['delete', 'rename']) await commands.executeCommand(`gantry.file.${command}`, shortcut);
    });
    assert.deepEqual(person.seen, []);
    assert.ok(exists('/srv/conf.d'));
  });

  describe('moved by a drop', () => {
    const view = () => scene.parts.environmentsView;
    const rowAt = async (...path: readonly string[]) => {
      const rows = await rowsBelow(view(), 'shop', 'nginxphp', 'nginxphp', ...path.slice(0, -1));
      return rows.find((row) => labelOf(view(), row) === path.at(-1)) ?? assert.fail(`a row is at ${path.join('/')}`);
    };
    const drop = async (answers: readonly Answer[], ...rows: readonly object[]) => {
      const transfer = new DataTransfer();
      transfer.set(environmentRowMimeType, new DataTransferItem(rows));
      const onto = await rowAt('srv', 'drops');
      await person.answering(answers, () => scene.parts.dragAndDrop.handleDrop(onto, transfer));
    };

    beforeEach(async () => {
      await makeFolder('/srv/drops');
      scene.parts.listings.forgetAll();
    });

    it("aren't what only a shortcut leads to", async () => {
      await drop([], await rowAt('sites'));
      assert.deepEqual(person.seen, []);
      assert.ok(exists('/srv/conf.d'));
    });

    it('are none if they are there already, without a question', async () => {
      await put('/srv/drops/there.conf', 'a\n');
      await drop([], await rowAt('srv', 'drops', 'there.conf'));
      assert.deepEqual(person.seen, []);
      assert.equal(await text('/srv/drops/there.conf'), 'a\n');
    });

    it("aren't a folder that would be in itself, which is said instead of a question", async () => {
      await drop([], await rowAt('srv', 'drops'));
      assert.match(person.seen.join(' | '), /a folder can't be copied or moved into itself/);
      assert.doesNotMatch(person.seen.join(' | '), /Move “/);
    });

    it("aren't the root of another node", async () => {
      const transfer = new DataTransfer();
      transfer.set('text/uri-list', new DataTransferItem(uri('/', 1).toString()));
      const onto = await rowAt('srv', 'drops');
      await person.answering([], () => scene.parts.dragAndDrop.handleDrop(onto, transfer));
      assert.deepEqual(person.seen, []);
    });

    it('are none if a file of another window is gone by now, which is said', async () => {
      await put('/srv/there.conf', 'a\n');
      const transfer = new DataTransfer();
      const uris = ['/srv/there.conf', '/srv/gone.conf'].map((path) => uri(path).toString());
      transfer.set('text/uri-list', new DataTransferItem(uris.join('\r\n')));
      const onto = await rowAt('srv', 'drops');
      await person.answering([], () => scene.parts.dragAndDrop.handleDrop(onto, transfer));
      assert.match(person.seen.join(' | '), /\/srv\/gone\.conf doesn't exist in shop\./);
      assert.ok(exists('/srv/there.conf'));
    });

    it('are a folder, also if a file in it is selected, too', async () => {
      await put('/srv/parent/child.conf', 'a\n');
      await drop(['Move'], await rowAt('srv', 'parent'), await rowAt('srv', 'parent', 'child.conf'));
      assert.match(person.seen.join(' | '), /Move “\/srv\/parent” into “\/srv\/drops”\?/);
      assert.equal(await text('/srv/drops/parent/child.conf'), 'a\n');
      assert.ok(!exists('/srv/parent'));
    });
  });

  it('open several files in one group beside the active editor', async () => {
    const names = ['a.conf', 'b.conf', 'c.conf'];
    for (const name of names) await put(`/srv/conf.d/${name}`, 'a\n');
    const view = scene.parts.environmentsView;
    const rows = await rowsBelow(view, 'shop', 'nginxphp', 'nginxphp', 'srv', 'conf.d');
    const files = rows.filter((row) => names.includes(labelOf(view, row)));
    assert.equal(files.length, names.length);
    await commands.executeCommand('vscode.open', uri('/srv/shop.conf'));
    await commands.executeCommand('gantry.file.openToSide', files[0], files);
    assert.deepEqual(
      window.tabGroups.all.map(({ tabs }) => tabs.length),
      [1, 3],
    );
  });

  it('delete the selected files, even if their node is selected, too', async () => {
    const view = scene.parts.environmentsView;
    const [node] = await rowsBelow(view, 'shop', 'nginxphp');
    const file = (await rowsBelow(view, 'shop', 'nginxphp', 'nginxphp', 'srv')).find(
      (row) => labelOf(view, row) === 'shop.conf',
    );
    assert.ok(node && file);
    await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', file, [node, file]));
    assert.ok(!exists('/srv/shop.conf'));
  });
});
