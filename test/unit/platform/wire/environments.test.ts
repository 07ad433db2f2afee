import assert from 'node:assert/strict';
import { assertRefused, readAnswer } from '../readAnswer';

describe('responses about environments', () => {
  const info = {
    env: {
      envName: 'demo',
      domain: 'demo.hoster.example',
      shortdomain: 'demo',
      status: 1,
      displayName: null,
      sslState: 1,
    },
    nodeGroups: [{ name: 'cp', deployments: [] }],
    nodes: [
      {
        id: 89876,
        name: 'nginx',
        nodeGroup: 'cp',
        nodeType: 'nginxphp',
        nodemission: 'cp',
        isMaster: true,
        isVcsSupport: true,
        status: 1,
        contextValidatorRegex: '^(…)$',
        singleContext: false,
        url: 'http://node89876-demo.example',
      },
    ],
    right: 'OWNER',
  };

  it('a real response is read, whatever the case of its fields', async () => {
    const { environments } = await readAnswer('GetEnvs', { infos: [info] });
    const [environment] = environments;
    assert.equal(environment?.envName, 'demo');
    assert.equal(environment.status, 'running');
    assert.equal(environment.right, 'OWNER');
    assert.equal(environment.sslstate, true);
    assert.equal(environment.nodes[0]?.ismaster, true);
    assert.equal(environment.nodes[0].id, 89876);
    assert.deepEqual(environment.nodeGroups[0]?.deployments, []);
  });

  it('layers are read from softNodeGroups if nodeGroups is missing, next to the environment or inside it', async () => {
    const { nodeGroups, ...rest } = info;
    const groups = [{ ...nodeGroups[0], displayName: 'Web' }];
    const layersOf = async (body: Record<string, unknown>) =>
      (await readAnswer('GetEnvInfo', body)).nodeGroups.map(({ name, displayName }) => [name, displayName]);
    assert.deepEqual(await layersOf({ ...rest, softNodeGroups: groups }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...rest, nodeGroups: [], softNodeGroups: groups }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...rest, env: { ...rest.env, softNodeGroups: groups } }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...info, softNodeGroups: groups }), [['cp', undefined]]);
    await assertRefused('GetEnvInfo', { ...rest, softNodeGroups: 'none' });
  });

  it('a single environment has the same format', async () => {
    const alone = await readAnswer('GetEnvInfo', info);
    assert.deepEqual(alone, (await readAnswer('GetEnvs', { infos: [info] })).environments[0]);
  });

  it('a status has a number or a name, also that of the messages of the platform', async () => {
    for (const [status, meant] of [
      [2, 'down'],
      ['4', 'sleeping'],
      ['ENV_STATUS_TYPE_SLEEP', 'sleeping'],
      ['ENV_STATUS_TYPE_SLEEP(4)', 'sleeping'],
      ['ENV_STATUS_TYPE_DOWN', 'down'],
      ['Running', 'running'],
      ['sleeping', 'sleeping'],
    ]) {
      const { environments } = await readAnswer('GetEnvs', { infos: [{ env: { envName: 'x', status } }] });
      assert.equal(environments[0]?.status, meant, String(status));
    }
  });

  it('nothing is listed twice', async () => {
    const node = { id: 1, nodeGroup: 'cp', name: 'a' };
    const shop = { env: { envName: 'shop' }, nodes: [node, { ...node, name: 'b' }, { ...node, id: 2 }] };
    const { environments } = await readAnswer('GetEnvs', { infos: [shop, { env: { envName: 'shop' } }] });
    assert.deepEqual(
      environments.map(({ envName, nodes }) => [envName, nodes.map(({ id, name }) => [id, name])]),
      [
        [
          'shop',
          [
            [1, 'a'],
            [2, 'a'],
          ],
        ],
      ],
    );
    const favorite = { path: '/a', keyword: 'a' };
    const favoriteList = [favorite, favorite, { ...favorite, id: 1 }, { path: '/b', id: 1 }, { path: '/b', id: 2 }];
    assert.equal((await readAnswer('GetFavorites', { favoriteList })).favoriteList.length, 3);
    const mount = { path: '/m', sourceNodeId: 1 };
    const array = [mount, { ...mount, sourceNodeId: 2 }, mount];
    assert.equal((await readAnswer('GetMountPoints', { array })).array.length, 2);
    const tokens = [{ id: 1 }, { id: 1 }, { id: 2 }];
    assert.equal((await readAnswer('GetTokens', { tokens })).tokens.length, 2);
    const sessions = [{ id: 1 }, {}, {}, { id: 1 }];
    assert.equal((await readAnswer('GetSessions', { sessions })).sessions.length, 3);
  });

  it('an unknown status is ignored, and an environment without a name is rejected', async () => {
    const { environments } = await readAnswer('GetEnvs', { infos: [{ env: { envName: 'x', status: 77 } }] });
    assert.equal(environments[0]?.status, undefined);
    assert.deepEqual(environments[0]?.nodes, []);
    await assertRefused('GetEnvs', { infos: [{ env: {} }] });
    await assertRefused('GetEnvs', { infos: 'none' });
    await assertRefused('GetEnvs', { infos: [{ env: { envName: 'x' }, nodes: [{ name: 'no id' }] }] });
    assert.deepEqual(await readAnswer('GetEnvs', {}), { environments: [] });
  });
});
