import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { commands } from 'vscode';
import type { FaultRule } from '../../../localPlatform/faults/fault';
import { type Answer, escape } from '../../support/person';
import { windowScene } from '../../support/windowScene';

describe('the sign-in with a password', () => {
  const scene = windowScene({ sample: 'environments', signedOut: true });
  const { person } = scene;
  const signedIn = () => scene.parts.accounts.list.filter(({ address }) => address === scene.platform.origin);

  beforeEach(() => scene.platform.journal.reset());

  afterEach(async () => {
    for (const { slug } of signedIn()) await scene.parts.accounts.remove(slug);
  });

  const rows: readonly {
    readonly it: string;
    readonly ifCreating?: FaultRule['fault'];
    /** Before the lifetimes that are picked, if another one than the account's. */
    readonly wrongPassword?: string;
    readonly then: readonly Answer[];
    readonly says?: RegExp;
    readonly never: RegExp;
    readonly creates: number;
    readonly isSignedIn: boolean;
  }[] = [
    {
      it: "doesn't offer VS Code's network if the connection breaks while the token is created, and doesn't repeat the request",
      ifCreating: { kind: 'reset', when: 'after' },
      then: ['90 days', escape],
      never: /but VS Code can/,
      creates: 1,
      isSignedIn: false,
    },
    {
      it: "doesn't call an accepted password wrong because the platform refuses the token's lifetime",
      ifCreating: { kind: 'refuse', result: 3, error: 'too long' },
      then: ['1 year', '90 days'],
      says: /too long/,
      never: /Incorrect/,
      creates: 2,
      isSignedIn: true,
    },
    {
      it: 'keeps the other answers if the password is wrong, and connects once',
      wrongPassword: 'not-the-password',
      then: ['90 days'],
      says: /Your password for/,
      never: /not-the-password/,
      creates: 1,
      isSignedIn: true,
    },
  ];
  for (const { it: title, ifCreating, wrongPassword, then, says, never, creates, isSignedIn } of rows) {
    it(title, async () => {
      if (ifCreating) scene.fail('CreateToken', ifCreating);
      const { email, password } = scene.platform.sample;
      const wrong = wrongPassword === undefined ? [] : [wrongPassword, '90 days'];
      const answers = [scene.platform.origin, 'Email and password', email, ...wrong, password, ...then];
      await person.answering(answers, () => commands.executeCommand('gantry.account.signIn'));
      const seen = person.seen.join('\n');
      assert.doesNotMatch(seen, never);
      if (says) assert.match(seen, says);
      assert.deepEqual(
        signedIn().map(({ label }) => label),
        isSignedIn ? [email] : [],
      );
      // It connects once, and signs out after each password that was right.
      const probing = ['GetTokenTemplates', 'GetTokenTemplates'];
      const proving = ['Signin', 'GetTokenTemplates', 'CreateToken', 'Signout'];
      const tried = [...wrong.slice(1).map(() => ['Signin']), ...Array.from({ length: creates }, () => proving)].flat();
      assert.deepEqual(scene.requests().slice(0, probing.length + tried.length), [...probing, ...tried]);
      assert.equal(scene.count('CreateToken'), creates);
    });
  }
});

describe('signing in again', () => {
  const scene = windowScene({ sample: 'environments' });

  it('says that no account is signed out if the command is called without one', async () => {
    await scene.person.answering([], () => commands.executeCommand('gantry.account.signInAgain'));
    assert.deepEqual(scene.person.seen, ["You're signed in to all accounts."]);
  });
});
