import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import type { Account } from '../../../../src/accounts/accounts';
import type { MountInput } from '../../../../src/features/mounts/mountInput';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import type { LocalPlatform } from '../../../localPlatform/localPlatform';
import { listWithoutNode } from '../../support/hiddenNode';
import { Person } from '../../support/person';
import { assertQuick } from '../../support/assertQuick';
import { nextEvent } from '../../support/event';
import { fileUri } from '../../support/gantry';
import { type SharingSetUp, startSharing } from '../../support/sharing';
import { descriptionOf, labelOf, labelsBelow, rowsBelow } from '../../support/trees';

const shop = 'Saltmarsh Tea';
const servers = 'Application servers';

describe('mounts', () => {
  let platform: LocalPlatform;
  let account: Account;
  let parts: SharingSetUp['parts'];

  before(async () => {
    ({ platform, account, parts } = await startSharing());
  });

  beforeEach(() => platform.journal.reset());

  afterEach(async () => {
    platform.faults.clear();
    for (const envName of ['shop', 'blog-staging']) {
      for (const { nodeId, path } of (await account.call('GetMountPoints', { envName })).array) {
        await account.call('RemoveMountPointById', { envName, nodeId: nodeId ?? 0, path });
      }
    }
    parts.mounts.refresh();
    parts.listings.forgetAll();
  });

  after(async () => {
    await commands.executeCommand('notifications.clearAll');
    await parts.accounts.remove(account.slug);
    await platform.dispose();
  });

  const node = (environment: string, layer: string, index = 0) => {
    const found = platform.nodes(environment, layer)[index];
    assert.ok(found);
    return found;
  };
  const place = (environment: string, layer: string, path: string, index?: number) => ({
    kind: 'file' as const,
    account: account.slug,
    environment,
    target:
      index === undefined ? { nodeGroup: layer } : { nodeGroup: layer, nodeId: node(environment, layer, index).id },
    path,
  });
  const database = () => node('shop', 'sqldb');
  const backups = (more: Partial<MountInput> = {}): MountInput => ({
    place: place('shop', 'cp', '/mnt/backup', 0),
    nodeIds: [node('shop', 'cp').id],
    source: { kind: 'node', nodeId: database().id },
    sourcePath: '/var/lib/backup',
    protocol: 'NFS4',
    readOnly: true,
    name: 'backups',
    ...more,
  });
  const onLayer = (more: Partial<MountInput> = {}) =>
    backups({
      place: place('shop', 'cp', '/mnt/backup'),
      nodeIds: [node('shop', 'cp').id, node('shop', 'cp', 1).id],
      ...more,
    });
  const put = async (name: string, text: string) => {
    const folder = join(platform.nodeFolder(database().id), 'var/lib/backup');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, name), text);
  };
  const sent = (operation: string) => platform.journal.entries.filter((entry) => entry.operation === operation);
  const nodeName = (index: number) => `NGINX PHP 8.3 (${node('shop', 'cp', index).id})`;

  it('of one node show the data of another node there, and their source', async () => {
    await put('monday.sql', 'select 1;');
    await parts.mounts.add(backups());
    assert.deepEqual(await labelsBelow(parts.mountsView, shop), ['Load balancer', servers, 'Database']);
    const nodes = await rowsBelow(parts.mountsView, shop, servers);
    assert.equal(nodes.length, 2);
    const [first] = nodes;
    assert.ok(first);
    const [mount, ...others] = await parts.mountsView.getChildren(first);
    assert.ok(mount?.kind === 'mount' && others.length === 0);
    assert.equal(labelOf(parts.mountsView, mount), '/mnt/backup');
    const text = descriptionOf(parts.mountsView, mount);
    assert.equal(text, `NFS4 · read-only · from MySQL 8.4 (${database().id}):/var/lib/backup`);
    const { tooltip, contextValue } = parts.mountsView.getTreeItem(mount);
    assert.ok(typeof tooltip === 'string');
    assert.match(
      tooltip,
      /Name: backups\n.*\n.*\nAccess: read-only\nType: from a node on this platform\nCreated by a user/,
    );
    assert.equal(contextValue, 'mount');
    const names = (await parts.mountsView.getChildren(mount)).map((row) => labelOf(parts.mountsView, row));
    assert.ok(names.includes('monday.sql'), names.join());

    const file = fileUri(account, 'shop', `cp~${node('shop', 'cp').id}`, '/mnt/backup/monday.sql');
    assert.equal(new TextDecoder().decode(await workspace.fs.readFile(file)), 'select 1;');
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(file, new TextEncoder().encode('drop;'))));
    assert.equal(
      await readFile(join(platform.nodeFolder(database().id), 'var/lib/backup/monday.sql'), 'utf8'),
      'select 1;',
    );
  });

  it('of a layer are one row, and one request adds or removes them on every node', async () => {
    await put('tuesday.sql', 'select 2;');
    await parts.mounts.add(onLayer({ readOnly: false }));
    const [mount] = await rowsBelow(parts.mountsView, shop, servers);
    assert.ok(mount?.kind === 'mount');
    assert.equal(mount.mount.place.target.nodeId, undefined);
    assert.deepEqual(sent('AddMountPointByGroup').length, 1);
    for (const index of [0, 1]) {
      const there = fileUri(account, 'shop', `cp~${node('shop', 'cp', index).id}`, '/mnt/backup');
      assert.deepEqual(
        await workspace.fs.readDirectory(there).then((all) => all.map(([name]) => name).includes('tuesday.sql')),
        true,
      );
    }
    const through = fileUri(account, 'shop', `cp~${node('shop', 'cp', 1).id}`, '/mnt/backup/wednesday.sql');
    await workspace.fs.writeFile(through, new TextEncoder().encode('select 3;'));
    const onDisk = join(platform.nodeFolder(database().id), 'var/lib/backup/wednesday.sql');
    assert.equal(await readFile(onDisk, 'utf8'), 'select 3;');
    await parts.mounts.remove(mount.mount);
    assert.equal(await readFile(onDisk, 'utf8'), 'select 3;', 'the data stays');
    assert.equal(sent('RemoveMountPointByGroup').length, 1);
    assert.deepEqual((await account.call('GetMountPoints', { envName: 'shop' })).array, []);
    const left = fileUri(account, 'shop', `cp~${node('shop', 'cp').id}`, '/mnt/backup');
    assert.deepEqual(await workspace.fs.readDirectory(left), []);
  });

  it('are removed only if they are what the question showed, because the platform is sent only the path', async () => {
    await parts.mounts.add(backups());
    const [row] = await rowsBelow(parts.mountsView, shop, servers);
    assert.ok(row);
    const [mount] = await parts.mountsView.getChildren(row);
    assert.ok(mount?.kind === 'mount');
    // Someone mounts another folder there in the meantime.
    const at = { envName: 'shop', nodeId: node('shop', 'cp').id, path: '/mnt/backup' };
    await mkdir(join(platform.nodeFolder(database().id), 'var/lib/other'), { recursive: true });
    await account.call('RemoveMountPointById', at);
    await account.call('AddMountPointById', { ...at, sourceNodeId: database().id, sourcePath: '/var/lib/other' });
    platform.journal.reset();
    const person = new Person();
    try {
      const remove = () => commands.executeCommand('gantry.mount.remove', mount);
      await person.answering(['Unmount'], remove);
      assert.match(
        person.seen.join(' | '),
        /Something else is mounted at \/mnt\/backup by now, so nothing was unmounted/,
      );
      assert.equal(sent('RemoveMountPointById').length, 0);
      await account.call('RemoveMountPointById', at);
      platform.journal.reset();
      await person.answering(['Unmount'], remove);
      assert.match(person.seen.join(' | '), /Nothing is mounted at \/mnt\/backup anymore/);
      assert.equal(sent('RemoveMountPointById').length, 0);
    } finally {
      person.leave();
    }
  });

  it('of a layer are added only on the nodes that the person was asked about', async () => {
    await listWithoutNode({ platform, account, parts }, node('shop', 'cp', 1).id);
    await assert.rejects(
      parts.mounts.add(onLayer({ nodeIds: [node('shop', 'cp').id] })),
      /other nodes than before the question/,
    );
    assert.equal(sent('AddMountPointByGroup').length, 0);
    parts.environments.refresh();
  });

  it('of a layer are removed only from the nodes that the person was asked about', async () => {
    await parts.mounts.add(onLayer());
    const [mount] = await rowsBelow(parts.mountsView, shop, servers);
    assert.ok(mount?.kind === 'mount');
    platform.journal.reset();
    // As it was listed before the layer got its second node.
    const asked = { ...mount.mount, nodeIds: mount.mount.nodeIds.slice(0, 1) };
    await assert.rejects(parts.mounts.remove(asked), /other nodes than before the question/);
    assert.equal(sent('RemoveMountPointByGroup').length, 0);
    await parts.mounts.remove(mount.mount);
    assert.equal(sent('RemoveMountPointByGroup').length, 1);
  });

  it('that make no sense are rejected before anything is sent', async () => {
    await assert.rejects(parts.mounts.add(backups({ sourcePath: 'var/lib' })), /isn't an absolute path/);
    assert.equal(platform.journal.entries.length, 0);
  });

  it('in the opposite direction cause one warning for each node of the layer', async () => {
    await parts.mounts.add(
      backups({
        place: place('shop', 'sqldb', '/mnt/web', 0),
        nodeIds: [database().id],
        source: { kind: 'node', nodeId: node('shop', 'cp', 1).id },
        sourcePath: '/var/www/webroot',
      }),
    );
    platform.journal.reset();
    const { place: wanted, nodeIds } = onLayer();
    const crossMounts = await parts.mounts.crossMounts(wanted, nodeIds, database().id);
    assert.equal(sent('CheckCrossMount').length, 2);
    assert.deepEqual(
      crossMounts.map(({ warnings }) => warnings.length),
      [0, 1],
    );

    platform.faults.add({
      operation: 'CheckCrossMount',
      times: 'always',
      fault: { kind: 'refuse', result: 8202, error: 'no' },
    });
    const unknown = await parts.mounts.crossMounts(wanted, nodeIds, database().id);
    assert.ok(unknown.every(({ error }) => error !== undefined));
  });

  it('are exports of the node that stores the data, with the clients that would lose access', async () => {
    await parts.mounts.add(onLayer());
    const rows = await rowsBelow(parts.mountsView, shop, 'Database', 'MySQL 8.4');
    const [exported] = rows;
    assert.ok(exported?.kind === 'export' && rows.length === 1);
    assert.equal(labelOf(parts.mountsView, exported), '/var/lib/backup');
    assert.equal(descriptionOf(parts.mountsView, exported), 'exported to 2 nodes');
    const clients = await parts.mountsView.getChildren(exported);
    assert.deepEqual(
      clients.map((row) => labelOf(parts.mountsView, row)),
      [nodeName(0), nodeName(1)],
    );

    const [, second] = exported.clients;
    assert.ok(second);
    await parts.mounts.removeExport(second.from, second.client, second.place);
    const left = (await account.call('GetMountPoints', { envName: 'shop' })).array;
    assert.deepEqual(
      left.map(({ nodeId }) => nodeId),
      [node('shop', 'cp').id],
    );
    const there = fileUri(account, 'shop', `cp~${node('shop', 'cp', 1).id}`, '/mnt/backup');
    assert.deepEqual(await workspace.fs.readDirectory(there), []);
  });

  it('work across environments, and name the source of the data', async () => {
    await parts.mounts.add(
      backups({ place: place('blog-staging', 'cp', '/mnt/backup', 0), nodeIds: [node('blog-staging', 'cp').id] }),
    );
    const [mount] = await rowsBelow(parts.mountsView, 'Harbour Notes (staging)', 'Application server', 'Node.js 20');
    assert.ok(mount?.kind === 'mount');
    assert.match(mount.source, /^Saltmarsh Tea · MySQL/);
  });

  it("created by the platform can't be removed", async () => {
    const { id } = node('shop', 'bl');
    const system = {
      creator: 'SYSTEM(1)',
      name: 'shared',
      nodeId: id,
      path: '/shared',
      protocol: 'NFS',
      readOnly: false,
      sourceHost: '10.0.0.9',
      sourcePath: '/export',
      sourceAddressType: 0,
      type: 'EXTERNAL(2)',
    };
    platform.faults.add({
      operation: 'GetMountPoints',
      fault: { kind: 'answer', body: JSON.stringify({ result: 0, array: [system], source: 'JEL' }) },
    });
    const [mount] = await rowsBelow(parts.mountsView, shop, 'Load balancer', 'NGINX 1.26');
    assert.ok(mount?.kind === 'mount');
    assert.match(parts.mountsView.getTreeItem(mount).contextValue ?? '', /^mount system\b/);
    assert.match(descriptionOf(parts.mountsView, mount), /^NFS · created by the platform · from 10\.0\.0\.9:\/export$/);
    void commands.executeCommand('gantry.mount.remove', mount);
    await commands.executeCommand('notifications.clearAll');
    assert.equal(sent('RemoveMountPointById').length, 0);
  });

  it('refresh the folder in every view after mounting and unmounting', async () => {
    await put('wednesday.sql', 'select 3;');
    const target = place('shop', 'cp', '/mnt/backup', 0);
    await parts.containers.createFolder(place('shop', 'cp', '/tmp/seen', 0));
    const wish = backups({ place: { ...target, path: '/tmp/seen' } });
    assert.equal((await parts.listings.list(wish.place)).size, 0);
    await parts.mounts.add(wish);
    assert.ok((await parts.listings.list(wish.place)).has('wednesday.sql'));
    const changed = nextEvent(parts.mounts.onDidChange, (places) => places.length > 0);
    const [mount] =
      (await parts.mounts.of(await environment(), await layer('cp'))).own.get(node('shop', 'cp').id) ?? [];
    assert.ok(mount);
    await parts.mounts.remove(mount);
    assert.deepEqual(
      (await changed).map(({ path, target }) => [path, target.nodeId]),
      [
        ['/tmp/seen', undefined],
        ['/tmp/seen', node('shop', 'cp').id],
      ],
    );
    assert.equal((await parts.listings.list(wish.place)).size, 0);
  });

  const environment = async () => {
    const found = (await parts.environments.of(account)).find(({ name }) => name === 'shop');
    assert.ok(found);
    return found;
  };
  const layer = async (id: string) => {
    const found = (await environment()).layers.find((one) => one.id === id);
    assert.ok(found);
    return found;
  };

  const lost: readonly FaultRule['fault'][] = [
    { kind: 'reset', when: 'after' },
    { kind: 'gatewayError', status: 504, when: 'after' },
    { kind: 'truncate', bytes: 3 },
  ];
  for (const fault of lost) {
    it(`that succeeded despite a lost response (${fault.kind}) aren't reported as failed`, async () => {
      platform.faults.add({ operation: 'AddMountPointByGroup', fault });
      await parts.mounts.add(onLayer());
      platform.faults.add({ operation: 'RemoveMountPointByGroup', fault });
      const [mount] = (await parts.mounts.of(await environment(), await layer('cp'))).common;
      assert.ok(mount);
      await parts.mounts.remove(mount);
      assert.deepEqual((await account.call('GetMountPoints', { envName: 'shop' })).array, []);
    });
  }

  it("that didn't happen are reported as failed", async () => {
    platform.faults.add({ operation: 'AddMountPointByGroup', fault: { kind: 'gatewayError', status: 504 } });
    await assert.rejects(parts.mounts.add(onLayer()));
  });

  it('of a thousand folders are listed with one request for each layer', async () => {
    const { id } = node('shop', 'cp');
    const row = (n: number) => ({
      creator: 0,
      name: `m${n}`,
      nodeId: id,
      path: `/mnt/${n}`,
      protocol: 'NFS',
      readOnly: false,
      sourceNodeId: database().id,
      sourceHost: '10.0.0.1',
      sourcePath: `/data/${n}`,
      type: 1,
    });
    const body = JSON.stringify({ result: 0, array: Array.from({ length: 1_000 }, (_, n) => row(n)) });
    platform.faults.add({ operation: 'GetMountPoints', fault: { kind: 'answer', body }, times: 'always' });
    await environment();
    await assertQuick(async () => {
      parts.mounts.refresh();
      platform.journal.reset();
      const [first] = await rowsBelow(parts.mountsView, shop, servers);
      assert.ok(first?.kind === 'node');
      assert.equal(sent('GetMountPoints').length, ['bl', 'cp', 'sqldb'].length);
      assert.equal(platform.journal.entries.length, sent('GetMountPoints').length);
      const rows = await parts.mountsView.getChildren(first);
      rows.forEach((one) => parts.mountsView.getTreeItem(one));
      assert.equal(rows.length, 1_000);
    });
  });
});
