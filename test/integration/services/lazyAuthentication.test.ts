import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { authentication, type AuthenticationProvider, Disposable } from 'vscode';
import { Lazy } from '../../../src/lazy';
import { offerSignInInAccountsMenu, registerAuthentication } from '../../../src/services/levels';
import type { OptionalHostFeature } from '../../../src/services';
import { nextEvent } from '../support/event';
import { Keychain } from '../support/personsAccounts';
import { windowScene } from '../support/windowScene';

/** In the extension host, the extension and its tests share this object. */
const { registerAuthenticationProvider, getSession } = authentication;

describe('a host without authentication providers', () => {
  let warnings: string[];

  beforeEach(() => {
    warnings = [];
  });
  afterEach(() => {
    Object.assign(authentication, { registerAuthenticationProvider, getSession });
  });

  const hosts = {
    'has no such function': { registerAuthenticationProvider: undefined, getSession: undefined },
    'refuses to register one': {
      registerAuthenticationProvider: () => {
        throw new Error('not supported');
      },
      getSession: () => Promise.reject(new Error('not supported')),
    },
  };
  for (const [what, host] of Object.entries(hosts)) {
    it(`activates, says what is missing once, and asks for no session if it ${what}`, async () => {
      Object.assign(authentication, host);
      const hostLacks = new Set<OptionalHostFeature>();
      const accounts = new Lazy<never>(() => Promise.reject(new Error('not used')));
      const log = { warn: (text: string) => void warnings.push(text) };
      registerAuthentication(accounts, { secrets: new Keychain(), hostLacks, log }).dispose();
      await offerSignInInAccountsMenu({ hostLacks });
      assert.deepEqual(warnings, [
        'This editor has no Accounts menu for extensions. Sign in from the Environments view instead.',
      ]);
      assert.deepEqual([...hostLacks], ['authentication']);
    });
  }
});

describe('the accounts in the Accounts menu', () => {
  const scene = windowScene({ signedOut: true });

  afterEach(() => {
    Object.assign(authentication, { registerAuthenticationProvider });
  });

  it('change until their registration ends', async () => {
    const registered: AuthenticationProvider[] = [];
    const register = (_id: string, _label: string, provider: AuthenticationProvider) => {
      registered.push(provider);
      return new Disposable(() => undefined);
    };
    Object.assign(authentication, { registerAuthenticationProvider: register });
    const accounts = new Lazy(() => Promise.resolve({ authentication: scene.parts.authentication }));
    const log = { warn: (text: string) => assert.fail(text) };
    const registration = registerAuthentication(accounts, { secrets: new Keychain(), hostLacks: new Set(), log });
    await accounts.load();
    const [provider] = registered;
    assert.ok(provider);
    const changed = nextEvent(provider.onDidChangeSessions);
    await scene.signIn();
    await changed;
    let count = 0;
    provider.onDidChangeSessions(() => (count += 1));
    registration.dispose();
    await scene.signOut();
    assert.equal(count, 0);
  });
});
