import assert from 'node:assert/strict';
import { labelOf, rowsBelow } from '../trees';
import { type Answer, escape } from '../person';
import type { Performance } from './performance';
import type { Stage } from './stage';

const shop = 'Saltmarsh Tea';
const servers = 'Application servers';

export const sharingPerformances: readonly Performance[] = [
  {
    operation: 'AddFavorite',
    effect: 'the platform lists the favorite, for the dashboard too',
    play: async (stage) => {
      await stage.does('gantry.favorite.add', [stage.uri('bl', '/etc/nginx/conf.d')]);
      assert.deepEqual(await favorites(stage), ['/etc/nginx/conf.d']);
    },
  },
  {
    operation: 'GetFavorites',
    effect: 'the rows are the favorites that the platform lists',
    play: async (stage) => {
      await stage.ask('AddFavorite', {
        envName: 'shop',
        nodeGroup: 'bl',
        path: '/var/log/nginx',
        keyword: 'logs',
        isDir: true,
      });
      stage.parts.favorites.refresh();
      const rows = await stage.unfolds('Favorites', stage.parts.favoritesView, shop);
      const shown = rows.map((row) => labelOf(stage.parts.favoritesView, row));
      assert.deepEqual(shown.sort(), ['conf.d', 'logs']);
    },
  },
  {
    operation: 'RemoveFavorite',
    effect: 'the platform no longer lists the favorite',
    play: async (stage) => {
      const rows = await rowsBelow(stage.parts.favoritesView, shop);
      const logs = rows.find((row) => labelOf(stage.parts.favoritesView, row) === 'logs');
      await stage.does('gantry.favorite.remove', [logs]);
      assert.deepEqual(await favorites(stage), ['/etc/nginx/conf.d']);
    },
  },
  {
    operation: 'AddMountPointById',
    effect: 'the node shows the data of the database’s node, and its neighbour does not',
    play: async (stage) => {
      const [node] = await rowsBelow(stage.parts.mountsView, shop, servers);
      await stage.does('gantry.mount.add', [node], answers('/mnt/one'));
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/one']);
      assert.deepEqual(await mountedOn(stage, 1), []);
      const { entries } = await stage.ask('GetList', { envName: 'shop', nodeid: stage.nodeId('cp'), path: '/mnt/one' });
      const source = await stage.ask('GetList', {
        envName: 'shop',
        nodeid: stage.nodeId('sqldb'),
        path: '/var/lib/backup',
      });
      assert.deepEqual(
        entries.map(({ name }) => name),
        source.entries.map(({ name }) => name),
      );
    },
  },
  {
    operation: 'CheckCrossMount',
    effect: 'the platform’s warning is shown, and nothing is mounted where the person heeds it',
    play: async (stage) => {
      const [node] = await rowsBelow(stage.parts.mountsView, shop, 'Database');
      const back: readonly Answer[] = [
        { typed: '/mnt/back', pick: 'Use this new folder' },
        `${stage.nodeId('cp')} · ${servers}`,
        { typed: '/home/nginx/', pick: 'Use this folder' },
        ...['NFS', 'Read only', ''],
        escape,
      ];
      await stage.does('gantry.mount.add', [node], back);
      const { warnings } = await stage.ask('CheckCrossMount', {
        ...{ envName: 'shop', nodeId: stage.nodeId('sqldb'), sourceNodeId: stage.nodeId('cp') },
      });
      const [warning = '?'] = warnings;
      assert.ok(
        stage.person.seen.some((told) => told.includes(warning)),
        stage.person.seen.join('\n'),
      );
      const { array } = await stage.ask('GetMountPoints', { envName: 'shop', nodeId: stage.nodeId('sqldb') });
      assert.deepEqual(array, []);
    },
  },
  {
    operation: 'AddMountPointByGroup',
    effect: 'every node of the layer shows the data of the database’s node',
    play: async (stage) => {
      const layers = await rowsBelow(stage.parts.mountsView, shop);
      const layer = layers.find((row) => labelOf(stage.parts.mountsView, row) === servers);
      await stage.does('gantry.mount.add', [layer], answers('/mnt/all'));
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/all', '/mnt/one']);
      assert.deepEqual(await mountedOn(stage, 1), ['/mnt/all']);
    },
  },
  {
    operation: 'GetMountPoints',
    effect: 'the rows are the mounts that the platform lists: of the layer, and of the one node',
    play: async (stage) => {
      stage.parts.mounts.refresh();
      const rows = await stage.unfolds('Mounts', stage.parts.mountsView, shop, servers);
      const label = (row: (typeof rows)[number]) => labelOf(stage.parts.mountsView, row);
      assert.ok(rows.some((row) => row.kind === 'mount' && label(row) === '/mnt/all'));
      const [node] = rows.filter(({ kind }) => kind === 'node');
      assert.deepEqual((await stage.parts.mountsView.getChildren(node)).map(label), ['/mnt/one']);
    },
  },
  {
    operation: 'GetExportedList',
    effect: 'the rows are the nodes that the platform says this one exports to',
    play: async (stage) => {
      stage.parts.mounts.refresh();
      const rows = await stage.unfolds('Mounts', stage.parts.mountsView, shop, 'Database', 'MySQL 8.4');
      const clients = rows.flatMap((row) => (row.kind === 'export' ? row.clients : []));
      assert.equal(clients.length, (await exports(stage)).length);
    },
  },
  {
    operation: 'RemoveMountPointByGroup',
    effect: 'no node of the layer has the mount any more',
    play: async (stage) => {
      await stage.does('gantry.mount.remove', [await mountRow(stage, '/mnt/all')], ['Unmount']);
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/one']);
      assert.deepEqual(await mountedOn(stage, 1), []);
    },
  },
  {
    operation: 'RemoveMountPointById',
    effect: 'the node no longer has the mount',
    play: async (stage) => {
      await stage.does('gantry.mount.remove', [await mountRow(stage, '/mnt/one')], ['Unmount']);
      assert.deepEqual(await mountedOn(stage, 0), []);
    },
  },
  {
    operation: 'RemoveExport',
    effect: 'the database’s node exports to nobody any more, and its client has lost the mount',
    play: async (stage) => {
      const mounted = { envName: 'shop', nodeId: stage.nodeId('cp'), path: '/mnt/three' };
      await stage.ask('AddMountPointById', {
        ...mounted,
        sourceNodeId: stage.nodeId('sqldb'),
        sourcePath: '/var/lib/backup',
      });
      stage.parts.mounts.refresh();
      const rows = await rowsBelow(stage.parts.mountsView, shop, 'Database', 'MySQL 8.4');
      await stage.does('gantry.export.remove', [rows.find(({ kind }) => kind === 'export')], ['Stop Export']);
      assert.deepEqual(await exports(stage), []);
      assert.deepEqual(await mountedOn(stage, 0), []);
    },
  },
];

