import assert from 'node:assert/strict';
import { assertRefused, readAnswer } from '../readAnswer';

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
      const { tokens } = await readAnswer('GetTokens', body);
      assert.deepEqual(JSON.parse(JSON.stringify(tokens)), expected);
    }
  });

  it('a missing list is empty, and an invalid one is rejected', async () => {
    assert.deepEqual((await readAnswer('GetTokens', {})).tokens, []);
    assert.deepEqual((await readAnswer('GetTokens', { tokens: null })).tokens, []);
    await assertRefused('GetTokens', { tokens: 'none' });
    await assertRefused('GetTokens', { tokens: { 1: {} } });
    await assertRefused('GetTokens', { tokens: [{ description: 'without an id' }] });
    await assertRefused('GetTokens', { tokens: [{ id: 1, apiList: [{}] }] });
    await assertRefused('GetTokenApiList', { apiList: 5 });
  });

  it('a single method is a list of one', async () => {
    assert.deepEqual((await readAnswer('GetTokenApiList', { apiList: 'environment.file.Read' })).apiList, [
      'environment.file.Read',
    ]);
  });

  it('a template given as an object is read as its name', async () => {
    const token = {
      id: 1,
      key: 'k',
      tokenTemplate: { id: 3, name: 'IDE Plugins', apiList: ['environment.file.Read'] },
    };
    assert.equal((await readAnswer('CreateToken', { token })).token.tokenTemplate, 'IDE Plugins');
    assert.equal((await readAnswer('GetTokens', { tokens: [token] })).tokens[0]?.tokenTemplate, 'IDE Plugins');
    assert.equal(
      (await readAnswer('CreateToken', { token: { ...token, tokenTemplate: {} } })).token.tokenTemplate,
      undefined,
    );
  });

  it('methods are also read from permission rows', async () => {
    const tokenPermissions = [{ id: 1, method: 'environment.control.GetEnvs', isSafe: true }];
    assert.deepEqual((await readAnswer('GetTokenApiList', { tokenPermissions })).apiList, [
      'environment.control.GetEnvs',
    ]);
    await assertRefused('GetTokenApiList', { tokenPermissions: [{ id: 1 }] });
  });

  it('a new token without its value is rejected', async () => {
    await assertRefused('CreateToken', { token: { id: 1 } });
    await assertRefused('RegenerateToken', {});
    assert.equal((await readAnswer('CreateToken', { token: { id: 1, key: 'k' } })).token.key, 'k');
  });

  it('a sign-in returns a session or what else is needed', async () => {
    const signedIn = await readAnswer('Signin', {
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
      assert.equal((await readAnswer('Signin', asked)).needsSecondFactor, true);
      assert.equal((await readAnswer('Signin', { ...asked, session: 'x' })).needsSecondFactor, true);
    }
    const check = { session: 'x', requiredAuthCheck: { type: 'TOTP(0)' } };
    assert.equal((await readAnswer('Signin', check)).needsSecondFactor, true);
    for (const none of [{}, { authType: 'BASIC(0)' }, { authType: 0 }, { requiredAuthCheck: null }]) {
      assert.equal((await readAnswer('Signin', { ...none, session: 'x' })).needsSecondFactor, false);
    }
    await assertRefused('Signin', {});
    await assertRefused('Signin', { session: '' });
    await assertRefused('Signin', { session: null });
  });
});
