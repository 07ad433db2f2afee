import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import { CancellationTokenSource, commands, window } from 'vscode';
import { obtainToken } from '../../../../src/features/signIn/credentials';
import type { Parts } from '../../support/parts';
import { parseAddress, type PlatformAddress } from '../../../../src/platform/address';
import type { PlatformClient } from '../../../../src/platform/client';
import { isCanceled } from '../../../../src/platform/errors';
import { type LocalPlatform, startPlatform } from '../../../localPlatform/localPlatform';
import { gantry } from '../../support/gantry';
import { type Answer, escape, Person } from '../../support/person';

describe('a canceled sign-in', () => {
  let platform: LocalPlatform;
  let parts: Parts;
  let address: PlatformAddress;
  let client: PlatformClient;

  before(async () => {
    platform = await startPlatform({ withoutProject: true });
    parts = await gantry();
    const parsed = parseAddress(platform.origin);
    assert.ok('ok' in parsed);
    address = parsed.ok;
    client = await parts.connections.connect(address);
  });

  beforeEach(() => platform.journal.reset());
  afterEach(() => platform.faults.clear());
  after(() => platform.dispose());

  const tokens = async () =>
    (await client.call('GetTokens', { session: await platform.createSession() })).tokens.length;
  const succeeded = (name: string) =>
    platform.journal.entries.filter(({ operation, result }) => operation === name && result === 0).length;

  for (const [moment, made] of [
    ['Signin', 0],
    ['CreateToken', 1],
    ['Signout', 1],
  ] as const) {
    it(`leaves no token and no session if the response to ${moment} is still pending`, async () => {
      const before = await tokens();
      platform.journal.reset();
      const late = platform.faults.add({ operation: moment, fault: { kind: 'hang', when: 'after' } });
      const giving = new AbortController();
      const { email: login, password } = platform.sample;
      const wanted = { description: 'Gantry, VS Code on a machine', expiresAt: undefined };
      const proving = obtainToken(client, { kind: 'password', login, password, wanted }, giving.signal);
      await late.reached;
      giving.abort();
      late.release();
      await assert.rejects(proving, isCanceled);
      assert.equal(succeeded('CreateToken'), made);
      assert.equal(await tokens(), before);
      assert.equal(succeeded('Signin'), succeeded('Signout'), 'every session that was opened is signed out');
    });
  }

  it("adds no account even if the platform responds, and doesn't wait until the new token is deleted", async () => {
    const before = { accounts: parts.accounts.list.length, tokens: await tokens() };
    const person = new Person();
    const { withProgress } = window;
    const cancelButton = new CancellationTokenSource();
    const silent = { report: () => undefined };
    Object.assign(window, {
      withProgress: ((_, task) => task(silent, cancelButton.token)) satisfies typeof withProgress,
    });
    try {
      const late = platform.faults.add({ operation: 'CreateToken', fault: { kind: 'hang', when: 'after' } });
      const { email, password } = platform.sample;
      const answers: readonly Answer[] = [platform.origin, 'Email and password', email, password, '90 days', escape];
      const signingIn = person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      await late.reached;
      const signedOut = platform.journal.next(({ operation }) => operation === 'Signout');
      cancelButton.cancel();
      await signingIn;
      late.release();
      await signedOut;
      assert.equal(parts.accounts.list.length, before.accounts);
      assert.equal(await tokens(), before.tokens);
    } finally {
      Object.assign(window, { withProgress });
      person.leave();
      cancelButton.dispose();
    }
  });
});
