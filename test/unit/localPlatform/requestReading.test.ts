import assert from 'node:assert/strict';
import { limit } from '../../host/limits';
import { startPlatformProcess } from '../../host/start/platformProcess';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, partOf, post, rowsOf, type Values } from './requests';

/** Requests of real clients, each with what it needs to succeed. */
const forms: readonly (readonly [string, string, (nodes: { cp: number; database: number }) => Values])[] = [
  ['an appid where the contract has none', 'GetTokens', () => ({ appid: '1dd8d191d38fff45e62564fcf67fdcd6' })],
  ['a ruk', 'GetEnvs', () => ({ ruk: '4711' })],
  ['lazy', 'GetEnvs', () => ({ lazy: true })],
  ['nodeId on Write', 'Write', ({ cp }) => ({ path: '/srv/a', body: 'x', nodeId: cp })],
  ['nodeId on GetList', 'GetList', ({ cp }) => ({ path: '/srv', nodeId: cp })],
  ['a parameter in a different case', 'GetList', ({ cp }) => ({ PATH: '/srv', NodeID: cp })],
  ['an empty number', 'GetList', () => ({ path: '/srv', nodeid: '' })],
  ['an empty number in a different case', 'GetFavorites', () => ({ nodegroup: 'cp', nodeID: '' })],
  [
    'an enum value in lowercase',
    'AddMountPointById',
    ({ cp, database }) => ({
      nodeId: cp,
      path: '/srv/data',
      sourcePath: '/srv',
      sourceNodeId: database,
      protocol: 'nfs',
      sourceAddressType: 'ip',
    }),
  ],
  ['nodeid=-1 with a nodeGroup', 'Write', () => ({ path: '/srv/a', body: 'x', nodeid: -1, nodeGroup: 'cp' })],
];

describe('local platform: how requests are read', () => {
  const asked = onStageEachTime(new AskedScene());
  let nodes: { cp: number; database: number };
  beforeEach(() => {
    nodes = { cp: asked.disk('cp', 1).id, database: asked.disk('sqldb').id };
  });
  for (const [form, operation, values] of forms) {
    it(`${form}: accepted as on real platforms, rejected in strict mode`, async () => {
      const strict = await asked.call(operation, values(nodes));
      assert.ok([3, 5].includes(Number(strict.result)), JSON.stringify(strict));
      asked.platform.behaviour.requests = 'lenient';
      const lenient = await asked.call(operation, values(nodes));
      assert.equal(lenient.result, 0, JSON.stringify(lenient));
    });
  }

  it('a repository type in lowercase: accepted as on real platforms, rejected in strict mode', async () => {
    const create = async () => {
      const answer = await asked.call('CreateProject', {
        type: 'git',
        context: 'ROOT',
        url: 'https://a.example/b.git',
      });
      return answer['error'];
    };
    assert.equal(await create(), 'invalid parameter [type]');
    asked.platform.behaviour.requests = 'lenient';
    assert.notEqual(await create(), 'invalid parameter [type]');
  });

  it('a session parameter in a different case signs in, and the journal redacts it', async () => {
    asked.platform.behaviour.requests = 'lenient';
    const session = await asked.platform.createSession();
    assert.equal((await post(asked.platform.origin, 'GetEnvs', { SESSION: session, Password: session })).result, 0);
    assert.ok(!JSON.stringify(asked.platform.journal.entries).includes(session));
  });

  it('lenient parsing keeps the meaning: the named node, or the whole layer', async () => {
    asked.platform.behaviour.requests = 'lenient';
    const [first, second] = [asked.disk('cp'), asked.disk('cp', 1)];
    await asked.call('Write', { path: '/srv/one', body: 'x', nodeId: second.id });
    assert.deepEqual([await first.names('/srv'), await second.names('/srv')], [[], ['one']]);
    await asked.call('Write', { path: '/srv/both', body: 'x', nodeid: -1, nodeGroup: 'cp' });
    assert.deepEqual([await first.names('/srv'), await second.names('/srv')], [['both'], ['both', 'one']]);
  });

  it('still rejects a missing parameter, an invalid number, and an unknown node', async () => {
    asked.platform.behaviour.requests = 'lenient';
    assert.equal((await asked.call('Read', { nodeid: '' }))['error'], 'invalid parameter [path]');
    assert.equal((await asked.call('Read', { path: '/a', nodeId: 'first' }))['error'], 'invalid parameter [nodeid]');
    assert.equal((await asked.call('CheckCrossMount', { nodeId: '', sourceNodeId: 1 })).result, 3);
    assert.equal((await asked.call('Read', { path: '/a', nodeid: -1 })).result, 5);
  });

  it('GetEnvInfo returns the environment fields and node addresses that real clients read', async () => {
    const answer = await asked.call('GetEnvInfo');
    const { hardwareNodeGroup, sslstate, ishaenabled, extdomains } = partOf(answer, 'env');
    assert.deepEqual(
      { hardwareNodeGroup, sslstate, ishaenabled, extdomains },
      { hardwareNodeGroup: 'default_hn_group', sslstate: false, ishaenabled: false, extdomains: [] },
    );
    for (const { intIP, address } of rowsOf(answer, 'nodes')) assert.equal(intIP, address);
  });

  it('is lenient when the platform is started by hand, and strict with --strict', async () => {
    for (const [options, requests] of [
      [[], 'lenient'],
      [['--strict'], 'strict'],
    ] as const) {
      const started = await startPlatformProcess(0, options);
      try {
        const answer: unknown = await (await fetch(`${started.origin}/control/behaviour`)).json();
        assert.equal(
          typeof answer === 'object' && answer !== null && 'requests' in answer && answer.requests,
          requests,
        );
      } finally {
        await started.dispose();
      }
    }
  }).timeout(limit(30_000));
});
