import assert from 'node:assert/strict';
import type { sharing } from '../../../../src/platform/contract/file';
import type { Conducts } from './scenario';
import { at, type Stage } from './stage';

const noNode = 1;
const source = '/var/lib/backup';

/** A mount of a folder on the database's node. */
const mount = (stage: Stage) => ({
  ...at(stage),
  path: `${stage.folder}/mounted`,
  sourcePath: source,
  sourceNodeId: stage.database,
});
const mountOnMaster = (stage: Stage) => ({ ...mount(stage), nodeId: stage.nodes[0] });
const mountOnLayer = (stage: Stage) => ({ ...mount(stage), nodeGroup: 'cp' });

async function mounted(stage: Stage): Promise<Stage> {
  await stage.client.call('AddMountPointById', mountOnMaster(stage));
  return stage;
}

async function mountedOnLayer(stage: Stage): Promise<Stage> {
  await stage.client.call('AddMountPointByGroup', mountOnLayer(stage));
  return stage;
}

async function favorite(stage: Stage): Promise<Stage> {
  await stage.client.call('AddFavorite', { ...at(stage), path: stage.folder, keyword: 'mine', isDir: true });
  return stage;
}

/** A mount on the database's node would be circular, because its data is mounted on the master already. */
const backwards = (stage: Stage) => ({
  ...at(stage),
  path: `${source}/back`,
  sourcePath: stage.folder,
  sourceNodeId: stage.nodes[0],
});

export const sharingConducts: Conducts<keyof typeof sharing> = {
  AddFavorite: {
    works: (stage) => ({ ...at(stage), path: stage.folder, keyword: 'mine', isDir: true }),
    fails: {
      3: (stage) => ({ ...at(stage), path: 'relative' }),
      5: (stage) => ({ ...at(stage), path: stage.folder, nodeId: noNode }),
      4036: async (stage) => ({ ...at(await favorite(stage)), path: stage.folder }),
    },
  },
  AddMountPointByGroup: {
    works: (stage) => ({
      ...mountOnLayer(stage),
      readOnly: true,
      protocol: 'NFS4',
      sourceAddressType: 'NODE_GROUP',
      sourceHost: 'sqldb',
    }),
    fails: {
      5: (stage) => ({ ...mountOnLayer(stage), nodeGroup: 'no-such-layer' }),
      99: async (stage) => ({ ...backwards(await mounted(stage)), nodeGroup: 'sqldb' }),
      4035: (stage) => ({ ...mountOnLayer(stage), sourcePath: '/not/there' }),
      4036: async (stage) => mountOnLayer(await mountedOnLayer(stage)),
    },
  },
  AddMountPointById: {
    works: mountOnMaster,
    fails: {
      5: (stage) => ({ ...mountOnMaster(stage), nodeId: noNode }),
      99: async (stage) => ({ ...backwards(await mounted(stage)), nodeId: stage.database }),
      4035: (stage) => ({ ...mountOnMaster(stage), sourcePath: '/not/there' }),
      4036: async (stage) => mountOnMaster(await mounted(stage)),
      4102: async (stage) => {
        await stage.put(`${stage.folder}/mounted`, 'a file');
        return mountOnMaster(stage);
      },
    },
  },
  CheckCrossMount: {
    works: async (stage) => ({ ...at(await mounted(stage)), nodeId: stage.database, sourceNodeId: stage.nodes[0] }),
    shows: ({ object, warnings }) => {
      assert.equal(object, true);
      assert.equal(warnings.length, 1);
    },
    fails: { 5: (stage) => ({ ...at(stage), nodeId: noNode, sourceNodeId: stage.database }) },
  },
  GetExportedList: {
    works: async (stage) => ({ ...at(await mounted(stage)), nodeId: stage.database }),
    shows: ({ array }, stage) => {
      assert(array.some(({ path, nodeId }) => path === `${stage.folder}/mounted` && nodeId === stage.nodes[0]));
    },
    fails: { 5: (stage) => ({ ...at(stage), nodeId: noNode }) },
  },
  GetFavorites: {
    works: async (stage) => at(await favorite(stage)),
    shows: ({ favoriteList }, { folder }) => {
      const found = favoriteList.find(({ path }) => path === folder);
      assert.equal(found?.keyword, 'mine');
      assert.equal(found.isDir, true);
    },
    fails: { 5: (stage) => ({ ...at(stage), nodeGroup: 'no-such-layer' }) },
  },
  GetMountPoints: {
    works: async (stage) => ({ ...at(await mounted(stage)), nodeId: stage.nodes[0] }),
    shows: ({ array }, { folder, database }) => {
      const found = array.find(({ path }) => path === `${folder}/mounted`);
      assert.equal(found?.sourceNodeId, database);
      assert.equal(found.readOnly, false);
      assert.equal(found.type, 'INTERNAL');
      assert.equal(found.creator, 'USER');
    },
    fails: { 5: (stage) => ({ ...at(stage), nodeGroup: 'no-such-layer' }) },
  },
  RemoveExport: {
    works: async (stage) => ({
      ...at(await mounted(stage)),
      nodeId: stage.database,
      path: source,
      clientNodeId: stage.nodes[0],
      clientPath: `${stage.folder}/mounted`,
    }),
    fails: {
      5: (stage) => ({
        ...at(stage),
        nodeId: stage.database,
        path: source,
        clientNodeId: stage.nodes[0],
        clientPath: `${stage.folder}/none`,
      }),
    },
  },
  RemoveFavorite: {
    works: async (stage) => ({ ...at(await favorite(stage)), path: stage.folder }),
    fails: {
      5: (stage) => ({ ...at(stage), path: stage.folder, nodeId: noNode }),
      4035: (stage) => ({ ...at(stage), path: stage.folder }),
    },
  },
  RemoveMountPointByGroup: {
    works: async (stage) => ({ ...at(await mountedOnLayer(stage)), nodeGroup: 'cp', path: `${stage.folder}/mounted` }),
    fails: { 5: (stage) => ({ ...at(stage), nodeGroup: 'cp', path: `${stage.folder}/none` }) },
  },
  RemoveMountPointById: {
    works: async (stage) => ({ ...at(await mounted(stage)), nodeId: stage.nodes[0], path: `${stage.folder}/mounted` }),
    fails: { 5: (stage) => ({ ...at(stage), nodeId: stage.nodes[0], path: `${stage.folder}/none` }) },
  },
};
