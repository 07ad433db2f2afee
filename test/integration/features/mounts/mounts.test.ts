import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands, workspace } from 'vscode';
import type { MountInput } from '../../../../src/features/mounts/mountInput';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { listWithoutNode } from '../../support/hiddenNode';
import { assertQuick } from '../../support/assertQuick';
import { nextEvent } from '../../support/event';
import { descriptionOf, labelOf, labelsBelow, rowsBelow } from '../../support/trees';
import { windowScene } from '../../support/windowScene';

const shop = 'Saltmarsh Tea';
const servers = 'Application servers';

describe('mounts', () => {
  const scene = windowScene({ sample: 'environments' });
  const { person, count } = scene;
  const cp = scene.environment('shop').layer('cp');
  const sqldb = scene.environment('shop').layer('sqldb');
  const bl = scene.environment('shop').layer('bl');
  const staging = scene.environment('blog-staging').layer('cp');
  const data = sqldb.below('/var/lib/backup');

  beforeEach(() => scene.platform.journal.reset());

  afterEach(async () => {
    for (const envName of ['shop', 'blog-staging']) {
      for (const { nodeId, path } of await mounted(envName)) {
        await scene.account.call('RemoveMountPointById', { envName, nodeId: nodeId ?? 0, path });
      }
    }
    mounts().refresh();
    scene.parts.listings.forgetAll();
  });

  const mounts = () => scene.parts.sharing.mounts;
  const mountsView = () => scene.parts.sharing.mountsView;
  const mounted = async (envName = 'shop') => (await scene.account.call('GetMountPoints', { envName })).array;
  const mountsOf = async () => {
    const { environment, layer } = await cp.listed();
    return mounts().of(environment, layer);
  };
  const backups = (more: Partial<MountInput> = {}): MountInput => ({
    place: cp.place('/mnt/backup'),
    nodeIds: [cp.nodeId()],
    source: { kind: 'node', nodeId: sqldb.nodeId() },
    sourcePath: '/var/lib/backup',
    protocol: 'NFS4',
    readOnly: true,
    name: 'backups',
    ...more,
  });
  const onLayer = (more: Partial<MountInput> = {}) =>
    backups({ place: cp.onLayer('/mnt/backup'), nodeIds: cp.nodes, ...more });

  it('of one node show the data of another node there, and their source', async () => {
    await data.put('monday.sql', 'select 1;');
    await mounts().add(backups());
    assert.deepEqual(await labelsBelow(mountsView(), shop), ['Load balancer', servers, 'Database']);
    const nodes = await rowsBelow(mountsView(), shop, servers);
    assert.equal(nodes.length, 2);
    const [first] = nodes;
    assert.ok(first);
    const [mount, ...others] = await mountsView().getChildren(first);
    assert.ok(mount?.kind === 'mount' && others.length === 0);
    assert.equal(labelOf(mountsView(), mount), '/mnt/backup');
    const text = descriptionOf(mountsView(), mount);
    assert.equal(text, `NFS4 · read-only · from MySQL 8.4 (${sqldb.nodeId()}):/var/lib/backup`);
    const { tooltip, contextValue } = mountsView().getTreeItem(mount);
    assert.ok(typeof tooltip === 'string');
    assert.match(
      tooltip,
      /Name: backups\n.*\n.*\nAccess: read-only\nType: from a node on this platform\nCreated by a user/,
    );
    assert.equal(contextValue, 'mount');
    const names = (await mountsView().getChildren(mount)).map((row) => labelOf(mountsView(), row));
    assert.ok(names.includes('monday.sql'), names.join());

    const file = cp.uri('/mnt/backup/monday.sql');
    assert.equal(new TextDecoder().decode(await workspace.fs.readFile(file)), 'select 1;');
    await assert.rejects(Promise.resolve(workspace.fs.writeFile(file, new TextEncoder().encode('drop;'))));
    assert.equal(await data.text('monday.sql'), 'select 1;');
  });

  it('of a layer are one row, and one request adds or removes them on every node', async () => {
    await data.put('tuesday.sql', 'select 2;');
    await mounts().add(onLayer({ readOnly: false }));
    const [mount] = await rowsBelow(mountsView(), shop, servers);
    assert.ok(mount?.kind === 'mount');
    assert.equal(mount.mount.place.target.nodeId, undefined);
    assert.equal(count('AddMountPointByGroup'), 1);
    for (const index of [0, 1]) {
      const there = cp.uri('/mnt/backup', index);
      assert.deepEqual(
        await workspace.fs.readDirectory(there).then((all) => all.map(([name]) => name).includes('tuesday.sql')),
        true,
      );
    }
    const through = cp.uri('/mnt/backup/wednesday.sql', 1);
    await workspace.fs.writeFile(through, new TextEncoder().encode('select 3;'));
    assert.equal(await data.text('wednesday.sql'), 'select 3;');
    await mounts().remove(mount.mount);
    assert.equal(await data.text('wednesday.sql'), 'select 3;', 'the data stays');
    assert.equal(count('RemoveMountPointByGroup'), 1);
    assert.deepEqual(await mounted(), []);
    assert.deepEqual(await workspace.fs.readDirectory(cp.uri('/mnt/backup')), []);
  });

  it('are removed only if they are what the question showed, because the platform is sent only the path', async () => {
    await mounts().add(backups());
    const [row] = await rowsBelow(mountsView(), shop, servers);
    assert.ok(row);
    const [mount] = await mountsView().getChildren(row);
    assert.ok(mount?.kind === 'mount');
    // Someone mounts another folder there in the meantime.
    const at = { envName: 'shop', nodeId: cp.nodeId(), path: '/mnt/backup' };
    await sqldb.makeFolder('/var/lib/other');
    await scene.account.call('RemoveMountPointById', at);
    await scene.account.call('AddMountPointById', {
      ...at,
      sourceNodeId: sqldb.nodeId(),
      sourcePath: '/var/lib/other',
    });
    scene.platform.journal.reset();
    const remove = () => commands.executeCommand('gantry.mount.remove', mount);
    await person.answering(['Unmount'], remove);
    assert.match(
      person.seen.join(' | '),
      /Something else is mounted at \/mnt\/backup by now, so nothing was unmounted/,
    );
    assert.equal(count('RemoveMountPointById'), 0);
    await scene.account.call('RemoveMountPointById', at);
    scene.platform.journal.reset();
    await person.answering(['Unmount'], remove);
    assert.match(person.seen.join(' | '), /Nothing is mounted at \/mnt\/backup anymore/);
    assert.equal(count('RemoveMountPointById'), 0);
  });

  it('of a layer are added only on the nodes that the person was asked about', async () => {
    await listWithoutNode(scene, cp.nodeId(1));
    await assert.rejects(mounts().add(onLayer({ nodeIds: [cp.nodeId()] })), /other nodes than before the question/);
    assert.equal(count('AddMountPointByGroup'), 0);
    scene.parts.environments.refresh();
  });

  it('of a layer are removed only from the nodes that the person was asked about', async () => {
    await mounts().add(onLayer());
    const [mount] = await rowsBelow(mountsView(), shop, servers);
    assert.ok(mount?.kind === 'mount');
    scene.platform.journal.reset();
    // As it was listed before the layer got its second node.
    const asked = { ...mount.mount, nodeIds: mount.mount.nodeIds.slice(0, 1) };
    await assert.rejects(mounts().remove(asked), /other nodes than before the question/);
    assert.equal(count('RemoveMountPointByGroup'), 0);
    await mounts().remove(mount.mount);
    assert.equal(count('RemoveMountPointByGroup'), 1);
  });

  it('are requested with a space at the end of a path, because it belongs to the name', async () => {
    scene.fail('AddMountPointById', { kind: 'refuse', result: 4037, error: 'denied' });
    const [path, sourcePath] = ['/mnt/backup ', '/var/lib/backup '];
    await assert.rejects(mounts().add(backups({ place: cp.place(path), sourcePath })));
    const sent = scene.platform.journal.entries.find(({ operation }) => operation === 'AddMountPointById');
    assert.deepEqual([sent?.parameters['path'], sent?.parameters['sourcePath']], [path, sourcePath]);
  });

  it('that make no sense are rejected before anything is sent', async () => {
    await assert.rejects(mounts().add(backups({ sourcePath: 'var/lib' })), /isn't an absolute path/);
    assert.equal(scene.requests().length, 0);
  });

  it('in the opposite direction cause one warning for each node of the layer', async () => {
    await mounts().add(
      backups({
        place: sqldb.place('/mnt/web'),
        nodeIds: sqldb.nodes,
        source: { kind: 'node', nodeId: cp.nodeId(1) },
        sourcePath: '/var/www/webroot',
      }),
    );
    scene.platform.journal.reset();
    const { place: wanted, nodeIds } = onLayer();
    const crossMounts = await mounts().crossMounts(wanted, nodeIds, sqldb.nodeId());
    assert.equal(count('CheckCrossMount'), 2);
    assert.deepEqual(
      crossMounts.map(({ warnings }) => warnings.length),
      [0, 1],
    );

    scene.fail('CheckCrossMount', { kind: 'refuse', result: 8202, error: 'no' }, { times: 'always' });
    const unknown = await mounts().crossMounts(wanted, nodeIds, sqldb.nodeId());
    assert.ok(unknown.every(({ error }) => error !== undefined));
  });

  it('are exports of the node that stores the data, with the clients that would lose access', async () => {
    await mounts().add(onLayer());
    const rows = await rowsBelow(mountsView(), shop, 'Database', 'MySQL 8.4');
    const [exported] = rows;
    assert.ok(exported?.kind === 'export' && rows.length === 1);
    assert.equal(labelOf(mountsView(), exported), '/var/lib/backup');
    assert.equal(descriptionOf(mountsView(), exported), 'exported to 2 nodes');
    const clients = await mountsView().getChildren(exported);
    assert.deepEqual(
      clients.map((row) => labelOf(mountsView(), row)),
      cp.nodes.map((id) => `NGINX PHP 8.3 (${id})`),
    );

    const [, second] = exported.clients;
    assert.ok(second);
    await mounts().removeExport(second.from, second.client, second.place);
    assert.deepEqual(
      (await mounted()).map(({ nodeId }) => nodeId),
      [cp.nodeId()],
    );
    assert.deepEqual(await workspace.fs.readDirectory(cp.uri('/mnt/backup', 1)), []);
  });

  it('work across environments, and name the source of the data', async () => {
    await mounts().add(backups({ place: staging.place('/mnt/backup'), nodeIds: staging.nodes }));
    const [mount] = await rowsBelow(mountsView(), 'Harbour Notes (staging)', 'Application server', 'Node.js 20');
    assert.ok(mount?.kind === 'mount');
    assert.match(mount.source, /^Saltmarsh Tea · MySQL/);
  });

  it("created by the platform can't be removed", async () => {
    const system = {
      creator: 'SYSTEM(1)',
      name: 'shared',
      nodeId: bl.nodeId(),
      path: '/shared',
      protocol: 'NFS',
      readOnly: false,
      sourceHost: '10.0.0.9',
      sourcePath: '/export',
      sourceAddressType: 0,
      type: 'EXTERNAL(2)',
    };
    const body = JSON.stringify({ result: 0, array: [system], source: 'JEL' });
    scene.fail('GetMountPoints', { kind: 'answer', body });
    const [mount] = await rowsBelow(mountsView(), shop, 'Load balancer', 'NGINX 1.26');
    assert.ok(mount?.kind === 'mount');
    assert.match(mountsView().getTreeItem(mount).contextValue ?? '', /^mount system\b/);
    assert.match(descriptionOf(mountsView(), mount), /^NFS · created by the platform · from 10\.0\.0\.9:\/export$/);
    await person.answering([], () => commands.executeCommand('gantry.mount.remove', mount));
    assert.equal(count('RemoveMountPointById'), 0);
  });

  it('refresh the folder in every view after mounting and unmounting', async () => {
    await data.put('wednesday.sql', 'select 3;');
    const wish = backups({ place: cp.place('/tmp/seen') });
    await scene.parts.containers.createFolder(wish.place);
    assert.equal((await scene.parts.listings.list(wish.place)).size, 0);
    await mounts().add(wish);
    assert.ok((await scene.parts.listings.list(wish.place)).has('wednesday.sql'));
    const changed = nextEvent(mounts().onDidChange, (places) => places.length > 0);
    const [mount] = (await mountsOf()).own.get(cp.nodeId()) ?? [];
    assert.ok(mount);
    await mounts().remove(mount);
    assert.deepEqual(
      (await changed).map(({ path, target }) => [path, target.nodeId]),
      [
        ['/tmp/seen', undefined],
        ['/tmp/seen', cp.nodeId()],
      ],
    );
    assert.equal((await scene.parts.listings.list(wish.place)).size, 0);
  });

  it("aren't edits of the folder, whether they are made or not", async () => {
    const edited: unknown[] = [];
    const listening = scene.parts.files.fileSystem.onDidAlter((changes) => edited.push(...changes));
    try {
      await mounts().add(onLayer());
      const [mount] = (await mountsOf()).common;
      assert.ok(mount);
      await mounts().remove(mount);
      await assert.rejects(mounts().remove(mount), /Nothing is mounted at/);
      assert.deepEqual(edited, []);
    } finally {
      listening.dispose();
    }
  });

  const lost: readonly FaultRule['fault'][] = [
    { kind: 'reset', when: 'after' },
    { kind: 'gatewayError', status: 504, when: 'after' },
    { kind: 'truncate', bytes: 3 },
  ];
  for (const fault of lost) {
    it(`that succeeded despite a lost response (${fault.kind}) aren't reported as failed`, async () => {
      scene.fail('AddMountPointByGroup', fault);
      await mounts().add(onLayer());
      scene.fail('RemoveMountPointByGroup', fault);
      const [mount] = (await mountsOf()).common;
      assert.ok(mount);
      await mounts().remove(mount);
      assert.deepEqual(await mounted(), []);
    });
  }

  it("that didn't happen are reported as failed", async () => {
    scene.fail('AddMountPointByGroup', { kind: 'gatewayError', status: 504 });
    await assert.rejects(mounts().add(onLayer()));
  });

  it("that didn't happen are reported as failed, also if the same folder of another source is mounted there", async () => {
    await mounts().add(backups());
    for (const source of [
      { kind: 'node', nodeId: bl.nodeId() },
      { kind: 'host', host: '192.0.2.9' },
    ] as const) {
      scene.fail('AddMountPointById', { kind: 'gatewayError', status: 504 });
      await assert.rejects(mounts().add(backups({ source })), source.kind);
    }
  });

  it('of a thousand folders are listed with one request for each layer', async () => {
    const id = cp.nodeId();
    const row = (n: number) => ({
      creator: 0,
      name: `m${n}`,
      nodeId: id,
      path: `/mnt/${n}`,
      protocol: 'NFS',
      readOnly: false,
      sourceNodeId: sqldb.nodeId(),
      sourceHost: '10.0.0.1',
      sourcePath: `/data/${n}`,
      type: 1,
    });
    const body = JSON.stringify({ result: 0, array: Array.from({ length: 1_000 }, (_, n) => row(n)) });
    scene.fail('GetMountPoints', { kind: 'answer', body }, { times: 'always' });
    await cp.listed();
    await assertQuick(async () => {
      mounts().refresh();
      scene.platform.journal.reset();
      const [first] = await rowsBelow(mountsView(), shop, servers);
      assert.ok(first?.kind === 'node');
      assert.equal(count('GetMountPoints'), ['bl', 'cp', 'sqldb'].length);
      assert.equal(scene.requests().length, count('GetMountPoints'));
      const rows = await mountsView().getChildren(first);
      rows.forEach((one) => mountsView().getTreeItem(one));
      assert.equal(rows.length, 1_000);
    });
  });
});