/** A mount of the database's backups, question by question. */
function answers(path: string): readonly Answer[] {
  return [
    { typed: path, pick: 'Use this new folder' },
    'MySQL 8.4',
    { typed: '/var/lib/backup/', pick: 'Use this folder' },
    ...['NFS', 'Read and write', ''],
  ];
}

async function favorites(stage: Stage): Promise<string[]> {
  const { favoriteList } = await stage.ask('GetFavorites', { envName: 'shop', nodeGroup: 'bl' });
  return favoriteList.map(({ path }) => path);
}

async function mountedOn(stage: Stage, index: number): Promise<(string | undefined)[]> {
  const { array } = await stage.ask('GetMountPoints', { envName: 'shop', nodeId: stage.nodeId('cp', index) });
  return array.map(({ path }) => path).sort();
}

async function exports(stage: Stage) {
  return (await stage.ask('GetExportedList', { envName: 'shop', nodeId: stage.nodeId('sqldb') })).array;
}

async function mountRow(stage: Stage, path: string) {
  const { mountsView } = stage.parts;
  stage.parts.mounts.refresh();
  const rows = await rowsBelow(mountsView, shop, servers);
  const [node] = rows.filter(({ kind }) => kind === 'node');
  const all = [...rows, ...(await mountsView.getChildren(node))];
  const found = all.find((row) => row.kind === 'mount' && labelOf(mountsView, row) === path);
  assert.ok(found, path);
  return found;
}
