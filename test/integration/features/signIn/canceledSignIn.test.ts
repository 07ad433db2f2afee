import assert from 'node:assert/strict';
import { before, beforeEach, describe, it } from 'mocha';
import { CancellationTokenSource, commands, window } from 'vscode';
import { obtainToken } from '../../../../src/features/signIn/credentials';
import type { PlatformClient } from '../../../../src/platform/client';
import { isCanceled } from '../../../../src/platform/errors';
import { type Answer, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('a canceled sign-in', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  let client: PlatformClient;

  before(async () => {
    client = await scene.parts.connections.connect(scene.address);
  });

  beforeEach(() => scene.platform.journal.reset());

  const tokens = async () =>
    (await client.call('GetTokens', { session: await scene.platform.createSession() })).tokens.length;
  const succeeded = (name: string) =>
    scene.platform.journal.entries.filter(({ operation, result }) => operation === name && result === 0).length;

  for (const [moment, made] of [
    ['Signin', 0],
    ['CreateToken', 1],
    ['Signout', 1],
  ] as const) {
    it(`leaves no token and no session if the response to ${moment} is still pending`, async () => {
      const before = await tokens();
      scene.platform.journal.reset();
      const late = scene.fail(moment, { kind: 'hang', when: 'after' });
      const giving = new AbortController();
      const { email: login, password } = scene.platform.sample;
      const wanted = { description: 'Gantry, VS Code on a machine', expiresAt: undefined };
      const obtaining = obtainToken(client, { kind: 'password', login, password, wanted }, giving.signal);
      await late.reached;
      giving.abort();
      late.release();
      await assert.rejects(obtaining, isCanceled);
      assert.equal(succeeded('CreateToken'), made);
      assert.equal(await tokens(), before);
      assert.equal(succeeded('Signin'), succeeded('Signout'), 'every session that was opened is signed out');
    });
  }

  it("adds no account even if the platform responds, and doesn't wait until the new token is deleted", async () => {
    const before = { accounts: scene.parts.accounts.list.length, tokens: await tokens() };
    const { withProgress } = window;
    const cancelButton = new CancellationTokenSource();
    const silent = { report: () => undefined };
    Object.assign(window, {
      withProgress: ((_, task) => task(silent, cancelButton.token)) satisfies typeof withProgress,
    });
    try {
      const late = scene.fail('CreateToken', { kind: 'hang', when: 'after' });
      const { email, password } = scene.platform.sample;
      const answers: readonly Answer[] = [
        scene.platform.origin,
        'Email and password',
        email,
        password,
        '90 days',
        escape,
      ];
      const signingIn = person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      await late.reached;
      const signedOut = scene.platform.journal.next(({ operation }) => operation === 'Signout');
      cancelButton.cancel();
      await signingIn;
      late.release();
      await signedOut;
      assert.equal(scene.parts.accounts.list.length, before.accounts);
      assert.equal(await tokens(), before.tokens);
    } finally {
      Object.assign(window, { withProgress });
      cancelButton.dispose();
    }
  });
});
