import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, env, window, workspace } from 'vscode';
import { filePlaceOf, parentOf } from '../../../../src/containers/place';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { clearOneLayer, endOneLayer, type OneLayer, startOneLayer } from '../../support/oneLayer';
import { type Answer, escape, Person } from '../../support/person';
import { descriptionOf, labelOf, rowsBelow } from '../../support/trees';

describe('commands on files', () => {
  let stage: OneLayer;
  let person: Person;

  before(async () => {
    stage = await startOneLayer({ nodes: 2, shortcuts: [{ keyword: 'sites', path: '/srv/conf.d' }] });
    await mkdir(onDisk('/srv/conf.d'), { recursive: true });
  });

  beforeEach(async () => {
    person = new Person();
    await writeFile(onDisk('/srv/shop.conf'), 'one\n');
    stage.parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    await clearOneLayer(stage.platform);
  });

  after(() => endOneLayer(stage));

  const onDisk = (path: string) => join(stage.platform.nodeFolder(stage.nodes[0] ?? 0), path);
  const uri = (path: string) => fileUri(stage.account, 'shop', `cp~${stage.nodes[0]}`, path);

  it('ask before a file is deleted, with the node, the layer, and the environment', async () => {
    await stage.parts.environments.of(stage.account);
    await person.answering([escape], () => commands.executeCommand('gantry.file.delete', uri('/srv/shop.conf')));
    const where = new RegExp(`This permanently deletes it from node ${stage.nodes[0]} \\(nginxphp\\), shop\\.`);
    assert.match(person.seen.join(' | '), where);
    assert.ok(existsSync(onDisk('/srv/shop.conf')));
  });

  describe('delete what others have changed since it was listed only after another question', () => {
    const place = (path: string) => filePlaceOf(uri(path)) ?? assert.fail();
    const remove = (path: string, ...answers: readonly Answer[]) =>
      person.answering(answers, () => commands.executeCommand('gantry.file.delete', uri(path)));

    it('a file', async () => {
      await stage.parts.listings.list(place('/srv'));
      await remove('/srv/shop.conf', escape);
      await writeFile(onDisk('/srv/shop.conf'), 'theirs, and longer\n');
      await remove('/srv/shop.conf', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“shop\.conf” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(existsSync(onDisk('/srv/shop.conf')));
      // By now, this window has listed their version.
      await remove('/srv/shop.conf', 'Delete');
      assert.ok(!existsSync(onDisk('/srv/shop.conf')));
    });

    it('a folder that got a file', async () => {
      await mkdir(onDisk('/srv/site'), { recursive: true });
      await stage.parts.listings.list(place('/srv/site'));
      await writeFile(onDisk('/srv/site/theirs.conf'), 'theirs\n');
      await remove('/srv/site', 'Delete', escape);
      assert.match(person.seen.join(' | '), /“site” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(existsSync(onDisk('/srv/site/theirs.conf')));
      await stage.parts.listings.list(place('/srv/site'));
      await writeFile(onDisk('/srv/site/more.conf'), 'theirs\n');
      await remove('/srv/site', 'Delete', 'Delete Anyway');
      assert.ok(!existsSync(onDisk('/srv/site')));
    });

    it('a file on two nodes, of which others changed the second', async () => {
      const files = stage.nodes.map((node) => join(stage.platform.nodeFolder(node), '/srv/both.conf'));
      const uris = stage.nodes.map((node) => fileUri(stage.account, 'shop', `cp~${node}`, '/srv/both.conf'));
      for (const file of files) {
        await mkdir(dirname(file), { recursive: true });
        await writeFile(file, 'one\n');
      }
      for (const each of uris) {
        await stage.parts.listings.list(parentOf(filePlaceOf(each) ?? assert.fail()) ?? assert.fail());
      }
      await writeFile(files[1] ?? '', 'theirs, and longer\n');
      await person.answering(['Delete', escape], () => commands.executeCommand('gantry.file.delete', uris[0], uris));
      assert.match(person.seen.join(' | '), /“both\.conf” was changed in the meantime/);
      assert.deepEqual(files.map(existsSync), [true, true]);
    });

    it('a folder, also if this window saved one of its files during the question', async () => {
      await mkdir(onDisk('/srv/site'), { recursive: true });
      await writeFile(onDisk('/srv/site/ours.conf'), 'one\n');
      const saving = async (text: string) => {
        await nextEvent(person.onDidSee);
        await workspace.fs.writeFile(uri('/srv/site/ours.conf'), Buffer.from(text));
      };
      await stage.parts.listings.list(place('/srv/site'));
      const saved = saving('ours\n').then(() => writeFile(onDisk('/srv/site/theirs.conf'), 'theirs\n'));
      await remove('/srv/site', { presses: 'Delete', when: saved }, escape);
      assert.match(person.seen.join(' | '), /“site” was changed in the meantime\. Delete it anyway\?/);
      assert.ok(existsSync(onDisk('/srv/site/theirs.conf')));
      await stage.parts.listings.list(place('/srv/site'));
      await remove('/srv/site', { presses: 'Delete', when: saving('ours, and longer\n') });
      assert.ok(!existsSync(onDisk('/srv/site')));
    });

    it('as far as it can be listed', async () => {
      await stage.parts.listings.list(place('/srv'));
      const fault = { kind: 'gatewayError', status: 502 } as const;
      stage.platform.faults.add({ operation: 'GetList', times: 'always', fault });
      await remove('/srv/shop.conf', 'Delete', escape);
      assert.match(person.seen.join(' | '), /Couldn't check whether “shop\.conf” changed: .+\./);
      assert.ok(existsSync(onDisk('/srv/shop.conf')));
      await remove('/srv/shop.conf', 'Delete', 'Delete Anyway');
      assert.ok(!existsSync(onDisk('/srv/shop.conf')));
    });
  });

  it('create no file over one that is deeper in the folder', async () => {
    await mkdir(onDisk('/srv/deep'), { recursive: true });
    await writeFile(onDisk('/srv/deep/site.conf'), 'theirs\n');
    await person.answering(['deep/site.conf'], () => commands.executeCommand('gantry.file.create', uri('/srv')));
    assert.match(person.seen.join(' | '), /“deep\/site\.conf” already exists\./);
    assert.equal(await readFile(onDisk('/srv/deep/site.conf'), 'utf8'), 'theirs\n');
    await person.answering(['deep/new.conf'], () => commands.executeCommand('gantry.file.create', uri('/srv')));
    assert.equal(await readFile(onDisk('/srv/deep/new.conf'), 'utf8'), '');
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
    const view = stage.parts.environmentsView;
    const [node] = await rowsBelow(view, 'shop', 'nginxphp');
    assert.ok(node);
    const shortcut = (await view.getChildren(node)).find((row) => labelOf(view, row) === 'sites');
    assert.equal(descriptionOf(view, shortcut ?? node), '/srv/conf.d');
    await person.answering([], async () => {
      for (const command of ['delete', 'rename']) await commands.executeCommand(`gantry.file.${command}`, shortcut);
    });
    assert.deepEqual(person.seen, []);
    assert.ok(existsSync(onDisk('/srv/conf.d')));
  });

  it('open several files in one group beside the active editor', async () => {
    const names = ['a.conf', 'b.conf', 'c.conf'];
    for (const name of names) await writeFile(onDisk(`/srv/conf.d/${name}`), 'a\n');
    const view = stage.parts.environmentsView;
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
    const view = stage.parts.environmentsView;
    const [node] = await rowsBelow(view, 'shop', 'nginxphp');
    const file = (await rowsBelow(view, 'shop', 'nginxphp', 'nginxphp', 'srv')).find(
      (row) => labelOf(view, row) === 'shop.conf',
    );
    assert.ok(node && file);
    await person.answering(['Delete'], () => commands.executeCommand('gantry.file.delete', file, [node, file]));
    assert.ok(!existsSync(onDisk('/srv/shop.conf')));
  });
});
