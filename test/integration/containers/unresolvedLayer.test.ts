import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, FilePermission, type Uri, workspace } from 'vscode';
import type { Account } from '../../../src/accounts/accounts';
import type { Parts } from '../support/parts';
import { filePlaceOf } from '../../../src/containers/place';
import { type LocalPlatform, startPlatform } from '../../localPlatform/localPlatform';
import { closeWithoutSaving, openInEditor } from '../support/editing';
import { until } from '../support/event';
import { fileUri, gantry } from '../support/gantry';
import { Person } from '../support/person';

const { fs } = workspace;

describe('a layer whose nodes are unknown', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let account: Account;
  let nodes: readonly number[];
  let person: Person;

  before(async () => {
    const layer = { name: 'cp', nodeType: 'nginxphp', containerUser: 'nginx', owned: ['/srv'], nodes: 2 };
    platform = await startPlatform({ environments: [{ envName: 'shop', layers: [layer] }] });
    nodes = platform.nodes('shop', 'cp').map(({ id }) => id);
    parts = await gantry();
  });

  beforeEach(async () => {
    person = new Person();
    const apiList = ['GetList', 'Read', 'Write', 'Create', 'Delete', 'Rename', 'Copy'].map(
      (name) => `environment.file.${name}`,
    );
    const token = await platform.createToken({ description: 'files only', apiList });
    await parts.accounts.add({ slug: 'layer', label: 'L', address: platform.origin, transport: 'form', token });
    const added = parts.accounts.find('layer');
    assert.ok(added);
    account = added;
    await parts.environments.add(account, { name: 'shop', layers: [{ id: 'cp', nodes: [] }] });
    for (const [index, text] of ['ours\n', 'theirs\n'].entries()) {
      await mkdir(onDisk(index, '/srv/www'), { recursive: true });
      await writeFile(onDisk(index, '/srv/www/shop.conf'), text);
    }
    parts.listings.forgetAll();
  });

  afterEach(async () => {
    person.leave();
    await closeWithoutSaving();
    await parts.accounts.remove('layer');
  });

  after(() => platform.dispose());

  const onDisk = (node: number, path: string) => join(platform.nodeFolder(nodes[node] ?? 0), path);
  const both = () => Promise.all([0, 1].map((node) => readFile(onDisk(node, '/srv/www/shop.conf'), 'utf8')));
  const onLayer = (path = '/srv/www/shop.conf') => fileUri(account, 'shop', 'cp', path);
  const onNode = (node: number) => fileUri(account, 'shop', `cp~${nodes[node] ?? 0}`, '/srv/www/shop.conf');
  const isReadOnly = async (uri: Uri) => (await fs.stat(uri)).permissions === FilePermission.Readonly;
  const reason = () => {
    const place = filePlaceOf(onLayer());
    return place && parts.files.readOnly.reasonFor(place, {});
  };

  it('can be read, but none of its files can be changed', async () => {
    assert.match(Buffer.from(await fs.readFile(onLayer())).toString(), /^(ours|theirs)\n$/);
    assert.ok(await isReadOnly(onLayer()));
    assert.deepEqual(reason(), { kind: 'nodesUnknown' });
    platform.journal.reset();
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
    const sent = new Set(platform.journal.arrivals.map(({ operation }) => operation));
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
    const entered = until(parts.environments.onDidChange, async () => {
      const [shop] = await parts.environments.of(account);
      return shop?.layers[0]?.nodes.length === 2;
    });
    await person.answering([nodes.join(', ')], () => commands.executeCommand('gantry.layer.enterNodes'));
    await entered;
    await fs.writeFile(onNode(1), Buffer.from('new\n'));
    assert.deepEqual(await both(), ['ours\n', 'new\n']);
    // The user may have left one out.
    await assert.rejects(async () => fs.writeFile(onLayer(), Buffer.from('new\n')));
    assert.ok(await isReadOnly(onLayer()));
  });

  it("rejects IDs that the platform doesn't have", async () => {
    await assert.rejects(parts.environments.enterNodes(account, 'shop', { id: 'cp', nodes: [1] }));
    const [shop] = await parts.environments.of(account);
    assert.deepEqual(shop?.layers[0]?.nodes, []);
  });
});
