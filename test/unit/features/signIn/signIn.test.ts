import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'mocha';
import { asksSecondFactor, neededMethods } from '../../../../src/accounts/tokens';
import {
  accountOf,
  CannotCreateTokens,
  type Credentials,
  obtainToken,
} from '../../../../src/features/signIn/credentials';
import type { PlatformError } from '../../../../src/platform/errors';
import { behaviourSchema } from '../../../localPlatform/behaviour';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { onStage } from '../../../scene/onStage';
import { Scene } from '../../../scene/scene';
import { clientFor, failureOf, openDirectPool } from '../../platform/setUp';

const description = 'Gantry, VS Code on a machine';

describe('signing in', () => {
  const scene = onStage(new Scene({ sample: 'environments' }));
  const pool = openDirectPool();

  beforeEach(() => scene.platform.journal.reset());
  after(() => pool.close());

  const withPassword = (
    expiresAt?: Date,
    login = scene.platform.sample.email,
    password = scene.platform.sample.password,
  ): Credentials => ({ kind: 'password', login, password, wanted: { description, expiresAt } });
  const withToken = (token: string): Credentials => ({ kind: 'token', token, name: '' });
  const connect = () => clientFor(scene.platform.origin, { send: pool.send }).client;
  /** As the command does after its questions. */
  const enter = async (credentials: Credentials) => {
    const client = connect();
    return accountOf(client, await obtainToken(client, credentials, new AbortController().signal), []);
  };
  const failure = (credentials: Credentials) => failureOf(enter(credentials));
  const succeeded = (operation: string) =>
    scene.platform.journal.entries.filter((entry) => entry.operation === operation && entry.result === 0).length;
  const openSessions = () => succeeded('Signin') - succeeded('Signout');
  /** The parameters of the token that was created. */
  const made = () =>
    scene.platform.journal.entries.find(({ operation }) => operation === 'CreateToken')?.parameters ?? {};
  const answer = (body: object) => ({ kind: 'answer', body: JSON.stringify({ result: 0, ...body }) }) as const;
  /** The template for editors permits this. */
  const template = (apiList: readonly string[]) =>
    scene.fail('GetTokenTemplates', answer({ templates: [{ name: 'IDE Plugins', id: 3, apiList }] }));

  it('turns a password into a token with the template for editors, and keeps no session', async () => {
    const expiresAt = new Date(Date.now() + 90 * 24 * 60 * 60 * 1000);
    const stored = await enter(withPassword(expiresAt));
    assert.deepEqual(scene.requests(), ['Signin', 'GetTokenTemplates', 'CreateToken', 'Signout']);
    assert.equal(made()['tokenTemplate'], 'IDE Plugins');
    assert.equal(made()['description'], description);
    assert.equal(made()['expiresAt'], expiresAt.toISOString().slice(0, 19).replace('T', ' '));
    assert.equal(stored.expiresAt, expiresAt.getTime());
    assert.equal(stored.login, scene.platform.sample.email);
    assert.match(stored.token, /^[0-9a-f]{40}$/);
    assert.equal(openSessions(), 0);
    assert.equal(JSON.stringify(stored).includes(scene.platform.sample.password), false);
  });

  it('creates a token with exactly the methods that Gantry needs if the template lacks one', async () => {
    template(['environment.file.Read']);
    await enter(withPassword());
    assert.equal(made()['tokenTemplate'], 'Custom');
    const { documentedMethods, undocumentedMethods, optionalMethods } = neededMethods;
    const needed = [...documentedMethods, ...undocumentedMethods, ...optionalMethods];
    assert.deepEqual(made()['apiList']?.split(','), needed);
  });

  it("requests no methods that the platform doesn't have", async () => {
    template([]);
    scene.fail('GetTokenApiList', answer({ apiList: neededMethods.documentedMethods }));
    await enter(withPassword());
    assert.deepEqual(made()['apiList']?.split(','), neededMethods.documentedMethods);
  });

  for (const methodLists of behaviourSchema.entries.methodLists.options) {
    it(`creates a token that can list environments even if the platform hides those methods (${methodLists})`, async () => {
      Object.assign(scene.platform.behaviour, { methodLists, privateMethods: 'extras' });
      template([]);
      const { token } = await enter(withPassword());
      assert.equal((await connect().callAs(token, 'GetEnvs', {})).environments.length, 2);
    });
  }

  const page = { kind: 'answer', contentType: 'text/html', body: '<html><title>Dashboard</title></html>' } as const;
  const failures: readonly {
    readonly of: string;
    /** With the password, where nothing else is said. */
    readonly with?: () => Credentials;
    readonly answers?: { readonly operation: string } & Pick<FaultRule, 'fault'> & Partial<FaultRule>;
    readonly isTold: (error: PlatformError) => boolean;
  }[] = [
    {
      of: 'a password whose token a gateway loses',
      answers: { operation: 'CreateToken', fault: { kind: 'gatewayError', status: 502 } },
      isTold: ({ kind }) => kind === 'unreachable',
    },
    {
      of: 'a password if the templates of tokens are refused',
      answers: { operation: 'GetTokenTemplates', fault: { kind: 'refuse', result: 99, error: 'no' } },
      isTold: ({ result }) => result === 99,
    },
    {
      of: "an account that can't create tokens",
      answers: { operation: 'CreateToken', fault: { kind: 'refuse', result: 8, error: 'permission denied' } },
      isTold: (error) => error instanceof CannotCreateTokens,
    },
    {
      of: 'a wrong password, without repeating it,',
      with: () => withPassword(undefined, undefined, 'wrong-password'),
      isTold: ({ result, message }) => result === 701 && !message.includes('wrong-password'),
    },
    {
      of: "a token that the platform doesn't know",
      with: () => withToken('0'.repeat(40)),
      isTold: ({ result }) => result === 702,
    },
    {
      of: 'a token that is none by its form',
      with: () => withToken('too short'),
      answers: {
        operation: 'GetTokenTemplates',
        fault: { kind: 'refuse', result: 3, error: 'invalid parameter [session]' },
      },
      isTold: ({ kind }) => kind === 'invalid',
    },
    {
      of: 'an address with a web page',
      answers: { operation: '*', times: 'always', fault: page },
      isTold: ({ obstacle }) => obstacle === 'webPage',
    },
  ];
  for (const { of, with: credentials = withPassword, answers, isTold } of failures) {
    it(`tells ${of} from other problems, and leaves no session open`, async () => {
      if (answers) scene.platform.faults.add(answers);
      const error = await failure(credentials());
      assert.ok(isTold(error), error.message);
      assert.equal(openSessions(), 0);
    });
  }

  for (const secondFactor of behaviourSchema.entries.secondFactor.options) {
    for (const enums of behaviourSchema.entries.enums.options) {
      it(`says that the account uses two-factor authentication, with or without a session (${secondFactor}, ${enums})`, async () => {
        Object.assign(scene.platform.behaviour, { secondFactor, enums });
        const login = `two-${secondFactor}-${enums}@factors.example`;
        await scene.platform.addUser({ email: login, password: 'pw-of-two-factors', authType: 'TFA' });
        assert.ok(asksSecondFactor(await failure(withPassword(undefined, login, 'pw-of-two-factors'))));
        assert.equal(scene.count('CreateToken'), 0);
      });
    }
  }

  it('accepts any token that the platform knows, whatever it permits', async () => {
    const token = await scene.platform.createToken({ description: 'narrow', apiList: ['environment.file.Read'] });
    assert.equal((await enter(withToken(token))).token, token);
  });
});
