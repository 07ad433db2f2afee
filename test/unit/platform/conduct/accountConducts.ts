import assert from 'node:assert/strict';
import type { authentication } from '../../../../src/platform/contract/authentication';
import type { Conducts } from './scenario';
import type { Stage } from './stage';

const signedIn = ({ session }: Stage) => ({ session });
const ofToken = (id: number) => (stage: Stage) => ({
  ...signedIn(stage),
  id,
  password: stage.platform.sample.password,
});
const nobodysToken = 999_999;

async function addToken({ client, session }: Stage): Promise<number> {
  const settings = { description: 'to work with', apiList: 'environment.file.Read' };
  return (await client.call('CreateToken', { session, ...settings })).token.id;
}

export const accountConducts: Conducts<keyof typeof authentication> = {
  CreateToken: {
    works: (stage) => ({
      ...signedIn(stage),
      description: 'ide',
      apiList: 'environment.file.Read,environment.file.Write',
      expiresAt: '2099-12-31 23:59:59',
    }),
    shows: ({ token }) => {
      assert.match(token.key, /^[0-9a-f]{40}$/);
      assert.deepEqual(token.apiList, ['environment.file.Read', 'environment.file.Write']);
    },
    fails: {
      3: (stage) => ({ ...signedIn(stage), description: 'x', tokenTemplate: 'No such template' }),
      701: (stage) => ({ ...signedIn(stage), description: 'x', apiList: 'environment.file.Read', password: 'wrong' }),
    },
  },
  DeleteTokens: {
    works: async (stage) => ({ ...signedIn(stage), ids: String(await addToken(stage)) }),
    fails: {
      3: (stage) => ({ ...signedIn(stage), ids: 'all of them' }),
      5: (stage) => ({ ...signedIn(stage), ids: String(nobodysToken) }),
      701: async (stage) => ({ ...signedIn(stage), ids: String(await addToken(stage)), password: 'wrong' }),
    },
  },
  EditToken: {
    works: async (stage) => ({ ...ofToken(await addToken(stage))(stage), description: 'renamed' }),
    shows: ({ token }) => assert.equal(token.description, 'renamed'),
    fails: {
      3: async (stage) => ({ ...ofToken(await addToken(stage))(stage), tokenTemplate: 'No such template' }),
      5: ofToken(nobodysToken),
      701: async (stage) => ({ ...ofToken(await addToken(stage))(stage), password: 'wrong' }),
    },
  },
  GetPolicyMethods: {
    works: (stage) => ({ ...signedIn(stage), appid: 'any' }),
    shows: ({ behavior, tokenPermissions }) => {
      assert.equal(behavior, 'ALLOW');
      assert(tokenPermissions.length > 0);
    },
    fails: { 5: (stage) => ({ ...signedIn(stage), appid: 'any', uniqueName: 'no such policy' }) },
  },
  GetSessions: {
    works: signedIn,
    shows: ({ sessions }) => {
      const current = sessions.filter((session) => session.current === true);
      assert.equal(current.length, 1);
      assert(current[0]?.createdOn instanceof Date);
    },
    fails: {},
  },
  GetTokenApiList: {
    works: signedIn,
    shows: ({ apiList }) => assert(apiList.includes('environment.file.Read')),
    fails: {},
  },
  GetTokenTemplates: {
    works: signedIn,
    shows: ({ templates }) => assert(templates.some(({ name }) => name === 'IDE Plugins')),
    fails: {},
  },
  GetTokens: {
    works: async (stage) => ({ ...signedIn(stage), ids: String(await addToken(stage)) }),
    shows: ({ tokens }) => {
      assert.equal(tokens.length, 1);
      assert.equal(tokens[0]?.description, 'to work with');
      assert(tokens[0].createdOn instanceof Date);
    },
    fails: {
      3: (stage) => ({ ...signedIn(stage), ids: 'all of them' }),
      5: (stage) => ({ ...signedIn(stage), ids: String(nobodysToken) }),
    },
  },
  RegenerateToken: {
    works: async (stage) => ofToken(await addToken(stage))(stage),
    shows: ({ token }) => assert.match(token.key, /^[0-9a-f]{40}$/),
    fails: {
      5: ofToken(nobodysToken),
      701: async (stage) => ({ ...ofToken(await addToken(stage))(stage), password: 'wrong' }),
    },
  },
  Signin: {
    works: ({ platform: { sample } }) => ({ login: sample.email, password: sample.password }),
    shows: ({ session, email, status }, { platform: { sample } }) => {
      assert.match(session ?? '', /^.{36}$/);
      assert.equal(email, sample.email);
      assert.equal(status, 'ENABLED');
    },
    fails: {
      701: ({ platform: { sample } }) => ({ login: sample.email, password: 'wrong' }),
    },
  },
  Signout: {
    works: signedIn,
    shows: async (_, { client, session }) => {
      await assert.rejects(client.call('GetSessions', { session }), { result: 702 });
    },
    fails: {},
  },
  SignoutSessions: {
    works: async (stage) => ({ ...signedIn(stage), ids: String(await addToken(stage)) }),
    fails: {
      3: (stage) => ({ ...signedIn(stage), ids: 'all of them' }),
      5: (stage) => ({ ...signedIn(stage), ids: String(nobodysToken) }),
    },
  },
};
