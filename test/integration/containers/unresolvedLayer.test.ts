import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, FilePermission, type Uri, workspace } from 'vscode';
import { openInEditor } from '../support/editing';
import { until } from '../support/event';
import { windowScene } from '../support/windowScene';

const { fs } = workspace;

describe('a layer whose nodes are unknown', () => {
  const scene = windowScene({ signedOut: true });
  const cp = scene.environment('shop').layer('cp', { nodes: 2 });
  const { person } = scene;

  beforeEach(async () => {
    const apiList = ['GetList', 'Read', 'Write', 'Create', 'Delete', 'Rename', 'Copy'].map(
      (name) => `environment.file.${name}`,
    );
    const account = await scene.signInWith({ description: 'files only', apiList });
    await scene.parts.environments.add(account, { name: 'shop', layers: [{ id: 'cp', nodes: [] }] });
    await cp.put('/srv/www/shop.conf', 'ours\n');
    await cp.put('/srv/www/shop.conf', 'theirs\n', 1);
    scene.parts.listings.forgetAll();
  });

  afterEach(() => scene.signOut());

  const both = () => cp.texts('/srv/www/shop.conf');
  const onLayer = (path = '/srv/www/shop.conf') => cp.layerUri(path);
  const onNode = (node: number) => cp.uri('/srv/www/shop.conf', node);
  const isReadOnly = async (uri: Uri) => (await fs.stat(uri)).permissions === FilePermission.Readonly;
  const reason = () => scene.parts.files.readOnly.reasonFor(cp.onLayer('/srv/www/shop.conf'), {});

  it('can be read, but none of its files can be changed', async () => {
    assert.match(Buffer.from(await fs.readFile(onLayer())).toString(), /^(ours|theirs)\n$/);
    assert.ok(await isReadOnly(onLayer()));
    assert.deepEqual(reason(), { kind: 'nodesUnknown' });
    scene.platform.journal.reset();
    const unknown = /doesn't know all the nodes in this layer/;
    await assert.rejects(async () => fs.writeFile(onLayer(), Buffer.from('new\n')), unknown);
    await assert.rejects(
      async () => fs.delete(onLayer()),
      /Couldn't delete shop\.conf.*know all the nodes in this layer/,
    );
    await assert.rejects(async () => fs.rename(onLayer(), onLayer('/srv/www/other.conf')), unknown);
    await assert.rejects(async () => fs.copy(onLayer(), onLayer('/srv/www/other.conf')), unknown);
    await assert.rejects(async () => fs.createDirectory(onLayer('/srv/www/new')), unknown);
    await assert.rejects(async () => fs.writeFile(onLayer('/srv/www/new.conf'), Buffer.from('')), unknown);
    const sent = new Set(scene.requests());
    assert.deepEqual(
      [...sent].filter((operation) => !['GetList', 'Read', 'GetEnvs', 'GetEnvInfo'].includes(operation)),
      [],
    );
    assert.deepEqual(await both(), ['ours\n', 'theirs\n']);
  });

  it('is told before a question, also what to do instead', async () => {
    for (const [command, words] of [
      ['gantry.file.delete', /^Couldn't delete shop\.conf.* doesn't know all the nodes in this layer/],
      ['gantry.file.rename', /^Couldn't rename shop\.conf.* doesn't know all the nodes in this layer/],
    ] as const) {
      await person.answering([], () => commands.executeCommand(command, onLayer()));
      assert.match(person.seen.join('|'), words);
      assert.equal(person.seen.length, 1);
    }
    assert.deepEqual(await both(), ['ours\n', 'theirs\n']);
  });

  it('can be changed on each node after the user enters the node IDs', async () => {
    await openInEditor(onLayer());
    const entered = until(scene.parts.environments.onDidChange, async () => {
      const [shop] = await scene.parts.environments.of(scene.account);
      return shop?.layers[0]?.nodes.length === 2;
    });
    await person.answering([cp.nodes.join(', ')], () => commands.executeCommand('gantry.layer.enterNodes'));
    await entered;
    await fs.writeFile(onNode(1), Buffer.from('new\n'));
    assert.deepEqual(await both(), ['ours\n', 'new\n']);
    // The user may have left one out.
    await assert.rejects(async () => fs.writeFile(onLayer(), Buffer.from('new\n')));
    assert.ok(await isReadOnly(onLayer()));
  });

  it("rejects IDs that the platform doesn't have", async () => {
    await assert.rejects(scene.parts.environments.enterNodes(scene.account, 'shop', { id: 'cp', nodes: [1] }));
    const [shop] = await scene.parts.environments.of(scene.account);
    assert.deepEqual(shop?.layers[0]?.nodes, []);
  });
});
