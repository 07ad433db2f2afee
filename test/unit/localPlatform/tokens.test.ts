import assert from 'node:assert/strict';
import { onStageEachTime } from '../../scene/onStage';
import { AskedScene, partOf, post, rowsOf, textOf, type Reply, type Values } from './requests';

describe('local platform: tokens', () => {
  const asked = onStageEachTime(new AskedScene());
  let password: string;
  beforeEach(() => {
    ({ password } = asked.platform.sample);
  });
  const create = async (values: Values = {}): Promise<Readonly<Record<string, unknown>>> =>
    partOf(
      await asked.call('CreateToken', { description: 'laptop', apiList: 'environment.file.Read', ...values }),
      'token',
    );
  const listed = async (values: Values = {}) => rowsOf(await asked.call('GetTokens', values), 'tokens');
  const codes = (answers: readonly Reply[]): unknown[] => answers.map(({ result }) => result);

  it('returns the secret once: 40 hexadecimal characters on creation, never in a list', async () => {
    const token = await create({ password });
    assert.match(textOf(token, 'key'), /^[0-9a-f]{40}$/u);
    assert.deepEqual([token['tokenTemplate'], token['description']], ['Custom', 'laptop']);
    assert.deepEqual(token['apiList'], ['environment.file.Read']);
    const [row] = await listed();
    assert.equal(row?.['id'], token['id']);
    assert.ok(row !== undefined && !('key' in row) && !('lastUsed' in row) && !('expiresAt' in row));
  });

  it("permits only a token's own methods, in any case and with env for environment", async () => {
    const session = textOf(await create({ apiList: 'env.control.getenvs,ENVIRONMENT.FILE.GETLIST' }), 'key');
    assert.equal((await asked.call('GetEnvs', { session })).result, 0);
    assert.equal((await asked.call('GetList', { session, path: '/' })).result, 0);
    const refused = await asked.call('Read', { session, path: '/x' });
    assert.equal(refused.result, 8202);
    assert.match(textOf(refused, 'error'), /environment\.file\.Read/u);
    assert.ok('lastUsed' in ((await listed())[0] ?? {}));
  });

  it('gives a token of a template the methods of the template', async () => {
    const session = textOf(await create({ tokenTemplate: 'IDE Plugins' }), 'key');
    assert.equal((await asked.call('GetEnvs', { session })).result, 0);
    assert.equal((await asked.call('GetTokens', { session })).result, 8202);
  });

  it('rejects invalid tokens', async () => {
    const make = (values: Values) => asked.call('CreateToken', { description: 'x', apiList: 'a.b.C', ...values });
    const answers = [
      await make({ tokenTemplate: 'No Such' }),
      await make({ apiList: 'not a method' }),
      await make({ apiList: '' }),
      await make({ expiresAt: '2030-02-30 10:00:00' }),
      await make({ expiresAt: '2030-02-20T10:00:00Z' }),
      await make({ password: 'wrong' }),
    ];
    assert.deepEqual(codes(answers), [3, 3, 3, 3, 3, 701]);
    assert.equal((await asked.call('CreateToken', { apiList: 'a.b.C' })).result, 3);
    assert.deepEqual(await listed(), []);
  });

  it('lets a token expire at its UTC time', async () => {
    const expiresAt = new Date(Date.now() + 60_000).toISOString().slice(0, 19).replace('T', ' ');
    const session = textOf(await create({ expiresAt, apiList: 'environment.control.GetEnvs' }), 'key');
    assert.equal((await asked.call('GetEnvs', { session })).result, 0);
    assert.equal((await listed())[0]?.['expiresAt'], expiresAt);
    asked.platform.clock.advance(61_000);
    assert.equal((await asked.call('GetEnvs', { session })).result, 702);
  });

  it('changes the fields that are sent and keeps the others, and requires the password', async () => {
    const { id } = await create();
    const edit = (values: Values) => asked.call('EditToken', { id: Number(id), password, ...values });
    assert.equal((await edit({ password: 'wrong', description: 'stolen' })).result, 701);
    assert.equal((await edit({ id: 999_999 })).result, 5);
    assert.equal((await edit({ expiresAt: 'soon' })).result, 3);
    const edited = partOf(await edit({ description: 'desktop', expiresAt: '2099-01-01 00:00:00' }), 'token');
    assert.deepEqual(
      [edited['description'], edited['expiresAt'], edited['apiList']],
      ['desktop', '2099-01-01 00:00:00', ['environment.file.Read']],
    );
    assert.ok(!('key' in edited));
    assert.ok(!('expiresAt' in partOf(await edit({ expiresAt: '' }), 'token')));
    assert.equal(
      (await post(asked.platform.origin, 'EditToken', { session: await asked.platform.createSession(), id: 1 })).result,
      3,
    );
  });

  it('renews the secret, and the old one is invalid at once', async () => {
    const { id, key } = await create({ apiList: 'environment.control.GetEnvs' });
    const renew = (values: Values) => asked.call('RegenerateToken', { id: Number(id), password, ...values });
    assert.deepEqual(codes([await renew({ password: 'wrong' }), await renew({ id: 999_999 })]), [701, 5]);
    const renewed = partOf(await renew({}), 'token');
    assert.notEqual(renewed['key'], key);
    assert.equal((await asked.call('GetEnvs', { session: String(key) })).result, 702);
    assert.equal((await asked.call('GetEnvs', { session: String(renewed['key']) })).result, 0);
  });

  it('deletes tokens listed with commas or semicolons, or all, and returns a boolean', async () => {
    const ids: unknown[] = [];
    for (let made = 0; made < 5; made += 1) ids.push((await create())['id']);
    const [a, b, c, d, e] = ids.map(String);
    assert.equal((await asked.call('DeleteTokens', { ids: `${a}, ${b};${c}`, password })).result, true);
    assert.deepEqual(
      (await listed()).map(({ id }) => String(id)),
      [d, e],
    );
    assert.deepEqual(
      codes([
        await asked.call('DeleteTokens', { ids: `${d}`, password: 'wrong' }),
        await asked.call('DeleteTokens', { ids: 'all' }),
        await asked.call('DeleteTokens', { ids: `${d},999999` }),
      ]),
      [701, 3, 5],
    );
    assert.equal((await listed()).length, 2);
    asked.platform.behaviour.deleteTokens = 'number';
    assert.equal((await asked.call('DeleteTokens', { ids: '*' })).result, 0);
    assert.deepEqual(await listed(), []);
  });

  it('neither shows nor changes the tokens of another account', async () => {
    await asked.platform.addUser({ email: 'other@gantry.example', password: 'x' });
    const foreign = await asked.platform.createSession('other@gantry.example');
    const { id } = await create();
    assert.deepEqual(await listed({ session: foreign }), []);
    assert.equal((await asked.call('DeleteTokens', { session: foreign, ids: String(id) })).result, 5);
    assert.equal((await asked.call('GetTokens', { session: foreign, ids: String(id) })).result, 5);
  });

  it('lists some tokens by their IDs, in either format', async () => {
    const [first, second] = [await create(), await create({ description: 'second' })];
    assert.deepEqual(
      (await listed({ ids: String(second['id']) })).map(({ id }) => id),
      [second['id']],
    );
    asked.platform.behaviour.tokenLists = 'apiTokens';
    const [row] = rowsOf(await asked.call('GetTokens', { ids: String(first['id']) }), 'apiTokens');
    assert.deepEqual(row?.['apiListItems'], [{ method: 'environment.file.Read' }]);
  });

  it('ends the sessions of listed tokens, and the next call opens a new one', async () => {
    const first = await create({ apiList: 'environment.control.GetEnvs' });
    const second = await create({ apiList: 'environment.control.GetEnvs' });
    const use = async () => {
      for (const { key } of [first, second]) await asked.call('GetEnvs', { session: String(key) });
    };
    const sessions = async () => rowsOf(await asked.call('GetSessions'), 'sessions').length;
    await use();
    assert.equal(await sessions(), 3);
    assert.equal((await asked.call('SignoutSessions', { ids: String(first['id']) })).result, 0);
    assert.equal(await sessions(), 2);
    await use();
    assert.equal((await asked.call('SignoutSessions', { ids: '*' })).result, 0);
    assert.equal(await sessions(), 1);
    assert.equal((await asked.call('SignoutSessions', { ids: 'x' })).result, 3);
    assert.equal((await asked.call('SignoutSessions', { ids: '999999' })).result, 5);
  });

  it('lists the methods for tokens, private ones on request, filtered by name', async () => {
    const all = async (values: Values): Promise<string[]> => {
      const { apiList } = await asked.call('GetTokenApiList', values);
      assert.ok(Array.isArray(apiList));
      return apiList.map(String);
    };
    const open = await all({});
    assert.ok(open.includes('environment.file.Write') && !open.includes('users.authentication.GetPolicyMethods'));
    assert.ok((await all({ showPrivate: true })).includes('users.authentication.GetPolicyMethods'));
    assert.deepEqual(await all({ sortParam: 'vcs.up' }), ['environment.vcs.Update']);
    asked.platform.behaviour.privateMethods = 'extras';
    assert.ok(!(await all({})).includes('environment.control.GetEnvs'));
    assert.ok((await all({ showPrivate: true })).includes('environment.control.GetEnvs'));
    asked.platform.behaviour.methodLists = 'tokenPermissions';
    const [row] = rowsOf(await asked.call('GetTokenApiList', { sortParam: 'vcs.up' }), 'tokenPermissions');
    assert.equal(row?.['method'], 'environment.vcs.Update');
  });

  it('lists the standard templates with their methods', async () => {
    const templates = rowsOf(await asked.call('GetTokenTemplates'), 'templates');
    assert.deepEqual(
      templates.map(({ name }) => name),
      ['Marketplace', 'Maven Plugin', 'IDE Plugins', 'Extended Access'],
    );
    assert.ok(templates.every(({ apiList }) => Array.isArray(apiList) && apiList.length > 0));
  });

  it('says what a policy allows or denies', async () => {
    const allowed = await asked.call('GetPolicyMethods', { appid: 'x' });
    assert.deepEqual([allowed.result, allowed['behavior']], [0, 0]);
    const [first] = rowsOf(allowed, 'tokenPermissions');
    assert.deepEqual(Object.keys(first ?? {}), [
      'id',
      'method',
      'isCollaborationAccessible',
      'isSafe',
      'useObjectHash',
    ]);
    asked.platform.behaviour.enums = 'nameAndNumber';
    const denied = await asked.call('GetPolicyMethods', { appid: 'x', uniqueName: 'tokens-denied' });
    assert.equal(denied['behavior'], 'DENY(1)');
    assert.equal((await asked.call('GetPolicyMethods', { appid: 'x', uniqueName: 'nope' })).result, 5);
    assert.equal((await asked.call('GetPolicyMethods')).result, 3);
  });
});
