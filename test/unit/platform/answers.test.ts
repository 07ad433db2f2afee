import assert from 'node:assert/strict';
import { type AnswerOf, type OperationName, operationsByName } from '../../../src/platform/contract';

async function read<N extends OperationName>(name: N, body: Record<string, unknown>): Promise<AnswerOf<N>> {
  const reading = await operationsByName[name].answer.read(body, {});
  assert('ok' in reading, JSON.stringify(reading));
  return reading.ok;
}

async function refuses(name: OperationName, body: Record<string, unknown>): Promise<void> {
  const reading = await operationsByName[name].answer.read(body, {});
  assert('malformed' in reading, JSON.stringify(reading));
}

describe('responses about accounts', () => {
  it('both formats of token lists are read', async () => {
    const expected = [{ id: 7, description: 'ide', apiList: ['environment.file.Read', 'environment.file.Write'] }];
    const contracted = { tokens: [{ ...expected[0] }] };
    const newer = {
      apiTokens: [
        {
          id: '7',
          description: 'ide',
          apiListItems: [{ method: 'environment.file.Read' }, { method: 'environment.file.Write' }],
        },
      ],
    };
    for (const body of [contracted, newer]) {
      const { tokens } = await read('GetTokens', body);
      assert.deepEqual(JSON.parse(JSON.stringify(tokens)), expected);
    }
  });

  it('a missing list is empty, and an invalid one is rejected', async () => {
    assert.deepEqual((await read('GetTokens', {})).tokens, []);
    assert.deepEqual((await read('GetTokens', { tokens: null })).tokens, []);
    await refuses('GetTokens', { tokens: 'none' });
    await refuses('GetTokens', { tokens: { 1: {} } });
    await refuses('GetTokens', { tokens: [{ description: 'without an id' }] });
    await refuses('GetTokens', { tokens: [{ id: 1, apiList: [{}] }] });
    await refuses('GetTokenApiList', { apiList: 5 });
  });

  it('a single method is a list of one', async () => {
    assert.deepEqual((await read('GetTokenApiList', { apiList: 'environment.file.Read' })).apiList, [
      'environment.file.Read',
    ]);
  });

  it('a template given as an object is read as its name', async () => {
    const token = {
      id: 1,
      key: 'k',
      tokenTemplate: { id: 3, name: 'IDE Plugins', apiList: ['environment.file.Read'] },
    };
    assert.equal((await read('CreateToken', { token })).token.tokenTemplate, 'IDE Plugins');
    assert.equal((await read('GetTokens', { tokens: [token] })).tokens[0]?.tokenTemplate, 'IDE Plugins');
    assert.equal(
      (await read('CreateToken', { token: { ...token, tokenTemplate: {} } })).token.tokenTemplate,
      undefined,
    );
  });

  it('methods are also read from permission rows', async () => {
    const tokenPermissions = [{ id: 1, method: 'environment.control.GetEnvs', isSafe: true }];
    assert.deepEqual((await read('GetTokenApiList', { tokenPermissions })).apiList, ['environment.control.GetEnvs']);
    await refuses('GetTokenApiList', { tokenPermissions: [{ id: 1 }] });
  });

  it('a new token without its value is rejected', async () => {
    await refuses('CreateToken', { token: { id: 1 } });
    await refuses('RegenerateToken', {});
    assert.equal((await read('CreateToken', { token: { id: 1, key: 'k' } })).token.key, 'k');
  });

  it('a sign-in returns a session or what else is needed', async () => {
    const signedIn = await read('Signin', {
      session: 'x',
      uid: '7',
      accessType: 'RESTRICTED(1)',
      status: 0,
      data: 'none',
    });
    assert.equal(signedIn.uid, 7);
    assert.equal(signedIn.accessType, 'RESTRICTED');
    assert.equal(signedIn.status, 'ENABLED');
    assert.equal(signedIn.data, undefined);
    for (const asked of [
      { authType: 'TFA' },
      { authType: 1 },
      { authType: 'tfa(1)' },
      { authConfig: { type: 'TFA' } },
    ]) {
      assert.equal((await read('Signin', asked)).needsSecondFactor, true);
      assert.equal((await read('Signin', { ...asked, session: 'x' })).needsSecondFactor, true);
    }
    const check = { session: 'x', requiredAuthCheck: { type: 'TOTP(0)' } };
    assert.equal((await read('Signin', check)).needsSecondFactor, true);
    for (const none of [{}, { authType: 'BASIC(0)' }, { authType: 0 }, { requiredAuthCheck: null }]) {
      assert.equal((await read('Signin', { ...none, session: 'x' })).needsSecondFactor, false);
    }
    await refuses('Signin', {});
    await refuses('Signin', { session: '' });
    await refuses('Signin', { session: null });
  });
});

