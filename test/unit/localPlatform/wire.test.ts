import assert from 'node:assert/strict';
import { operationRows } from '../../localPlatform/contractTable';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, isReply, pathOf, post } from './requests';

describe('local platform: HTTP requests', () => {
  const asked = onStageEachTime(new AskedScene());
  let session: string;
  beforeEach(async () => {
    session = await asked.platform.createSession();
  });
  const form = (values: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(values) });
  const resultOf = async (response: Response): Promise<unknown> => {
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/json;charset=UTF-8');
    const answer: unknown = await response.json();
    assert.ok(isReply(answer));
    return answer.result;
  };
  const inQuery = (method: string, values: Record<string, string>): Promise<Response> =>
    fetch(`${asked.platform.origin}${pathOf('GetEnvs')}?${new URLSearchParams(values).toString()}`, { method });
  const inForm = (values: Record<string, string>): Promise<Response> =>
    fetch(asked.platform.origin + pathOf('GetEnvs'), form(values));

  it('supports every operation of the contract, and only with a session', async () => {
    assert.equal(operationRows.filter(({ area }) => area !== 'extra').length, 40);
    for (const { name } of operationRows.filter((row) => row.name !== 'Signin')) {
      const answer = await post(asked.platform.origin, name, {});
      assert.deepEqual([answer.result, answer['error']], [3, 'invalid parameter [session]'], name);
      assert.equal((await post(asked.platform.origin, name, { session: 'x' })).result, 702, name);
    }
  });

  it('accepts query and form, GET and POST, and responds to the dummy session in the same way', async () => {
    assert.deepEqual(
      [await resultOf(await inQuery('POST', { session })), await resultOf(await inQuery('GET', { session }))],
      [0, 0],
    );
    assert.equal(await resultOf(await inForm({ session })), 0);
    const dummy = { session: '0'.repeat(36) };
    assert.equal(await (await inForm(dummy)).text(), await (await inQuery('POST', dummy)).text());
  });

  it('can accept only one way', async () => {
    asked.platform.behaviour.transport = 'form';
    assert.deepEqual(
      [await resultOf(await inForm({ session })), await resultOf(await inQuery('POST', { session }))],
      [0, 3],
    );
    asked.platform.behaviour.transport = 'query';
    assert.deepEqual(
      [await resultOf(await inForm({ session })), await resultOf(await inQuery('POST', { session }))],
      [3, 0],
    );
  });

  it('rejects a sign-in with GET, and other HTTP methods', async () => {
    const { email, password } = asked.platform.sample;
    const query = new URLSearchParams({ login: email, password }).toString();
    assert.equal((await fetch(`${asked.platform.origin}${pathOf('Signin')}?${query}`)).status, 405);
    assert.equal((await inQuery('PUT', { session })).status, 405);
  });

  it('rejects parameters that are missing, of another type, too long, or not in the contract', async () => {
    const read = (values: Record<string, string>) => asked.call('Read', { path: '/etc', ...values });
    assert.equal((await asked.call('Read'))['error'], 'invalid parameter [path]');
    assert.equal((await read({ nodeid: 'first' }))['error'], 'invalid parameter [nodeid]');
    assert.equal((await read({ nodeId: '1' }))['error'], 'invalid parameter [nodeId]');
    assert.equal((await asked.call('Write', { path: '/srv/a', isAppendMode: 'maybe' })).result, 3);
  });

  it('checks the token before the parameters, and the parameters before the environment', async () => {
    const narrow = await asked.platform.createToken({ description: 'narrow', apiList: ['environment.file.Read'] });
    assert.equal((await asked.call('Write', { session: narrow })).result, 8202);
    assert.equal((await asked.call('Read', { envName: 'none' })).result, 3);
    assert.equal((await asked.call('Read', { envName: 'none', path: '/a' })).result, 11);
  });

  it('leaves out nulls, and includes debug only in the authentication area', async () => {
    const [file, account] = [await asked.call('GetMountPoints'), await asked.call('GetTokens')];
    assert.deepEqual(Object.keys(file), ['result', 'className', 'array', 'source']);
    assert.deepEqual(Object.keys(account), ['result', 'tokens', 'debug']);
  });

  it('limits a URL to 2,048 characters and the size of a body', async () => {
    const long = await inQuery('POST', { session, appid: 'x'.repeat(2048) });
    assert.deepEqual([long.status, long.headers.get('content-type')], [414, 'text/html']);
    asked.platform.behaviour.bodyBytes = 1000;
    assert.equal((await inForm({ session, appid: 'x'.repeat(2000) })).status, 413);
    assert.equal((await fetch(`${asked.platform.origin}/1.0/environment/file/rest/nosuch`)).status, 404);
  });

  it('accepts texts of any kind and of many megabytes', async () => {
    const disk = asked.disk('sqldb');
    const body = `+ %2B & = ; \r\n\t\u0000 é 🏗️ </script> ${'x'.repeat(8_000_000)}`;
    assert.equal((await asked.call('Write', { path: '/srv/a', body, nodeid: disk.id })).result, 0);
    assert.equal(await disk.text('/srv/a'), body);
    assert.equal((await asked.call('Read', { path: '/srv/a', nodeid: disk.id }))['body'], body);
  });

  it('lists environments with layers and nodes to the users who can access them', async () => {
    await asked.platform.addEnvironment({
      envName: 'second',
      displayName: 'Second',
      status: 2,
      layers: [
        {
          name: 'cp',
          nodeType: 'nodejs',
          containerUser: 'jelastic',
          isVcsSupport: true,
          contextValidatorRegex: '^ROOT$',
        },
      ],
    });
    const { infos } = await asked.call('GetEnvs');
    assert.ok(Array.isArray(infos));
    assert.equal(infos.length, 2);
    const answer = await asked.call('GetEnvInfo', { envName: 'second' });
    assert.deepEqual(answer['env'], {
      envName: 'second',
      displayName: 'Second',
      domain: 'second.localhost',
      shortdomain: 'second',
      status: 2,
      hardwareNodeGroup: 'default_hn_group',
      sslstate: false,
      ishaenabled: false,
      extdomains: [],
    });
    const node = asked.platform.nodes('second')[0]?.id ?? 0;
    assert.deepEqual(answer['nodes'], [
      {
        id: node,
        name: 'nodejs',
        nodeGroup: 'cp',
        nodeType: 'nodejs',
        nodemission: 'cp',
        ismaster: true,
        isVcsSupport: true,
        status: 1,
        contextValidatorRegex: '^ROOT$',
        singleContext: false,
        address: `10.101.${(node >> 8) & 255}.${node & 255}`,
        intIP: `10.101.${(node >> 8) & 255}.${node & 255}`,
        url: `http://node${node}-second.localhost`,
      },
    ]);
    assert.equal((await asked.call('GetEnvInfo', { envName: 'none' })).result, 11);
    await asked.platform.addUser({ email: 'guest@gantry.example', password: 'x', environments: ['second'] });
    const guest = await asked.platform.createSession('guest@gantry.example');
    const seen = (await asked.call('GetEnvs', { session: guest }))['infos'];
    assert.ok(Array.isArray(seen) && seen.length === 1);
    assert.equal((await asked.call('GetEnvInfo', { session: guest, envName: 'demo' })).result, 702);
  });
});
