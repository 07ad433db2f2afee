import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, entriesOf, rowsOf, type Values } from './requests';

describe('local platform: mounts', () => {
  const asked = onStageEachTime(new AskedScene());
  const first = asked.disk('cp');
  const second = asked.disk('cp', 1);
  const database = asked.disk('sqldb');
  beforeEach(async () => {
    await database.put('/srv/shared/f', 'data');
  });
  const { result } = asked;
  const mount = (values: Values = {}): Promise<unknown> =>
    result('AddMountPointById', {
      nodeId: first.id,
      path: '/srv/data',
      sourcePath: '/srv/shared',
      sourceNodeId: database.id,
      ...values,
    });
  const rows = async (operation: string, values: Values = {}) => rowsOf(await asked.call(operation, values), 'array');

  it('shows the files of one node on another, in both directions', async () => {
    assert.equal(await mount(), 0);
    assert.equal((await asked.call('Read', { path: '/srv/data/f', nodeid: first.id }))['body'], 'data');
    assert.equal(await result('Write', { path: '/srv/data/g', body: 'back', nodeid: first.id }), 0);
    assert.equal(await database.text('/srv/shared/g'), 'back');
    assert.deepEqual(await first.names('/srv/data'), []);
    assert.equal(await result('Read', { path: '/srv/data/f', nodeid: second.id }), 4035);
    const entries = entriesOf(await asked.call('GetList', { path: '/srv', nodeid: first.id }));
    const { protocol, sourceNodeId, sourcePath } = entries[0] ?? {};
    assert.deepEqual([protocol, sourceNodeId, sourcePath], ['NFS', database.id, '/srv/shared']);
    const [exported] = entriesOf(await asked.call('GetList', { path: '/srv', nodeid: database.id }));
    assert.equal(exported?.['isExported'], true);
  });

  it('enforces readOnly in every operation that changes something', async () => {
    await mount({ readOnly: true });
    const on = { nodeid: first.id };
    assert.equal(await result('Read', { path: '/srv/data/f', ...on }), 0);
    for (const [operation, values] of [
      ['Write', { path: '/srv/data/f', body: 'x' }],
      ['Append', { path: '/srv/data/f', body: 'x' }],
      ['ReplaceInBody', { path: '/srv/data/f', pattern: 'd', replacement: 'x' }],
      ['Create', { path: '/srv/data/new' }],
      ['Delete', { path: '/srv/data/f' }],
      ['Rename', { oldPath: '/srv/data/f', newPath: '/srv/data/g' }],
      ['Copy', { src: '/srv/data/f', dest: '/srv/data/g' }],
    ] as const) {
      assert.equal(await result(operation, { ...values, ...on }), 4037, operation);
    }
    assert.equal(await result('Copy', { src: '/srv/data/f', dest: '/srv/f', ...on }), 0);
    assert.equal(await database.text('/srv/shared/f'), 'data');
  });

  it('mounts on all nodes of a layer, also by address, domain, or layer', async () => {
    assert.equal(
      await result('AddMountPointByGroup', {
        nodeGroup: 'cp',
        path: '/mnt/all',
        sourcePath: '/srv/shared',
        sourceHost: 'sqldb',
        sourceAddressType: 'NODE_GROUP',
        protocol: 'NFS4',
        name: 'shared data',
      }),
      0,
    );
    const all = await rows('GetMountPoints', { nodeGroup: 'cp' });
    assert.deepEqual(all[0], {
      creator: 0,
      name: 'shared data',
      nodeId: first.id,
      path: '/mnt/all',
      protocol: 'NFS4',
      readOnly: false,
      sourceAddressType: 2,
      sourceHost: 'sqldb',
      sourceNodeId: database.id,
      sourcePath: '/srv/shared',
      type: 1,
    });
    assert.deepEqual(
      all.map(({ nodeId }) => nodeId),
      [first.id, second.id],
    );
    const address = `10.101.${(database.id >> 8) & 255}.${database.id & 255}`;
    const from = { nodeId: first.id, sourcePath: '/srv/shared' };
    assert.equal(
      await result('AddMountPointById', { ...from, path: '/srv/ip', sourceHost: address, sourceAddressType: '0' }),
      0,
    );
    const domain = `node${database.id}-demo.localhost`;
    assert.equal(
      await result('AddMountPointById', { ...from, path: '/srv/name', sourceHost: domain, sourceAddressType: 1 }),
      0,
    );
    assert.equal((await rows('GetMountPoints', { nodeId: first.id })).length, 3);
    assert.equal((await rows('GetMountPoints')).length, 4);
  });

  it('rejects the opposite direction, even through a third node, and a check reports it in advance', async () => {
    await mount();
    const opposite = { nodeId: database.id, sourceNodeId: first.id };
    const cross = await asked.call('CheckCrossMount', opposite);
    assert.deepEqual([cross.result, cross['object']], [0, true]);
    assert.equal((cross['warnings'] as unknown[]).length, 1);
    assert.equal(
      (await asked.call('CheckCrossMount', { nodeId: first.id, sourceNodeId: database.id }))['object'],
      false,
    );
    assert.equal(await mount({ ...opposite, path: '/srv/loop', sourcePath: '/srv' }), 99);
    await mount({ nodeId: second.id, sourceNodeId: first.id, sourcePath: '/srv' });
    assert.equal(
      await mount({ nodeId: database.id, sourceNodeId: second.id, path: '/srv/loop', sourcePath: '/srv' }),
      99,
    );
  });

  it('rejects a folder mounted into itself, a path in use, and missing sources', async () => {
    await first.folder('/srv/own');
    await first.put('/srv/file', '');
    assert.equal(await mount({ sourceNodeId: first.id, sourcePath: '/srv', path: '/srv/own/in' }), 99);
    assert.equal(await mount({ sourceNodeId: first.id, sourcePath: '/srv/own', path: '/srv/twin' }), 0);
    assert.equal(await mount(), 0);
    assert.equal(await mount(), 4036);
    assert.equal(await mount({ path: '/srv/file' }), 4102);
    assert.equal(await mount({ path: '/srv/x', sourcePath: '/srv/none' }), 4035);
    assert.equal(await mount({ path: '/srv/x', sourcePath: '/srv/shared/f' }), 4102);
    assert.equal(await mount({ path: '/srv/x', sourceNodeId: 1 }), 5);
    assert.equal(await mount({ path: '/srv/x', nodeId: 1 }), 5);
    assert.equal(await mount({ path: '/srv/x', protocol: 'FTP' }), 3);
    const unknown = { nodeId: first.id, path: '/srv/x', sourcePath: '/srv', sourceHost: 'elsewhere.example' };
    assert.equal(await result('AddMountPointById', unknown), 5);
    assert.equal(await result('CheckCrossMount', { nodeId: 1, sourceNodeId: first.id }), 5);
    assert.equal(await result('GetMountPoints', { nodeId: 1 }), 5);
  });

  it('protects a mount point from Delete and Rename', async () => {
    await mount({ path: '/srv/in/data' });
    for (const path of ['/srv/in/data', '/srv/in']) {
      assert.equal(await result('Delete', { path, nodeid: first.id }), 99);
      assert.equal(await result('Rename', { oldPath: path, newPath: '/srv/away', nodeid: first.id }), 99);
    }
    assert.equal(await database.text('/srv/shared/f'), 'data');
  });

  it('resolves links inside the source', async () => {
    await database.put('/etc/my.cnf', 'of the database');
    await database.link('/srv/link', '/srv/shared');
    await database.link('/srv/shared/cnf', '/etc/my.cnf');
    await mount({ sourcePath: '/srv/link' });
    assert.equal(await result('Read', { path: '/srv/data/f', nodeid: first.id }), 0);
    // A link among the mounted files is resolved on the reading node, as with NFS.
    assert.equal(await result('Read', { path: '/srv/data/cnf', nodeid: first.id }), 4035);
  });

  it('removes mount points by node and by layer, and shows the hidden files again', async () => {
    await first.put('/srv/data/below', '');
    await mount();
    await result('AddMountPointByGroup', {
      nodeGroup: 'cp',
      path: '/srv/all',
      sourcePath: '/srv/shared',
      sourceNodeId: database.id,
    });
    assert.equal(await result('RemoveMountPointById', { nodeId: second.id, path: '/srv/data' }), 5);
    assert.equal(await result('RemoveMountPointById', { nodeId: first.id, path: '/srv/data/' }), 0);
    assert.equal(await result('Read', { path: '/srv/data/below', nodeid: first.id }), 0);
    assert.equal(await result('RemoveMountPointByGroup', { nodeGroup: 'cp', path: '/srv/all' }), 0);
    assert.equal(await result('RemoveMountPointByGroup', { nodeGroup: 'cp', path: '/srv/all' }), 5);
    assert.deepEqual(await rows('GetMountPoints'), []);
  });

  it('lists exports, and can remove one from the source node', async () => {
    await mount();
    await mount({ nodeId: second.id, readOnly: true });
    assert.equal((await rows('GetExportedList', { nodeId: database.id })).length, 2);
    assert.equal((await rows('GetExportedList', { nodeId: database.id, path: '/srv/shared/' })).length, 2);
    assert.deepEqual(await rows('GetExportedList', { nodeId: database.id, path: '/srv' }), []);
    assert.equal(await result('GetExportedList', { nodeId: 1 }), 5);
    const end = { nodeId: database.id, path: '/srv/shared', clientNodeId: first.id, clientPath: '/srv/data' };
    assert.equal(await result('RemoveExport', { ...end, clientPath: '/srv/none' }), 5);
    assert.equal(await result('RemoveExport', { ...end, clientNodeId: 1 }), 5);
    assert.equal(await result('RemoveExport', end), 0);
    assert.equal(await result('Read', { path: '/srv/data/f', nodeid: first.id }), 4035);
    assert.deepEqual(
      (await rows('GetExportedList', { nodeId: database.id })).map(({ nodeId }) => nodeId),
      [second.id],
    );
  });
});