describe('responses about environments', () => {
  const info = {
    env: { envName: 'demo', domain: 'demo.hoster.example', shortdomain: 'demo', status: 1, displayName: null },
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
    const { environments } = await read('GetEnvs', { infos: [info] });
    const [environment] = environments;
    assert.equal(environment?.envName, 'demo');
    assert.equal(environment.status, 'running');
    assert.equal(environment.right, 'OWNER');
    assert.equal(environment.nodes[0]?.ismaster, true);
    assert.equal(environment.nodes[0].id, 89876);
    assert.deepEqual(environment.nodeGroups[0]?.deployments, []);
  });

  it('layers are read from softNodeGroups if nodeGroups is missing, next to the environment or inside it', async () => {
    const { nodeGroups, ...rest } = info;
    const groups = [{ ...nodeGroups[0], displayName: 'Web' }];
    const layersOf = async (body: Record<string, unknown>) =>
      (await read('GetEnvInfo', body)).nodeGroups.map(({ name, displayName }) => [name, displayName]);
    assert.deepEqual(await layersOf({ ...rest, softNodeGroups: groups }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...rest, nodeGroups: [], softNodeGroups: groups }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...rest, env: { ...rest.env, softNodeGroups: groups } }), [['cp', 'Web']]);
    assert.deepEqual(await layersOf({ ...info, softNodeGroups: groups }), [['cp', undefined]]);
    await refuses('GetEnvInfo', { ...rest, softNodeGroups: 'none' });
  });

  it('a single environment has the same format', async () => {
    const alone = await read('GetEnvInfo', info);
    assert.deepEqual(alone, (await read('GetEnvs', { infos: [info] })).environments[0]);
  });

  it('an unknown status is ignored, and an environment without a name is rejected', async () => {
    const { environments } = await read('GetEnvs', { infos: [{ env: { envName: 'x', status: 77 } }] });
    assert.equal(environments[0]?.status, undefined);
    assert.deepEqual(environments[0]?.nodes, []);
    await refuses('GetEnvs', { infos: [{ env: {} }] });
    await refuses('GetEnvs', { infos: 'none' });
    await refuses('GetEnvs', { infos: [{ env: { envName: 'x' }, nodes: [{ name: 'no id' }] }] });
    assert.deepEqual(await read('GetEnvs', {}), { environments: [] });
  });
});

describe('responses about files', () => {
  it('a text is accepted only as a string', async () => {
    assert.equal((await read('Read', { body: '' })).body, '');
    assert.equal((await read('Read', {})).body, '');
    assert.equal((await read('Read', { body: null })).body, '');
    for (const body of [12, true, {}, ['x']]) await refuses('Read', { body });
  });

  it('mounts and favorites need their path', async () => {
    const mounts = await read('GetMountPoints', {
      array: [{ path: '/m', type: 'INTERNAL(1)', creator: 1, sourceAddressType: 'NODE_GROUP' }],
    });
    assert.equal(mounts.array[0]?.type, 'INTERNAL');
    assert.equal(mounts.array[0].creator, 'SYSTEM');
    assert.equal(mounts.array[0].sourceAddressType, 'NODE_GROUP');
    await refuses('GetMountPoints', { array: [{}] });
    await refuses('GetFavorites', { favoriteList: [{ id: 1 }] });
  });

  it('unreadable values are reported by their field, never by their value', async () => {
    const reading = await operationsByName.GetTokens.answer.read({ tokens: ['the-secret'] }, {});
    assert('malformed' in reading);
    assert.match(reading.malformed, /tokens/);
    assert.doesNotMatch(reading.malformed, /the-secret/);
  });
});

describe('responses about projects', () => {
  it('every field can be missing', async () => {
    assert.deepEqual(JSON.parse(JSON.stringify(await read('GetProject', {}))), {});
    const project = await read('GetProject', { type: 'GIT(1)', autoupdate: 'true', interval: 5, project: {} });
    assert.equal(project.type, 'GIT');
    assert.equal(project.autoupdate, true);
    assert.equal(project.interval, '5');
    assert.equal(project.project, undefined);
  });
});
