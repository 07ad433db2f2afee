import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { labelOf, rowsBelow } from '../trees';
import { type Answer, escape } from '../person';
import type { Performance } from './performance';
import type { Stage } from './stage';

const shop = 'Saltmarsh Tea';
const servers = 'Application servers';

export const sharingPerformances: readonly Performance[] = [
  {
    operation: 'AddFavorite',
    effect: 'the platform lists the favorite, so the dashboard can show it too',
    play: async (stage) => {
      await setFavorites(stage);
      await stage.does('gantry.favorite.add', [stage.uri('bl', '/etc/nginx/conf.d')]);
      assert.deepEqual(await favorites(stage), ['/etc/nginx/conf.d']);
    },
  },
  {
    operation: 'GetFavorites',
    effect: 'the rows are the favorites that the platform lists',
    play: async (stage) => {
      await setFavorites(stage, '/etc/nginx/conf.d', '/var/log/nginx');
      const rows = await stage.unfolds('Favorites', stage.parts.favoritesView, shop);
      const shown = rows.map((row) => labelOf(stage.parts.favoritesView, row));
      assert.deepEqual(shown.sort(), ['conf.d', 'nginx']);
    },
  },
  {
    operation: 'RemoveFavorite',
    effect: 'the platform no longer lists the favorite',
    play: async (stage) => {
      await setFavorites(stage, '/etc/nginx/conf.d', '/var/log/nginx');
      const rows = await rowsBelow(stage.parts.favoritesView, shop);
      const nginx = rows.find((row) => labelOf(stage.parts.favoritesView, row) === 'nginx');
      await stage.does('gantry.favorite.remove', [nginx]);
      assert.deepEqual(await favorites(stage), ['/etc/nginx/conf.d']);
    },
  },
  {
    operation: 'AddMountPointById',
    effect: 'the node shows the data of the database’s node, and the other node doesn’t',
    play: async (stage) => {
      await setMounts(stage);
      const [node] = await rowsBelow(stage.parts.mountsView, shop, servers);
      await stage.does('gantry.mount.add', [node], answers('/mnt/on-node'));
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/on-node']);
      assert.deepEqual(await mountedOn(stage, 1), []);
      const { entries } = await stage.ask('GetList', {
        envName: 'shop',
        nodeid: stage.nodeId('cp'),
        path: '/mnt/on-node',
      });
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
    effect: 'the platform’s warning is shown, and nothing is mounted if the user cancels',
    play: async (stage) => {
      await setMounts(stage, { onNode: true });
      const [node] = await rowsBelow(stage.parts.mountsView, shop, 'Database');
      const back: readonly Answer[] = [
        { typed: '/mnt/back', pick: 'Use new folder' },
        `${stage.nodeId('cp')} · ${servers}`,
        { typed: '/home/nginx/', pick: 'Use this folder /home/nginx' },
        'NFS · Read-only',
        '',
        escape,
      ];
      await stage.does('gantry.mount.add', [node], back);
      const { warnings } = await stage.ask('CheckCrossMount', {
        envName: 'shop',
        nodeId: stage.nodeId('sqldb'),
        sourceNodeId: stage.nodeId('cp'),
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
      await setMounts(stage, { onNode: true });
      const layers = await rowsBelow(stage.parts.mountsView, shop);
      const layer = layers.find((row) => labelOf(stage.parts.mountsView, row) === servers);
      await stage.does('gantry.mount.add', [layer], answers('/mnt/on-layer'));
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/on-layer', '/mnt/one']);
      assert.deepEqual(await mountedOn(stage, 1), ['/mnt/on-layer']);
    },
  },
  {
    operation: 'GetMountPoints',
    effect: 'the rows are the mounts that the platform lists: those of the layer, and those of the one node',
    play: async (stage) => {
      await setMounts(stage, { onNode: true, onLayer: true });
      const rows = await stage.unfolds('Mounts', stage.parts.mountsView, shop, servers);
      const label = (row: (typeof rows)[number]) => labelOf(stage.parts.mountsView, row);
      assert.ok(rows.some((row) => row.kind === 'mount' && label(row) === '/mnt/all'));
      const [node] = rows.filter(({ kind }) => kind === 'node');
      assert.deepEqual((await stage.parts.mountsView.getChildren(node)).map(label), ['/mnt/one']);
    },
  },
  {
    operation: 'GetExportedList',
    effect: 'the rows are the nodes that the platform lists as clients of this one’s exports',
    play: async (stage) => {
      await setMounts(stage, { onNode: true, onLayer: true });
      const rows = await stage.unfolds('Mounts', stage.parts.mountsView, shop, 'Database', 'MySQL 8.4');
      const clients = rows.flatMap((row) => (row.kind === 'export' ? row.clients : []));
      assert.ok(clients.length > 0);
      assert.equal(clients.length, (await exports(stage)).length);
    },
  },
  {
    operation: 'RemoveMountPointByGroup',
    effect: 'no node of the layer has the mount anymore',
    play: async (stage) => {
      await setMounts(stage, { onNode: true, onLayer: true });
      await stage.does('gantry.mount.remove', [await mountRow(stage, '/mnt/all')], ['Unmount']);
      assert.deepEqual(await mountedOn(stage, 0), ['/mnt/one']);
      assert.deepEqual(await mountedOn(stage, 1), []);
    },
  },
  {
    operation: 'RemoveMountPointById',
    effect: 'the node no longer has the mount',
    play: async (stage) => {
      await setMounts(stage, { onNode: true });
      await stage.does('gantry.mount.remove', [await mountRow(stage, '/mnt/one')], ['Unmount']);
      assert.deepEqual(await mountedOn(stage, 0), []);
    },
  },
  {
    operation: 'RemoveExport',
    effect: 'the database’s node has no exports anymore, and its client has lost the mount',
    play: async (stage) => {
      await setMounts(stage, { onNode: true });
      const rows = await rowsBelow(stage.parts.mountsView, shop, 'Database', 'MySQL 8.4');
      await stage.does('gantry.export.remove', [rows.find(({ kind }) => kind === 'export')], ['Stop Export']);
      assert.deepEqual(await exports(stage), []);
      assert.deepEqual(await mountedOn(stage, 0), []);
    },
  },
];

/** Replaces all favorites with favorites for these folders. */
async function setFavorites(stage: Stage, ...paths: readonly string[]): Promise<void> {
  const where = { envName: 'shop', nodeGroup: 'bl' };
  for (const path of await favorites(stage)) await stage.ask('RemoveFavorite', { ...where, path });
  for (const path of paths) await stage.ask('AddFavorite', { ...where, path, keyword: basename(path), isDir: true });
  stage.parts.favorites.refresh();
}

/** Replaces all mounts with mounts of the database's backups: on the first application server, on all of them, or both. */
async function setMounts(stage: Stage, { onNode = false, onLayer = false } = {}): Promise<void> {
  const envName = 'shop';
  const { array } = await stage.ask('GetMountPoints', { envName });
  for (const { path, nodeId = 0 } of array) await stage.ask('RemoveMountPointById', { envName, nodeId, path });
  const source = { sourceNodeId: stage.nodeId('sqldb'), sourcePath: '/var/lib/backup' };
  const node = { nodeId: stage.nodeId('cp'), path: '/mnt/one' };
  if (onNode) await stage.ask('AddMountPointById', { envName, ...node, ...source });
  if (onLayer) await stage.ask('AddMountPointByGroup', { envName, nodeGroup: 'cp', path: '/mnt/all', ...source });
  stage.parts.mounts.refresh();
}

/** Adds a mount of the database's backups through all prompts. */
function answers(path: string): readonly Answer[] {
  return [
    { typed: path, pick: 'Use new folder' },
    'MySQL 8.4',
    { typed: '/var/lib/backup/', pick: 'Use this folder /var/lib/backup' },
    'NFS · Read and write',
    '',
    'Mount',
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
  const rows = await rowsBelow(mountsView, shop, servers);
  const [node] = rows.filter(({ kind }) => kind === 'node');
  const all = [...rows, ...(await mountsView.getChildren(node))];
  const found = all.find((row) => row.kind === 'mount' && labelOf(mountsView, row) === path);
  assert.ok(found, path);
  return found;
}
